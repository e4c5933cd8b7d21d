// Vector instructions with two tensors as sources. Forms: the whole tensor (dst = a + b, for those with an
// operator), the first `count` elements, and repeats with a mask in bits or as a count of leading elements.
// Source: Ascend C API, memory vector computation, basic arithmetic, logic and compound computation.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/binary.h"
#include "toprope/isa/compound.h"
#include "toprope/isa/ternary.h"

namespace AscendC {

namespace detail {

template <toprope::isa::Binary op, class T>
[[gnu::always_inline]] inline void binary(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                          const LocalTensor<T>& src1, const toprope::isa::VecShape& shape,
                                          const BinaryRepeatParams& p = {}) {
  toprope::isa::binary(op, toprope::dtype_of<PrimT<T>>, operand(dst, p.dstBlkStride, p.dstRepStride),
                       operand(src0, p.src0BlkStride, p.src0RepStride),
                       operand(src1, p.src1BlkStride, p.src1RepStride), shape);
}

template <toprope::isa::Ternary op, class T, class U>
[[gnu::always_inline]] inline void ternary(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                                           const LocalTensor<U>& src1, const toprope::isa::VecShape& shape,
                                           const BinaryRepeatParams& p = {}) {
  static_assert(
      toprope::isa::takes(op, toprope::dtype_of<PrimT<T>>, toprope::dtype_of<PrimT<U>>),
      "this instruction does not take these element types on this chip; see its page in the Ascend C API");
  toprope::isa::ternary(op, toprope::dtype_of<PrimT<T>>, toprope::dtype_of<PrimT<U>>,
                        operand(dst, p.dstBlkStride, p.dstRepStride),
                        operand(src0, p.src0BlkStride, p.src0RepStride),
                        operand(src1, p.src1BlkStride, p.src1RepStride), shape);
}

template <class T, class U>
[[gnu::always_inline]] inline void add_deq_relu(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                                                const LocalTensor<U>& src1,
                                                const toprope::isa::VecShape& shape,
                                                const BinaryRepeatParams& p = {}) {
  static_assert(toprope::dtype_of<PrimT<T>> == toprope::DType::Half &&
                    toprope::dtype_of<PrimT<U>> == toprope::DType::Int32,
                "AddDeqRelu takes int32_t sources and a half destination");
  toprope::isa::add_deq_relu(operand(dst, p.dstBlkStride, p.dstRepStride),
                             operand(src0, p.src0BlkStride, p.src0RepStride),
                             operand(src1, p.src1BlkStride, p.src1RepStride), shape);
}

/// And and Or see 32-bit tensors as 16-bit ones in the consecutive form: there `count` counts 16-bit
/// elements.
template <toprope::isa::Binary op, class T>
inline constexpr bool by_halfwords = (op == toprope::isa::Binary::And || op == toprope::isa::Binary::Or) &&
                                     std::is_integral<PrimT<T>>::value && sizeof(PrimT<T>) == 4;

template <toprope::isa::Binary op, class T>
[[gnu::always_inline]] inline void consecutive(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                               const LocalTensor<T>& src1, int32_t count) {
  if constexpr (by_halfwords<op, T>)
    binary<op>(dst.template ReinterpretCast<int16_t>(), src0.template ReinterpretCast<int16_t>(),
               src1.template ReinterpretCast<int16_t>(), toprope::isa::VecShape::elements(count));
  else
    binary<op>(dst, src0, src1, toprope::isa::VecShape::elements(count));
}

}  // namespace detail

#define TOPROPE_CHECK_TYPE(condition, Name) \
  static_assert(condition,                  \
                #Name " does not take this element type on this chip; see its page in the Ascend C API")
#define TOPROPE_TAKES(Name) \
  toprope::contains(types_of(toprope::isa::Binary::Name), toprope::dtype_of<PrimT<T>>)
#define TOPROPE_REPEAT_FORM(Name, Mask)                                                                     \
  template <class T, bool isSetMask = true>                                                                 \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,            \
                                          const LocalTensor<T>& src1, Mask, const uint8_t repeatTime,       \
                                          const BinaryRepeatParams& repeatParams) {                         \
    TOPROPE_CHECK_TYPE(TOPROPE_TAKES(Name), Name);                                                          \
    detail::binary<toprope::isa::Binary::Name>(dst, src0, src1,                                             \
                                               detail::repeats(isSetMask, mask, repeatTime), repeatParams); \
  }
#define TOPROPE_OP(Name, Types)                                                                             \
  template <class T>                                                                                        \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,            \
                                          const LocalTensor<T>& src1, const int32_t& count) {               \
    TOPROPE_CHECK_TYPE((TOPROPE_TAKES(Name) || detail::by_halfwords<toprope::isa::Binary::Name, T>), Name); \
    detail::consecutive<toprope::isa::Binary::Name>(dst, src0, src1, count);                                \
  }                                                                                                         \
  TOPROPE_REPEAT_FORM(Name, const uint64_t mask[])                                                          \
  TOPROPE_REPEAT_FORM(Name, uint64_t mask)
#include "toprope/isa/binary.list"
#undef TOPROPE_OP
#undef TOPROPE_REPEAT_FORM
#undef TOPROPE_TAKES
#undef TOPROPE_CHECK_TYPE

#define TOPROPE_REPEAT_FORM(Name, Mask)                                                               \
  template <class T, bool isSetMask = true>                                                           \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,      \
                                          const LocalTensor<T>& src1, Mask, const uint8_t repeatTime, \
                                          const BinaryRepeatParams& repeatParams) {                   \
    detail::ternary<toprope::isa::Ternary::Name>(                                                     \
        dst, src0, src1, detail::repeats(isSetMask, mask, repeatTime), repeatParams);                 \
  }
