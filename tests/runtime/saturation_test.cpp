// aclrtSetDeviceSatMode up to the instructions. Its page: streams created afterwards work in the mode that
// was set, those that exist keep theirs.
#include <cmath>

#include "kernel_operator.h"
#include "support/acl_fixture.h"

namespace toprope::test {
namespace {

class SaturationTest : public Acl {
 protected:
  void TearDown() override {
    EXPECT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN), ACL_SUCCESS);
    Acl::TearDown();
  }

  /// exp(12), 60000 + 60000, inf - inf, and float 1e6 cast, all to half, on a stream that is created now.
  static std::vector<float> overflows() {
    aclrtStream fresh = nullptr;
    EXPECT_EQ(aclrtCreateStream(&fresh), ACL_SUCCESS);
    std::vector<float> results = overflows_on(fresh);
    EXPECT_EQ(aclrtDestroyStream(fresh), ACL_SUCCESS);
    return results;
  }

  static std::vector<float> overflows_on(aclrtStream on) {
    static std::vector<float> results;
    results.clear();
    EXPECT_EQ(launch_on(on, 1,
                        [] {
                          using namespace AscendC;
                          auto at = [](uint32_t byte) {
                            return LocalTensor<half>(TPosition::VECCALC, byte, 16);
                          };
                          auto exponential = at(0), sum = at(32), difference = at(64), cast = at(96);
                          auto twelve = at(128), big = at(160), inf = at(192);
                          LocalTensor<float> million(TPosition::VECCALC, 256, 16);
                          Duplicate(twelve, half(12.0f), 16);
                          Duplicate(big, half(60000.0f), 16);
                          Duplicate(inf, half::from_bits(0x7c00), 16);
                          Duplicate(million, 1e6f, 16);
                          Exp(exponential, twelve, 16);
                          Add(sum, big, big, 16);
                          Sub(difference, inf, inf, 16);
                          Cast(cast, million, RoundMode::CAST_RINT, 16);
                          for (const auto& t : {exponential, sum, difference, cast})
                            results.push_back(static_cast<float>(t.GetValue(5)));
                        }),
              0u);
    EXPECT_EQ(aclrtSynchronizeStream(on), ACL_SUCCESS) << message();
    return results;
  }
};

TEST_F(SaturationTest, OverflowToHalfInBothModes) {  // facts/cases A11
  std::vector<float> plain = overflows();
  ASSERT_EQ(plain.size(), 4u);
  EXPECT_EQ(plain[0], HUGE_VALF);
  EXPECT_EQ(plain[1], HUGE_VALF);
  EXPECT_NE(plain[2], plain[2]) << "NaN";
  EXPECT_EQ(plain[3], HUGE_VALF);
  ASSERT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), ACL_SUCCESS);
  EXPECT_EQ(overflows(), (std::vector<float>{65504, 65504, 0, 65504}));
  EXPECT_EQ(overflows_on(stream)[1], HUGE_VALF) << "a stream keeps the mode that it was created in";
}

TEST_F(SaturationTest, EachDeviceHasItsOwnMode) {
  ASSERT_EQ(aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
  aclrtFloatOverflowMode mode;
  ASSERT_EQ(aclrtGetDeviceSatMode(&mode), ACL_SUCCESS);
  EXPECT_EQ(mode, ACL_RT_OVERFLOW_MODE_INFNAN);
  EXPECT_EQ(overflows()[1], HUGE_VALF);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(overflows()[1], 65504);
}

}  // namespace
}  // namespace toprope::test
