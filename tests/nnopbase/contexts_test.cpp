// What host functions of operators read of a call, and how they answer.
#include <gtest/gtest.h>

#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace {

gert::Tensor tensor(gert::Shape shape, ge::DataType type, const void* data = nullptr) {
  return {{shape, shape}, {type, ge::FORMAT_ND, ge::FORMAT_ND}, data};
}

// x, an absent optional operand, a dynamic one of two tensors; one output.
gert::Node node() {
  gert::Node node;
  node.type = "Op";
  static const float value = 0.5f;
  node.inputs.append({tensor({8, 2048}, ge::DT_FLOAT16)});
  node.inputs.append({});
  node.inputs.append({tensor({3}, ge::DT_INT32), tensor({}, ge::DT_FLOAT, &value)});
  node.outputs.append({tensor({8, 2048}, ge::DT_FLOAT)});
  node.attrs.append(int64_t{-7});
  node.attrs.append(0.25f);
  node.attrs.append(true);
  node.attrs.append(std::string("group"));
  const int64_t list[] = {4, 5, 6};
  node.attrs.append_list(list, 3);
  node.attrs.append_lists({{1}, {}, {2, 3}});
  return node;
}

struct Tiling {
  uint32_t length;
  float slope;
};

TEST(TilingContext, NumbersOperandsWithAndWithoutTheAbsent) {
  gert::Node n = node();
  gert::TilingContext context(n);
  EXPECT_EQ(context.GetComputeNodeInputNum(), 3u);
  EXPECT_EQ(context.GetInputShape(0)->GetOriginShape().GetShapeSize(), 8 * 2048);
  EXPECT_EQ(context.GetInputDesc(1)->GetDataType(), ge::DT_INT32);
  EXPECT_EQ(context.GetOptionalInputShape(1), nullptr);
  EXPECT_EQ(context.GetDynamicInputShape(2, 0)->GetStorageShape().GetDim(0), 3);
  EXPECT_EQ(context.GetDynamicInputDesc(2, 1)->GetDataType(), ge::DT_FLOAT);
  EXPECT_EQ(context.GetDynamicInputShape(2, 2), nullptr);
  EXPECT_EQ(context.GetInputShape(3), nullptr);
  EXPECT_EQ(context.GetOutputDesc(0)->GetDataType(), ge::DT_FLOAT);
  // A scalar has one element; its value is there, x's are not.
  EXPECT_EQ(context.GetInputTensor(2)->GetShapeSize(), 1);
  EXPECT_EQ(*context.GetInputTensor(2)->GetData<float>(), 0.5f);
  EXPECT_EQ(context.GetInputTensor(0)->GetData<float>(), nullptr);
}

TEST(TilingContext, GivesAttributesByPlace) {
  gert::Node n = node();
  gert::TilingContext context(n);
  const gert::RuntimeAttrs* attrs = context.GetAttrs();
  EXPECT_EQ(attrs->GetAttrNum(), 6u);
  EXPECT_EQ(*attrs->GetInt(0), -7);
  EXPECT_EQ(*attrs->GetAttrPointer<float>(1), 0.25f);
  EXPECT_TRUE(*attrs->GetBool(2));
  EXPECT_STREQ(attrs->GetStr(3), "group");
  ASSERT_EQ(attrs->GetListInt(4)->GetSize(), 3u);
  EXPECT_EQ(attrs->GetListInt(4)->GetData()[2], 6);
  const auto* lists = attrs->GetListListInt(5);
  ASSERT_EQ(lists->GetSize(), 3u);
  EXPECT_EQ(lists->Get(1)->GetSize(), 0u);
  EXPECT_EQ(static_cast<const int64_t*>(lists->Get(2)->GetData())[1], 3);
  EXPECT_EQ(lists->Get(3), nullptr);
  EXPECT_EQ(attrs->GetInt(6), nullptr);
}

TEST(TilingContext, TakesTheAnswers) {
  gert::Node n = node();
  gert::TilingContext context(n);
  Tiling* tiling = context.GetTilingData<Tiling>();
  ASSERT_NE(tiling, nullptr);
  EXPECT_EQ(tiling->length, 0u);
  tiling->length = 9;
  EXPECT_EQ(context.GetRawTilingData()->GetDataSize(), sizeof(Tiling));
  EXPECT_EQ(static_cast<Tiling*>(context.GetRawTilingData()->GetData())->length, 9u);
  struct Large {
    char bytes[gert::TilingContext::kTilingCapacity + 1];
  };
  EXPECT_EQ(context.GetTilingData<Large>(), nullptr);
  context.SetSimdNumBlocks(8);
  context.SetTilingKey(uint64_t{1} << 40);
  context.GetWorkspaceSizes(2)[1] = 64;
  EXPECT_EQ(context.GetBlockDim(), 8u);
  EXPECT_EQ(context.GetTilingKey(), uint64_t{1} << 40);
  EXPECT_EQ(context.GetWorkspaceSizes(2)[1], 64u);
  EXPECT_EQ(platform_ascendc::PlatformAscendC(context.GetPlatformInfo()).GetCoreNumAiv(),
            platform_ascendc::PlatformAscendCManager::GetInstance()->GetCoreNumAiv());
}

TEST(TilingContext, TakesTilingClassesToo) {
  gert::Node n = node();
  gert::TilingContext context(n);
  gert::TilingData& raw = *context.GetRawTilingData();
  EXPECT_EQ(raw.Append(uint32_t{5}), ge::GRAPH_SUCCESS);
  EXPECT_EQ(raw.GetDataSize(), 4u);
  raw.SetDataSize(raw.GetCapacity());
  EXPECT_EQ(raw.Append(uint8_t{1}), ge::GRAPH_FAILED);
}

ge::graphStatus infer_shape(gert::InferShapeContext* context) {
  *context->GetOutputShape(0) = *context->GetInputShape(0);
  return ge::GRAPH_SUCCESS;
}
ge::graphStatus infer_type(gert::InferDataTypeContext* context) {
  return context->SetOutputDataType(0, context->GetInputDataType(0));
}

TEST(InferContexts, AnswerThroughTheDefinition) {
  ops::OpDef def("Op");
  def.SetInferShape(infer_shape).SetInferDataType(infer_type);
  gert::Node n = node();
  gert::InferShapeContext shapes(n);
  EXPECT_EQ(def.infer_shape()(&shapes), ge::GRAPH_SUCCESS);
  EXPECT_EQ(*shapes.GetOutputShape(0), (gert::Shape{8, 2048}));
  EXPECT_EQ(shapes.GetOutputShape(1), nullptr);
  gert::InferDataTypeContext types(n);
  EXPECT_EQ(def.infer_data_type()(&types), ge::GRAPH_SUCCESS);
  EXPECT_EQ(types.GetOutputDataType(0), ge::DT_FLOAT16);
  EXPECT_EQ(types.SetOutputDataType(1, ge::DT_FLOAT), ge::GRAPH_FAILED);
}

TEST(GertShape, HasAtMost25Extents) {
  gert::Shape shape{2, -1};
  EXPECT_EQ(shape.GetShapeSize(), -1);
  shape.SetDim(1, 3);
  EXPECT_EQ(shape.GetShapeSize(), 6);
  for (int i = 0; i < 30; ++i) shape.AppendDim(1);
  EXPECT_EQ(shape.GetDimNum(), 25u);
  EXPECT_EQ(shape.GetDim(25), gert::Shape::kInvalidDimValue);
  EXPECT_TRUE(gert::Shape().IsScalar());
}

}  // namespace
