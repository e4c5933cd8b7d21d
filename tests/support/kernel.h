// Running a piece of kernel code in a test: one block, on both SIMD targets.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "isa/simd/targets.h"
#include "kernel_operator.h"
#include "machine/run.h"

namespace toprope::test {

/// Runs `body` as a vector kernel of `blocks` blocks.
template <class Body>
LaunchStatus run_kernel(Body body, uint32_t blocks = 1) {
  Launch launch;
  launch.kernel = "test_kernel";
  launch.blocks = blocks;
  launch.call = [](void* state) { (*static_cast<Body*>(state))(); };
  launch.state = &body;
  return run(launch);
}

/// A UB tensor at byte `at`, filled with `values`.
template <class T>
AscendC::LocalTensor<T> tensor(uint32_t at, const std::vector<T>& values) {
  AscendC::LocalTensor<T> t(AscendC::TPosition::VECCALC, at, static_cast<uint32_t>(values.size()));
  if (!values.empty()) std::memcpy(t.GetPhyAddr(), values.data(), values.size() * sizeof(T));
  return t;
}

template <class T>
std::vector<T> values(const AscendC::LocalTensor<T>& t) {
  std::vector<T> v(t.GetSize());
  if (!v.empty()) std::memcpy(static_cast<void*>(v.data()), t.GetPhyAddr(), v.size() * sizeof(T));
  return v;
}

/// The bits of each element: comparing floats by value would take -0 for 0 and no NaN for any NaN.
template <class T>
uint64_t bits_of(T value) {
  uint64_t b = 0;
  std::memcpy(&b, &value, sizeof value);
  return b;
}

/// Equal bits; any NaN equals any NaN.
template <class T>
bool same(T a, T b) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t> || std::is_floating_point_v<T>) {
    const double x = static_cast<double>(a), y = static_cast<double>(b);
    if (x != x || y != y) return x != x && y != y;
  }
  return bits_of(a) == bits_of(b);
}

template <class T>
void expect_same(const std::vector<T>& got, const std::vector<T>& want, const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  int shown = 0;
  for (size_t i = 0; i < got.size() && shown < 5; ++i)
    if (!same(got[i], want[i])) {
      ++shown;
      ADD_FAILURE() << what << ": element " << i << " is " << static_cast<double>(got[i]) << ", expected "
                    << static_cast<double>(want[i]);
    }
}

/// Test fixture: the parameter says whether the portable SIMD target is pinned.
class BothTargets : public ::testing::TestWithParam<bool> {
 protected:
  void SetUp() override { isa::pin_portable_target(GetParam()); }
  void TearDown() override { isa::pin_portable_target(false); }
};

inline std::string target_of(const ::testing::TestParamInfo<bool>& info) {
  return info.param ? "portable" : "native";
}

}  // namespace toprope::test
