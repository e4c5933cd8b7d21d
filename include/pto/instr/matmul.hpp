// Matrix products. Source: PTO ISA pages TMATMUL, TMATMUL_ACC, TMATMUL_BIAS, TGEMV, TGEMV_ACC, TGEMV_BIAS.
#pragma once
#include "pto/instr/operands.hpp"
#include "toprope/isa/tile_matmul.h"

namespace pto {

namespace detail {

template <class Acc, class Left, class Right>
constexpr void check_product() {
  static_assert(Left::Loc == TileType::Left && Right::Loc == TileType::Right && Acc::Loc == TileType::Acc,
                "a product takes a Left, a Right and an Acc tile");
  static_assert(Left::Cols == Right::Rows && Left::Rows == Acc::Rows && Right::Cols == Acc::Cols,
                "the tiles' rows and columns do not fit each other");
  static_assert(same_types<Left, Right> && toprope::isa::multiplies(dtype_of<Acc>, dtype_of<Left>),
                "the cube unit does not multiply these element types");
}

template <class T>
inline constexpr bool is_left = false;
template <class T>
  requires(is_tile_data_v<T>)
inline constexpr bool is_left<T> = T::Loc == TileType::Left;

}  // namespace detail

// The phase hints at the accumulation's end and changes no number.
#define TOPROPE_PRODUCT(Name)                                                                               \
  template <AccPhase Phase = AccPhase::Unspecified, class Acc, class Left, class Right, class... Events>    \
  PTO_INST RecordEvent Name(Acc& acc, Left& left, Right& right, Events&... events) {                        \
    detail::check_product<Acc, Left, Right>();                                                              \
    detail::wait(events...);                                                                                \
    toprope::isa::tile_matmul(detail::as<#Name, toprope::Pipe::M>, detail::ref(acc), detail::ref(left),     \
                              detail::ref(right));                                                          \
    return {};                                                                                              \
  }                                                                                                         \
  template <AccPhase Phase = AccPhase::Unspecified, class Acc, class Left, class Right, class Bias,         \
            class... Events>                                                                                \
  PTO_INST RecordEvent Name##_BIAS(Acc& acc, Left& left, Right& right, Bias& bias, Events&... events) {     \
    detail::check_product<Acc, Left, Right>();                                                              \
    static_assert(Bias::Loc == TileType::Bias && std::is_same_v<typename Bias::DType, typename Acc::DType>, \
                  "the bias is a Bias tile of the accumulator's type");                                     \
    detail::wait(events...);                                                                                \
    toprope::isa::tile_matmul_bias(detail::as<#Name "_BIAS", toprope::Pipe::M>, detail::ref(acc),           \
                                   detail::ref(left), detail::ref(right), detail::ref(bias));               \
    return {};                                                                                              \
  }                                                                                                         \
  template <AccPhase Phase = AccPhase::Unspecified, class Acc, class Left, class Right, class... Events>    \
    requires(detail::is_left<Left>)                                                                         \
  PTO_INST RecordEvent Name##_ACC(Acc& acc, Acc& start, Left& left, Right& right, Events&... events) {      \
    detail::check_product<Acc, Left, Right>();                                                              \
    detail::wait(events...);                                                                                \
    toprope::isa::tile_matmul_accumulate(detail::as<#Name "_ACC", toprope::Pipe::M>, detail::ref(acc),      \
                                         detail::ref(start), detail::ref(left), detail::ref(right));        \
    return {};                                                                                              \
  }                                                                                                         \
  template <AccPhase Phase = AccPhase::Unspecified, class Acc, class Left, class Right, class... Events>    \
    requires(detail::is_left<Left>)                                                                         \
  PTO_INST RecordEvent Name##_ACC(Acc& acc, Left& left, Right& right, Events&... events) {                  \
    return Name##_ACC<Phase>(acc, acc, left, right, events...);                                             \
  }
TOPROPE_PRODUCT(TMATMUL)
TOPROPE_PRODUCT(TGEMV)
#undef TOPROPE_PRODUCT

}  // namespace pto
