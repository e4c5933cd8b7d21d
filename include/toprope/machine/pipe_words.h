// Pipes, event ids and flags as the device compiler knows them without a header.
// Source: Ascend C API, synchronisation inside a core, tables 1 to 3.
#pragma once
#include "toprope/machine/sync.h"

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_FIX = 10 };
enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

namespace toprope {

constexpr Pipe pipe_of(pipe_t pipe) {
  switch (pipe) {
    case PIPE_S:
      return Pipe::S;
    case PIPE_V:
      return Pipe::V;
    case PIPE_M:
      return Pipe::M;
    case PIPE_MTE1:
      return Pipe::MTE1;
    case PIPE_MTE2:
      return Pipe::MTE2;
    case PIPE_MTE3:
      return Pipe::MTE3;
    case PIPE_FIX:
      return Pipe::FIX;
    case PIPE_ALL:
      break;
  }
  return Pipe::ALL;
}

/// Whether flags mean something where this is called. PTO's CPU mode calls kernels as plain functions, in
/// which everything happens in program order; elsewhere a flag outside a kernel is a mistake that the library
/// names.
[[gnu::always_inline]] inline bool flags_matter() {
#ifdef __CPU_SIM
  return current_core != nullptr;
#else
  return true;
#endif
}

}  // namespace toprope

// Inlined without optimisation, too, like everything that calls the library: a report names the line that a
// call returns to.
[[gnu::always_inline]] inline void set_flag(pipe_t from, pipe_t to, int32_t id) {
  if (toprope::flags_matter()) toprope::set_flag(toprope::pipe_of(from), toprope::pipe_of(to), id);
}
[[gnu::always_inline]] inline void wait_flag(pipe_t from, pipe_t to, int32_t id) {
  if (toprope::flags_matter()) toprope::wait_flag(toprope::pipe_of(from), toprope::pipe_of(to), id);
}
[[gnu::always_inline]] inline void pipe_barrier(pipe_t pipe) {
  if (toprope::flags_matter()) toprope::pipe_barrier(toprope::pipe_of(pipe));
}
