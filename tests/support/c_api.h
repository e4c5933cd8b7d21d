// Every form of a C API function against one element's arithmetic: the first elements, repeats with strides
// under a mask, counter mode, and the form that waits.
#pragma once
#include <cmath>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "c_api/asc_simd.h"
#include "support/kernel.h"

/// What a test calls: `name` in its forms, and `name`_sync.
#define C_API(name)                                                            \
  toprope::test::Function {                                                    \
    #name, [](auto... a) { name(a...); }, [](auto... a) { name##_sync(a...); } \
  }

namespace toprope::test {

template <class Call, class Sync>
struct Function {
  const char* text;
  Call call;
  Sync sync;
};
template <class Call, class Sync>
Function(const char*, Call, Sync) -> Function<Call, Sync>;

/// `n` elements of UB from byte `at` on.
template <class T>
T* ub(uint64_t at) {
  return reinterpret_cast<T*>(asc_get_phy_buf_addr(at));
}
template <class T>
T* ub(uint64_t at, const std::vector<T>& values) {
  T* p = ub<T>(at);
  if (!values.empty()) std::memcpy(static_cast<void*>(p), values.data(), values.size() * sizeof(T));
  return p;
}
template <class T>
std::vector<T> read(const T* at, size_t n) {
  std::vector<T> v(n);
  std::memcpy(static_cast<void*>(v.data()), at, n * sizeof(T));
  return v;
}

struct Stride {
  uint16_t block, repeat;
};

/// Where lane `lane` of repeat `r` lies, in elements.
template <class T>
size_t place(Stride s, uint32_t r, uint32_t lane) {
  constexpr uint32_t per_block = 32 / sizeof(T);
  return (size_t{r} * s.repeat + size_t{lane / per_block} * s.block) * per_block + lane % per_block;
}

inline constexpr uint64_t kMask[2] = {0xf0f0a5a501234567, 0x8000000000000001};
inline bool in_mask(uint32_t lane) { return kMask[lane / 64] >> (lane % 64) & 1; }

inline constexpr uint32_t kElements = 1024, kRepeats = 2;
inline constexpr uint64_t kDst = 0, kSrc[2] = {16384, 32768};

/// One function on sources of type U (one or two vectors, and perhaps scalars) and a destination of type T.
/// want(old, source elements...) is the destination's new element; `close` how far relatively a result may be
/// off.
template <class T, class U, int kSources, class F, class Want, class... Scalars>
class Forms {
 public:
  Forms(F f, const std::vector<U> (&in)[kSources], const std::vector<T>& before, Want want, double close,
        Scalars... scalars)
      : f_(f), before_(before), want_(want), close_(close), scalars_(scalars...) {
    for (int i = 0; i < kSources; ++i) in_[i] = in[i];
  }

  void check() {
    const std::string name = f_.text;
    compare(name, run([&](auto... p) { f_.call(p..., 200u); }), first(200));
    compare(name + "_sync", run([&](auto... p) { f_.sync(p..., 129u); }), first(129));
    compare(name + " of repeats", run([&](auto... p) {
              asc_set_mask_norm();
              asc_set_vector_mask(kMask[1], kMask[0]);
              repeats(kRepeats, p...);
            }),
            repeated([](uint32_t, uint32_t lane) { return in_mask(lane); }, kRepeats));
    compare(name + " in counter mode", run([&](auto... p) {
              asc_set_mask_count();
              asc_set_vector_mask(0, kLanes + 5);
              repeats(0, p...);
              asc_set_mask_norm();
            }),
            repeated([](uint32_t r, uint32_t lane) { return r == 0 || lane < 5; }, 2));
  }

 private:
  static constexpr uint32_t kLanes = 256 / (sizeof(T) > sizeof(U) ? sizeof(T) : sizeof(U));
  static constexpr Stride kD{1, 10}, kS[2] = {{2, 17}, {1, 9}};

