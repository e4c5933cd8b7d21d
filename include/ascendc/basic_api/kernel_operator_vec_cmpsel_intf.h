// Comparing tensors, with a bit for each element as the result, and choosing elements by such bits.
// Source: Ascend C API, memory vector computation, comparison and selection.
#pragma once
#include "basic_api/kernel_operands.h"
#include "toprope/isa/compare.h"
#include "toprope/isa/select.h"

namespace AscendC {

enum class CMPMODE : uint8_t { LT = 0, GT, EQ, LE, GE, NE };

/// Where Select takes its bits from: the first repeat's bits for every repeat, or consecutive bits, against a
/// scalar or a tensor.
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR = 0, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };

namespace detail {

constexpr toprope::isa::Compare compare_of(CMPMODE mode) { return static_cast<toprope::isa::Compare>(mode); }

template <class T, class U>
constexpr void check_compare() {
  static_assert(toprope::contains(types_of(toprope::isa::Compare::EQ), toprope::dtype_of<PrimT<T>>),
                "Compare takes half, float, or int32_t with CMPMODE::EQ on this chip");
  static_assert(sizeof(PrimT<U>) == 1, "Compare writes its bits to a tensor of int8_t or uint8_t");
}

[[gnu::always_inline]] inline toprope::isa::Selection selection(SELMODE mode, const toprope::Slice& bits) {
  using toprope::isa::Selection;
  return {mode == SELMODE::VSEL_CMPMASK_SPR ? Selection::SameEachRepeat : Selection::Consecutive, bits};
}

template <class T, class U>
constexpr void check_select() {
  static_assert(toprope::contains(toprope::isa::kSelectTypes, toprope::dtype_of<PrimT<T>>),
                "Select takes half or float on this chip");
  static_assert(toprope::dtype_of<PrimT<U>> == toprope::DType::UInt8 ||
                    toprope::dtype_of<PrimT<U>> == toprope::DType::UInt16 ||
                    toprope::dtype_of<PrimT<U>> == toprope::DType::UInt32 ||
                    toprope::dtype_of<PrimT<U>> == toprope::DType::UInt64,
                "selMask is a tensor of uint8_t, uint16_t, uint32_t or uint64_t");
}

template <class T, class U>
[[gnu::always_inline]] inline void select(const LocalTensor<T>& dst, const LocalTensor<U>& bits,
                                          const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                                          SELMODE mode, const toprope::isa::VecShape& shape,
                                          const BinaryRepeatParams& p) {
  check_select<T, U>();
  toprope::isa::select(toprope::dtype_of<PrimT<T>>, operand(dst, p.dstBlkStride, p.dstRepStride),
                       selection(mode, bits.slice()), operand(src0, p.src0BlkStride, p.src0RepStride),
                       operand(src1, p.src1BlkStride, p.src1RepStride), shape);
}

template <class T, class U>
[[gnu::always_inline]] inline void select(const LocalTensor<T>& dst, const LocalTensor<U>& bits,
                                          const LocalTensor<T>& src0, PrimT<T> src1, SELMODE mode,
                                          const toprope::isa::VecShape& shape, const BinaryRepeatParams& p) {
  check_select<T, U>();
  toprope::isa::select_scalar(toprope::dtype_of<PrimT<T>>, operand(dst, p.dstBlkStride, p.dstRepStride),
                              selection(mode, bits.slice()), operand(src0, p.src0BlkStride, p.src0RepStride),
                              toprope::isa::scalar_of(src1), shape);
}

}  // namespace detail

/// dst's bit i = src0[i] mode src1[i], for the whole 256-byte blocks among the first `count` elements.
template <class T, class U>
[[gnu::always_inline]] inline void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                                           const LocalTensor<T>& src1, CMPMODE cmpMode, uint32_t count) {
  detail::check_compare<T, U>();
  toprope::isa::compare(detail::compare_of(cmpMode), toprope::dtype_of<PrimT<T>>, dst.slice(),
                        detail::operand(src0), detail::operand(src1), detail::first(count));
}

/// Whole repeats; the mask has no effect on this chip, and results lie without gaps.
template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                                           const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask,
                                           uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  detail::check_compare<T, U>();
  toprope::isa::compare(detail::compare_of(cmpMode), toprope::dtype_of<PrimT<T>>, dst.slice(),
                        detail::operand(src0, repeatParams.src0BlkStride, repeatParams.src0RepStride),
                        detail::operand(src1, repeatParams.src1BlkStride, repeatParams.src1RepStride),
                        detail::repeats(true, mask, repeatTime));
}
template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                                           const LocalTensor<T>& src1, CMPMODE cmpMode, const uint64_t mask[],
                                           uint8_t repeatTime, const BinaryRepeatParams& repeatParams) {
  Compare<T, U, isSetMask>(dst, src0, src1, cmpMode, mask[0], repeatTime, repeatParams);
}

