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

}  // namespace
