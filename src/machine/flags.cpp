// SetFlag, WaitFlag and barriers of one core.
#include "machine/flags.h"

#include <atomic>
#include <string>

#include "machine/core_state.h"
#include "machine/fault.h"
#include "machine/tell.h"
#include "toprope/machine/sync.h"

namespace toprope {
namespace {

std::string event_name(Pipe from, Pipe to) {
  // HardEvent's enumerators are the pipes' names without PIPE_.
  return std::string(name_of(from) + 5) + "_" + (name_of(to) + 5);
}

std::string call(const char* api, Pipe from, Pipe to, int32_t id) {
  return std::string(api) + "<" + event_name(from, to) + ">(" + std::to_string(id) + ")";
}

bool has(bool cube, Pipe pipe) {
  switch (pipe) {
    case Pipe::S:
    case Pipe::MTE2:
    case Pipe::MTE3:
    case Pipe::ALL:
      return true;
    case Pipe::V:
      return !cube;
    default:
      return cube;
  }
}

[[gnu::cold, gnu::noinline]] void refuse_flag(Core& c, const char* api, Pipe from, Pipe to, int32_t id,
                                              Site site) {
  if (id < 0 || id >= FlagTable::kIds)
    refuse(c, call(api, from, to, id), "event id " + std::to_string(id), "ids go from 0 to 7", site);
  const Pipe missing = has(c.cube, from) ? to : from;
  refuse(c, call(api, from, to, id),
         std::string("a ") + (c.cube ? "cube" : "vector") + " core has no " + name_of(missing),
         "use a pair of pipes that this kind of core has", site);
}

/// In a kernel of both kinds the same line runs on both; what the other kind's pipes order is nothing here.
inline bool legal(const Core& c, Pipe from, Pipe to, int32_t id) {
  if (static_cast<uint32_t>(id) >= FlagTable::kIds) return false;
  if (has(c.cube, from) && has(c.cube, to)) return true;
  const Launch& l = *c.state->launch;
  return l.cubes != 0 && l.vectors != 0;
}

[[gnu::cold, gnu::noinline]] void refuse_wait(Core& c, Pipe from, Pipe to, int32_t id, Site site) {
  std::string set;
  for (int f = 0; f < 8; ++f)
    for (int t = 0; t < 8; ++t)
      for (int i = 0; i < FlagTable::kIds; ++i)
        if (c.state->flags.is_set(static_cast<Pipe>(f), static_cast<Pipe>(t), i))
          set += (set.empty() ? "; set and not waited for: " : ", ") +
                 event_name(static_cast<Pipe>(f), static_cast<Pipe>(t)) + " " + std::to_string(i);
  refuse(c, call("WaitFlag", from, to, id),
         std::string("no ") + call("SetFlag", from, to, id) + " came before it on this core: " + name_of(to) +
             " would wait for ever" + set,
         "call " + call("SetFlag", from, to, id) + " before, with the same event and the same id", site,
         Fault::Deadlock);
}

[[gnu::cold, gnu::noinline]] void tell_flag(Core& c, FlagEvent::Kind kind, Pipe from, Pipe to, int32_t id,
                                            Site site) {
  for (Observer* o : observers(Heard::Flag)) o->on_flag(c, {kind, from, to, static_cast<uint8_t>(id)}, site);
}

}  // namespace

void set_flag(Pipe from, Pipe to, int32_t id) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  if (!legal(c, from, to, id)) [[unlikely]]
    refuse_flag(c, "SetFlag", from, to, id, site);
  if (!c.state->flags.set(from, to, id)) [[unlikely]]
    refuse(c, call("SetFlag", from, to, id), "this flag is set already and nobody has waited for it",
           "call " + call("WaitFlag", from, to, id) + " between two SetFlag, or use another id", site);
  if (c.watched) [[unlikely]]
    tell_flag(c, FlagEvent::Set, from, to, id, site);
}

void wait_flag(Pipe from, Pipe to, int32_t id) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  if (!legal(c, from, to, id)) [[unlikely]]
    refuse_flag(c, "WaitFlag", from, to, id, site);
  if (!c.state->flags.wait(from, to, id)) [[unlikely]]
    refuse_wait(c, from, to, id, site);
  if (c.watched) [[unlikely]]
    tell_flag(c, FlagEvent::Wait, from, to, id, site);
}

void pipe_barrier(Pipe pipe) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  if (pipe == Pipe::S) [[unlikely]]
    refuse(c, "PipeBarrier", "PIPE_S", "the scalar pipe is in order by itself and takes no barrier", site);
  tell_barrier(c, pipe, site);
}

void data_barrier() {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  tell_barrier(c, Pipe::S, site);
}

}  // namespace toprope
