// Events of a running kernel, for checks, traces and the cost model. The machine knows this interface and no observer;
// an instruction knows neither.
#pragma once
#include <cstdint>
#include <span>

#include "toprope/machine/core.h"

namespace toprope {

enum class Pipe : uint8_t { S, V, M, MTE1, MTE2, MTE3, FIX, ALL };
const char* name_of(Pipe pipe);

/// What an instruction is, whatever its operands: static data.
struct Instruction {
  const char* name;  ///< as the Ascend C page spells it
  Pipe pipe;
};

/// The exact bytes an operand touches: `repeats` times `blocks` runs of `run` bytes. Where `element` is not 0, only the
/// elements of a repeat whose bit in `mask` is set count.
struct Access {
  const char* operand;
  Slice slice;  ///< slice.at is the first byte of the first run
  uint32_t run = 0;
  uint32_t blocks = 1, block_stride = 0;    ///< strides in bytes
  uint32_t repeats = 1, repeat_stride = 0;
  uint64_t mask[2] = {0, 0};
  uint8_t element = 0;
  uint32_t last = 0;  ///< elements of the last repeat where it is shorter (counter mode); 0 when it is not
  bool write = false;
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
};

struct BlockEvent {
  enum Kind : uint8_t { Begin, End } kind;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_block(Core&, const BlockEvent&) {}
  virtual void on_instruction(Core&, const Instruction&, std::span<const Access>, Site) {}
  virtual void on_flag(Core&, const FlagEvent&, Site) {}
  virtual void on_barrier(Core&, Pipe, Site) {}
  virtual void on_queue(Core&, const QueueEvent&, Site) {}
};

/// Installs an observer for the launches that follow; the caller keeps it alive. Not while a kernel runs.
void install(Observer* observer);
void uninstall(Observer* observer);
std::span<Observer* const> observers();

}  // namespace toprope
