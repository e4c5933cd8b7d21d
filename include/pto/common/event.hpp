// Events between instructions: what an instruction returns, and what one waits for.
// Source: PTO Tile Lib, events and synchronization.
#pragma once
#include "toprope/machine/block_words.h"
#include "toprope/machine/pipe_words.h"

namespace pto {

/// Operations by the pipe they run on.
enum class Op : uint16_t {
  TLOAD,
  TSTORE_VEC,
  TSTORE_ACC,
  TSTORE_MAT,
  TMOV_M2L,
  TMOV_M2S,
  TMOV_M2B,
  TMOV_A2V,
  TMOV_A2M,
  TMOV_V2V,
  TMOV,
  TEXTRACT,
  TMATMUL,
  TGEMV,
  SCALAR,
  TADD,
  TSUB,
  TMUL,
  TDIV,
  TMAX,
  TMIN,
  TEXP,
  TLOG,
  TSQRT,
  TRSQRT,
  TABS,
  TCVT,
  TSEL,
  TCMP,
  TROWSUM,
  TROWMAX,
  TROWMIN,
  TCOLSUM,
  TCOLMAX,
  TCOLMIN,
  TROWEXPAND,
  TCOLEXPAND,
  TEXPANDS,
  TADDS,
  TSUBS,
  TMULS,
  TDIVS,
  TTRANS,
  TGATHER,
  TSCATTER,
  VECTOR,
  ALL
};

namespace detail {

constexpr pipe_t pipe_of(Op op) {
  switch (op) {
    case Op::TLOAD:
      return PIPE_MTE2;
    case Op::TSTORE_VEC:
    case Op::TSTORE_MAT:
      return PIPE_MTE3;
    case Op::TSTORE_ACC:
    case Op::TMOV_A2V:
    case Op::TMOV_A2M:
      return PIPE_FIX;
    case Op::TMOV_M2L:
    case Op::TMOV_M2S:
    case Op::TMOV_M2B:
    case Op::TEXTRACT:
      return PIPE_MTE1;
    case Op::TMATMUL:
    case Op::TGEMV:
      return PIPE_M;
    case Op::SCALAR:
      return PIPE_S;
    case Op::ALL:
      return PIPE_ALL;
    default:
      return PIPE_V;
  }
}

}  // namespace detail

/// What every instruction returns; assigning it to an Event records the instruction.
struct RecordEvent {};

/// A flag from the pipe of one operation to that of another; of one pipe, a barrier.
template <Op SrcOp, Op DstOp, event_t Id = EVENT_ID0>
struct Event {
  static constexpr pipe_t from = detail::pipe_of(SrcOp), to = detail::pipe_of(DstOp);
  [[gnu::always_inline]] void Wait() {
    if constexpr (from == to)
      pipe_barrier(from);
    else
      wait_flag(from, to, Id);
  }
  [[gnu::always_inline]] void Record() {
    if constexpr (from != to) set_flag(from, to, Id);
  }
  [[gnu::always_inline]] Event& operator=(RecordEvent) {
    Record();
    return *this;
  }
  [[gnu::always_inline]] void Init() { Record(); }
};

/// Waits for events, or is a barrier of the operation's pipe.
template <Op op>
[[gnu::always_inline]] inline void TSYNC() {
  pipe_barrier(detail::pipe_of(op));
}
template <class... Events>
[[gnu::always_inline]] inline void TSYNC(Events&... events) {
  (events.Wait(), ...);
}

}  // namespace pto
