// Axpy, Xor, ClampMax, ClampMin and the logarithms: functions that are a few instructions each.
// Source: Ascend C API, high-level API, mathematics.
#pragma once
#include "basic_api/kernel_operator_vec_binary_scalar_intf.h"
#include "basic_api/kernel_operator_vec_unary_intf.h"
#include "lib/elementwise.h"
#include "toprope/lib/axpy.h"
#include "toprope/lib/integer.h"

namespace AscendC {

/// dst += scalarValue · src, with a product that is rounded to dst's type before the sum.
template <class T, class U, bool isReuseSource = false>
[[gnu::always_inline]] inline void Axpy(const LocalTensor<T>& dstTensor, const LocalTensor<U>& srcTensor,
                                        const PrimT<U> scalarValue,
                                        const LocalTensor<uint8_t>& sharedTmpBuffer,
                                        const uint32_t calCount) {
  constexpr toprope::DType to = toprope::dtype_of<PrimT<T>>, from = toprope::dtype_of<PrimT<U>>;
  static_assert((to == toprope::DType::Half && from == to) ||
                    (to == toprope::DType::Float && (from == to || from == toprope::DType::Half)),
                "Axpy takes half, float, or half sources of a float destination");
  toprope::lib::axpy(to, from, dstTensor.slice(), srcTensor.slice(), toprope::isa::scalar_of(scalarValue),
                     detail::temporary(sharedTmpBuffer), calCount);
}

namespace detail {
template <class T>
[[gnu::always_inline]] inline void bitwise_xor(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                               const LocalTensor<T>& src1,
                                               const toprope::lib::Temporary& temporary, uint32_t count) {
  static_assert(toprope::contains(toprope::types::I16 | toprope::types::U16, toprope::dtype_of<PrimT<T>>),
                "Xor takes int16_t or uint16_t");
  toprope::lib::bitwise_xor(toprope::dtype_of<PrimT<T>>, dst.slice(), src0.slice(), src1.slice(), temporary,
                            count);
}
}  // namespace detail

template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void Xor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                                       const LocalTensor<T>& src1Tensor,
                                       const LocalTensor<uint8_t>& sharedTmpBuffer, const uint32_t calCount) {
  detail::bitwise_xor(dstTensor, src0Tensor, src1Tensor, detail::temporary(sharedTmpBuffer), calCount);
}
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void Xor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                                       const LocalTensor<T>& src1Tensor,
                                       const LocalTensor<uint8_t>& sharedTmpBuffer) {
  detail::bitwise_xor(dstTensor, src0Tensor, src1Tensor, detail::temporary(sharedTmpBuffer),
                      src0Tensor.GetSize());
}
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void Xor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                                       const LocalTensor<T>& src1Tensor, const uint32_t calCount) {
  detail::bitwise_xor(dstTensor, src0Tensor, src1Tensor, toprope::lib::Temporary(), calCount);
}
template <class T, bool isReuseSource = false>
[[gnu::always_inline]] inline void Xor(const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Tensor,
                                       const LocalTensor<T>& src1Tensor) {
  detail::bitwise_xor(dstTensor, src0Tensor, src1Tensor, toprope::lib::Temporary(), src0Tensor.GetSize());
}

// The smaller of src and scalar, and the larger; they need no temporary memory.
#define TOPROPE_OP(Name, instruction)                                                                        \
  template <class T, bool isReuseSource = false>                                                             \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,  \
                                          const PrimT<T> scalar, const uint32_t calCount) {                  \
    static_assert(toprope::contains(toprope::types::F16 | toprope::types::F32, toprope::dtype_of<PrimT<T>>), \
                  #Name " takes half or float");                                                             \
    detail::vector_scalar<toprope::isa::VectorScalar::instruction>(dstTensor, srcTensor, scalar,             \
                                                                   detail::first(calCount));                 \
  }                                                                                                          \
  template <class T, bool isReuseSource = false>                                                             \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor,  \
                                          const LocalTensor<uint8_t>&, const PrimT<T> scalar,                \
                                          const uint32_t calCount) {                                         \
    Name<T, isReuseSource>(dstTensor, srcTensor, scalar, calCount);                                          \
  }
TOPROPE_OP(ClampMax, Mins)
TOPROPE_OP(ClampMin, Maxs)
#undef TOPROPE_OP

namespace detail {
/// dst = factor · ln src, in the tensors' own type.
template <class T>
[[gnu::always_inline]] inline void logarithm(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                             float factor, uint32_t count) {
  static_assert(toprope::contains(types_of(toprope::isa::Unary::Ln), toprope::dtype_of<PrimT<T>>),
                "logarithms take half or float");
  unary<toprope::isa::Unary::Ln>(dst, src, first(count));
  if (factor != 1.0f)
    vector_scalar<toprope::isa::VectorScalar::Muls>(dst, dst, static_cast<PrimT<T>>(factor), first(count));
}
}  // namespace detail

#define TOPROPE_OP(Name, factor)                                                                            \
  template <class T, bool isReuseSource = false>                                                            \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dstTensor, const LocalTensor<T>& srcTensor, \
                                          uint32_t calCount) {                                              \
    detail::logarithm(dstTensor, srcTensor, factor, calCount);                                              \
  }                                                                                                         \
  template <class T, bool isReuseSource = false>                                                            \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dstTensor,                                  \
                                          const LocalTensor<T>& srcTensor) {                                \
    detail::logarithm(dstTensor, srcTensor, factor, srcTensor.GetSize());                                   \
  }
TOPROPE_OP(Log, 1.0f)
TOPROPE_OP(Log10, 0.434294482f)
#undef TOPROPE_OP

}  // namespace AscendC
