// Shape, Stride, Coord, Layout, and TensorTrait, which adds an element type and a position. Members may be
// numbers or Std::Int<…>; where all are, results are Std::Int<…>, too.
// Source: Ascend C API, auxiliary data structures, Coordinate, Layout, TensorTrait.
#pragma once
#include "basic_api/kernel_common.h"
#include "utils/std/integral_constant.h"
#include "utils/std/tuple.h"

namespace AscendC {

template <class... Shapes>
using Shape = Std::tuple<Shapes...>;
template <class... Strides>
using Stride = Std::tuple<Strides...>;
template <class... Coords>
using Coord = Std::tuple<Coords...>;

template <class... Ts>
constexpr Shape<Ts...> MakeShape(const Ts&... t) {
  return {t...};
}
template <class... Ts>
constexpr Stride<Ts...> MakeStride(const Ts&... t) {
  return {t...};
}
template <class... Ts>
constexpr Coord<Ts...> MakeCoord(const Ts&... t) {
  return {t...};
}

namespace detail {

template <class T>
struct TupleSize {
  static constexpr size_t value = 0;  // a number
};
template <class... Ts>
struct TupleSize<Std::tuple<Ts...>> {
  static constexpr size_t value = sizeof...(Ts);
};

template <class T>
struct IsInt : std::false_type {};
template <size_t v>
struct IsInt<Std::Int<v>> : std::true_type {};

#define TOPROPE_OP(name, symbol)                                   \
  template <class A, class B>                                      \
  constexpr auto name(const A& a, const B& b) {                    \
    if constexpr (IsInt<A>::value && IsInt<B>::value)              \
      return Std::Int<(A::value symbol B::value)>{};               \
    else                                                           \
      return static_cast<size_t>(a) symbol static_cast<size_t>(b); \
  }
TOPROPE_OP(plus, +)
TOPROPE_OP(times, *)
TOPROPE_OP(over, /)
TOPROPE_OP(rest, %)
#undef TOPROPE_OP

template <class Coordinate, class Extents, class Steps>
constexpr auto index_of(const Coordinate& coordinate, const Extents& shape, const Steps& stride);

template <size_t i, class Coordinate, class Extents, class Steps>
constexpr auto index_from(const Coordinate& coordinate, const Extents& shape, const Steps& stride) {
  constexpr size_t last = TupleSize<Steps>::value - 1;
  if constexpr (TupleSize<Coordinate>::value != 0) {
    const auto here = index_of(Std::get<i>(coordinate), Std::get<i>(shape), Std::get<i>(stride));
    if constexpr (i == last)
      return here;
    else
      return plus(here, index_from<i + 1>(coordinate, shape, stride));
  } else if constexpr (i == last) {  // a number over several dimensions: the first of them goes fastest
    return index_of(coordinate, Std::get<i>(shape), Std::get<i>(stride));
  } else {
    const auto extent = Std::get<i>(shape);
    return plus(index_of(rest(coordinate, extent), extent, Std::get<i>(stride)),
                index_from<i + 1>(over(coordinate, extent), shape, stride));
  }
}

template <class Coordinate, class Extents, class Steps>
constexpr auto index_of(const Coordinate& coordinate, const Extents& shape, const Steps& stride) {
  if constexpr (TupleSize<Steps>::value == 0) {
    static_assert(TupleSize<Coordinate>::value == 0, "the coordinate has more levels than the layout");
    return times(coordinate, stride);
  } else {
    static_assert(TupleSize<Extents>::value == TupleSize<Steps>::value,
                  "shape and stride have as many dimensions as each other");
    static_assert(
        TupleSize<Coordinate>::value == 0 || TupleSize<Coordinate>::value == TupleSize<Steps>::value,
        "a coordinate has as many dimensions as the layout, or is one number");
    return index_from<0>(coordinate, shape, stride);
  }
}

}  // namespace detail

/// Where shape and stride put a coordinate: the sum of coordinate times stride. One number for several
/// dimensions counts through them, the first fastest.
template <class CoordType, class ShapeType, class StrideType>
constexpr auto Crd2Idx(const CoordType& coord, const ShapeType& shape, const StrideType& stride) {
  return detail::index_of(coord, shape, stride);
}

/// Strides count elements.
template <class ShapeType, class StrideType>
struct Layout : Std::tuple<ShapeType, StrideType> {
  constexpr Layout(const ShapeType& shape = {}, const StrideType& stride = {})
      : Std::tuple<ShapeType, StrideType>(shape, stride) {}
  constexpr decltype(auto) layout() { return *this; }
  constexpr decltype(auto) layout() const { return *this; }
  constexpr decltype(auto) GetShape() { return Std::get<0>(both()); }
  constexpr decltype(auto) GetShape() const { return Std::get<0>(both()); }
  constexpr decltype(auto) GetStride() { return Std::get<1>(both()); }
  constexpr decltype(auto) GetStride() const { return Std::get<1>(both()); }
  template <class CoordType>
  constexpr auto operator()(const CoordType& coord) const {
    return Crd2Idx(coord, GetShape(), GetStride());
  }

 private:
  constexpr Std::tuple<ShapeType, StrideType>& both() { return *this; }
  constexpr const Std::tuple<ShapeType, StrideType>& both() const { return *this; }
};

template <class ShapeType, class StrideType>
constexpr auto MakeLayout(const ShapeType& shape, const StrideType& stride) {
  return Layout<ShapeType, StrideType>(shape, stride);
}
template <class CoordType, class ShapeType, class StrideType>
constexpr auto Crd2Idx(const CoordType& coord, const Layout<ShapeType, StrideType>& layout) {
  return layout(coord);
}

template <class T>
struct is_layout : std::false_type {};
template <class ShapeType, class StrideType>
struct is_layout<Layout<ShapeType, StrideType>> : std::true_type {};

/// An element type for LocalTensor and GlobalTensor that says where the data lie and how.
template <class T, TPosition pos = TPosition::GM, class LayoutType = Layout<Shape<>, Stride<>>>
struct TensorTrait {
  using LiteType = T;
  using LiteLayoutType = LayoutType;
  static constexpr TPosition tPos = pos;

  TensorTrait(const LayoutType& t = {}) : layout_(t) {}
  LayoutType& GetLayout() { return layout_; }
  const LayoutType& GetLayout() const { return layout_; }
  void SetLayout(const LayoutType& t) { layout_ = t; }
  decltype(auto) GetShape() const { return layout_.GetShape(); }
  decltype(auto) GetStride() const { return layout_.GetStride(); }

 private:
  LayoutType layout_;
};

template <class T, TPosition pos, class LayoutType>
auto MakeTensorTrait(const LayoutType& t) {
  return TensorTrait<T, pos, LayoutType>(t);
}

template <class T>
struct is_tensorTrait : std::false_type {};
template <class T, TPosition pos, class LayoutType>
struct is_tensorTrait<TensorTrait<T, pos, LayoutType>> : std::true_type {};

}  // namespace AscendC
