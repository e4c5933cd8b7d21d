// Comparisons and selection by their results. A comparison gives a bit for each element, lowest first: into
// dst without gaps (masks have no effect and dst's strides play no role), or one repeat into the comparison
// register, whose bits of elements that do not take part stay. Source: C API, vector computation, asc_eq …
// asc_ne_scalar, asc_select, asc_get_cmp_mask, asc_set_cmp_mask.
#pragma once
#include "c_api/operands.h"
#include "toprope/isa/compare.h"
#include "toprope/isa/select.h"

namespace toprope::c_api {

template <isa::Compare op, class T>
constexpr void check_compare() {
  static_assert(contains(types_of(op), dtype_of<T>),
                "this function does not take this element type on this chip; see its page in the C API");
}

}  // namespace toprope::c_api

#define TOPROPE_FORMS(name, op)                                                                              \
  template <class T>                                                                                         \
  [[gnu::always_inline]] inline void name(__ubuf__ T* src0, __ubuf__ T* src1, uint8_t, uint8_t,              \
                                          uint8_t src0_block_stride, uint8_t src1_block_stride, uint8_t,     \
                                          uint8_t src0_repeat_stride, uint8_t src1_repeat_stride) {          \
    using namespace toprope::c_api;                                                                          \
    static_assert(!std::is_integral_v<T>, "the form without dst takes half and float");                      \
    toprope::isa::compare_to_register(toprope::isa::Compare::op, toprope::dtype_of<T>,                       \
                                      operand(src0, src0_block_stride, src0_repeat_stride),                  \
                                      operand(src1, src1_block_stride, src1_repeat_stride), repeats(1));     \
  }                                                                                                          \
  template <class T>                                                                                         \
  [[gnu::always_inline]] inline void name(__ubuf__ uint8_t* dst, __ubuf__ T* src0, __ubuf__ T* src1,         \
                                          uint8_t repeat, uint8_t, uint8_t src0_block_stride,                \
                                          uint8_t src1_block_stride, uint8_t, uint8_t src0_repeat_stride,    \
                                          uint8_t src1_repeat_stride) {                                      \
    using namespace toprope::c_api;                                                                          \
    check_compare<toprope::isa::Compare::op, T>();                                                           \
    toprope::isa::compare(toprope::isa::Compare::op, toprope::dtype_of<T>, ub(dst),                          \
                          operand(src0, src0_block_stride, src0_repeat_stride),                              \
                          operand(src1, src1_block_stride, src1_repeat_stride), repeats(repeat));            \
  }                                                                                                          \
  template <class T>                                                                                         \
  [[gnu::always_inline]] inline void name##_scalar(                                                          \
      __ubuf__ uint8_t* dst, __ubuf__ T* src, toprope::c_api::Value<T> value, uint8_t repeat, uint16_t,      \
      uint16_t src_block_stride, uint16_t, uint16_t src_repeat_stride) {                                     \
    using namespace toprope::c_api;                                                                          \
    check_compare<toprope::isa::Compare::op, T>();                                                           \
    toprope::isa::compare_scalar(toprope::isa::Compare::op, toprope::dtype_of<T>, ub(dst),                   \
                                 operand(src, src_block_stride, src_repeat_stride),                          \
                                 toprope::isa::scalar_of(value), repeats(repeat));                           \
  }                                                                                                          \
  template <class T>                                                                                         \
  [[gnu::always_inline]] inline void name##_sync(__ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat,         \
                                                 uint8_t dst_block_stride, uint8_t src0_block_stride,        \
                                                 uint8_t src1_block_stride, uint8_t dst_repeat_stride,       \
                                                 uint8_t src0_repeat_stride, uint8_t src1_repeat_stride) {   \
    name(src0, src1, repeat, dst_block_stride, src0_block_stride, src1_block_stride, dst_repeat_stride,      \
         src0_repeat_stride, src1_repeat_stride);                                                            \
    toprope::c_api::done();                                                                                  \
  }                                                                                                          \
  template <class T>                                                                                         \
  [[gnu::always_inline]] inline void name##_sync(                                                            \
      __ubuf__ uint8_t* dst, __ubuf__ T* src0, __ubuf__ T* src1, uint8_t repeat, uint8_t dst_block_stride,   \
      uint8_t src0_block_stride, uint8_t src1_block_stride, uint8_t dst_repeat_stride,                       \
      uint8_t src0_repeat_stride, uint8_t src1_repeat_stride) {                                              \
    name(dst, src0, src1, repeat, dst_block_stride, src0_block_stride, src1_block_stride, dst_repeat_stride, \
         src0_repeat_stride, src1_repeat_stride);                                                            \
    toprope::c_api::done();                                                                                  \
  }                                                                                                          \
  template <class T>                                                                                         \
  [[gnu::always_inline]] inline void name##_scalar_sync(                                                     \
      __ubuf__ uint8_t* dst, __ubuf__ T* src, toprope::c_api::Value<T> value, uint8_t repeat,                \
      uint16_t dst_block_stride, uint16_t src_block_stride, uint16_t dst_repeat_stride,                      \
      uint16_t src_repeat_stride) {                                                                          \
    name##_scalar(dst, src, value, repeat, dst_block_stride, src_block_stride, dst_repeat_stride,            \
                  src_repeat_stride);                                                                        \
    toprope::c_api::done();                                                                                  \
  }
