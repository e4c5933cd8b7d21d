// Vector instructions with one source. Forms: the first `count` elements, and repeats with a mask in bits or
// as a count of leading elements. Source: Ascend C API, memory vector computation, basic arithmetic and
// logic.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/unary.h"

namespace AscendC {

namespace detail {

template <toprope::isa::Unary op, class T>
[[gnu::always_inline]] inline void unary(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                         const toprope::isa::VecShape& shape,
                                         const UnaryRepeatParams& p = {}) {
  toprope::isa::unary(op, toprope::dtype_of<PrimT<T>>, operand(dst, p.dstBlkStride, p.dstRepStride),
                      operand(src, p.srcBlkStride, p.srcRepStride), shape);
}

}  // namespace detail

#define TOPROPE_CHECK_TYPE(Name)                                                                     \
  static_assert(toprope::contains(types_of(toprope::isa::Unary::Name), toprope::dtype_of<PrimT<T>>), \
                #Name " does not take this element type on this chip; see its page in the Ascend C API")
#define TOPROPE_OP(Name, Types)                                                                      \
  template <class T>                                                                                 \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,      \
                                          const int32_t& count) {                                    \
    TOPROPE_CHECK_TYPE(Name);                                                                        \
    detail::unary<toprope::isa::Unary::Name>(dst, src, toprope::isa::VecShape::elements(count));     \
  }                                                                                                  \
  template <class T, bool isSetMask = true>                                                          \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,      \
                                          const uint64_t mask[], const uint8_t repeatTime,           \
                                          const UnaryRepeatParams& repeatParams) {                   \
    TOPROPE_CHECK_TYPE(Name);                                                                        \
    detail::unary<toprope::isa::Unary::Name>(dst, src, detail::repeats(isSetMask, mask, repeatTime), \
                                             repeatParams);                                          \
  }                                                                                                  \
  template <class T, bool isSetMask = true>                                                          \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src,      \
                                          uint64_t mask, const uint8_t repeatTime,                   \
                                          const UnaryRepeatParams& repeatParams) {                   \
    TOPROPE_CHECK_TYPE(Name);                                                                        \
    detail::unary<toprope::isa::Unary::Name>(dst, src, detail::repeats(isSetMask, mask, repeatTime), \
                                             repeatParams);                                          \
  }
#include "toprope/isa/unary.list"
#undef TOPROPE_OP
#undef TOPROPE_CHECK_TYPE

}  // namespace AscendC
