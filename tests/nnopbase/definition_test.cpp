// Definitions as authors write them, and what the framework understands. Names: the table of the Ascend C
// guide; combinations: the examples of OpParamDef's pages.
#include "nnopbase/definition.h"

#include <gtest/gtest.h>

#include "nnopbase/status.h"
#include "register/op_config_registry.h"
#include "register/op_def_registry.h"

using toprope::operators::Combination;
using toprope::operators::combinations;

namespace ops {
class ConfiguredCustom : public OpDef {
 public:
  explicit ConfiguredCustom(const char* name) : OpDef(name) {
    Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}).Format({ge::FORMAT_ND});
    OpAICoreConfig config("ascend950");
    config.Input("x").ParamType(REQUIRED).DataType({ge::DT_INT32}).Format({ge::FORMAT_ND});
    AICore().AddConfig("ascend950", config).AddConfig("ascend910b");
  }
};
REGISTER_OP_AICORE_CONFIG(ConfiguredCustom, ascend950, []() {
  OpAICoreConfig config("ascend950");
  config.Input("x").DataType({ge::DT_INT8}).Format({ge::FORMAT_ND});
  return config;
});
REGISTER_OP_AICORE_CONFIG(ConfiguredCustom, ascend910_93, []() {
  OpAICoreConfig config("ascend910_93");
  config.Input("x").DataType({ge::DT_INT8}).Format({ge::FORMAT_ND});
  return config;
});
OP_ADD(ConfiguredCustom);
}  // namespace ops

namespace {

std::vector<std::vector<ge::DataType>> types_of(const ops::OpDef& def,
                                                const std::string& unit = "ascend910b") {
  std::vector<std::vector<ge::DataType>> rows;
  for (const Combination& one : combinations(def, unit)) {
    rows.emplace_back();
    for (const auto& operand : one.inputs) rows.back().push_back(operand.type);
    for (const auto& operand : one.outputs) rows.back().push_back(operand.type);
  }
  return rows;
}

std::string refusal(const ops::OpDef& def) {
  try {
    combinations(def, "ascend910b");
  } catch (const toprope::operators::Refused& refused) {
    return refused.what();
  }
  return "";
}

TEST(Definition, NamesFollowTheTable) {
  const std::pair<const char*, const char*> table[] = {{"AddCustom", "add_custom"},
                                                       {"ReduceMaxCustom", "reduce_max_custom"},
                                                       {"Conv2DCustom", "conv2_d_custom"},
                                                       {"GatherV2Custom", "gather_v2_custom"},
                                                       {"SplitVCustom", "split_v_custom"},
                                                       {"TopKCustom", "top_k_custom"},
                                                       {"AbcAAc", "abc_a_ac"},
                                                       {"GRUCell", "gru_cell"},
                                                       {"HTTPServerCustom", "http_server_custom"},
                                                       {"Add", "add"}};
  for (const auto& [type, name] : table) EXPECT_EQ(toprope::operators::snake_case(type), name);
}

TEST(Definition, TheIthTypesGoTogether) {
  ops::OpDef def("Op");
  def.Input("x").DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_NCHW});
  def.Output("z").DataType({ge::DT_FLOAT, ge::DT_INT32}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
  EXPECT_EQ(types_of(def), (std::vector<std::vector<ge::DataType>>{{ge::DT_FLOAT16, ge::DT_FLOAT},
                                                                   {ge::DT_FLOAT, ge::DT_INT32}}));
  EXPECT_EQ(combinations(def, "ascend910b")[1].inputs[0].format, ge::FORMAT_NCHW);
}

// The guide's two ways to say the same.
TEST(Definition, AListCombinesWithEveryRow) {
  ops::OpDef lists("Op");
  lists.Input("x").DataTypeList({ge::DT_FLOAT16}).FormatList({ge::FORMAT_ND});
  ops::OpDef rows("Op");
  rows.Input("x")
      .DataType({ge::DT_FLOAT16, ge::DT_FLOAT16, ge::DT_FLOAT16})
      .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
  for (ops::OpDef* def : {&lists, &rows}) {
    def->Input("y")
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
    def->Output("z")
        .DataType({ge::DT_FLOAT16, ge::DT_FLOAT, ge::DT_INT32})
        .Format({ge::FORMAT_ND, ge::FORMAT_ND, ge::FORMAT_ND});
  }
  EXPECT_EQ(types_of(lists), types_of(rows));
  EXPECT_EQ(types_of(lists).size(), 3u);
  lists.Input("x").DataTypeList({ge::DT_FLOAT16, ge::DT_BF16});
  EXPECT_EQ(types_of(lists).size(), 6u);
}

TEST(Definition, FollowersHaveTheirSourcesTypes) {
  ops::OpDef def("Op");
  def.Input("x1").DataTypeList({ge::DT_FLOAT, ge::DT_INT8}).Format({ge::FORMAT_ND});
  def.Input("x2").Follow("x1");
  def.Output("y1").Follow("x2");
  EXPECT_EQ(types_of(def), (std::vector<std::vector<ge::DataType>>{{ge::DT_FLOAT, ge::DT_FLOAT, ge::DT_FLOAT},
                                                                   {ge::DT_INT8, ge::DT_INT8, ge::DT_INT8}}));
}

TEST(Definition, ContradictionsAreNamed) {
  ops::OpDef uneven("Op");
  uneven.Input("x").DataType({ge::DT_FLOAT, ge::DT_INT8}).Format({ge::FORMAT_ND, ge::FORMAT_ND});
  uneven.Input("y").DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});
  EXPECT_NE(refusal(uneven).find("y declares 1 DataType, an operand before it 2"), std::string::npos)
      << refusal(uneven);
  ops::OpDef lost("Op");
  lost.Output("y").Follow("x");
  EXPECT_NE(refusal(lost).find("y follows x, which is no input"), std::string::npos);
  ops::OpDef untyped("Op");
  untyped.Input("x").ParamType(ops::REQUIRED);
  EXPECT_NE(refusal(untyped).find("x declares no element type"), std::string::npos);
}

TEST(Definition, AChipsOwnDeclarationCounts) {
  const ops::ConfiguredCustom general("ConfiguredCustom");
  EXPECT_EQ(types_of(general, "ascend910b")[0][0], ge::DT_FLOAT16);
  EXPECT_EQ(types_of(general, "ascend950")[0][0], ge::DT_INT32);
}

TEST(Definition, InitValuesKeepTheirKind) {
  const ops::ScalarVar real(ops::ScalarType::FLOAT32, 3.25), whole(ops::ScalarType::INT16, -1);
  EXPECT_EQ(real.scalar_num.value_f32, 3.25f);
  EXPECT_EQ(whole.scalar_num.value_i64, -1);
  EXPECT_TRUE(real == ops::ScalarVar(ops::ScalarType::FLOAT32, 3.25f));
}

}  // namespace
