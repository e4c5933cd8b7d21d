// Pipes, event ids and hardware events, and the built-in words for them.
// Source: Ascend C API, synchronisation inside a core, tables 1 to 3.
#pragma once
#include "toprope/machine/sync.h"

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_FIX = 10 };
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

namespace AscendC {

using TEventID = int8_t;

#define TOPROPE_EVENTS(EVENT) \
  EVENT(MTE2, MTE1)           \
  EVENT(MTE1, MTE2)           \
  EVENT(MTE1, M)              \
  EVENT(M, MTE1)              \
  EVENT(MTE2, V)              \
  EVENT(V, MTE2)              \
  EVENT(MTE3, V)              \
  EVENT(V, MTE3)              \
  EVENT(M, V)                 \
  EVENT(V, M)                 \
  EVENT(V, V)                 \
  EVENT(MTE3, MTE1)           \
  EVENT(MTE1, MTE3)           \
  EVENT(MTE1, V)              \
  EVENT(MTE2, M)              \
  EVENT(M, MTE2)              \
  EVENT(V, MTE1)              \
  EVENT(M, FIX)               \
  EVENT(FIX, M)               \
  EVENT(MTE3, MTE2)           \
  EVENT(MTE2, MTE3)           \
  EVENT(S, V)                 \
  EVENT(V, S)                 \
  EVENT(S, MTE2)              \
  EVENT(MTE2, S)              \
  EVENT(S, MTE3)              \
  EVENT(MTE3, S)              \
  EVENT(MTE2, FIX)            \
  EVENT(FIX, MTE2)            \
  EVENT(FIX, S)               \
  EVENT(M, S)                 \
  EVENT(FIX, MTE3)            \
  EVENT(MTE1, FIX)            \
  EVENT(FIX, MTE1)            \
  EVENT(FIX, FIX)

/// Named source_destination: the destination pipe waits for the source pipe.
enum class HardEvent : uint8_t {
#define TOPROPE_EVENT(from, to) from##_##to,
  TOPROPE_EVENTS(TOPROPE_EVENT)
#undef TOPROPE_EVENT
      MAX
};

namespace detail {

constexpr toprope::Pipe pipe_of(pipe_t pipe) {
  switch (pipe) {
    case PIPE_S:
      return toprope::Pipe::S;
    case PIPE_V:
      return toprope::Pipe::V;
    case PIPE_M:
      return toprope::Pipe::M;
    case PIPE_MTE1:
      return toprope::Pipe::MTE1;
    case PIPE_MTE2:
      return toprope::Pipe::MTE2;
    case PIPE_MTE3:
      return toprope::Pipe::MTE3;
    case PIPE_FIX:
      return toprope::Pipe::FIX;
    case PIPE_ALL:
      break;
  }
  return toprope::Pipe::ALL;
}

constexpr toprope::Flow flow_of(HardEvent event) {
  using toprope::Pipe;
  constexpr toprope::Flow flows[] = {
#define TOPROPE_EVENT(from, to) {Pipe::from, Pipe::to},
      TOPROPE_EVENTS(TOPROPE_EVENT)
#undef TOPROPE_EVENT
  };
  return flows[static_cast<int>(event)];
}

}  // namespace detail

#undef TOPROPE_EVENTS

}  // namespace AscendC

// The device compiler's own functions. Inlined without optimisation, too, like everything here that calls the
// library: a report names the line that a call returns to.
[[gnu::always_inline]] inline void set_flag(pipe_t from, pipe_t to, int32_t id) {
  toprope::set_flag(AscendC::detail::pipe_of(from), AscendC::detail::pipe_of(to), id);
}
[[gnu::always_inline]] inline void wait_flag(pipe_t from, pipe_t to, int32_t id) {
  toprope::wait_flag(AscendC::detail::pipe_of(from), AscendC::detail::pipe_of(to), id);
}
[[gnu::always_inline]] inline void pipe_barrier(pipe_t pipe) {
  toprope::pipe_barrier(AscendC::detail::pipe_of(pipe));
}
