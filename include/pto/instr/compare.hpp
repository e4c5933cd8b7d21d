// Comparisons, and choosing by their bits. Source: PTO ISA pages TCMP, TCMPS, TSEL, TSELS.
#pragma once
#include "pto/instr/operands.hpp"

namespace pto {

namespace detail {

constexpr toprope::isa::Compare compare_of(CmpMode mode) {
  using toprope::isa::Compare;
  constexpr Compare all[] = {Compare::EQ, Compare::NE, Compare::LT, Compare::LE, Compare::GT, Compare::GE};
  return all[static_cast<int>(mode)];
}

}  // namespace detail

/// Bits of src0 op src1. Where dst's valid columns hold exactly a row's bits, each row's start with dst's
/// row; otherwise rows follow each other byte by byte. TSEL and TSELS read them by the same rule.
template <class D, class S0, class S1, class... Events>
PTO_INST RecordEvent TCMP(D& dst, S0& src0, S1& src1, CmpMode mode, Events&... events) {
  static_assert(detail::same_types<S0, S1>, "TCMP takes sources of one element type");
  detail::wait(events...);
  toprope::isa::tile_compare(detail::as<"TCMP">, detail::compare_of(mode), detail::ref(dst),
                             detail::ref(src0), detail::ref(src1));
  return {};
}

/// Bits of src op one value: a number, or the first element of a tile.
template <class D, class S0, class S1, class... Events>
PTO_INST RecordEvent TCMPS(D& dst, S0& src0, const S1& src1, CmpMode mode, Events&... events) {
  detail::wait(events...);
  toprope::isa::Scalar value;
  if constexpr (is_tile_data_v<S1>)
    value = detail::scalar<S0>(detail::element(src1.data(), S1::shape.mem, false));
  else
    value = detail::scalar<S0>(src1);
  toprope::isa::tile_compare_scalar(detail::as<"TCMPS">, detail::compare_of(mode), detail::ref(dst),
                                    detail::ref(src0), value);
  return {};
}

/// dst = bit ? src0 : src1. The further tile is work space.
template <class D, class Mask, class S0, class S1, class Tmp, class... Events>
PTO_INST RecordEvent TSEL(D& dst, Mask& mask, S0& src0, S1& src1, Tmp&, Events&... events) {
  static_assert(sizeof(typename D::DType) == sizeof(typename S0::DType) &&
                    sizeof(typename D::DType) == sizeof(typename S1::DType),
                "TSEL takes elements of one size");
  detail::wait(events...);
  toprope::isa::tile_select(detail::as<"TSEL">, detail::ref(dst), detail::ref(mask), detail::ref(src0),
                            detail::ref(src1));
  return {};
}

/// dst = bit ? src : scalar.
template <class D, class Mask, class S, class Tmp, class... Events>
PTO_INST RecordEvent TSELS(D& dst, Mask& mask, S& src, Tmp&, typename S::DType scalar, Events&... events) {
  static_assert(detail::same_types<D, S>, "TSELS takes tiles of one element type");
  detail::wait(events...);
  toprope::isa::tile_select_scalar(detail::as<"TSELS">, detail::ref(dst), detail::ref(mask), detail::ref(src),
                                   detail::scalar<D>(scalar));
  return {};
}

}  // namespace pto
