// Arguments of aclnn calls as operands: numbers and their types, lists, and what is refused.
#include <gtest/gtest.h>

#include <cstring>

#include "nnopbase/call.h"
#include "nnopbase/status.h"

using namespace toprope::operators;

namespace {

template <class T>
T first_of(const GivenOperand& operand) {
  T value;
  EXPECT_EQ(operand.tensors.at(0).host->size(), sizeof value);
  std::memcpy(&value, operand.tensors[0].host->data(), sizeof value);
  return value;
}

struct Taken : testing::Test {
  ops::OpDef def{"Op"};

  std::vector<GivenOperand> take(std::vector<Value> inputs) {
    PlannedCall planned;
    planned.found.def = &def;
    planned.input_defs = inputs_of(def, "ascend910b");
    const Call call{"Op", "aclnnOp", std::move(inputs), {}, {}};
    take_operands(call, planned);
    return planned.inputs;
  }
  std::string refusal(std::vector<Value> inputs) {
    try {
      take(std::move(inputs));
    } catch (const Refused& refused) {
      return refused.what();
    }
    return "";
  }
};

// 2.5 is 0x4100 in half precision, 0x4020 in bfloat16.
TEST_F(Taken, NumbersAreConvertedAsDeclared) {
  def.Input("own").ParamType(ops::REQUIRED).Scalar();
  def.Input("half").ParamType(ops::REQUIRED).Scalar().To(ge::DT_FLOAT16);
  def.Input("as_x").ParamType(ops::REQUIRED).Scalar().To("x");
  def.Input("x").ParamType(ops::REQUIRED);
  def.Input("whole").ParamType(ops::REQUIRED).Scalar().To(ge::DT_INT16);
  const aclScalar number{2.5, ACL_DOUBLE};
  const aclTensor x{{1}, {1}, {1}, 0, ACL_BF16, ACL_FORMAT_ND, this};
  const auto inputs = take({&number, &number, &number, &x, &number});
  EXPECT_EQ(first_of<double>(inputs[0]), 2.5);
  EXPECT_EQ(first_of<uint16_t>(inputs[1]), 0x4100);
  EXPECT_EQ(first_of<uint16_t>(inputs[2]), 0x4020);
  EXPECT_EQ(inputs[2].tensors[0].tensor.GetDataType(), ge::DT_BF16);
  EXPECT_EQ(first_of<int16_t>(inputs[4]), 2);
}

TEST_F(Taken, ListsOfNumbersAreOneTensorEach) {
  def.Input("xs").ParamType(ops::DYNAMIC).ScalarList().To(ge::DT_FLOAT);
  const aclScalar one{int64_t{1}, ACL_INT64}, two{2.0, ACL_DOUBLE};
  aclScalarList list;
  list.items = {&one, &two};
  const auto inputs = take({&list});
  ASSERT_EQ(inputs[0].tensors.size(), 2u);
  EXPECT_TRUE(inputs[0].list);
  EXPECT_EQ(first_of<float>(inputs[0]), 1.0f);
}

TEST_F(Taken, AViewBeginsAtItsOffset) {
  def.Input("x").ParamType(ops::REQUIRED);
  float memory[4];
  const aclTensor view{{1, 2}, {7, 1}, {4}, 2, ACL_FLOAT, ACL_FORMAT_NCHW, memory};
  const auto inputs = take({&view});
  EXPECT_EQ(inputs[0].tensors[0].device, memory + 2);
  EXPECT_EQ(inputs[0].tensors[0].tensor.GetStorageFormat(), ge::FORMAT_ND);
  def.FormatMatchMode(ops::FormatCheckOption::STRICT);
  EXPECT_EQ(take({&view})[0].tensors[0].tensor.GetStorageFormat(), ge::FORMAT_NCHW);
}

TEST_F(Taken, MistakesAreNamed) {
  def.Input("x").ParamType(ops::REQUIRED);
  def.Input("n").ParamType(ops::OPTIONAL).Scalar().To("y");
  const aclTensor empty{{2}, {1}, {2}, 0, ACL_FLOAT, ACL_FORMAT_ND, nullptr};
  const aclScalar number{1.0, ACL_FLOAT};
  float value = 0;
  const aclTensor x{{1}, {1}, {1}, 0, ACL_FLOAT, ACL_FORMAT_ND, &value};
  EXPECT_EQ(refusal({static_cast<const aclTensor*>(nullptr)}), "Op's x is null; the operator requires it");
  EXPECT_EQ(refusal({&empty}), "Op's x has elements but a null address");
  EXPECT_EQ(refusal({true}), "Op's x is no operand");
  EXPECT_EQ(refusal({&x, &number}), "Op's n takes the type of y, which is no tensor of this call");
}

TEST(Attributes, DefaultsStandForWhatIsNotGiven) {
  ops::OpDef def("Op");
  def.Attr("flag").AttrType(ops::OPTIONAL).Bool(true);
  def.Attr("list").AttrType(ops::OPTIONAL).ListInt({1, 2, 3});
  def.Attr("text").AttrType(ops::OPTIONAL).String("sum");
  def.Attr("must").AttrType(ops::REQUIRED).Int();
  const Call call{
      "Op",
      "aclnnOp",
      {},
      {false, static_cast<const aclIntArray*>(nullptr), static_cast<const char*>(nullptr), int64_t{9}},
      {}};
  const gert::RuntimeAttrs attrs = attributes_of(call, def);
  EXPECT_FALSE(*attrs.GetBool(0));
  EXPECT_EQ(attrs.GetListInt(1)->GetData()[2], 3);
  EXPECT_STREQ(attrs.GetStr(2), "sum");
  EXPECT_EQ(*attrs.GetInt(3), 9);
  const Call less{"Op", "aclnnOp", {}, {}, {}};
  EXPECT_THROW(attributes_of(less, def), Refused);
}

}  // namespace
