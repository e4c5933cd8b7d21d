// Filling tiles, and repeating a row or a column of one over another. Source: PTO ISA pages of each
// instruction.
#pragma once
#include "pto/instr/operands.hpp"

namespace pto {

template <class D, class... Events>
PTO_INST RecordEvent TEXPANDS(D& dst, typename D::DType scalar, Events&... events) {
  detail::wait(events...);
  toprope::isa::tile_fill(detail::as<"TEXPANDS">, detail::ref(dst), detail::scalar<D>(scalar));
  return {};
}

/// start, start + 1, … (descending: start - 1, …).
template <class D, class T, int descending = 0, class... Events>
PTO_INST RecordEvent TCI(D& dst, T start, Events&... events) {
  static_assert(std::is_integral_v<typename D::DType> && sizeof(typename D::DType) >= 2 &&
                    sizeof(typename D::DType) <= 4,
                "TCI counts in 16-bit or 32-bit integers");
  detail::wait(events...);
  toprope::isa::tile_iota(detail::as<"TCI">, detail::ref(dst), detail::scalar<D>(start), descending != 0);
  return {};
}

/// Ones on and below the diagonal (isUpperOrLower = 0) or on and above it (1).
template <class D, int isUpperOrLower, class... Events>
PTO_INST RecordEvent TTRI(D& dst, int diagonal, Events&... events) {
  detail::wait(events...);
  toprope::isa::tile_triangle(detail::as<"TTRI">, detail::ref(dst), diagonal, isUpperOrLower != 0);
  return {};
}

#define TOPROPE_EXPAND(Name, how)                                                    \
  template <class D, class S, class... Events>                                       \
  PTO_INST RecordEvent Name(D& dst, S& src, Events&... events) {                     \
    static_assert(sizeof(typename D::DType) == sizeof(typename S::DType),            \
                  #Name " takes elements of one size");                              \
    detail::wait(events...);                                                         \
    toprope::isa::tile_expand(detail::as<#Name>, detail::ref(dst), detail::ref(src), \
                              toprope::isa::Spread::how);                            \
    return {};                                                                       \
  }
TOPROPE_EXPAND(TROWEXPAND, Rows)
TOPROPE_EXPAND(TCOLEXPAND, Columns)
#undef TOPROPE_EXPAND

// dst = src0 op src1 with src1 (or src0) repeated over the rows or columns of the other.
#define TOPROPE_SPREAD(Name, how, op)                                                                \
  template <class D, class S0, class S1, class... Rest>                                              \
  PTO_INST RecordEvent Name(D& dst, S0& src0, S1& src1, Rest&... rest) {                             \
    static_assert(detail::same_types<D, S0, S1>, #Name " takes tiles of one element type");          \
    static_assert(toprope::contains(types_of(toprope::isa::array::Binary::op), detail::dtype_of<D>), \
                  #Name " does not take this element type; see its page");                           \
    detail::wait(rest...);                                                                           \
    toprope::isa::tile_binary(detail::as<#Name>, toprope::isa::array::Binary::op, detail::ref(dst),  \
                              detail::ref(src0), detail::ref(src1), toprope::isa::Spread::how);      \
    return {};                                                                                       \
  }
#define TOPROPE_SPREADS(Suffix, op)            \
  TOPROPE_SPREAD(TROWEXPAND##Suffix, Rows, op) \
  TOPROPE_SPREAD(TCOLEXPAND##Suffix, Columns, op)
TOPROPE_SPREADS(ADD, Add)
TOPROPE_SPREADS(SUB, Sub)
TOPROPE_SPREADS(MUL, Mul)
TOPROPE_SPREADS(DIV, Div)
TOPROPE_SPREADS(MAX, Max)
TOPROPE_SPREADS(MIN, Min)
#undef TOPROPE_SPREADS
#undef TOPROPE_SPREAD

// dst = exp(src0 - src1).
#define TOPROPE_EXP_DIFFERENCE(Name, how)                                                            \
  template <class D, class S0, class S1, class... Rest>                                              \
  PTO_INST RecordEvent Name(D& dst, S0& src0, S1& src1, Rest&... rest) {                             \
    static_assert(detail::same_types<D, S0, S1>, #Name " takes tiles of one element type");          \
    static_assert(toprope::contains(types_of(toprope::isa::array::Unary::Exp), detail::dtype_of<D>), \
                  #Name " does not take this element type; see its page");                           \
    detail::wait(rest...);                                                                           \
    toprope::isa::tile_exp_difference(detail::as<#Name>, detail::ref(dst), detail::ref(src0),        \
                                      detail::ref(src1), toprope::isa::Spread::how);                 \
    return {};                                                                                       \
  }
TOPROPE_EXP_DIFFERENCE(TROWEXPANDEXPDIF, Rows)
TOPROPE_EXP_DIFFERENCE(TCOLEXPANDEXPDIF, Columns)
#undef TOPROPE_EXP_DIFFERENCE

}  // namespace pto
