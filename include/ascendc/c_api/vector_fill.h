// One value everywhere, or one value a DataBlock. Source: C API, vector computation, asc_duplicate, asc_brcb.
#pragma once
#include "c_api/operands.h"
#include "toprope/isa/fill.h"

namespace toprope::c_api {

template <class T>
[[gnu::always_inline]] inline void duplicate(const isa::VecOperand& dst, T value,
                                             const isa::VecShape& shape) {
  static_assert(contains(isa::kFillTypes, dtype_of<T>),
                "asc_duplicate takes half, bfloat16_t, float and integers of 16 and 32 bits");
  toprope::isa::duplicate(dtype_of<T>, dst, isa::scalar_of(value), shape);
}

}  // namespace toprope::c_api

template <class T>
[[gnu::always_inline]] inline void asc_duplicate(__ubuf__ T* dst, toprope::c_api::Value<T> src,
                                                 uint32_t count) {
  using namespace toprope::c_api;
  toprope::c_api::duplicate<T>(operand(dst), src, first(count));
}
template <class T>
[[gnu::always_inline]] inline void asc_duplicate(__ubuf__ T* dst, toprope::c_api::Value<T> src,
                                                 uint8_t repeat, uint16_t dst_block_stride,
                                                 uint16_t dst_repeat_stride) {
  using namespace toprope::c_api;
  toprope::c_api::duplicate<T>(operand(dst, dst_block_stride, dst_repeat_stride), src, repeats(repeat));
}
template <class T>
[[gnu::always_inline]] inline void asc_duplicate_sync(__ubuf__ T* dst, toprope::c_api::Value<T> src,
                                                      uint32_t count) {
  asc_duplicate(dst, src, count);
  toprope::c_api::done();
}

/// Each repeat takes 8 consecutive elements and fills a DataBlock of dst with each.
template <class T>
[[gnu::always_inline]] inline void asc_brcb(__ubuf__ T* dst, __ubuf__ T* src, uint16_t dst_block_stride,
                                            uint16_t dst_repeat_stride, uint8_t repeat) {
  using namespace toprope::c_api;
  static_assert(std::is_same_v<T, uint16_t> || std::is_same_v<T, uint32_t>,
                "asc_brcb takes uint16_t and uint32_t");
  toprope::isa::brcb(toprope::dtype_of<T>, operand(dst, dst_block_stride, dst_repeat_stride), ub(src),
                     repeat);
}
template <class T>
[[gnu::always_inline]] inline void asc_brcb_sync(__ubuf__ T* dst, __ubuf__ T* src, uint16_t dst_block_stride,
                                                 uint16_t dst_repeat_stride, uint8_t repeat) {
  asc_brcb(dst, src, dst_block_stride, dst_repeat_stride, repeat);
  toprope::c_api::done();
}
