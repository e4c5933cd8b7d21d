// Elementwise instructions: dst = op(src…) over dst's valid region. Source: PTO ISA pages of each
// instruction.
#pragma once
#include "pto/instr/operands.hpp"

namespace pto {

#define TOPROPE_CHECK_TYPE(Name, set)                        \
  static_assert(toprope::contains(set, detail::dtype_of<D>), \
                #Name " does not take this element type; see its page")

#define TOPROPE_UNARY(Name, op, ...)                                                              \
  template <__VA_ARGS__ class D, class S, class... Events>                                        \
  PTO_INST RecordEvent Name(D& dst, S& src, Events&... events) {                                  \
    TOPROPE_CHECK_TYPE(Name, types_of(toprope::isa::array::Unary::op));                           \
    static_assert(detail::same_types<D, S>, #Name " takes tiles of one element type");            \
    detail::wait(events...);                                                                      \
    toprope::isa::tile_unary(detail::as<#Name>, toprope::isa::array::Unary::op, detail::ref(dst), \
                             detail::ref(src));                                                   \
    return {};                                                                                    \
  }
TOPROPE_UNARY(TABS, Abs)
TOPROPE_UNARY(TNEG, Neg)
TOPROPE_UNARY(TNOT, Not)
TOPROPE_UNARY(TRELU, Relu)
TOPROPE_UNARY(TSQRT, Sqrt)
TOPROPE_UNARY(TEXP, Exp, auto PrecisionType = ExpAlgorithm::DEFAULT, )
TOPROPE_UNARY(TLOG, Ln, auto PrecisionType = LogAlgorithm::DEFAULT, )
TOPROPE_UNARY(TRECIP, Reciprocal, auto PrecisionType = RecipAlgorithm::DEFAULT, )
TOPROPE_UNARY(TRSQRT, Rsqrt)
#undef TOPROPE_UNARY

#define TOPROPE_BINARY(Name, op, ...)                                                               \
  template <__VA_ARGS__ class D, class S0, class S1, class... Events>                               \
  PTO_INST RecordEvent Name(D& dst, S0& src0, S1& src1, Events&... events) {                        \
    TOPROPE_CHECK_TYPE(Name, types_of(toprope::isa::array::Binary::op));                            \
    static_assert(detail::same_types<D, S0, S1>, #Name " takes tiles of one element type");         \
    detail::wait(events...);                                                                        \
    toprope::isa::tile_binary(detail::as<#Name>, toprope::isa::array::Binary::op, detail::ref(dst), \
                              detail::ref(src0), detail::ref(src1));                                \
    return {};                                                                                      \
  }
TOPROPE_BINARY(TADD, Add)
TOPROPE_BINARY(TSUB, Sub)
TOPROPE_BINARY(TMUL, Mul)
TOPROPE_BINARY(TDIV, Div, auto PrecisionType = DivAlgorithm::DEFAULT, )
TOPROPE_BINARY(TMAX, Max)
TOPROPE_BINARY(TMIN, Min)
TOPROPE_BINARY(TAND, And)
TOPROPE_BINARY(TOR, Or)
TOPROPE_BINARY(TSHL, Shl)
TOPROPE_BINARY(TSHR, Shr)
TOPROPE_BINARY(TFMOD, Fmod)
TOPROPE_BINARY(TSUBRELU, SubRelu)
#undef TOPROPE_BINARY

// With work space, which this library does not need.
#define TOPROPE_BINARY_TMP(Name, op, ...)                                                           \
  template <__VA_ARGS__ class D, class S0, class S1, class Tmp, class... Events>                    \
  PTO_INST RecordEvent Name(D& dst, S0& src0, S1& src1, Tmp&, Events&... events) {                  \
    TOPROPE_CHECK_TYPE(Name, types_of(toprope::isa::array::Binary::op));                            \
    static_assert(detail::same_types<D, S0, S1>, #Name " takes tiles of one element type");         \
    detail::wait(events...);                                                                        \
    toprope::isa::tile_binary(detail::as<#Name>, toprope::isa::array::Binary::op, detail::ref(dst), \
                              detail::ref(src0), detail::ref(src1));                                \
    return {};                                                                                      \
  }
TOPROPE_BINARY_TMP(TXOR, Xor)
TOPROPE_BINARY_TMP(TREM, Rem, auto PrecisionType = RemAlgorithm::DEFAULT, )
TOPROPE_BINARY_TMP(TPOW, Pow, auto PrecisionType = PowAlgorithm::DEFAULT, )
TOPROPE_BINARY_TMP(TPRELU, Prelu)
#undef TOPROPE_BINARY_TMP

#define TOPROPE_SCALAR(Name, op, ...)                                                               \
  template <__VA_ARGS__ class D, class S, class... Events>                                          \
  PTO_INST RecordEvent Name(D& dst, S& src, typename S::DType scalar, Events&... events) {          \
    TOPROPE_CHECK_TYPE(Name, types_of(toprope::isa::array::Binary::op));                            \
    static_assert(detail::same_types<D, S>, #Name " takes tiles of one element type");              \
    detail::wait(events...);                                                                        \
    toprope::isa::tile_scalar(detail::as<#Name>, toprope::isa::array::Binary::op, detail::ref(dst), \
                              detail::ref(src), detail::scalar<D>(scalar));                         \
    return {};                                                                                      \
  }
TOPROPE_SCALAR(TADDS, Add)
TOPROPE_SCALAR(TSUBS, Sub)
TOPROPE_SCALAR(TMULS, Mul)
TOPROPE_SCALAR(TDIVS, Div, auto PrecisionType = DivAlgorithm::DEFAULT, )
TOPROPE_SCALAR(TMAXS, Max)
TOPROPE_SCALAR(TMINS, Min)
TOPROPE_SCALAR(TANDS, And)
TOPROPE_SCALAR(TORS, Or)
TOPROPE_SCALAR(TSHLS, Shl)
TOPROPE_SCALAR(TSHRS, Shr)
TOPROPE_SCALAR(TFMODS, Fmod, auto PrecisionType = FmodSAlgorithm::DEFAULT, )
TOPROPE_SCALAR(TLRELU, Prelu)
#undef TOPROPE_SCALAR

/// The scalar divided by each element.
template <auto PrecisionType = DivAlgorithm::DEFAULT, class D, class S, class... Events>
  requires(is_tile_data_v<S>)
PTO_INST RecordEvent TDIVS(D& dst, typename S::DType scalar, S& src, Events&... events) {
  TOPROPE_CHECK_TYPE(TDIVS, types_of(toprope::isa::array::Binary::Div));
  detail::wait(events...);
  toprope::isa::tile_scalar(detail::as<"TDIVS">, toprope::isa::array::Binary::Div, detail::ref(dst),
                            detail::ref(src), detail::scalar<D>(scalar), true);
  return {};
}

#define TOPROPE_SCALAR_TMP(Name, op, ...)                                                           \
  template <__VA_ARGS__ class D, class S, class Tmp, class... Events>                               \
  PTO_INST RecordEvent Name(D& dst, S& src, typename S::DType scalar, Tmp&, Events&... events) {    \
    TOPROPE_CHECK_TYPE(Name, types_of(toprope::isa::array::Binary::op));                            \
    static_assert(detail::same_types<D, S>, #Name " takes tiles of one element type");              \
    detail::wait(events...);                                                                        \
    toprope::isa::tile_scalar(detail::as<#Name>, toprope::isa::array::Binary::op, detail::ref(dst), \
                              detail::ref(src), detail::scalar<D>(scalar));                         \
    return {};                                                                                      \
  }
TOPROPE_SCALAR_TMP(TXORS, Xor)
TOPROPE_SCALAR_TMP(TREMS, Rem, auto PrecisionType = RemSAlgorithm::DEFAULT, )
TOPROPE_SCALAR_TMP(TPOWS, Pow, auto PrecisionType = PowAlgorithm::DEFAULT, )
#undef TOPROPE_SCALAR_TMP

// Three sources: dst = (src0 op src1) op src2, the middle one a tile or a scalar.
#define TOPROPE_CHAIN(Name, first, second)                                                                  \
  template <class D, class S0, class S1, class S2, class... Events>                                         \
  PTO_INST RecordEvent Name##C(D& dst, S0& src0, S1& src1, S2& src2, Events&... events) {                   \
    TOPROPE_CHECK_TYPE(Name##C, types_of(toprope::isa::array::Binary::first));                              \
    detail::wait(events...);                                                                                \
    toprope::isa::tile_chain(detail::as<#Name "C">, toprope::isa::array::Binary::first,                     \
                             toprope::isa::array::Binary::second, detail::ref(dst), detail::ref(src0),      \
                             detail::ref(src1), detail::ref(src2));                                         \
    return {};                                                                                              \
  }                                                                                                         \
  template <class D, class S0, class S1, class... Events>                                                   \
  PTO_INST RecordEvent Name##SC(D& dst, S0& src0, typename S0::DType scalar, S1& src1, Events&... events) { \
    TOPROPE_CHECK_TYPE(Name##SC, types_of(toprope::isa::array::Binary::first));                             \
    detail::wait(events...);                                                                                \
    toprope::isa::tile_chain_scalar(detail::as<#Name "SC">, toprope::isa::array::Binary::first,             \
                                    toprope::isa::array::Binary::second, detail::ref(dst),                  \
                                    detail::ref(src0), detail::scalar<D>(scalar), detail::ref(src1));       \
    return {};                                                                                              \
  }
TOPROPE_CHAIN(TADD, Add, Add)
TOPROPE_CHAIN(TSUB, Sub, Add)
#undef TOPROPE_CHAIN

// dst takes part too.
#define TOPROPE_TERNARY(Name, op)                                                                \
  template <class D, class S0, class S1, class... Events>                                        \
  PTO_INST RecordEvent Name(D& dst, S0& src0, S1& src1, Events&... events) {                     \
    static_assert(takes(toprope::isa::Ternary::op, detail::dtype_of<D>, detail::dtype_of<S0>) && \
                      detail::same_types<S0, S1>,                                                \
                  #Name " does not take these element types; see its page");                     \
    detail::wait(events...);                                                                     \
    toprope::isa::tile_ternary(detail::as<#Name>, toprope::isa::Ternary::op, detail::ref(dst),   \
                               detail::ref(src0), detail::ref(src1));                            \
    return {};                                                                                   \
  }
TOPROPE_TERNARY(TMULADDDST, MulAddDst)
TOPROPE_TERNARY(TFUSEDMULADD, FusedMulAdd)
TOPROPE_TERNARY(TFUSEDMULADDRELU, MulAddRelu)
#undef TOPROPE_TERNARY

/// dst = scalar * src + dst.
template <class D, class S, class... Events>
PTO_INST RecordEvent TAXPY(D& dst, S& src, typename S::DType scalar, Events&... events) {
  static_assert(toprope::isa::axpy_takes(detail::dtype_of<D>, detail::dtype_of<S>),
                "TAXPY does not take these element types; see its page");
  detail::wait(events...);
  toprope::isa::tile_axpy(detail::as<"TAXPY">, detail::ref(dst), detail::ref(src), detail::scalar<S>(scalar));
  return {};
}

// Where both sources are valid op, elsewhere the one that is.
#define TOPROPE_PART(Name, op)                                                                    \
  template <class D, class S0, class S1, class... Events>                                         \
  PTO_INST RecordEvent Name(D& dst, S0& src0, S1& src1, Events&... events) {                      \
    TOPROPE_CHECK_TYPE(Name, types_of(toprope::isa::array::Binary::op));                          \
    static_assert(detail::same_types<D, S0, S1>, #Name " takes tiles of one element type");       \
    detail::wait(events...);                                                                      \
    toprope::isa::tile_part(detail::as<#Name>, toprope::isa::array::Binary::op, detail::ref(dst), \
                            detail::ref(src0), detail::ref(src1));                                \
    return {};                                                                                    \
  }
TOPROPE_PART(TPARTADD, Add)
TOPROPE_PART(TPARTMUL, Mul)
TOPROPE_PART(TPARTMAX, Max)
TOPROPE_PART(TPARTMIN, Min)
#undef TOPROPE_PART
#undef TOPROPE_CHECK_TYPE

}  // namespace pto
