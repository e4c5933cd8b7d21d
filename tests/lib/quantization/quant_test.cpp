// AscendQuant and AscendDequant: operands whose products are exact, so that only documented roundings count.
#include "support/arena.h"

namespace toprope::test {
namespace {

namespace memory = toprope::lib::memory;

class Quantization : public BothTargets {};

/// Multiples of 1/8 up to 64.
template <class T>
std::vector<T> eighths(size_t count, uint32_t seed) {
  std::vector<T> v = noise<T>(count, -512, 512, seed);
  for (T& x : v) x = T(std::floor(static_cast<float>(x)) / 8);
  return v;
}

template <class T>
std::vector<T> powers_of_two(size_t count) {
  std::vector<T> v(count);
  for (size_t i = 0; i < count; ++i) v[i] = T(std::ldexp(1.0f, static_cast<int>(i % 4) - 1));
  return v;
}

int8_t quantized(double value) {
  return static_cast<int8_t>(std::min(127.0, std::max(-128.0, std::nearbyint(value))));
}

template <class T>
void check_quant(uint32_t count, uint32_t columns, uint32_t tile) {
  const auto src = eighths<T>(count, 1), scales = powers_of_two<T>(columns), offsets = eighths<T>(columns, 2);
  const auto want = [&](auto scale, auto offset) {
    std::vector<int8_t> q;
    for (uint32_t i = 0; i < count; ++i)
      q.push_back(quantized(static_cast<float>(src[i]) * scale(i % columns) + offset(i % columns)));
    return q;
  };
  const auto two = [](uint32_t) { return 2.0; };
  const auto third = [](uint32_t) { return 3.0; };
  const auto scale_of = [&](uint32_t i) { return double{static_cast<float>(scales[i])}; };
  const auto offset_of = [&](uint32_t i) { return double{static_cast<float>(offsets[i])}; };
  run_clean([&] {
    Arena ub;
    auto dst = ub.zeros<int8_t>(count);
    auto in = ub(src), s = ub(scales), o = ub(offsets);
    auto tmp = ub.zeros<uint8_t>(memory::quant_element(sizeof(T)) * tile);
    AscendC::AscendQuant<T>(dst, in, tmp, 2.0f, 3.0f, count);
    expect_same(values(dst), want(two, third), "one scale, one offset");
    AscendC::AscendQuant<T>(dst, in, tmp, 2.0f, 3.0f);
    expect_same(values(dst), want(two, third), "without a count");
    AscendC::AscendQuant<T>(dst, in, tmp, s, T(3.0f), columns, count);
    expect_same(values(dst), want(scale_of, third), "scales, one offset");
    AscendC::AscendQuant<T>(dst, in, tmp, s, o, columns, columns, count);
    expect_same(values(dst), want(scale_of, offset_of), "scales and offsets");
    AscendC::AscendQuant<T>(dst, in, tmp, s, o);
    expect_same(values(dst), want(scale_of, offset_of), "scales and offsets, without counts");
    EXPECT_TRUE(ub.untouched());
    expect_same(values(in), src, "the source");
  });
}

TEST_P(Quantization, Quant) {
  for (const uint32_t tile : {64u, 1024u}) {
    check_quant<float>(512, 128, tile);
    check_quant<half>(512, 128, tile);
    check_quant<half>(96, 32, tile);
    check_quant<float>(1024, 1024, tile);
  }
}

/// rows x columns of int32_t up to 2^20 (exact in float) by float scales: one rounding each in float and dst.
template <class D, class S>
void check_dequant(uint32_t rows, uint32_t columns, uint32_t count, uint32_t tile) {
  const auto numbers = noise<float>(size_t{rows} * columns, -1048576, 1048576, 1);
  std::vector<int32_t> src;
  for (const float x : numbers) src.push_back(static_cast<int32_t>(x));
  std::vector<float> factors;
  std::vector<S> scales;
  for (const float f : noise<float>(columns, 0.001, 0.01, 2)) {
    if constexpr (std::is_same_v<S, uint64_t>) {
      scales.push_back(bits_of(f) | 0x0000000100000000u);  // above the float are other fields
      factors.push_back(f);
    } else {
      scales.push_back(S(f));
      factors.push_back(static_cast<float>(scales.back()));
    }
  }
  constexpr uint32_t unit = 32 / sizeof(D);
  const uint32_t stride = (columns + unit - 1) / unit * unit;
  run_clean([&] {
    Arena ub;
    auto dst = ub.zeros<D>(size_t{rows} * stride);
    auto in = ub(src);
    auto s = ub(scales);
    auto tmp = ub.zeros<uint8_t>(memory::dequant(columns, tile));
    const auto check = [&](bool one, const char* what) {
      std::vector<D> want, got;
      for (uint32_t r = 0; r < rows; ++r)
        for (uint32_t c = 0; c < count; ++c) {
          const float product = static_cast<float>(src[r * columns + c]) * (one ? 0.25f : factors[c]);
          want.push_back(D(product));
          got.push_back(dst.GetValue(r * stride + c));
        }
      expect_same(got, want, what);
      EXPECT_TRUE(ub.untouched());
      expect_same(values(in), src, "the source");
    };
    AscendC::AscendDequant<D, S, AscendC::DeQuantMode::DEQUANT_WITH_MULTI_ROW>(dst, in, s, tmp,
                                                                               {rows, columns, count});
    check(false, "a scale a column");
    if constexpr (!std::is_same_v<S, uint64_t>) {
      AscendC::AscendDequant<D, S, AscendC::DeQuantMode::DEQUANT_WITH_MULTI_ROW>(dst, in, S(0.25f), tmp,
                                                                                 {rows, columns, count});
      check(true, "one scale");
    }
  });
}

TEST_P(Quantization, Dequant) {
  for (const uint32_t tile : {1u, 4u}) {
    check_dequant<float, float>(4, 32, 32, tile);
    check_dequant<float, bfloat16_t>(3, 72, 70, tile);
    check_dequant<bfloat16_t, bfloat16_t>(4, 64, 64, tile);
    check_dequant<bfloat16_t, float>(5, 72, 64, tile);
    check_dequant<half, uint64_t>(4, 72, 72, tile);
    check_dequant<half, uint64_t>(2, 136, 129, tile);
  }
}

TEST_P(Quantization, DequantOfOneRowRepeatsItsScales) {
  const uint32_t columns = 16;
  std::vector<int32_t> src(64);
  for (int32_t i = 0; i < 64; ++i) src[i] = i - 20;
  std::vector<float> scales = powers_of_two<float>(columns), want;
  for (int32_t i = 0; i < 64; ++i) want.push_back(static_cast<float>(i - 20) * scales[i % columns]);
  run_clean([&] {
    Arena ub;
    auto dst = ub.zeros<float>(64), s = ub(scales);
    auto in = ub(src);
    auto tmp = ub.zeros<uint8_t>(memory::dequant(64, 1));
    AscendC::AscendDequant(dst, in, s, tmp, {1, 64, columns});
    expect_same(values(dst), want, "{m, n, calCount} = {1, 64, 16}");
    AscendC::AscendDequant(dst, in, s, tmp, columns);
    expect_same(values(dst), want, "calCount");
    AscendC::AscendDequant(dst, in, s, tmp);
    expect_same(values(dst), want, "no count");
    EXPECT_TRUE(ub.untouched());
  });
}

INSTANTIATE_TEST_SUITE_P(Simd, Quantization, ::testing::Bool(), target_of);

}  // namespace
}  // namespace toprope::test