TOPROPE_FORMS(asc_eq, EQ)
TOPROPE_FORMS(asc_ne, NE)
TOPROPE_FORMS(asc_lt, LT)
TOPROPE_FORMS(asc_gt, GT)
TOPROPE_FORMS(asc_le, LE)
TOPROPE_FORMS(asc_ge, GE)
#undef TOPROPE_FORMS

namespace toprope::c_api {

/// The register's 16 bytes go to and come from an address, not an array: pages copy them into arrays of 16
/// bytes.
[[gnu::always_inline]] inline Slice register_bytes(void* at) {
  Slice s = toprope::local_slice(Mem::UB, at);
  s.begin = 0;
  s.end = core().capacity[static_cast<int>(Mem::UB)];
  return s;
}

template <class T>
[[gnu::always_inline]] inline void select(const isa::VecOperand& dst, const isa::VecOperand& src0,
                                          const isa::VecOperand& src1, const isa::VecShape& shape) {
  static_assert(contains(isa::kSelectTypes, dtype_of<T>), "asc_select takes half and float");
  toprope::isa::select(dtype_of<T>, dst, {isa::Selection::Register, {}}, src0, src1, shape);
}

}  // namespace toprope::c_api

/// Each element of a repeat from src0 where its bit in the comparison register is 1, else from src1; the same
/// bits for every repeat.
template <class T>
[[gnu::always_inline]] inline void asc_select(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1,
                                              uint32_t count) {
  using namespace toprope::c_api;
  toprope::c_api::select<T>(operand(dst), operand(src0), operand(src1), first(count));
}
template <class T>
[[gnu::always_inline]] inline void asc_select(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1,
                                              uint8_t repeat, uint8_t dst_block_stride,
                                              uint8_t src0_block_stride, uint8_t src1_block_stride,
                                              uint8_t dst_repeat_stride, uint8_t src0_repeat_stride,
                                              uint8_t src1_repeat_stride) {
  using namespace toprope::c_api;
  toprope::c_api::select<T>(operand(dst, dst_block_stride, dst_repeat_stride),
                            operand(src0, src0_block_stride, src0_repeat_stride),
                            operand(src1, src1_block_stride, src1_repeat_stride), repeats(repeat));
}
template <class T>
[[gnu::always_inline]] inline void asc_select_sync(__ubuf__ T* dst, __ubuf__ T* src0, __ubuf__ T* src1,
                                                   uint32_t count) {
  asc_select(dst, src0, src1, count);
  toprope::c_api::done();
}

/// The comparison register to and from 16 bytes at an address that is a multiple of 16.
[[gnu::always_inline]] inline void asc_get_cmp_mask(__ubuf__ void* dst) {
  toprope::isa::get_cmp_mask(toprope::c_api::register_bytes(dst));
}
[[gnu::always_inline]] inline void asc_set_cmp_mask(__ubuf__ void* sel_mask) {
  toprope::isa::set_cmp_mask(toprope::c_api::ub(sel_mask));
}
