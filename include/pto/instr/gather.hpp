// Choosing, spreading and sorting elements of tiles; quantised ones. Source: PTO ISA pages of each
// instruction.
#pragma once
#include "pto/instr/operands.hpp"
#include "toprope/isa/tile_gather.h"

namespace pto {

inline constexpr uint32_t BLOCK_BYTE_SIZE = 32;

/// How many records of each list a merge has taken.
struct MrgSortExecutedNumList {
  uint16_t mrgSortList0 = 0, mrgSortList1 = 0, mrgSortList2 = 0, mrgSortList3 = 0;
};

namespace detail {

/// P0101 keeps the first of two, P1000 the last of four.
constexpr toprope::isa::Comb comb_of(MaskPattern pattern) {
  constexpr toprope::isa::Comb combs[] = {{1, 0}, {2, 0}, {2, 1}, {4, 0}, {4, 1}, {4, 2}, {4, 3}, {1, 0}};
  return combs[static_cast<int>(pattern)];
}

}  // namespace detail

/// dst[i] = src's element number index[i]. The further tile is work space.
template <class D, class S, class I, class Tmp, class... Events>
  requires(is_tile_data_v<I> && is_tile_data_v<Tmp>)
PTO_INST RecordEvent TGATHER(D& dst, S& src, I& index, Tmp&, Events&... events) {
  static_assert(sizeof(typename D::DType) == sizeof(typename S::DType), "TGATHER takes elements of one size");
  detail::wait(events...);
  toprope::isa::tile_gather(detail::as<"TGATHER">, detail::ref(dst), detail::ref(src), detail::ref(index));
  return {};
}

/// The elements that the pattern keeps, behind one another; GATHER_COL: the rows.
template <class D, class S, MaskPattern pattern, auto axis = GatherAxis::GATHER_ROW, class... Events>
PTO_INST RecordEvent TGATHER(D& dst, S& src, Events&... events) {
  static_assert(sizeof(typename D::DType) == sizeof(typename S::DType), "TGATHER takes elements of one size");
  detail::wait(events...);
  toprope::isa::tile_gather_comb(detail::as<"TGATHER">, detail::ref(dst), detail::ref(src),
                                 detail::comb_of(pattern), axis == GatherAxis::GATHER_COL);
  return {};
}

/// Blocks of 32 bytes, each from its byte offset.
template <class D, class S, class O, class... Events>
PTO_INST RecordEvent TGATHERB(D& dst, S& src, O& offset, Events&... events) {
  static_assert(sizeof(typename D::DType) == sizeof(typename S::DType),
                "TGATHERB takes elements of one size");
  detail::wait(events...);
  toprope::isa::tile_gather_blocks(detail::as<"TGATHERB">, detail::ref(dst), detail::ref(src),
                                   detail::ref(offset));
  return {};
}

/// dst's element number index[i] = src[i].
template <class D, class S, class I, class... Events>
  requires(is_tile_data_v<I>)
PTO_INST RecordEvent TSCATTER(D& dst, S& src, I& index, Events&... events) {
  static_assert(sizeof(typename D::DType) == sizeof(typename S::DType),
                "TSCATTER takes elements of one size");
  detail::wait(events...);
  toprope::isa::tile_scatter(detail::as<"TSCATTER">, detail::ref(dst), detail::ref(src), detail::ref(index));
  return {};
}

/// src where the pattern says, 0 elsewhere.
template <MaskPattern pattern = MaskPattern::P1111, auto axis = ScatterAxis::SCATTER_ROW, class D, class S,
          class... Events>
  requires(detail::is_event<Events> && ...)
PTO_INST RecordEvent TSCATTER(D& dst, S& src, Events&... events) {
  static_assert(sizeof(typename D::DType) == sizeof(typename S::DType),
                "TSCATTER takes elements of one size");
  detail::wait(events...);
  toprope::isa::tile_scatter_comb(detail::as<"TSCATTER">, detail::ref(dst), detail::ref(src),
                                  detail::comb_of(pattern), axis == ScatterAxis::SCATTER_COL);
  return {};
}

/// Pairs of src0 and src1: of their first halves in dst0, of their second halves in dst1.
template <class D, class S, class... Events>
PTO_INST RecordEvent TINTERLEAVE(D& dst1, D& dst0, S& src1, S& src0, Events&... events) {
  detail::wait(events...);
  toprope::isa::tile_interleave(detail::as<"TINTERLEAVE">, detail::ref(dst1), detail::ref(dst0),
                                detail::ref(src1), detail::ref(src0));
  return {};
}

/// The firsts of all pairs in dst0, the seconds in dst1.
template <class D, class S, class... Events>
PTO_INST RecordEvent TDEINTERLEAVE(D& dst1, D& dst0, S& src1, S& src0, Events&... events) {
  detail::wait(events...);
  const auto second = detail::ref(src1);
  toprope::isa::tile_deinterleave(detail::as<"TDEINTERLEAVE">, detail::ref(dst1), detail::ref(dst0), &second,
                                  detail::ref(src0));
  return {};
}
template <class D, class S, class... Events>
  requires(detail::is_event<Events> && ...)
PTO_INST RecordEvent TDEINTERLEAVE(D& dst1, D& dst0, S& src, Events&... events) {
  detail::wait(events...);
  toprope::isa::tile_deinterleave(detail::as<"TDEINTERLEAVE">, detail::ref(dst1), detail::ref(dst0), nullptr,
                                  detail::ref(src));
  return {};
}

/// Each 32 elements with their indices as records of 8 bytes, descending. A fourth tile is work space.
template <class D, class S, class I, class... Rest>
PTO_INST RecordEvent TSORT32(D& dst, S& src, I& index, Rest&... rest) {
  static_assert(
      detail::same_types<D, S> && sizeof(typename I::DType) == 4 &&
          (detail::dtype_of<S> == toprope::DType::Half || detail::dtype_of<S> == toprope::DType::Float),
      "TSORT32 sorts half or float values with 32-bit indices");
  detail::wait(rest...);
  toprope::isa::tile_sort32(detail::as<"TSORT32">, detail::ref(dst), detail::ref(src), detail::ref(index));
  return {};
}

/// Merges each four runs of `blockLen` elements.
template <class D, class S, class... Events>
PTO_INST RecordEvent TMRGSORT(D& dst, S& src, uint32_t blockLen, Events&... events) {
  detail::wait(events...);
  toprope::isa::tile_merge_four(detail::as<"TMRGSORT">, detail::ref(dst), detail::ref(src), blockLen);
  return {};
}

namespace detail {

template <bool exhausted, class D, class... Runs>
PTO_INST void merge(D& dst, MrgSortExecutedNumList& taken, Runs&... runs) {
  const toprope::isa::Tile tiles[] = {ref(runs)...};
  const toprope::isa::Tile* places[sizeof...(Runs)];
  for (size_t i = 0; i < sizeof...(Runs); ++i) places[i] = tiles + i;
  uint16_t counts[4];
  toprope::isa::tile_merge(as<"TMRGSORT">, ref(dst), places, sizeof...(Runs), exhausted, counts);
  taken = {counts[0], counts[1], counts[2], counts[3]};
}

}  // namespace detail

// Merges two to four lists; `exhausted` stops when one is used up. The tile before the lists is work space.
template <class D, class Tmp, class S0, class S1, bool exhausted, class... Events>
PTO_INST RecordEvent TMRGSORT(D& dst, MrgSortExecutedNumList& taken, Tmp&, S0& src0, S1& src1,
                              Events&... events) {
  detail::wait(events...);
  detail::merge<exhausted>(dst, taken, src0, src1);
  return {};
}
template <class D, class Tmp, class S0, class S1, class S2, bool exhausted, class... Events>
PTO_INST RecordEvent TMRGSORT(D& dst, MrgSortExecutedNumList& taken, Tmp&, S0& src0, S1& src1, S2& src2,
                              Events&... events) {
  detail::wait(events...);
  detail::merge<exhausted>(dst, taken, src0, src1, src2);
  return {};
}
template <class D, class Tmp, class S0, class S1, class S2, class S3, bool exhausted, class... Events>
PTO_INST RecordEvent TMRGSORT(D& dst, MrgSortExecutedNumList& taken, Tmp&, S0& src0, S1& src1, S2& src2,
                              S3& src3, Events&... events) {
  detail::wait(events...);
  detail::merge<exhausted>(dst, taken, src0, src1, src2, src3);
  return {};
}

/// dst = (src - offset) * scale, one of each a row.
template <class D, class S, class P, class... Events>
PTO_INST RecordEvent TDEQUANT(D& dst, S& src, P& scale, P& offset, Events&... events) {
  static_assert(detail::same_types<D, P> && std::is_same_v<typename D::DType, float>,
                "TDEQUANT gives float, with float scales and offsets");
  static_assert(std::is_same_v<typename S::DType, int8_t> || std::is_same_v<typename S::DType, int16_t>,
                "TDEQUANT takes int8_t or int16_t");
  detail::wait(events...);
  toprope::isa::tile_dequantise(detail::as<"TDEQUANT">, detail::ref(dst), detail::ref(src),
                                detail::ref(scale), detail::ref(offset));
  return {};
}

/// dst = half(max(0, (src0 + src1) * deqScale)). The further tile is work space.
template <class D, class S0, class S1, class Tmp, class... Events>
PTO_INST RecordEvent TADDDEQRELU(D& dst, S0& src0, S1& src1, float deqScale, Tmp&, Events&... events) {
  static_assert(std::is_same_v<typename D::DType, half> && std::is_same_v<typename S0::DType, int32_t> &&
                    detail::same_types<S0, S1>,
                "TADDDEQRELU takes int32_t and gives half");
  detail::wait(events...);
  toprope::isa::tile_add_dequantise_relu(detail::as<"TADDDEQRELU">, detail::ref(dst), detail::ref(src0),
                                         detail::ref(src1), deqScale);
  return {};
}

}  // namespace pto
