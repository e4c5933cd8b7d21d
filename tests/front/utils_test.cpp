// A type chosen at compile time; output set before it is added to.
#include <algorithm>
#include <type_traits>

#include "front/launch.h"

namespace {

TEST(Utils, ConditionalChooses) {
  EXPECT_TRUE((std::is_same<AscendC::Conditional<true, float, half>::type, float>::value));
  EXPECT_TRUE((std::is_same<AscendC::Conditional<false, float, half>::type, half>::value));
}

TEST(Utils, InitOutputFillsSoManyElements) {
  static int32_t out[40];
  std::fill_n(out, 40, -1);
  toprope::test::expect_clean(toprope::test::launch([] {
    AscendC::TPipe pipe;
    AscendC::GlobalTensor<int32_t> gm;
    gm.SetGlobalBuffer(out, 40);
    AscendC::InitOutput<int32_t>(gm, 33, 7);
  }));
  EXPECT_EQ(std::count(out, out + 33, 7), 33);
  EXPECT_EQ(std::count(out + 33, out + 40, -1), 7);
}

}  // namespace