#define TOPROPE_OP(Name)                                                                                    \
  template <class T>                                                                                        \
  [[gnu::always_inline]] inline void Name(const LocalTensor<T>& dst, const LocalTensor<T>& src0,            \
                                          const LocalTensor<T>& src1, const int32_t& count) {               \
    detail::ternary<toprope::isa::Ternary::Name>(dst, src0, src1, toprope::isa::VecShape::elements(count)); \
  }                                                                                                         \
  TOPROPE_REPEAT_FORM(Name, const uint64_t mask[])                                                          \
  TOPROPE_REPEAT_FORM(Name, uint64_t mask)
TOPROPE_OP(FusedMulAdd)
TOPROPE_OP(MulAddRelu)
#undef TOPROPE_OP
#undef TOPROPE_REPEAT_FORM

// The former name of MulAddRelu.
template <class T>
[[gnu::always_inline]] inline void FusedMulAddRelu(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                                   const LocalTensor<T>& src1, const int32_t& count) {
  MulAddRelu(dst, src0, src1, count);
}
template <class T, bool isSetMask = true, class Mask>
[[gnu::always_inline]] inline void FusedMulAddRelu(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                                   const LocalTensor<T>& src1, Mask mask,
                                                   const uint8_t repeatTime,
                                                   const BinaryRepeatParams& repeatParams) {
  MulAddRelu<T, isSetMask>(dst, src0, src1, mask, repeatTime, repeatParams);
}

template <class T, class U>
[[gnu::always_inline]] inline void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                                             const LocalTensor<U>& src1, const int32_t& count) {
  detail::ternary<toprope::isa::Ternary::MulAddDst>(dst, src0, src1, toprope::isa::VecShape::elements(count));
}
template <class T, class U>
[[gnu::always_inline]] inline void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                                             const LocalTensor<U>& src1, const uint64_t mask[],
                                             const uint8_t repeatTime,
                                             const BinaryRepeatParams& repeatParams) {
  detail::ternary<toprope::isa::Ternary::MulAddDst>(dst, src0, src1, detail::repeats(true, mask, repeatTime),
                                                    repeatParams);
}
template <class T, class U>
[[gnu::always_inline]] inline void MulAddDst(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                                             const LocalTensor<U>& src1, uint64_t mask,
                                             const uint8_t repeatTime,
                                             const BinaryRepeatParams& repeatParams) {
  detail::ternary<toprope::isa::Ternary::MulAddDst>(dst, src0, src1, detail::repeats(true, mask, repeatTime),
                                                    repeatParams);
}

// With SetDeqScale(half). The forms without element types in their template arguments take no TensorTrait.
[[gnu::always_inline]] inline void AddDeqRelu(const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0,
                                              const LocalTensor<int32_t>& src1, const int32_t& count) {
  detail::add_deq_relu(dst, src0, src1, toprope::isa::VecShape::elements(count));
}
template <class T, class U>
[[gnu::always_inline]] inline void AddDeqRelu(const LocalTensor<T>& dst, const LocalTensor<U>& src0,
                                              const LocalTensor<U>& src1, const int32_t& count) {
  detail::add_deq_relu(dst, src0, src1, toprope::isa::VecShape::elements(count));
}
#define TOPROPE_REPEAT_FORMS(Mask)                                                                          \
  template <bool isSetMask = true>                                                                          \
  [[gnu::always_inline]] inline void AddDeqRelu(                                                            \
      const LocalTensor<half>& dst, const LocalTensor<int32_t>& src0, const LocalTensor<int32_t>& src1,     \
      Mask, const uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {                             \
    detail::add_deq_relu(dst, src0, src1, detail::repeats(isSetMask, mask, repeatTime), repeatParams);      \
  }                                                                                                         \
  template <class T, class U, bool isSetMask = true>                                                        \
  [[gnu::always_inline]] inline void AddDeqRelu(const LocalTensor<T>& dst, const LocalTensor<U>& src0,      \
                                                const LocalTensor<U>& src1, Mask, const uint8_t repeatTime, \
                                                const BinaryRepeatParams& repeatParams) {                   \
    detail::add_deq_relu(dst, src0, src1, detail::repeats(isSetMask, mask, repeatTime), repeatParams);      \
  }
TOPROPE_REPEAT_FORMS(const uint64_t mask[])
TOPROPE_REPEAT_FORMS(uint64_t mask)
#undef TOPROPE_REPEAT_FORMS

// dst = src0 + src1 and its like: the whole of dst takes part, 32-bit elements of And and Or too.
#define TOPROPE_OPERATOR(Name, symbol)                                                                   \
  struct Name##Tensors {                                                                                 \
    template <class T>                                                                                   \
    [[gnu::always_inline]] static void apply(const LocalTensor<T>& dst, const LocalTensor<T>& src0,      \
                                             const LocalTensor<T>& src1) {                               \
      constexpr int32_t parts = detail::by_halfwords<toprope::isa::Binary::Name, T> ? 2 : 1;             \
      Name(dst, src0, src1, static_cast<int32_t>(dst.GetSize()) * parts);                                \
    }                                                                                                    \
  };                                                                                                     \
  template <class T>                                                                                     \
  TensorExpression<T, Name##Tensors> operator symbol(const LocalTensor<T>& a, const LocalTensor<T>& b) { \
    return {a, b};                                                                                       \
  }
TOPROPE_OPERATOR(Add, +)
TOPROPE_OPERATOR(Sub, -)
TOPROPE_OPERATOR(Mul, *)
TOPROPE_OPERATOR(Div, /)
TOPROPE_OPERATOR(And, &)
TOPROPE_OPERATOR(Or, |)
#undef TOPROPE_OPERATOR

}  // namespace AscendC
