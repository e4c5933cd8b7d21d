// Kernel templates: values, keys and instances of a selection. The declaration is the one of the
// documentation.
#include <gtest/gtest.h>

#include <set>

#include "ascendc/host_api/tiling/template_argument.h"
#include "exe_graph/runtime/tiling_context.h"
#include "nnopbase/registry.h"

ASCENDC_TPL_ARGS_DECL(TemplateCustom, ASCENDC_TPL_DATATYPE_DECL(D_T_X, C_DT_FLOAT16, C_DT_FLOAT),
                      ASCENDC_TPL_UINT_DECL(TILE_NUM, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_MIX, 2, 0, 2, 3, 5, 10,
                                            12, 13, 9, 8),
                      ASCENDC_TPL_BOOL_DECL(IS_SPLIT, 0, 1), );
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(D_T_X, C_DT_FLOAT16),
                                     ASCENDC_TPL_UINT_SEL(TILE_NUM, ASCENDC_TPL_UI_LIST, 1, 8),
                                     ASCENDC_TPL_BOOL_SEL(IS_SPLIT, 0, 1),
                                     ASCENDC_TPL_KERNEL_TYPE_SEL(ASCENDC_TPL_AIV_ONLY), ),
                ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(D_T_X, C_DT_FLOAT),
                                     ASCENDC_TPL_UINT_SEL(TILE_NUM, ASCENDC_TPL_UI_LIST, 8),
                                     ASCENDC_TPL_BOOL_SEL(IS_SPLIT, 1), ), );

namespace {

using toprope::operators::Instance;

const toprope::operators::Template& registered() {
  return toprope::operators::program_operators().templates.at("TemplateCustom");
}

TEST(TilingTemplate, SpellsRangesOut) {
  EXPECT_EQ(AscendC::ListTemplateValues(g_tilingDeclareParams[1]),
            (std::vector<uint64_t>{0, 1, 2, 3, 4, 5, 10, 12, 13, 9, 8}));
  const auto range = ASCENDC_TPL_UINT_DECL(N, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_RANGE, 2, 0, 2, 3, 5);
  EXPECT_EQ(AscendC::ListTemplateValues(range), (std::vector<uint64_t>{0, 1, 2, 3, 4, 5}));
  const auto cut = ASCENDC_TPL_UINT_DECL(N, ASCENDC_TPL_8_BW, ASCENDC_TPL_UI_RANGE, 2, 0, 2);
  EXPECT_THROW(AscendC::ListTemplateValues(cut), std::invalid_argument);
}

// half is 1 in 8 bits; 8 stands at place 10 of TILE_NUM's values, in 8 bits; then one bit.
TEST(TilingTemplate, KeysHoldOneFieldForEachParameter) {
  EXPECT_EQ(GET_TPL_TILING_KEY(1u, 8u, 1u), 1u | (10u << 8) | (1u << 16));
  gert::Node node;
  gert::TilingContext context(node);
  ASCENDC_TPL_SEL_PARAM(&context, 0u, 8u, 1u);
  EXPECT_EQ(context.GetTilingKey(), (10u << 8) | (1u << 16));
}

TEST(TilingTemplate, ACombinationThatIsNotSelectedIsNamed) {
  try {
    GET_TPL_TILING_KEY(0u, 1u, 0u);
    FAIL() << "float with one tile is not selected";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("tiling key of (0, 1, 0): no ASCENDC_TPL_ARGS_SEL"),
              std::string::npos);
  }
  EXPECT_THROW(GET_TPL_TILING_KEY(1u, 8u), std::invalid_argument);
}

TEST(TilingTemplate, InstancesAreTheProductOfEverySelection) {
  const std::vector<Instance> all = toprope::operators::instances(registered());
  std::set<std::string> texts;
  for (const Instance& one : all) texts.insert(one.arguments);
  EXPECT_EQ(texts,
            (std::set<std::string>{"half, 1, 0", "half, 8, 0", "half, 1, 1", "half, 8, 1", "float, 8, 1"}));
  EXPECT_EQ(all.size(), texts.size());
  for (const Instance& one : all)
    if (one.arguments == "half, 8, 1") EXPECT_EQ(one.key, GET_TPL_TILING_KEY(1u, 8u, 1u));
}

}  // namespace
