// Events of a running kernel, for checks, traces and the cost model. The machine knows this interface and no
// observer; an instruction knows neither.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "machine/run.h"
#include "toprope/machine/core.h"
#include "toprope/machine/instruction.h"
#include "toprope/machine/pipe.h"

namespace toprope {

const char* name_of(Pipe pipe);
const char* name_of(Mem mem);

/// The exact bytes an operand touches: `repeats` times `blocks` runs of `run` bytes. Where `element` is not
/// 0, only the elements of a repeat whose bit in `mask` is set count. Operands that are gathered give the
/// start of each run in `places` instead of a step; they have no mask.
struct Access {
  const char* operand;
  Slice slice;  ///< slice.at is the first byte of the first run
  uint32_t run = 0;
  uint32_t blocks = 1, repeats = 1;
  uint64_t block_stride = 0, repeat_stride = 0;  ///< bytes; in GM a stride can exceed 4 GiB
  const uint32_t* places = nullptr;  ///< of `blocks` runs: bytes from slice.at, ascending; alive for the call
  uint64_t mask[2] = {0, 0};
  uint8_t element = 0;
  uint8_t width = 0;  ///< bytes of an element; 0 for operands without a type (copies)
  uint32_t last = 0;  ///< elements of the last repeat where it is shorter (counter mode); 0 when it is not
  bool write = false;
  bool atomic = false;  ///< a write that combines with what is there and may meet those of other cores
  bool random = false;  ///< a write that leaves there what nobody has chosen: padding without a value
  bool cached = false;  ///< GM through the scalar unit's data cache
  uint64_t asked = 0;   ///< elements of a repeat that the mask asked for, where a repeat holds fewer
};

/// Return addresses in the caller's code; symbolised only when something is reported.
using Site = const void*;

struct FlagEvent {
  enum Kind : uint8_t { Set, Wait } kind;
  Pipe from, to;
  uint8_t id;
};

struct QueueEvent {
  enum Kind : uint8_t {
    Init,
    Alloc,
    EnQue,
    DeQue,
    Free,
    Reset,  ///< its TPipe or pool was reset: whoever held the buffer has given it up
    End     ///< its TPipe ended
  } kind;
  const void* queue;
  Slice buffer;
  uint8_t position;  ///< TPosition of the queue
  Flow flow;         ///< who fills the buffer and who reads it: EnQue is a SetFlag of this pair and DeQue its
              ///< WaitFlag, Free a SetFlag of the opposite pair and the next Alloc of the buffer its WaitFlag
  bool placed = false;  ///< Init: the kernel chose the address itself
};

/// Order between cores: what came before a Release of `object` comes before what follows an Acquire of it. A
/// barrier is a Release by each core that arrives and an Acquire by each that leaves.
struct SyncEvent {
  enum Kind : uint8_t { Release, Acquire } kind;
  uint64_t object;  ///< one value for each flag of a core, barrier generation, … of a launch. Where bits 60
                    ///< and up are set, the low 28 count rounds, and nobody asks for one that is 16 old
  Pipe pipe;        ///< the pipe whose earlier instructions a Release covers; ALL for every one
  enum Means : uint8_t { Memory, Flag, Barrier } means = Memory;  ///< words in GM, cross-core flags, SyncAll
  uint8_t mode = 0;                                               ///< of a Flag
  uint16_t id = 0;                                                ///< of a Flag, as the kernel gave it
};

/// DataCacheCleanAndInvalid: the line at `at`, or the whole cache, is written back and dropped.
struct CacheEvent {
  uint64_t at;
  bool whole;
};

/// A flag between cores that a launch left behind: raised and not waited for, or set by only some of the
/// cores that raise it together.
struct LeftFlag {
  uint32_t core;    ///< that should have waited, or that has set it: GetBlockIdx() there
  bool cube;        ///< whether that is an AIC
  uint64_t object;  ///< what raised it, as in SyncEvent
  uint32_t count;   ///< times it is still up; 0 when it was never raised
  uint16_t id;
};

/// What the host, or a task of a stream (see StreamEvent), does to device memory outside kernels.
struct HostEvent {
  enum Kind : uint8_t {
    Allocate,
    Free,
    Write,
    Read,
    RefusedFree,  ///< `message` is what the call answered
    RefusedCopy,
  } kind;
  uint64_t at = 0, bytes = 0;
  uint64_t guard = 0;        ///< Allocate, Free: bytes in front of and behind the block that are nobody's
  const char* api = "";      ///< the runtime's function
  const char* message = "";  ///< lives as long as the event
};

/// Order between the host and its streams. Tasks of a stream are numbered from 1.
struct StreamEvent {
  enum Kind : uint8_t {
    Submit,       ///< the host hands `task` to `stream`
    Begin,        ///< the calling thread starts the task: what it tells until End is the task's doing
    End,          ///<
    After,        ///< tasks submitted to `stream` from now on start after `task` of stream `other`
    Synchronise,  ///< the host has waited until the tasks of `stream` up to `task` were done
  } kind;
  int32_t stream;
  uint64_t task;
  int32_t other = -1;
};

/// Why a launch ends early.
struct Refusal {
  const Launch& launch;
  Fault fault;
  int block;                     ///< GetBlockIdx(); -1 when it is nobody's alone
  std::string_view instruction;  ///< or what else was called
  std::string_view what, cure;
  Site site;
};

/// What the device does not refuse although it is hardly meant: it rounds, clamps or ignores a parameter, or
/// the documents leave the outcome open. The call goes on here, too.
struct Remark {
  std::string instruction;  ///< as its page spells it, template arguments included where they matter
  const char* rule;         ///< stable identifier, "constraints.rounded_down"
  bool open;                ///< the outcome is not documented; false: it is, and hardly meant
  std::string what, cure;
};

struct BlockEvent {
  enum Kind : uint8_t { Begin, End } kind;
};

/// Events of one launch come from one thread; on_host and on_stream may come from others at the same time.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void on_launch(const Launch&, bool begins) { (void)begins; }
  virtual void on_host(const HostEvent&, Site) {}
  virtual void on_stream(const StreamEvent&, Site) {}
  virtual void on_block(Core&, const BlockEvent&) {}
  virtual void on_instruction(Core&, const Instruction&, std::span<const Access>, Site) {}
  virtual void on_flag(Core&, const FlagEvent&, Site) {}
  virtual void on_barrier(Core&, Pipe, Site) {}
  virtual void on_queue(Core&, const QueueEvent&, Site) {}
  virtual void on_sync(Core&, const SyncEvent&, Site) {}
  virtual void on_cache(Core&, const CacheEvent&, Site) {}
  /// Before the block ends; the report is shown in any case.
  virtual void on_refusal(const Refusal&) {}
  /// After the last block, before on_launch ends.
  virtual void on_left_flag(const Launch&, const LeftFlag&) {}
  virtual void on_remark(Core&, const Remark&, Site) {}
};

