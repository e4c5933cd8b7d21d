// Tiles to tiles: other layouts, parts, transposed, side by side, padded, converted.
// Source: PTO ISA pages of each instruction.
#pragma once
#include "pto/cpu/tile_offsets.hpp"
#include "pto/instr/memory.hpp"
#include "pto/instr/operands.hpp"

namespace pto {

namespace detail {

/// The pipe that moves between two memories.
template <class D, class S>
constexpr toprope::Pipe move_pipe() {
  using toprope::Pipe;
  if (S::Loc == TileType::Acc) return Pipe::FIX;
  if (S::Loc == TileType::Mat) return Pipe::MTE1;
  return D::Loc == TileType::Vec ? Pipe::V : Pipe::MTE3;
}

constexpr toprope::isa::Round round_of(RoundMode mode) { return static_cast<toprope::isa::Round>(mode); }

}  // namespace detail

// Three instructions share their forms: plain, with an activation, with a quantisation parameter for all
// elements, and
// (_FP) with one for each column. `place` is what a part has more than the whole: its first row and column.
#define TOPROPE_MOVE(Name, call, parameters, arguments)                                                  \
  template <class D, class S, class... Events>                                                           \
    requires(detail::is_event<Events> && ...)                                                            \
  PTO_INST RecordEvent Name(D& dst, S& src parameters(= 0), Events&... events) {                         \
    detail::wait(events...);                                                                             \
    toprope::isa::call(detail::as<#Name, detail::move_pipe<D, S>()>, detail::ref(dst), detail::ref(src), \
                       arguments);                                                                       \
    return {};                                                                                           \
  }                                                                                                      \
  template <class D, class S, ReluPreMode relu, class... Events>                                         \
    requires(detail::is_event<Events> && ...)                                                            \
  PTO_INST RecordEvent Name(D& dst, S& src parameters(), Events&... events) {                            \
    detail::wait(events...);                                                                             \
    toprope::isa::call(detail::as<#Name, detail::move_pipe<D, S>()>, detail::ref(dst), detail::ref(src), \
                       arguments, {.relu = relu != ReluPreMode::NoRelu});                                \
    return {};                                                                                           \
  }                                                                                                      \
  template <class D, class S, ReluPreMode relu = ReluPreMode::NoRelu, class... Events>                   \
    requires(detail::is_event<Events> && ...)                                                            \
  PTO_INST RecordEvent Name(D& dst, S& src, uint64_t preQuantScalar parameters(), Events&... events) {   \
    detail::wait(events...);                                                                             \
    toprope::isa::call(detail::as<#Name, detail::move_pipe<D, S>()>, detail::ref(dst), detail::ref(src), \
                       arguments,                                                                        \
                       {.relu = relu != ReluPreMode::NoRelu, .scaled = true, .scalar = preQuantScalar}); \
    return {};                                                                                           \
  }                                                                                                      \
  template <class D, class S, class Fp, ReluPreMode relu = ReluPreMode::NoRelu, class... Events>         \
    requires(detail::is_event<Events> && ...)                                                            \
  PTO_INST RecordEvent Name##_FP(D& dst, S& src, Fp& fp parameters(), Events&... events) {               \
    detail::wait(events...);                                                                             \
    const auto vector = detail::ref(fp);                                                                 \
    toprope::isa::call(detail::as<#Name "_FP", detail::move_pipe<D, S>()>, detail::ref(dst),             \
                       detail::ref(src), arguments,                                                      \
                       {.relu = relu != ReluPreMode::NoRelu, .vector = &vector});                        \
    return {};                                                                                           \
  }
#define TOPROPE_PLACE(start) , uint32_t row start, uint32_t column start
#define TOPROPE_WHOLE(start)
#define TOPROPE_AT row, column
#define TOPROPE_ORIGIN 0, 0
/// dst's valid region from src, whatever their layouts.
TOPROPE_MOVE(TMOV, tile_extract, TOPROPE_WHOLE, TOPROPE_ORIGIN)
/// dst's valid region from (row, column) of src on.
TOPROPE_MOVE(TEXTRACT, tile_extract, TOPROPE_PLACE, TOPROPE_AT)
/// src's valid region to (row, column) of dst on.
TOPROPE_MOVE(TINSERT, tile_insert, TOPROPE_PLACE, TOPROPE_AT)
#undef TOPROPE_ORIGIN
#undef TOPROPE_AT
#undef TOPROPE_WHOLE
#undef TOPROPE_PLACE
#undef TOPROPE_MOVE

/// With work space, which this library does not need.
template <class D, class S, class Tmp, class... Events>
  requires(is_tile_data_v<Tmp>)
PTO_INST RecordEvent TMOV(D& dst, S& src, Tmp&, Events&... events) {
  return TMOV(dst, src, events...);
}

/// dst becomes another view of src's bytes.
template <class D, class S, class... Events>
PTO_INST RecordEvent TRESHAPE(D& dst, S& src, Events&... events) {
  static_assert(D::Loc == S::Loc, "TRESHAPE keeps the memory");
  static_assert(D::GetSizeInBytes() == S::GetSizeInBytes(), "TRESHAPE keeps the number of bytes");
  static_assert(D::isBoxedLayout == S::isBoxedLayout,
                "TRESHAPE does not change between boxed and unboxed layouts");
  detail::wait(events...);
  dst.assignData(reinterpret_cast<typename D::DType*>(src.data()));
  return {};
}

