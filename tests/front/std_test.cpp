// AscendC::Std, as its pages' examples use it.
#include <gtest/gtest.h>

#include "kernel_operator.h"

namespace {

using namespace AscendC;

static_assert(Std::is_same_v<Std::remove_cvref_t<const int&>, int>);
static_assert(Std::is_same_v<Std::add_cv_t<int>, const volatile int>);
static_assert(Std::is_same_v<Std::add_pointer_t<float>, float*>);
static_assert(Std::is_same_v<Std::conditional_t<true, half, float>, half>);
static_assert(Std::is_base_of_v<Std::false_type, Std::is_void<int>>);
static_assert(Std::is_convertible_v<int, float> && !Std::is_convertible_v<int*, float*>);
static_assert(Std::is_integral_v<uint8_t> && Std::is_floating_point_v<float> && !Std::is_array_v<int*>);
static_assert(Std::Int<7>::value == 7);
static_assert(Std::make_index_sequence<4>::size() == 4);
static_assert(Std::max(1, 2.5f) == 2.5f && Std::min(int16_t{3}, 2) == 2);

TEST(Std, AbsoluteValueAndRoot) {
  EXPECT_EQ(Std::abs(-7), 7);
  EXPECT_EQ(Std::abs(1.5f), 1.5f);
  EXPECT_EQ(Std::sqrt(16.0f), 4.0f);
  EXPECT_EQ(Std::sqrt(int64_t{144}), 12);
  EXPECT_EQ(Std::sqrt(int32_t{15}), 3);
}

TEST(Std, TuplesTakeMembersOfAnyType) {
  auto t = Std::make_tuple(uint8_t{1}, 2.5f, int64_t{-3});
  static_assert(Std::tuple_size_v<decltype(t)> == 3);
  static_assert(Std::is_same_v<Std::tuple_element<1, decltype(t)>::type, float>);
  Std::get<2>(t) = 9;
  uint8_t a = 0;
  float b = 0;
  int64_t c = 0;
  Std::tie(a, b, c) = t;
  EXPECT_EQ(a, 1);
  EXPECT_EQ(b, 2.5f);
  EXPECT_EQ(c, 9);
}

TEST(Std, TuplesOfTheTypesOfTheChip) {  // the example of the page of tuple
  using Numbers = Std::tuple<int4b_t, int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, uint64_t,
                             int64_t, half, float, bfloat16_t, bool>;
  const Numbers made =
      Std::make_tuple(int4b_t(1), int8_t(2), uint8_t(3), int16_t(4), uint16_t(5), int32_t(6), uint32_t(7),
                      uint64_t(8), int64_t(9), half(10), float(11), bfloat16_t(12), true);
  Numbers copy;
  copy = made;
  Std::get<1>(copy) += 1;
  Std::get<10>(copy) += 1.0f;
  static_assert(Std::tuple_size<Numbers>::value == 13);
  EXPECT_EQ(Std::get<1>(copy), 3);
  EXPECT_EQ(static_cast<float>(Std::get<9>(copy)), 10.0f);
  EXPECT_EQ(Std::get<10>(copy), 12.0f);
  EXPECT_EQ(static_cast<float>(Std::get<11>(copy)), 12.0f);
  EXPECT_TRUE(Std::get<12>(made));
  const Std::tuple<const uint32_t, const float, const bool> fixed{33, 4.4f, true};
  EXPECT_EQ(Std::get<0>(fixed), 33u);
  Std::tuple<LocalTensor<half>, GlobalTensor<half>> tensors, others;
  others = tensors;
  EXPECT_EQ(Std::get<0>(others).GetSize(), 0u);
}

TEST(Std, ConstantsAreTypesAndFunctions) {  // the examples of the page of integral_constant
  using One = Std::integral_constant<int, 1>;
  static_assert(One()() == 1 && One::value == 1 && Std::is_same_v<One::value_type, int>);
  static_assert(Std::is_same_v<One::type, One> &&
                Std::is_same_v<Std::Int<0>, Std::integral_constant<size_t, 0>>);
  static_assert(Std::Int<5>::value + Std::Int<3>::value == 8 && Std::true_type()());
}

}  // namespace
