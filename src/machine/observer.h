// Events of a running kernel, for checks, traces and the cost model. The machine knows this interface and no
// observer; an instruction knows neither.
#pragma once
#include <cstdint>
#include <span>

#include "toprope/machine/core.h"
#include "toprope/machine/pipe.h"

namespace toprope {

const char* name_of(Pipe pipe);
const char* name_of(Mem mem);

/// What an instruction is, whatever its operands: static data.
struct Instruction {
  const char* name;  ///< as the Ascend C page spells it
  Pipe pipe;
};

/// The exact bytes an operand touches: `repeats` times `blocks` runs of `run` bytes. Where `element` is not
/// 0, only the elements of a repeat whose bit in `mask` is set count.
struct Access {
  const char* operand;
  Slice slice;  ///< slice.at is the first byte of the first run
  uint32_t run = 0;
  uint32_t blocks = 1, repeats = 1;
  uint64_t block_stride = 0, repeat_stride = 0;  ///< bytes; in GM a stride can exceed 4 GiB
  uint64_t mask[2] = {0, 0};
  uint8_t element = 0;
  uint8_t width = 0;  ///< bytes of an element; 0 for operands without a type (copies)
  uint32_t last = 0;  ///< elements of the last repeat where it is shorter (counter mode); 0 when it is not
  bool write = false;
  bool atomic = false;  ///< a write that combines with what is there and may meet those of other cores
};

/// Return addresses in the caller's code; symbolised only when something is reported.
using Site = const void*;

struct FlagEvent {
  enum Kind : uint8_t { Set, Wait } kind;
  Pipe from, to;
  uint8_t id;
};

struct QueueEvent {
  enum Kind : uint8_t { Init, Alloc, EnQue, DeQue, Free } kind;
  const void* queue;
  Slice buffer;
  uint8_t position;  ///< TPosition of the queue
  Flow flow;         ///< who fills the buffer and who reads it: EnQue is a SetFlag of this pair and DeQue its
              ///< WaitFlag, Free a SetFlag of the opposite pair and the next Alloc of the buffer its WaitFlag
};

/// Order between cores: what came before a Release of `object` comes before what follows an Acquire of it. A
/// barrier is a Release by each core that arrives and an Acquire by each that leaves.
struct SyncEvent {
  enum Kind : uint8_t { Release, Acquire } kind;
  uint64_t object;  ///< one value for each flag of a core, barrier generation, … of a launch
  Pipe pipe;        ///< the pipe whose earlier instructions a Release covers; ALL for every one
};

/// What the host does to device memory, outside kernels.
struct HostEvent {
  enum Kind : uint8_t { Allocate, Free, Write, Read } kind;
  uint64_t at, bytes;
};

struct Launch;

struct BlockEvent {
  enum Kind : uint8_t { Begin, End } kind;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_launch(const Launch&, bool begins) { (void)begins; }
  virtual void on_host(const HostEvent&, Site) {}
  virtual void on_block(Core&, const BlockEvent&) {}
  virtual void on_instruction(Core&, const Instruction&, std::span<const Access>, Site) {}
  virtual void on_flag(Core&, const FlagEvent&, Site) {}
  virtual void on_barrier(Core&, Pipe, Site) {}
  virtual void on_queue(Core&, const QueueEvent&, Site) {}
  virtual void on_sync(Core&, const SyncEvent&, Site) {}
};

/// Installs an observer for the launches that follow; the caller keeps it alive. Not while a kernel runs.
void install(Observer* observer);
void uninstall(Observer* observer);
std::span<Observer* const> observers();

}  // namespace toprope
