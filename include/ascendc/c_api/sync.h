// Order between the pipes of a core, and between cores. Source: C API, synchronisation control.
#pragma once
#include "c_api/operands.h"
#include "toprope/machine/sync.h"

/// What a data barrier waits for.
enum mem_dsb_t { DSB_ALL, DSB_DDR, DSB_UB, DSB_SEQ };

/// Everything before it is done when what follows starts.
[[gnu::always_inline]] inline void asc_sync() { toprope::pipe_barrier(toprope::Pipe::ALL); }
[[gnu::always_inline]] inline void asc_sync_vec() { toprope::pipe_barrier(toprope::Pipe::ALL); }

/// What follows starts when the copies before it are done: GM to UB, and UB to GM. Takes the flag `id` (0 to
/// 7) from that pipe to the scalar pipe.
[[gnu::always_inline]] inline void asc_sync_mte2(int id) {
  toprope::set_flag(toprope::Pipe::MTE2, toprope::Pipe::S, id);
  toprope::wait_flag(toprope::Pipe::MTE2, toprope::Pipe::S, id);
}
[[gnu::always_inline]] inline void asc_sync_mte3(int id) {
  toprope::set_flag(toprope::Pipe::MTE3, toprope::Pipe::S, id);
  toprope::wait_flag(toprope::Pipe::MTE3, toprope::Pipe::S, id);
}

/// Later instructions of a pipe start when its earlier ones are done; PIPE_ALL for every pipe.
[[gnu::always_inline]] inline void asc_sync_pipe(pipe_t pipe) {
  toprope::pipe_barrier(toprope::pipe_of(pipe));
}

/// A flag (0 to 7) that `pipe` sets when its earlier instructions are done, and that `tpipe` waits for.
[[gnu::always_inline]] inline void asc_sync_notify(pipe_t pipe, pipe_t tpipe, int32_t id) {
  toprope::set_flag(toprope::pipe_of(pipe), toprope::pipe_of(tpipe), id);
}
[[gnu::always_inline]] inline void asc_sync_wait(pipe_t pipe, pipe_t tpipe, int32_t id) {
  toprope::wait_flag(toprope::pipe_of(pipe), toprope::pipe_of(tpipe), id);
}

/// Accesses of the scalar pipe before it are done, and visible to other cores.
[[gnu::always_inline]] inline void asc_sync_data_barrier(mem_dsb_t) { toprope::data_barrier(); }

// Counters between cores, ids 0 to 15: `arrive` raises the counter when the earlier instructions of `pipe`
// are done, `wait` holds until it is above 0 and takes 1. The group: all AICs or all AIVs of the launch
// (inter), the AIVs of a block (subblock), the AIC of a block and its AIVs (block).
#define TOPROPE_FORMS(group, mode)                                                               \
  [[gnu::always_inline]] inline void asc_sync_##group##_arrive(pipe_t pipe, int64_t flag_id) {   \
    toprope::cross_core_set(mode, toprope::pipe_of(pipe), static_cast<uint16_t>(flag_id), true); \
  }                                                                                              \
  [[gnu::always_inline]] inline void asc_sync_##group##_wait(pipe_t, int64_t flag_id) {          \
    toprope::cross_core_wait(mode, static_cast<uint16_t>(flag_id));                              \
  }
TOPROPE_FORMS(inter, 0)
TOPROPE_FORMS(subblock, 1)
TOPROPE_FORMS(block, 2)
#undef TOPROPE_FORMS
