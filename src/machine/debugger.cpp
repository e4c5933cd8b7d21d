// What a debugger needs to read cores and queues without this library's debug information: offsets in bytes,
// in the order in which python/toprope/gdb_printers.py takes them.
#include <cstddef>

#include "machine/buffers.h"

extern "C" [[gnu::used, gnu::visibility("default")]] const unsigned char toprope_debugger_layout[9] = {
    offsetof(toprope::Core, base),
    offsetof(toprope::Queue, generation),
    offsetof(toprope::Queue, spec) + offsetof(toprope::QueueSpec, position),
    offsetof(toprope::Queue, spec) + offsetof(toprope::QueueSpec, depth),
    offsetof(toprope::Queue, count),
    offsetof(toprope::Queue, idle),
    offsetof(toprope::Queue, queued),
    offsetof(toprope::Queue, blocks),
    offsetof(toprope::Block, begin),
};