/// One repeat into the CMPMASK register; bits of elements that the mask excludes keep their value.
template <class T, bool isSetMask = true>
[[gnu::always_inline]] inline void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                                           CMPMODE cmpMode, const uint64_t mask,
                                           const BinaryRepeatParams& repeatParams) {
  static_assert(toprope::contains(types_of(toprope::isa::Compare::LT), toprope::dtype_of<PrimT<T>>),
                "Compare into the register takes half or float");
  toprope::isa::compare_to_register(
      detail::compare_of(cmpMode), toprope::dtype_of<PrimT<T>>,
      detail::operand(src0, repeatParams.src0BlkStride, repeatParams.src0RepStride),
      detail::operand(src1, repeatParams.src1BlkStride, repeatParams.src1RepStride),
      detail::repeats(isSetMask, mask, 1));
}
template <class T, bool isSetMask = true>
[[gnu::always_inline]] inline void Compare(const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                                           CMPMODE cmpMode, const uint64_t mask[],
                                           const BinaryRepeatParams& repeatParams) {
  static_assert(toprope::contains(types_of(toprope::isa::Compare::LT), toprope::dtype_of<PrimT<T>>),
                "Compare into the register takes half or float");
  toprope::isa::compare_to_register(
      detail::compare_of(cmpMode), toprope::dtype_of<PrimT<T>>,
      detail::operand(src0, repeatParams.src0BlkStride, repeatParams.src0RepStride),
      detail::operand(src1, repeatParams.src1BlkStride, repeatParams.src1RepStride),
      detail::repeats(isSetMask, mask, 1));
}

/// dst's bit i = src0[i] mode src1Scalar; otherwise as Compare. CompareScalar is its name before CANN 9.
template <class T, class U>
[[gnu::always_inline]] inline void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                                            const PrimT<T> src1Scalar, CMPMODE cmpMode, uint32_t count) {
  detail::check_compare<T, U>();
  toprope::isa::compare_scalar(detail::compare_of(cmpMode), toprope::dtype_of<PrimT<T>>, dst.slice(),
                               detail::operand(src0), toprope::isa::scalar_of(src1Scalar),
                               detail::first(count));
}
template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                                            const PrimT<T> src1Scalar, CMPMODE cmpMode, const uint64_t mask,
                                            uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
  detail::check_compare<T, U>();
  toprope::isa::compare_scalar(detail::compare_of(cmpMode), toprope::dtype_of<PrimT<T>>, dst.slice(),
                               detail::operand(src0, repeatParams.srcBlkStride, repeatParams.srcRepStride),
                               toprope::isa::scalar_of(src1Scalar), detail::repeats(true, mask, repeatTime));
}
template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void Compares(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                                            const PrimT<T> src1Scalar, CMPMODE cmpMode, const uint64_t mask[],
                                            uint8_t repeatTime, const UnaryRepeatParams& repeatParams) {
  Compares<T, U, isSetMask>(dst, src0, src1Scalar, cmpMode, mask[0], repeatTime, repeatParams);
}
template <class T, class U>
[[gnu::always_inline]] inline void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                                                 const PrimT<T> src1Scalar, CMPMODE cmpMode, uint32_t count) {
  Compares(dst, src0, src1Scalar, cmpMode, count);
}
template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                                                 const PrimT<T> src1Scalar, CMPMODE cmpMode,
                                                 const uint64_t mask, uint8_t repeatTime,
                                                 const UnaryRepeatParams& repeatParams) {
  Compares<T, U, isSetMask>(dst, src0, src1Scalar, cmpMode, mask, repeatTime, repeatParams);
}
template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void CompareScalar(const LocalTensor<U>& dst, const LocalTensor<T>& src0,
                                                 const PrimT<T> src1Scalar, CMPMODE cmpMode,
                                                 const uint64_t mask[], uint8_t repeatTime,
                                                 const UnaryRepeatParams& repeatParams) {
  Compares<T, U, isSetMask>(dst, src0, src1Scalar, cmpMode, mask, repeatTime, repeatParams);
}

/// The CMPMASK register, 16 bytes; dst has at least 128.
template <class T>
[[gnu::always_inline]] inline void GetCmpMask(const LocalTensor<T>& dst) {
  toprope::isa::get_cmp_mask(dst.slice());
}
/// What the Select forms without a mask take from the register: bits, a scalar, or the address of bits.
template <class T>
[[gnu::always_inline]] inline void SetCmpMask(const LocalTensor<T>& src) {
  toprope::isa::set_cmp_mask(src.slice());
}

