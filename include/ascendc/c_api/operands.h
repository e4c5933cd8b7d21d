// From the C API's pointers to the ISA's operands and shapes; shared by all its families. The forms of a
// vector function: the first `count` elements; repeats under the mask register (in counter mode it holds the
// number of elements and the repeats are not looked at), with strides in DataBlocks of 32 bytes; and `_sync`,
// which waits until the instruction is done. Source: C API, common notes and constraints.
#pragma once
#include "basic_api/kernel_common.h"
#include "toprope/machine/local_array.h"
#include "toprope/machine/pipe_words.h"

using AscendC::int4b_t;

namespace toprope::c_api {

template <class T>
struct Itself {
  using type = T;
};
/// A scalar parameter of the element type that the pointers name.
template <class T>
using Value = typename Itself<T>::type;

template <class T>
[[gnu::always_inline]] inline Slice ub(T* at) {
  return toprope::local_slice(Mem::UB, at);
}

inline Slice gm(const void* at) { return {reinterpret_cast<uintptr_t>(at), 0, 0, Mem::GM}; }

template <class T>
[[gnu::always_inline]] inline isa::VecOperand operand(T* at, uint16_t block_stride = 1,
                                                      uint16_t repeat_stride = 8) {
  return {ub(at), block_stride, repeat_stride};
}

/// The first `count` elements; a count beyond what fits fails at the array's end.
constexpr isa::VecShape first(uint32_t count) {
  return isa::VecShape::elements(static_cast<int32_t>(count < INT32_MAX ? count : INT32_MAX));
}

constexpr isa::VecShape repeats(uint8_t times) { return isa::VecShape::mask_register(times); }

[[gnu::always_inline]] inline void done() { toprope::pipe_barrier(Pipe::ALL); }

}  // namespace toprope::c_api
