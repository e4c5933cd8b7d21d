// What reports say about queues.
#pragma once
#include <string>

#include "machine/buffers.h"

namespace toprope {

/// "VECIN", …
const char* position_name(uint8_t position);

/// "add.asc:42 in KernelAdd::Init()", or a phrase when the line is not known.
std::string place_of(Site site);

/// "2 buffers of 4096 bytes on VECIN, InitBuffer at add.asc:42 in KernelAdd::Init()"
std::string describe_queue(const Queue& queue);

inline Slice slice_of(const Queue& queue, const Block& block) {
  return {block.begin, block.begin, block.end, queue.spec.mem};
}

}  // namespace toprope
