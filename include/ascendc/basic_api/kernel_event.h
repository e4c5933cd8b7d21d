// Hardware events by name.
// Source: Ascend C API, synchronisation inside a core, tables 1 to 3.
#pragma once
#include "toprope/machine/pipe_words.h"

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

using toprope::pipe_of;

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