/// What an observer can hear: one for each of its functions.
enum class Heard : uint8_t {
  Launch,
  Host,
  Stream,
  Block,
  Instruction,
  Flag,
  Barrier,
  Queue,
  Sync,
  Cache,
  Refusal,
  LeftFlag,
  Remark,
};
inline constexpr int kHeard = 13;

/// A bit for each function that T overrides: nobody is told what he does not listen to.
template <class T>
constexpr uint32_t heard_by() {
  uint32_t bits = 0;
  const auto hears = [&bits]<class Own, class Default>(Heard what, Own, Default) {
    if (!std::is_same_v<Own, Default>) bits |= 1u << static_cast<int>(what);
  };
  hears(Heard::Launch, &T::on_launch, &Observer::on_launch);
  hears(Heard::Host, &T::on_host, &Observer::on_host);
  hears(Heard::Stream, &T::on_stream, &Observer::on_stream);
  hears(Heard::Block, &T::on_block, &Observer::on_block);
  hears(Heard::Instruction, &T::on_instruction, &Observer::on_instruction);
  hears(Heard::Flag, &T::on_flag, &Observer::on_flag);
  hears(Heard::Barrier, &T::on_barrier, &Observer::on_barrier);
  hears(Heard::Queue, &T::on_queue, &Observer::on_queue);
  hears(Heard::Sync, &T::on_sync, &Observer::on_sync);
  hears(Heard::Cache, &T::on_cache, &Observer::on_cache);
  hears(Heard::Refusal, &T::on_refusal, &Observer::on_refusal);
  hears(Heard::LeftFlag, &T::on_left_flag, &Observer::on_left_flag);
  hears(Heard::Remark, &T::on_remark, &Observer::on_remark);
  return bits;
}

void install(Observer* observer, uint32_t heard);

/// Installs an observer for the launches that follow; the caller keeps it alive. Not while a kernel runs.
template <class T>
void install(T* observer) {
  static_assert(!std::is_same_v<T, Observer>,
                "install an observer as what it is: it hears what its class overrides");
  install(observer, heard_by<T>());
}
void uninstall(Observer* observer);
/// Those who listen to this.
std::span<Observer* const> observers(Heard what);

extern bool any_observer;
/// Whether there is an observer.
inline bool watched() { return any_observer; }

}  // namespace toprope
