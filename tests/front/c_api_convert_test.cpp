// The C API's conversions, against rounding by definition (support/exact.h).
#include "support/c_api.h"
#include "support/conversions.h"

namespace {

using namespace toprope::test;
using AscendC::RoundMode;

/// Values between whole numbers and on them, within 8 bits.
template <class T>
std::vector<T> inputs() {
  return values_of<T>([](uint32_t i) {
    const float v = static_cast<float>(i % 61) * 0.25f - 7.0f;
    return static_cast<T>(std::is_unsigned_v<T> ? std::fabs(v) : v);
  });
}

template <class From, class To, class F>
void conversion(F f, RoundMode mode) {
  one_source<To, From>(f, inputs<From>(), [mode](To, From v) { return expected<To>(v, mode); });
}

#define EXACT(name, From, To) conversion<From, To>(C_API(name), RoundMode::CAST_NONE)
#define DIRECTED(name, From, To)                                  \
  conversion<From, To>(C_API(name##_rn), RoundMode::CAST_RINT);   \
  conversion<From, To>(C_API(name##_rna), RoundMode::CAST_ROUND); \
  conversion<From, To>(C_API(name##_rd), RoundMode::CAST_FLOOR);  \
  conversion<From, To>(C_API(name##_ru), RoundMode::CAST_CEIL);   \
  conversion<From, To>(C_API(name##_rz), RoundMode::CAST_TRUNC)

TEST(CApiConvert, BetweenHalfAndIntegers) {
  DIRECTED(asc_half2int16, half, int16_t);
  DIRECTED(asc_half2int32, half, int32_t);
  EXACT(asc_half2int8, half, int8_t);
  DIRECTED(asc_half2int8, half, int8_t);
  EXACT(asc_half2uint8, half, uint8_t);
  DIRECTED(asc_half2uint8, half, uint8_t);
  EXACT(asc_int82half, int8_t, half);
  EXACT(asc_uint82half, uint8_t, half);
  EXACT(asc_int162half, int16_t, half);
  DIRECTED(asc_int162half, int16_t, half);
}

TEST(CApiConvert, BetweenFloatAndIntegers) {
  DIRECTED(asc_float2int16, float, int16_t);
  DIRECTED(asc_float2int32, float, int32_t);
  DIRECTED(asc_float2int64, float, int64_t);
  EXACT(asc_int162float, int16_t, float);
  EXACT(asc_int322float, int32_t, float);
  DIRECTED(asc_int322float, int32_t, float);
  DIRECTED(asc_int642float, int64_t, float);
}

TEST(CApiConvert, BetweenRealTypes) {
  EXACT(asc_half2float, half, float);
  EXACT(asc_bfloat162float, bfloat16_t, float);
  DIRECTED(asc_bfloat162int32, bfloat16_t, int32_t);
  DIRECTED(asc_float2float, float, float);
}

TEST(CApiConvert, BetweenIntegers) {
  EXACT(asc_int322int16, int32_t, int16_t);
  EXACT(asc_int322int64, int32_t, int64_t);
  EXACT(asc_int642int32, int64_t, int32_t);
}

/// Floats that lie between two neighbours of the narrower type, nearer to either and in the middle.
std::vector<float> between(int bits) {
  return values_of<float>([bits](uint32_t i) {
    const float v = 1.0f + std::ldexp(static_cast<float>(i % 64) * 0.25f, 1 - bits);
    return i % 2 ? v : -v;
  });
}

template <class To, class F>
void narrow(F f, int bits, RoundMode mode) {
  one_source<To, float>(f, between(bits), [mode](To, float v) { return expected<To>(v, mode); });
}

TEST(CApiConvert, FloatToNarrowerRealTypes) {
  narrow<half>(C_API(asc_float2half), 11, RoundMode::CAST_RINT);
  narrow<half>(C_API(asc_float2half_rn), 11, RoundMode::CAST_RINT);
  narrow<half>(C_API(asc_float2half_rna), 11, RoundMode::CAST_ROUND);
  narrow<half>(C_API(asc_float2half_rd), 11, RoundMode::CAST_FLOOR);
  narrow<half>(C_API(asc_float2half_ru), 11, RoundMode::CAST_CEIL);
  narrow<half>(C_API(asc_float2half_rz), 11, RoundMode::CAST_TRUNC);
  narrow<half>(C_API(asc_float2half_ro), 11, RoundMode::CAST_ODD);
  narrow<bfloat16_t>(C_API(asc_float2bfloat16_rn), 8, RoundMode::CAST_RINT);
  narrow<bfloat16_t>(C_API(asc_float2bfloat16_rna), 8, RoundMode::CAST_ROUND);
  narrow<bfloat16_t>(C_API(asc_float2bfloat16_rd), 8, RoundMode::CAST_FLOOR);
  narrow<bfloat16_t>(C_API(asc_float2bfloat16_ru), 8, RoundMode::CAST_CEIL);
  narrow<bfloat16_t>(C_API(asc_float2bfloat16_rz), 8, RoundMode::CAST_TRUNC);
}

int nibble(const std::vector<uint8_t>& packed, size_t i) {
  const int v = packed[i / 2] >> (i % 2 * 4) & 15;
  return v < 8 ? v : v - 16;
}

template <class F>
void to_nibbles(F f, RoundMode mode) {
  const auto in = inputs<half>();
  std::vector<uint8_t> first, waited, repeated;
  const auto status = run_kernel([&] {
    ub(kDst, std::vector<uint8_t>(512, 0));
    auto* d = ub<int4b_t>(kDst);
    half* s = ub(kSrc[0], in);
    f.call(d, s, 200u);
    first = read(ub<uint8_t>(kDst), 512);
    f.sync(d, s, 202u);
    waited = read(ub<uint8_t>(kDst), 512);
    f.call(d, s, uint8_t{2}, uint16_t{1}, uint16_t{1}, uint16_t{4}, uint16_t{8});
    repeated = read(ub<uint8_t>(kDst), 512);
  });
  ASSERT_EQ(status.report, "");
  const auto wanted = [&](size_t i) {
    const long double v = to_integer(number(in[i]), mode);
    return static_cast<int>(v < -8 ? -8 : v > 7 ? 7 : v);
  };
  for (size_t i = 0; i < 204; ++i) {
    ASSERT_EQ(nibble(first, i), i < 200 ? wanted(i) : 0) << f.text << " " << i;
    ASSERT_EQ(nibble(waited, i), i < 202 ? wanted(i) : 0) << f.text << "_sync " << i;
  }
  for (size_t i = 0; i < 256; ++i)  // a repeat is 128 halves, which become two blocks
    ASSERT_EQ(nibble(repeated, i / 128 * 256 + i % 128), wanted(i)) << f.text << " of repeats " << i;
}

TEST(CApiConvert, HalvesToPackedNibbles) {
  to_nibbles(C_API(asc_half2int4), RoundMode::CAST_RINT);
  to_nibbles(C_API(asc_half2int4_rn), RoundMode::CAST_RINT);
  to_nibbles(C_API(asc_half2int4_rna), RoundMode::CAST_ROUND);
  to_nibbles(C_API(asc_half2int4_rd), RoundMode::CAST_FLOOR);
  to_nibbles(C_API(asc_half2int4_ru), RoundMode::CAST_CEIL);
  to_nibbles(C_API(asc_half2int4_rz), RoundMode::CAST_TRUNC);
}

TEST(CApiConvert, PackedNibblesToHalves) {
  std::vector<uint8_t> packed(128);
  for (size_t i = 0; i < packed.size(); ++i) packed[i] = static_cast<uint8_t>(i * 37 + 11);
  std::vector<half> first, waited, repeated;
  const auto status = run_kernel([&] {
    half* d = ub(kDst, std::vector<half>(256));
    ub(kSrc[0], packed);
    auto* s = ub<int4b_t>(kSrc[0]);
    asc_int42half(d, s, 100);
    first = read(d, 256);
    asc_int42half_sync(d, s, 102);
    waited = read(d, 256);
    asc_int42half(d, s, 2, 1, 1, 8, 2);
    repeated = read(d, 256);
  });
  ASSERT_EQ(status.report, "");
  for (size_t i = 0; i < 256; ++i) {
    ASSERT_EQ(static_cast<float>(first[i]), i < 100 ? nibble(packed, i) : 0) << i;
    ASSERT_EQ(static_cast<float>(waited[i]), i < 102 ? nibble(packed, i) : 0) << i;
    ASSERT_EQ(static_cast<float>(repeated[i]), nibble(packed, i)) << i;
  }
}

TEST(CApiConvert, Int32ToHalfIsScaled) {
  const auto set_first = Function{"asc_deq_int322half",
                                  [](auto... a) {
                                    asc_set_deq_scale(0.5);
                                    asc_deq_int322half(a...);
                                  },
                                  [](auto... a) {
                                    asc_set_deq_scale(half(0.5f));
                                    asc_deq_int322half_sync(a...);
                                  }};
  one_source<half, int32_t>(set_first, whole_numbers<int32_t>(7),
                            [](half, int32_t v) { return half(static_cast<float>(v) * 0.5f); });
}

TEST(CApiConvert, DequantisesIntoHalfBlocks) {
  const auto in = values_of<int16_t>([](uint32_t i) { return static_cast<int>(i) * 7 % 512 - 256; });
  float scales[ASC_VDEQ_SIZE];
  int16_t offsets[ASC_VDEQ_SIZE];
  bool is_signed[ASC_VDEQ_SIZE] = {};
  for (int i = 0; i < ASC_VDEQ_SIZE; ++i) {
    scales[i] = 0.125f * static_cast<float>(i);
    offsets[i] = static_cast<int16_t>(i * 8);
  }
  std::vector<int8_t> plain, repeated;
  std::vector<uint8_t> vector, waited;
  const auto status = run_kernel([&] {
    asc_set_deq_scale(0.25f, -3, true);
    int8_t* d = ub(kDst, std::vector<int8_t>(512, 9));
    int16_t* s = ub(kSrc[0], in);
    asc_deq_int162b8_h(d, s, 250);
    asc_deq_int162b8_l_sync(d, s, 16);
    plain = read(d, 512);
    ub(kDst, std::vector<int8_t>(1024, 9));
    asc_deq_int162b8_l(d, s, 2, 1, 1, 10, 8);
    asc_deq_int162b8_h_sync(d, s, 16);
    repeated = read(d, 1024);
    asc_set_deq_scale(ub<uint64_t>(65536), scales, offsets, is_signed);
    uint8_t* u = ub(kDst, std::vector<uint8_t>(512, 9));
    asc_vdeq_int162b8_h(u, s, 128);
    asc_vdeq_int162b8_l(u, s, 1, 1, 1, 8, 8);
    vector = read(u, 512);
    ub(kDst, std::vector<uint8_t>(512, 9));
    asc_vdeq_int162b8_h_sync(u, s, 32);
    asc_vdeq_int162b8_l_sync(u, s, 16);
    waited = read(u, 512);
  });
  ASSERT_EQ(status.report, "");
  const auto clamp = [](long double v, int low, int high) {
    return static_cast<int>(v < low ? low : v > high ? high : v);
  };
  const auto one = [&](int i) {
    return clamp(to_integer(in[i] * 0.25L - 3, RoundMode::CAST_RINT), -128, 127);
  };
  const auto own = [&](int i) {
    return clamp(
        to_integer(in[i] * static_cast<long double>(scales[i % 16]) + offsets[i % 16], RoundMode::CAST_RINT),
        0, 255);
  };
  for (int i = 0; i < 256; ++i) {
    const int low = i / 16 * 32 + i % 16, high = low + 16;
    EXPECT_EQ(plain[high], i < 250 ? one(i) : 9) << i;
    EXPECT_EQ(plain[low], i < 16 ? one(i) : 9) << i;
    EXPECT_EQ(repeated[low + i / 128 * 64], one(i)) << i;  // repeats of 8 blocks start 10 apart
    if (i < 16) {
      EXPECT_EQ(repeated[high], one(i)) << i;
    }
    EXPECT_EQ(vector[high], i < 128 ? own(i) : 9) << i;
    EXPECT_EQ(vector[low], i < 128 ? own(i) : 9) << i;
    EXPECT_EQ(waited[high], i < 32 ? own(i) : 9) << i;
    EXPECT_EQ(waited[low], i < 16 ? own(i) : 9) << i;
  }
}

}  // namespace