/// dst becomes the part of src that starts at (row, column).
template <class D, class S, class... Events>
PTO_INST RecordEvent TSUBVIEW(D& dst, S& src, uint16_t row, uint16_t column, Events&... events) {
  static_assert(std::is_same_v<typename D::DType, typename S::DType> && D::Loc == S::Loc &&
                    D::Rows == S::Rows && D::Cols == S::Cols,
                "TSUBVIEW takes tiles of one memory, element type and size");
  detail::wait(events...);
  dst.assignData(src.data() + GetTileElementOffset<S>(row, column));
  return {};
}

/// dst[c][r] = src[r][c]. The further tile is work space.
template <class D, class S, class... Rest>
PTO_INST RecordEvent TTRANS(D& dst, S& src, Rest&... rest) {
  static_assert(sizeof(typename D::DType) == sizeof(typename S::DType), "TTRANS takes elements of one size");
  detail::wait(rest...);
  toprope::isa::tile_transpose(detail::as<"TTRANS">, detail::ref(dst), detail::ref(src));
  return {};
}

/// Each row of src0, then of src1.
template <class D, class S0, class S1, class... Events>
PTO_INST RecordEvent TCONCAT(D& dst, S0& src0, S1& src1, Events&... events) {
  static_assert(detail::same_types<D, S0, S1>, "TCONCAT takes tiles of one element type");
  detail::wait(events...);
  toprope::isa::tile_concatenate(detail::as<"TCONCAT">, detail::ref(dst), detail::ref(src0),
                                 detail::ref(src1));
  return {};
}

/// Each row as long as the index tiles' first columns say, in bytes.
template <class D, class S0, class S1, class I0, class I1, class... Events>
  requires(is_tile_data_v<I0> && is_tile_data_v<I1>)
PTO_INST RecordEvent TCONCAT(D& dst, S0& src0, S1& src1, I0& index0, I1& index1, Events&... events) {
  static_assert(detail::same_types<D, S0, S1>, "TCONCAT takes tiles of one element type");
  if constexpr (sizeof...(Events) > 0 && (is_tile_data_v<Events> && ...)) {
    static_assert(sizeof...(Events) == 1, "TCONCAT takes two or three index tiles");
    const auto lengths = detail::ref(index0);
    toprope::isa::tile_concatenate_indexed(detail::as<"TCONCAT">, detail::ref(dst), detail::ref(src0),
                                           detail::ref(src1), detail::ref(index1), detail::ref(events)...,
                                           &lengths);
  } else {
    detail::wait(events...);
    toprope::isa::tile_concatenate_indexed(detail::as<"TCONCAT">, detail::ref(dst), detail::ref(src0),
                                           detail::ref(src1), detail::ref(index0), detail::ref(index1),
                                           nullptr);
  }
  return {};
}

template <class... Tiles>
PTO_INST RecordEvent TCONCAT_IMPL(Tiles&... tiles) {
  return TCONCAT(tiles...);
}

/// Brings data of a tensor or a tile nearer.
template <class D, class S>
PTO_INST RecordEvent TPREFETCH(D& dst, S& src) {
  if constexpr (is_tile_data_v<S>)
    return TMOV(dst, src);
  else
    return TLOAD(dst, src);
}

// src's valid region, and dst's pad value in the rest of dst.
#define TOPROPE_FILL(Name)                                                                               \
  template <class D, class S, class... Events>                                                           \
  PTO_INST RecordEvent Name(D& dst, S& src, Events&... events) {                                         \
    static_assert(sizeof(typename D::DType) == sizeof(typename S::DType),                                \
                  #Name " takes elements of one size");                                                  \
    detail::wait(events...);                                                                             \
    toprope::isa::tile_fill_pad(detail::as<#Name>, detail::ref(dst), detail::ref(src), D::Rows, D::Cols, \
                                {detail::pad_bits<typename D::DType>(D::PadVal)});                       \
    return {};                                                                                           \
  }
TOPROPE_FILL(TFILLPAD)
TOPROPE_FILL(TFILLPAD_INPLACE)
TOPROPE_FILL(TFILLPAD_EXPAND)
#undef TOPROPE_FILL

template <TFillPadMode mode, class D, class S, class... Events>
PTO_INST RecordEvent TFILLPAD(D& dst, S& src, Events&... events) {
  return TFILLPAD<D, S>(dst, src, events...);
}

/// dst = src in another element type. Results out of range clamp.
template <class D, class S, class... Events>
PTO_INST RecordEvent TCVT(D& dst, S& src, RoundMode mode, SaturationMode, Events&... events) {
  detail::wait(events...);
  toprope::isa::tile_cast(detail::as<"TCVT">, detail::ref(dst), detail::ref(src), detail::round_of(mode));
  return {};
}
template <class D, class S, class... Events>
PTO_INST RecordEvent TCVT(D& dst, S& src, RoundMode mode, Events&... events) {
  return TCVT(dst, src, mode, SaturationMode::OFF, events...);
}
template <class D, class S, class Tmp, class... Rest>
  requires(is_tile_data_v<Tmp>)
PTO_INST RecordEvent TCVT(D& dst, S& src, Tmp&, RoundMode mode, Rest... rest) {
  return TCVT(dst, src, mode, rest...);
}

}  // namespace pto