template <class T, class U>
[[gnu::always_inline]] inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                                          const LocalTensor<T>& src0, PrimT<T> src1, SELMODE selMode,
                                          uint32_t count) {
  detail::select(dst, selMask, src0, src1, selMode, detail::first(count), {});
}
template <class T, class U>
[[gnu::always_inline]] inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                                          const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                                          SELMODE selMode, uint32_t count) {
  detail::select(dst, selMask, src0, src1, selMode, detail::first(count), {});
}
template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                                          const LocalTensor<T>& src0, PrimT<T> src1, SELMODE selMode,
                                          uint64_t mask[], uint8_t repeatTime,
                                          const BinaryRepeatParams& repeatParams) {
  detail::select(dst, selMask, src0, src1, selMode, detail::repeats(isSetMask, mask, repeatTime),
                 repeatParams);
}
template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                                          const LocalTensor<T>& src0, PrimT<T> src1, SELMODE selMode,
                                          uint64_t mask, uint8_t repeatTime,
                                          const BinaryRepeatParams& repeatParams) {
  detail::select(dst, selMask, src0, src1, selMode, detail::repeats(isSetMask, mask, repeatTime),
                 repeatParams);
}
template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                                          const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                                          SELMODE selMode, uint64_t mask[], uint8_t repeatTime,
                                          const BinaryRepeatParams& repeatParams) {
  detail::select(dst, selMask, src0, src1, selMode, detail::repeats(isSetMask, mask, repeatTime),
                 repeatParams);
}
template <class T, class U, bool isSetMask = true>
[[gnu::always_inline]] inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                                          const LocalTensor<T>& src0, const LocalTensor<T>& src1,
                                          SELMODE selMode, uint64_t mask, uint8_t repeatTime,
                                          const BinaryRepeatParams& repeatParams) {
  detail::select(dst, selMask, src0, src1, selMode, detail::repeats(isSetMask, mask, repeatTime),
                 repeatParams);
}

/// Without a mask: it comes from SetVectorMask. The scalar (here) or the bits (below) come from SetCmpMask.
template <class T, class U>
[[gnu::always_inline]] inline void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask,
                                          const LocalTensor<T>& src0, uint8_t repeatTime,
                                          const BinaryRepeatParams& repeatParams) {
  detail::check_select<T, U>();
  toprope::isa::select_scalar(toprope::dtype_of<PrimT<T>>,
                              detail::operand(dst, repeatParams.dstBlkStride, repeatParams.dstRepStride),
                              {toprope::isa::Selection::Consecutive, selMask.slice()},
                              detail::operand(src0, repeatParams.src0BlkStride, repeatParams.src0RepStride),
                              toprope::isa::Scalar{toprope::core().vector.cmp_mask[0]},
                              toprope::isa::VecShape::mask_register(repeatTime));
}
template <class T, SELMODE selMode>
[[gnu::always_inline]] inline void Select(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                          const LocalTensor<T>& src1, uint8_t repeatTime,
                                          const BinaryRepeatParams& repeatParams) {
  static_assert(
      selMode != SELMODE::VSEL_TENSOR_SCALAR_MODE,
      "the form with a scalar takes selMask and src0: Select(dst, selMask, src0, repeatTime, repeatParams)");
  static_assert(toprope::contains(toprope::isa::kSelectTypes, toprope::dtype_of<PrimT<T>>),
                "Select takes half or float on this chip");
  using toprope::isa::Selection;
  toprope::isa::select(
      toprope::dtype_of<PrimT<T>>, detail::operand(dst, repeatParams.dstBlkStride, repeatParams.dstRepStride),
      {selMode == SELMODE::VSEL_CMPMASK_SPR ? Selection::Register : Selection::AddressInRegister, {}},
      detail::operand(src0, repeatParams.src0BlkStride, repeatParams.src0RepStride),
      detail::operand(src1, repeatParams.src1BlkStride, repeatParams.src1RepStride),
      toprope::isa::VecShape::mask_register(repeatTime));
}

// dst = src0 < src1 and its like: every element of the sources takes part.
#define TOPROPE_OPERATOR(Mode, symbol)                                                              \
  struct Compare##Mode##Tensors {                                                                   \
    template <class U, class T>                                                                     \
    [[gnu::always_inline]] static void apply(const LocalTensor<U>& dst, const LocalTensor<T>& src0, \
                                             const LocalTensor<T>& src1) {                          \
      Compare(dst, src0, src1, CMPMODE::Mode, src0.GetSize());                                      \
    }                                                                                               \
  };                                                                                                \
  template <class T>                                                                                \
  TensorExpression<T, Compare##Mode##Tensors> operator symbol(const LocalTensor<T>& a,              \
                                                              const LocalTensor<T>& b) {            \
    return {a, b};                                                                                  \
  }
TOPROPE_OPERATOR(LT, <)
TOPROPE_OPERATOR(GT, >)
TOPROPE_OPERATOR(EQ, ==)
TOPROPE_OPERATOR(LE, <=)
TOPROPE_OPERATOR(GE, >=)
TOPROPE_OPERATOR(NE, !=)
#undef TOPROPE_OPERATOR

}  // namespace AscendC
