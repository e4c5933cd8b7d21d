// What the stream carries after each way in which a kernel can fail: 507015 (ACL_ERROR_RT_AICORE_EXCEPTION)
// where the device would raise an exception, 507014 (ACL_ERROR_RT_AICORE_TIMEOUT) where it would wait until
// its time is over.
#include <stdexcept>

#include "kernel_operator.h"
#include "support/acl_fixture.h"

namespace toprope::test {
namespace {

using namespace AscendC;

struct Failure {
  const char* name;
  uint32_t blocks;
  void (*kernel)();
  aclError code;
  const char* says;
};

const Failure kFailures[] = {
    {"Bounds", 2,
     [] {
       LocalTensor<float> t(TPosition::VECCALC, 0, 64);
       Add(t, t, t, 65);
     },
     507015, "Add: dst ends 4 bytes past its tensor"},
    {"Alignment", 2,
     [] {
       LocalTensor<float> t(TPosition::VECCALC, 0, 128), d(TPosition::VECCALC, 512, 64);
       Add(d, t[1], t, 64);
     },
     507015, "is not 32-byte aligned"},
    {"QueueMisuse", 2,
     [] {
       TPipe pipe;
       TQue<TPosition::VECIN, 1> queue;
       pipe.InitBuffer(queue, 1, 64);
       queue.DeQue<float>();
     },
     507015, "DeQue: the queue is empty"},
    {"Assertion", 2, [] { ascendc_assert(GetBlockNum() == 3, "three blocks, please"); }, 507015,
     "three blocks, please"},
    {"Trap", 2, [] { Trap(); }, 507015, "Trap"},
    {"EscapedException", 2, [] { throw std::runtime_error("deliberate"); }, 507015,
     "a C++ exception left the kernel: deliberate"},
    {"EscapedNumber", 2, [] { throw 5; }, 507015, "a C++ exception left the kernel"},
    {"FlagNeverSet", 2, [] { WaitFlag<HardEvent::MTE2_V>(0); }, 507014,
     "no SetFlag<MTE2_V>(0) came before it"},
    {"BarrierThatOneSkips", 3,
     [] {
       if (GetBlockIdx() != 1) SyncAll();
     },
     507014, "deadlock"},
};

class FaultTest : public Acl, public ::testing::WithParamInterface<Failure> {};

TEST_P(FaultTest, TheStreamCarriesTheCodeAndAFreshOneWorks) {
  const Failure& failure = GetParam();
  ::testing::internal::CaptureStderr();
  launch_on(stream, failure.blocks, failure.kernel);
  const aclError code = aclrtSynchronizeStream(stream);
  const std::string shown = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(code, failure.code) << shown;
  const std::string text = message();
  for (const std::string& told : {shown, text}) {
    EXPECT_TRUE(contains(told, failure.says)) << told;
    EXPECT_TRUE(contains(told, "in kernel test_kernel")) << told;
    EXPECT_TRUE(contains(told, "launched at test.asc:7")) << told;
  }
  EXPECT_TRUE(contains(shown, "toprope: error: ")) << shown;
  EXPECT_EQ(aclrtSynchronizeStream(stream), failure.code) << "it stays";

  static bool ran;
  ran = false;
  aclrtStream fresh = nullptr;
  ASSERT_EQ(aclrtCreateStream(&fresh), ACL_SUCCESS);
  EXPECT_EQ(launch_on(fresh, 1, [] { ran = true; }), 0u);
  EXPECT_EQ(aclrtSynchronizeStream(fresh), ACL_SUCCESS);
  EXPECT_TRUE(ran);
  EXPECT_EQ(aclrtDestroyStream(fresh), ACL_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(Kinds, FaultTest, ::testing::ValuesIn(kFailures),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Fault, NoneLeavesTheStreamSound) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  EXPECT_EQ(launch_on(stream, 2, [] { SyncAll(); }), 0u);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS) << message();
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
}

}  // namespace
}  // namespace toprope::test
