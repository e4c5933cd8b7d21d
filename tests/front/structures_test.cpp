// Layout, Coordinate, TensorTrait, ListTensorDesc, TensorDesc, the scalar casts. Values of their pages.
#include "basic_api/kernel_operator_list_tensor_intf.h"
#include "front/launch.h"

namespace {

using namespace AscendC;
using toprope::test::expect_clean;
using toprope::test::launch;

TEST(Layout, HoldsShapeAndStride) {
  const Shape<int, int, int> shape = MakeShape(10, 20, 30);
  const Stride<int, int, int> stride = MakeStride(1, 100, 200);
  auto made = MakeLayout(shape, stride);
  Layout<Shape<int, int, int>, Stride<int, int, int>> init(shape, stride);
  EXPECT_EQ(Std::get<0>(made.GetShape()), 10);
  EXPECT_EQ(Std::get<1>(made.GetShape()), 20);
  EXPECT_EQ(Std::get<2>(made.GetShape()), 30);
  EXPECT_EQ(Std::get<0>(init.GetStride()), 1);
  EXPECT_EQ(Std::get<1>(init.GetStride()), 100);
  EXPECT_EQ(Std::get<2>(init.GetStride()), 200);
  EXPECT_EQ(&init.layout(), &init);
  EXPECT_FALSE(is_layout<decltype(shape)>::value);
  EXPECT_TRUE(is_layout<decltype(made)>::value);
  EXPECT_TRUE(is_layout<decltype(init)>::value);
}

TEST(Coordinate, ToIndex) {
  using Std::Int;
  const auto flat = MakeLayout(MakeShape(3, 4, 5), MakeStride(20, 5, 1));
  EXPECT_EQ(flat(MakeCoord(1, 2, 3)), 33u);
  const auto nested = MakeLayout(MakeShape(MakeShape(2, 4), MakeShape(3, 5)),
                                 MakeStride(MakeStride(3, 6), MakeStride(1, 24)));
  EXPECT_EQ(nested(MakeCoord(11, 12)), 129u);
  EXPECT_EQ(Crd2Idx(MakeCoord(MakeCoord(1, 5), MakeCoord(0, 4)), nested), 129u);
  const auto index =
      Crd2Idx(MakeCoord(Int<20>{}, Int<30>{}),
              MakeLayout(MakeShape(MakeShape(Int<13>{}, Int<0>{}), MakeShape(Int<14>{}, Int<0>{})),
                         MakeStride(MakeStride(Int<14>{}, Int<182>{}), MakeStride(Int<1>{}, Int<154>{}))));
  EXPECT_EQ(decltype(index)::value, 590u);
  const auto other = Crd2Idx(MakeCoord(Int<0>{}, Int<12>{}),
                             MakeShape(MakeShape(Int<13>{}, Int<13>{}), MakeShape(Int<14>{}, Int<14>{})),
                             MakeStride(MakeStride(Int<15>{}, Int<15>{}), MakeStride(Int<16>{}, Int<16>{})));
  EXPECT_EQ(decltype(other)::value, 192u);
}

TEST(TensorTrait, IsAnElementType) {
  const auto layout = MakeLayout(MakeShape(10, 20, 30), MakeStride(1, 100, 200));
  auto made = MakeTensorTrait<float, TPosition::VECIN>(layout);
  EXPECT_EQ(Std::get<0>(made.GetLayout().GetShape()), 10);
  using Trait = TensorTrait<half, TPosition::VECCALC, Layout<Shape<int, int, int>, Stride<int, int, int>>>;
  Trait set;
  set.SetLayout(layout);
  EXPECT_EQ(Std::get<2>(set.GetShape()), 30);
  EXPECT_EQ(Std::get<2>(set.GetStride()), 200);
  EXPECT_FALSE(is_tensorTrait<decltype(layout)>::value);
  EXPECT_TRUE(is_tensorTrait<decltype(made)>::value);
  expect_clean(launch([] {  // the page's example: the position and the layout are not what computes
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 256);
    pipe.InitBuffer(out, 1, 256);
    auto a = in.AllocTensor<TensorTrait<int16_t>>();
    for (int i = 0; i < 128; ++i) a.SetValue(i, static_cast<int16_t>(i));
    in.EnQue(a);
    auto b = in.DeQue<TensorTrait<int16_t>>();
    auto c = out.AllocTensor<TensorTrait<int16_t>>();
    Adds(c, b, int16_t{2}, uint64_t{128}, 1, {1, 1, 8, 8});
    Add(c, c, b, c.GetSize());
    EXPECT_EQ(c.GetValue(100), 202);
    in.FreeTensor(b);
    out.FreeTensor(c);
  }));
}

TEST(ListTensor, IsReadFromMemory) {
  struct Desc {
    uint32_t dim, index;
    uint64_t shape[3];
  };
  float x[6] = {1, 2, 3, 4, 5, 6}, y = 9;
  struct {
    uint64_t offset;
    Desc first;
    uint32_t dim = 1, index = 1;
    uint64_t shape = 7;
    void* data[2];
  } list{8 * 7, {3, 0, {1, 2, 3}}, 1, 1, 7, {x, &y}};
  expect_clean(launch([&] {
    ListTensorDesc all(static_cast<__gm__ void*>(&list));
    EXPECT_EQ(all.GetSize(), 2u);
    EXPECT_EQ(all.GetDataPtr<float>(0), x);
    EXPECT_EQ(all.GetDataPtr<float>(1), &y);
    uint64_t room[100] = {};
    TensorDesc<float> desc;
    desc.SetShapeAddr(room);
    all.GetDesc(desc, 0);
    EXPECT_EQ(desc.GetDim(), 3u);
    EXPECT_EQ(desc.GetIndex(), 0u);
    for (uint32_t i = 0; i < 3; ++i) EXPECT_EQ(desc.GetShape(i), i + 1u);
    EXPECT_EQ(desc.GetDataPtr(), x);
    EXPECT_EQ(desc.GetDataObj().GetValue(4), 5.0f);
    all.GetDesc(desc, 1);
    EXPECT_EQ(desc.GetDim(), 1u);
    EXPECT_EQ(desc.GetIndex(), 1u);
    EXPECT_EQ(desc.GetShape(0), 7u);
    EXPECT_EQ(desc.GetDataPtr(), &y);
  }));
}

TEST(ScalarCast, AsTheirPagesSay) {
  expect_clean(launch([] {
    EXPECT_EQ(static_cast<float>(Cast<float, half, RoundMode::CAST_ODD>(3.14159f)), 3.142578125f);
    const auto to_int = [](float v) {
      return std::vector<int32_t>{Cast<float, int32_t, RoundMode::CAST_ROUND>(v),
                                  Cast<float, int32_t, RoundMode::CAST_CEIL>(v),
                                  Cast<float, int32_t, RoundMode::CAST_FLOOR>(v),
                                  ScalarCast<float, int32_t, RoundMode::CAST_RINT>(v)};
    };
    EXPECT_EQ(to_int(1.5f), (std::vector<int32_t>{2, 2, 1, 2}));
    EXPECT_EQ(to_int(2.5f), (std::vector<int32_t>{3, 3, 2, 2}));
    EXPECT_EQ(to_int(-2.5f), (std::vector<int32_t>{-3, -2, -3, -2}));
    EXPECT_EQ(to_int(1e20f), std::vector<int32_t>(4, 2147483647));
    const bfloat16_t b = Cast(3.14159f);
    EXPECT_EQ(Cast(b), 3.140625f);
    EXPECT_EQ(ToFloat(ToBfloat16(3.14159f)), 3.140625f);
  }));
}

}  // namespace