  template <class... P>
  void repeats(uint8_t times, P... p) const {
    if constexpr (kSources == 2)
      f_.call(p..., times, uint8_t{kD.block}, uint8_t{kS[0].block}, uint8_t{kS[1].block}, uint8_t{kD.repeat},
              uint8_t{kS[0].repeat}, uint8_t{kS[1].repeat});
    else
      f_.call(p..., times, kD.block, kS[0].block, kD.repeat, kS[0].repeat);
  }

  template <class Call>
  std::vector<T> run(Call call) {
    std::vector<T> got;
    const auto status = run_kernel([&] {
      asc_init();
      T* d = ub(kDst, before_);
      U* s[2] = {ub(kSrc[0], in_[0]), ub(kSrc[1], in_[kSources - 1])};
      std::apply(
          [&](auto... scalars) {
            if constexpr (kSources == 2)
              call(d, s[0], s[1], scalars...);
            else
              call(d, s[0], scalars...);
          },
          scalars_);
      got = read(d, before_.size());
    });
    EXPECT_EQ(status.report, "");
    return got;
  }

  T wanted(size_t d, size_t a, size_t b) const {
    if constexpr (kSources == 2)
      return want_(before_[d], in_[0][a], in_[1][b]);
    else
      return want_(before_[d], in_[0][a]);
  }
  std::vector<T> first(uint32_t n) const {
    std::vector<T> v = before_;
    for (uint32_t i = 0; i < n; ++i) v[i] = wanted(i, i, i);
    return v;
  }
  template <class Takes>
  std::vector<T> repeated(Takes takes, uint32_t repeats) const {
    std::vector<T> v = before_;
    for (uint32_t r = 0; r < repeats; ++r)
      for (uint32_t lane = 0; lane < kLanes; ++lane)
        if (takes(r, lane)) {
          const size_t d = place<T>(kD, r, lane);
          v[d] = wanted(d, place<U>(kS[0], r, lane), place<U>(kS[1], r, lane));
        }
    return v;
  }
  void compare(const std::string& what, const std::vector<T>& got, const std::vector<T>& want) const {
    if (close_ == 0) return expect_same(got, want, what);
    ASSERT_EQ(got.size(), want.size()) << what;
    for (size_t i = 0; i < got.size(); ++i) {
      const auto g = static_cast<double>(got[i]), w = static_cast<double>(want[i]);
      ASSERT_LE(std::fabs(g - w), close_ * std::fabs(w)) << what << ": element " << i;
    }
  }

  F f_;
  std::vector<U> in_[kSources];
  std::vector<T> before_;
  Want want_;
  double close_;
  std::tuple<Scalars...> scalars_;
};

/// `n` values of f(0), f(1), …
template <class T, class Make>
std::vector<T> values_of(Make f) {
  std::vector<T> v(kElements);
  for (uint32_t i = 0; i < kElements; ++i) v[i] = static_cast<T>(f(i));
  return v;
}

/// Small whole numbers, exact in every type; negative ones where there are any.
template <class T>
std::vector<T> whole_numbers(uint32_t step) {
  return values_of<T>([&](uint32_t i) {
    const int v = static_cast<int>(i * step % 23);
    return static_cast<T>(static_cast<float>(std::is_unsigned_v<T> ? v : v - 11));
  });
}

template <class T, class U, class F, class Want>
void two_sources(F f, const std::vector<U>& a, const std::vector<U>& b, Want want) {
  const std::vector<U> in[2] = {a, b};
  Forms<T, U, 2, F, Want>(f, in, whole_numbers<T>(5), want, 0).check();
}
template <class T, class U = T, class F, class Want>
void two_sources(F f, Want want) {
  two_sources<T, U>(f, whole_numbers<U>(7), whole_numbers<U>(13), want);
}

template <class T, class U, class F, class Want, class... Scalars>
void one_source(F f, const std::vector<U>& a, Want want, double close = 0, Scalars... scalars) {
  const std::vector<U> in[1] = {a};
  Forms<T, U, 1, F, Want, Scalars...>(f, in, whole_numbers<T>(5), want, close, scalars...).check();
}

}  // namespace toprope::test
