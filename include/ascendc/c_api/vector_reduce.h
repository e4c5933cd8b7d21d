// Sums, maxima and minima of neighbours, of DataBlocks and of repeats. dst_repeat_stride counts the results
// of a repeat. Source: C API, vector computation, asc_repeat_reduce_sum … asc_get_reduce_min_cnt.
#pragma once
#include "c_api/operands.h"
#include "toprope/isa/reduce.h"

namespace toprope::c_api {

template <class T>
constexpr void check_reduce() {
  static_assert(contains(isa::kReduceTypes, dtype_of<T>), "reductions take half and float");
}

template <isa::Reduce op, isa::ReduceOrder order, class T>
[[gnu::always_inline]] inline void reduce_repeat(const Slice& dst, const Slice& src,
                                                 const isa::VecShape& shape, const isa::ReduceSteps& steps) {
  check_reduce<T>();
  toprope::isa::reduce_repeat(op, dtype_of<T>, dst, src, shape, steps, order);
}

template <isa::Reduce op, isa::ReduceOrder, class T>
[[gnu::always_inline]] inline void reduce_block(const Slice& dst, const Slice& src,
                                                const isa::VecShape& shape, const isa::ReduceSteps& steps) {
  check_reduce<T>();
  toprope::isa::reduce_block(op, dtype_of<T>, dst, src, shape, steps);
}

template <isa::Reduce, isa::ReduceOrder, class T>
[[gnu::always_inline]] inline void reduce_pair(const Slice& dst, const Slice& src, const isa::VecShape& shape,
                                               const isa::ReduceSteps& steps) {
  check_reduce<T>();
  toprope::isa::reduce_pair(dtype_of<T>, dst, src, shape, steps);
}

}  // namespace toprope::c_api

#define TOPROPE_FORMS(name, shape, op, order)                                                               \
  template <class T>                                                                                        \
  [[gnu::always_inline]] inline void name(__ubuf__ T* dst, __ubuf__ T* src, uint32_t count) {               \
    using namespace toprope::c_api;                                                                         \
    toprope::c_api::shape<toprope::isa::Reduce::op, toprope::isa::ReduceOrder::order, T>(ub(dst), ub(src),  \
                                                                                         first(count), {}); \
  }                                                                                                         \
  template <class T>                                                                                        \
  [[gnu::always_inline]] inline void name(__ubuf__ T* dst, __ubuf__ T* src, uint8_t repeat,                 \
                                          uint16_t dst_repeat_stride, uint16_t src_block_stride,            \
                                          uint16_t src_repeat_stride) {                                     \
    using namespace toprope::c_api;                                                                         \
    toprope::c_api::shape<toprope::isa::Reduce::op, toprope::isa::ReduceOrder::order, T>(                   \
        ub(dst), ub(src), repeats(repeat),                                                                  \
        {repeat, dst_repeat_stride, src_block_stride, src_repeat_stride});                                  \
  }                                                                                                         \
  template <class T>                                                                                        \
  [[gnu::always_inline]] inline void name##_sync(__ubuf__ T* dst, __ubuf__ T* src, uint32_t count) {        \
    name(dst, src, count);                                                                                  \
    toprope::c_api::done();                                                                                 \
  }
TOPROPE_FORMS(asc_pair_reduce_sum, reduce_pair, Sum, OnlyValue)
TOPROPE_FORMS(asc_datablock_reduce_sum, reduce_block, Sum, OnlyValue)
TOPROPE_FORMS(asc_datablock_reduce_max, reduce_block, Max, OnlyValue)
TOPROPE_FORMS(asc_datablock_reduce_min, reduce_block, Min, OnlyValue)
TOPROPE_FORMS(asc_repeat_reduce_sum, reduce_repeat, Sum, OnlyValue)
#define TOPROPE_ORDERS(name, op)                                   \
  TOPROPE_FORMS(name##_value_index, reduce_repeat, op, ValueIndex) \
  TOPROPE_FORMS(name##_index_value, reduce_repeat, op, IndexValue) \
  TOPROPE_FORMS(name##_only_value, reduce_repeat, op, OnlyValue)   \
  TOPROPE_FORMS(name##_only_index, reduce_repeat, op, OnlyIndex)
TOPROPE_ORDERS(asc_repeat_reduce_max, Max)
TOPROPE_ORDERS(asc_repeat_reduce_min, Min)
#undef TOPROPE_ORDERS
#undef TOPROPE_FORMS

/// The extreme of all repeats that the last asc_repeat_reduce_max (or _min) found, and the index of the first
/// element with it, counted over the repeats.
#define TOPROPE_EXTREME(name)                                              \
  template <class T>                                                       \
  [[gnu::always_inline]] inline void name(T& val, uint32_t& index) {       \
    toprope::c_api::check_reduce<T>();                                     \
    const toprope::isa::Extreme extreme = toprope::isa::last_extreme();    \
    __builtin_memcpy(static_cast<void*>(&val), &extreme.value, sizeof(T)); \
    index = static_cast<uint32_t>(extreme.index);                          \
  }
TOPROPE_EXTREME(asc_get_reduce_max_cnt)
TOPROPE_EXTREME(asc_get_reduce_min_cnt)
#undef TOPROPE_EXTREME
