// -DASCENDC_DUMP=0, as the page "switching ASCENDC_DUMP off" describes it.
#define ASCENDC_DUMP 0
#include "front/launch.h"

namespace {

using namespace AscendC;
using toprope::test::expect_clean;
using toprope::test::launch;

TEST(NoDump, NothingIsPrintedOrAsserted) {
  testing::internal::CaptureStdout();
  expect_clean(launch([] {
    LocalTensor<int32_t> t(TPosition::VECCALC, 0, 8);
    AscendC::printf("text\n");
    DumpTensor(t, 1, 8);
    ascendc_assert(false);
    assert(false);
  }));
  std::fflush(stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

}  // namespace
