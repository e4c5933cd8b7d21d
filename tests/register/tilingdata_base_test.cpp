// A kernel reads what a host saved: the bytes of a C struct with the same fields.
#include "register/tilingdata_base.h"

#include <gtest/gtest.h>

#include "kernel_tiling/kernel_tiling.h"
#include "tiling/tiling_api.h"

namespace optiling {

BEGIN_TILING_DATA_DEF(Inner)
TILING_DATA_FIELD_DEF(uint16_t, a);
TILING_DATA_FIELD_DEF_ARR(uint16_t, 3, list);
TILING_DATA_FIELD_DEF(uint64_t, b);
TILING_DATA_FIELD_DEF(int8_t, c);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(InnerOp, Inner)

BEGIN_TILING_DATA_DEF(Outer)
TILING_DATA_FIELD_DEF(uint8_t, first);
TILING_DATA_FIELD_DEF_STRUCT(Inner, inner);
TILING_DATA_FIELD_DEF(float, last);
END_TILING_DATA_DEF;
REGISTER_TILING_DATA_CLASS(OuterCustom, Outer)

}  // namespace optiling

namespace {

struct PlainInner {
  uint16_t a;
  uint16_t list[3];
  uint64_t b;
  int8_t c;
};
struct PlainOuter {
  uint8_t first;
  PlainInner inner;
  float last;
};

optiling::Outer filled() {
  optiling::Outer tiling;
  const uint16_t list[] = {10, 2, 8, 99};
  tiling.set_first(7);
  tiling.inner.set_a(1);
  tiling.inner.set_list(list);
  tiling.inner.set_b(uint64_t{1} << 40);
  tiling.inner.set_c(-3);
  tiling.set_last(0.5f);
  return tiling;
}

void expect_filled(const PlainOuter& read) {
  EXPECT_EQ(read.first, 7);
  EXPECT_EQ(read.inner.a, 1);
  EXPECT_EQ(read.inner.list[0], 10);
  EXPECT_EQ(read.inner.list[2], 8);
  EXPECT_EQ(read.inner.b, uint64_t{1} << 40);
  EXPECT_EQ(read.inner.c, -3);
  EXPECT_EQ(read.last, 0.5f);
}

TEST(TilingData, LiesAsAStruct) {
  optiling::Outer tiling = filled();
  EXPECT_EQ(tiling.GetDataSize(), sizeof(PlainOuter));
  PlainOuter read;
  tiling.SaveToBuffer(&read, sizeof read);
  expect_filled(read);
  EXPECT_EQ(tiling.get_first(), 7);
  EXPECT_EQ(tiling.inner.get_list()[1], 2);
}

TEST(TilingData, CopiesAreIndependent) {
  optiling::Outer first = filled();
  optiling::Outer second;
  second = first;
  first.inner.set_a(5);
  PlainOuter read;
  second.SaveToBuffer(&read, sizeof read);
  expect_filled(read);
}

TEST(TilingData, StartsAsZero) {
  PlainOuter read;
  std::memset(&read, 0xff, sizeof read);
  optiling::Outer().SaveToBuffer(&read, sizeof read);
  EXPECT_EQ(read.inner.b, 0u);
  EXPECT_EQ(read.inner.list[2], 0u);
  EXPECT_EQ(read.last, 0.0f);
}

TEST(TilingData, ASmallBufferIsRefusedAndUntouched) {
  uint8_t buffer[sizeof(PlainOuter) - 1] = {42};
  EXPECT_THROW(filled().SaveToBuffer(buffer, sizeof buffer), std::length_error);
  EXPECT_EQ(buffer[0], 42);
}

TEST(TilingData, IsFoundByItsOperator) {
  const auto made = optiling::CTilingDataClassFactory::CreateTilingDataInstance("OuterCustom");
  ASSERT_NE(made, nullptr);
  EXPECT_STREQ(made->GetTilingClassName(), "Outer");
  EXPECT_EQ(optiling::CTilingDataClassFactory::CreateTilingDataInstance("Nobody"), nullptr);
}

TEST(TensorShape, TakesExtentsInBraces) {
  const uint32_t columns = 160;
  const AscendC::TensorShape one{{16}}, two({32, columns});
  EXPECT_EQ(one.GetDimNum(), 1u);
  EXPECT_EQ(two.GetShapeSize(), 32 * 160);
  EXPECT_EQ(two.GetDim(1), 160);
  EXPECT_EQ(two.GetDim(2), 0);
}

}  // namespace
