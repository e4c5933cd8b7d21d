// Operands of high-level functions in tests: tensors in UB one after another, and values to fill them with.
#pragma once
#include <cmath>
#include <random>

#include "support/kernel.h"

namespace toprope::test {

/// Hands out UB from its start; each tensor begins at a multiple of 32 bytes and is followed by a DataBlock
/// that nothing may write (see `untouched`).
class Arena {
 public:
  template <class T>
  AscendC::LocalTensor<T> operator()(const std::vector<T>& values) {
    const uint32_t at = at_;
    at_ += (static_cast<uint32_t>(values.size() * sizeof(T)) + 31) / 32 * 32;
    ends_.push_back(at_);
    const std::vector<uint8_t> guard(32, 0xA5);
    tensor(at_, guard);
    at_ += 32;
    return tensor(at, values);
  }
  template <class T>
  AscendC::LocalTensor<T> zeros(size_t count) {
    return (*this)(std::vector<T>(count));
  }
  /// Whether every DataBlock behind a tensor is as it was.
  bool untouched() const {
    for (const uint32_t end : ends_)
      for (const uint8_t b : values(AscendC::LocalTensor<uint8_t>(AscendC::TPosition::VECCALC, end, 32)))
        if (b != 0xA5) return false;
    return true;
  }

 private:
  uint32_t at_ = 0;
  std::vector<uint32_t> ends_;
};

/// Runs `body` as a kernel of one block, which must end well.
template <class Body>
void run_clean(Body body) {
  const LaunchStatus status = run_kernel(body);
  EXPECT_EQ(status.fault, Fault::None) << status.report;
}

/// `count` numbers of [low, high), each a value of T.
template <class T>
std::vector<T> noise(size_t count, double low, double high, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<T> v(count);
  for (T& x : v) x = static_cast<T>(static_cast<float>(low + (high - low) * random() / 4294967296.0));
  return v;
}

/// Each |got - want| <= absolute + relative * |want|.
template <class T>
void expect_near(const std::vector<T>& got, const std::vector<double>& want, double relative, double absolute,
                 const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  int shown = 0;
  for (size_t i = 0; i < got.size() && shown < 5; ++i) {
    const double g = static_cast<float>(got[i]);
    if (!(std::abs(g - want[i]) <= absolute + relative * std::abs(want[i]))) {
      ++shown;
      ADD_FAILURE() << what << ": element " << i << " is " << g << ", expected " << want[i];
    }
  }
}

}  // namespace toprope::test
