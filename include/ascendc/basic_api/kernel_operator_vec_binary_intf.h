// Vector instructions with two sources. Forms: the whole tensor (dst = a + b, for those with an operator), the first
// `count` elements, and repeats with a mask in bits or as a count of leading elements.
// Source: Ascend C API, memory vector computation, basic arithmetic and logic.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/binary.h"

namespace AscendC {

namespace detail {

template <toprope::isa::Binary op, class T, class Mask>
void binary(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, bool set_mask, Mask mask,
            uint8_t times, const BinaryRepeatParams& p) {
  toprope::isa::binary(op, toprope::dtype_of<PrimT<T>>, operand(dst, p.dstBlkStride, p.dstRepStride),
                       operand(src0, p.src0BlkStride, p.src0RepStride), operand(src1, p.src1BlkStride, p.src1RepStride),
                       repeats(set_mask, mask, times));
}

}  // namespace detail

#define TOPROPE_OP(Name, Types)                                                                                       \
  template <class T>                                                                                                  \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const int32_t& count) { \
    static_assert(toprope::contains(types_of(toprope::isa::Binary::Name), toprope::dtype_of<PrimT<T>>),               \
                  #Name " does not take this element type on this chip; see its page in the Ascend C API");           \
    toprope::isa::binary(toprope::isa::Binary::Name, toprope::dtype_of<PrimT<T>>, detail::operand(dst),               \
                         detail::operand(src0), detail::operand(src1), toprope::isa::VecShape::elements(count));      \
  }                                                                                                                   \
  template <class T, bool isSetMask = true>                                                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask[],       \
            const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {                                       \
    static_assert(toprope::contains(types_of(toprope::isa::Binary::Name), toprope::dtype_of<PrimT<T>>),               \
                  #Name " does not take this element type on this chip; see its page in the Ascend C API");           \
    detail::binary<toprope::isa::Binary::Name>(dst, src0, src1, isSetMask, mask, repeatTime, repeatParams);           \
  }                                                                                                                   \
  template <class T, bool isSetMask = true>                                                                           \
  void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, uint64_t mask,         \
            const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {                                       \
    static_assert(toprope::contains(types_of(toprope::isa::Binary::Name), toprope::dtype_of<PrimT<T>>),               \
                  #Name " does not take this element type on this chip; see its page in the Ascend C API");           \
    detail::binary<toprope::isa::Binary::Name>(dst, src0, src1, isSetMask, mask, repeatTime, repeatParams);           \
  }
#include "toprope/isa/binary.list"
#undef TOPROPE_OP

// dst = src0 + src1 and its like: the whole of dst takes part.
#define TOPROPE_OPERATOR(Name, symbol)                                                                     \
  struct Name##Tensors {                                                                                   \
    template <class T>                                                                                     \
    static void apply(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1) { \
      Name(dst, src0, src1, static_cast<int32_t>(dst.GetSize()));                                          \
    }                                                                                                      \
  };                                                                                                       \
  template <class T>                                                                                       \
  TensorExpression<T, Name##Tensors> operator symbol(const LocalTensor<T>& a, const LocalTensor<T>& b) {   \
    return {a, b};                                                                                         \
  }
TOPROPE_OPERATOR(Add, +)
TOPROPE_OPERATOR(Sub, -)
TOPROPE_OPERATOR(Mul, *)
TOPROPE_OPERATOR(Div, /)
TOPROPE_OPERATOR(And, &)
TOPROPE_OPERATOR(Or, |)
#undef TOPROPE_OPERATOR

}  // namespace AscendC
