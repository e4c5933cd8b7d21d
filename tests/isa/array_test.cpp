// Operations on arrays have the same bits on every SIMD target, and touch nothing beyond their elements. What
// the bits must be is compared with numpy in tests/pypto.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "isa/array/elementwise.h"
#include "isa/array/layout.h"
#include "isa/array/matmul.h"
#include "isa/array/reduce.h"
#include "isa/simd/targets.h"
#include "toprope/types/half.h"

namespace {

using namespace toprope;
namespace array = toprope::isa::array;

constexpr size_t kSizes[] = {0, 1, 3, 15, 16, 17, 33, 64, 100, 257};
constexpr uint8_t kGuard = 0xa5;

constexpr bool floating(DType t) { return t == DType::Half || t == DType::BFloat16 || t == DType::Float; }

/// Random bits, with each special value of the type among them.
std::vector<uint8_t> sample(DType type, size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<uint8_t> bytes(n * size_of(type));
  for (uint8_t& b : bytes) b = static_cast<uint8_t>(random());
  const auto put = [&](size_t i, uint64_t bits) {
    if (i < n) std::memcpy(&bytes[i * size_of(type)], &bits, size_of(type));
  };
  if (type == DType::Float)
    for (size_t i = 0;
         uint64_t bits : {0x0ull, 0x80000000ull, 0x1ull, 0x7f800000ull, 0xff800000ull, 0x7fc00000ull})
      put(7 * i++ + 1, bits);
  for (size_t i = 0; i < n; i += 3) {  // and usual sizes
    const float f = static_cast<float>(static_cast<int64_t>(random() % 2000) - 1000) / 64;
    uint32_t bits;
    std::memcpy(&bits, &f, 4);
    if (type == DType::Float) put(i, bits);
    if (type == DType::BFloat16) put(i, bits >> 16);
    if (!floating(type)) put(i, random() % 7);
  }
  return bytes;
}

/// NaNs are one value: which of two sources' NaNs comes out is nobody's promise.
void one_nan(DType type, std::vector<uint8_t>& bytes) {
  for (size_t i = 0; floating(type) && i + size_of(type) <= bytes.size(); i += size_of(type)) {
    uint32_t v = 0;
    std::memcpy(&v, &bytes[i], size_of(type));
    const uint32_t sign = size_of(type) == 4 ? 0x80000000u : 0x8000u;
    const uint32_t infinity = type == DType::Half ? 0x7c00u : type == DType::BFloat16 ? 0x7f80u : 0x7f800000u;
    if ((v & ~sign) > infinity) std::memset(&bytes[i], 0xff, size_of(type));
  }
}

/// f(destination) on the best and on the portable target: equal, and nothing written behind the end.
template <class F>
void same_everywhere(const std::string& what, DType type, size_t n, F&& f) {
  std::vector<uint8_t> results[2];
  for (const bool portable : {false, true}) {
    isa::pin_portable_target(portable);
    auto& r = results[portable];
    r.assign(n * size_of(type) + 64, kGuard);
    f(r.data());
    for (size_t i = n * size_of(type); i < r.size(); ++i) ASSERT_EQ(r[i], kGuard) << what << ", byte " << i;
    r.resize(n * size_of(type));
    one_nan(type, r);
  }
  isa::pin_portable_target(false);
  EXPECT_EQ(results[0], results[1]) << what << ", " << name_of(type) << ", n = " << n;
}

template <class F>
void for_types(DTypeSet set, F&& f) {
  for (int t = 0; t < kDTypes; ++t)
    if (contains(set, static_cast<DType>(t))) f(static_cast<DType>(t));
}

TEST(Array, Binary) {
  constexpr const char* names[] = {
#define TOPROPE_OP(name, types) #name,
#include "toprope/isa/array_binary.list"
#undef TOPROPE_OP
  };
  for (int op = 0; op < static_cast<int>(array::Binary::kCount); ++op)
    for_types(array::types_of(static_cast<array::Binary>(op)), [&](DType type) {
      for (const size_t n : kSizes)
        for (const auto spread : {array::Spread::No, array::Spread::First, array::Spread::Second}) {
          const auto a = sample(type, n + 1, 1), b = sample(type, n + 1, 2);
          same_everywhere(names[op], type, n, [&](void* dst) {
            array::binary(static_cast<array::Binary>(op), type, spread)(dst, a.data(), b.data(), n);
          });
        }
    });
}

TEST(Array, Unary) {
  constexpr const char* names[] = {
#define TOPROPE_OP(name, types) #name,
#include "toprope/isa/array_unary.list"
#undef TOPROPE_OP
  };
  for (int op = 0; op < static_cast<int>(array::Unary::kCount); ++op)
    for_types(array::types_of(static_cast<array::Unary>(op)), [&](DType type) {
      for (const size_t n : kSizes) {
        const auto a = sample(type, n, 3);
        same_everywhere(names[op], type, n, [&](void* dst) {
          array::unary(static_cast<array::Unary>(op), type)(dst, a.data(), n);
        });
      }
    });
}

TEST(Array, InPlace) {
  const size_t n = 100;
  const auto a = sample(DType::Float, n, 4), b = sample(DType::Float, n, 5);
  const auto add = array::binary(array::Binary::Add, DType::Float);
  std::vector<uint8_t> apart(a.size()), first = a, second = b;
  add(apart.data(), a.data(), b.data(), n);
  add(first.data(), first.data(), b.data(), n);
  add(second.data(), a.data(), second.data(), n);
  EXPECT_EQ(first, apart);
  EXPECT_EQ(second, apart);
}

TEST(Array, CompareAndSelect) {
  for_types(array::types::FLOATS | array::types::INTEGERS, [&](DType type) {
    for (const size_t n : kSizes) {
      const auto a = sample(type, n + 1, 6), b = sample(type, n + 1, 7);
      for (int op = 0; op < static_cast<int>(isa::Compare::kCount); ++op)
        for (const auto spread : {array::Spread::No, array::Spread::First, array::Spread::Second})
          same_everywhere("compare", DType::UInt8, n, [&](void* dst) {
            array::compare(static_cast<isa::Compare>(op), type, spread)(dst, a.data(), b.data(), n);
          });
      std::vector<uint8_t> mask(n);
      for (size_t i = 0; i < n; ++i) mask[i] = i % 3 == 0;
      same_everywhere("select", type, n, [&](void* dst) {
        array::select(size_of(type))(dst, mask.data(), a.data(), b.data(), n);
      });
    }
  });
}

TEST(Array, Reduce) {
  for_types(array::types::FLOATS | array::types::INTEGERS, [&](DType type) {
    for (const int64_t n : {1, 5, 64, 130, 1000})
      for (const int64_t inner : {1, 3, 40}) {
        auto a = sample(type, static_cast<size_t>(2 * n * inner), 8);
        for (const auto op :
             {array::Reduce::Sum, array::Reduce::Prod, array::Reduce::Max, array::Reduce::Min})
          same_everywhere("reduce", type, static_cast<size_t>(2 * inner),
                          [&](void* dst) { array::reduce(op, type, dst, a.data(), 2, n, inner); });
      }
  });
}

TEST(Array, Matmul) {
  struct Pair {
    DType in, out;
  };
  for (const Pair pair : {Pair{DType::Float, DType::Float}, Pair{DType::Half, DType::Float},
                          Pair{DType::BFloat16, DType::BFloat16}, Pair{DType::Int8, DType::Int32}})
    for (const int64_t m : {1, 7, 13})
      for (const int64_t k : {0, 1, 65, 300})
        for (const int64_t n : {1, 31, 50}) {
          const auto a = sample(pair.in, static_cast<size_t>(m * k), 9),
                     b = sample(pair.in, static_cast<size_t>(k * n), 10);
          same_everywhere("matmul", pair.out, static_cast<size_t>(m * n), [&](void* c) {
            array::matmul(pair.in, pair.out, c, a.data(), b.data(), nullptr, array::MatmulStart::Zero, m, k,
                          n);
          });
        }
}

/// Each sum lies as near to the exact one as sums of float in any order do; `start` is what c held.
void expect_near_exact(const std::vector<toprope::half>& a, const std::vector<toprope::half>& b,
                       const std::vector<float>& start, const std::vector<float>& c, size_t m, size_t k,
                       size_t n) {
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j) {
      double sum = start[i * n + j], size = std::abs(sum);  // products of halves have 22 bits
      for (size_t p = 0; p < k; ++p) {
        const double product = static_cast<double>(static_cast<float>(a[i * k + p])) *
                               static_cast<double>(static_cast<float>(b[p * n + j]));
        sum += product;
        size += std::abs(product);
      }
      const double bound = std::ldexp(static_cast<double>(k + 1) * size, -23);
      ASSERT_NEAR(c[i * n + j], sum, bound) << m << "x" << k << "x" << n << " at " << i << ", " << j;
    }
}

TEST(Array, MatmulOfHalvesIsNearTheExactSums) {
  std::mt19937 random(3);
  const auto finite = [&random](size_t n) {
    std::vector<toprope::half> values(n);
    for (toprope::half& v : values) {
      uint16_t bits;
      do bits = static_cast<uint16_t>(random());
      while ((bits & 0x7c00) == 0x7c00);  // every finite one, denormals too
      std::memcpy(static_cast<void*>(&v), &bits, 2);
    }
    return values;
  };
  for (const bool portable : {false, true}) {
    isa::pin_portable_target(portable);
    for (const auto& [m, k, n] : {std::array<size_t, 3>{16, 16, 16},
                                  {17, 33, 47},
                                  {32, 192, 32},
                                  {40, 225, 65},
                                  {200, 31, 33},
                                  {33, 500, 31}}) {
      const auto a = finite(m * k), b = finite(k * n);
      std::vector<float> start(m * n), c;
      for (float& v : start) v = static_cast<float>(static_cast<int>(random() % 2000) - 1000);
      c = start;
      const auto product = [&](array::MatmulStart how) {
        array::matmul(DType::Half, DType::Float, c.data(), a.data(), b.data(), nullptr, how,
                      static_cast<int64_t>(m), static_cast<int64_t>(k), static_cast<int64_t>(n));
      };
      product(array::MatmulStart::Accumulate);
      expect_near_exact(a, b, start, c, m, k, n);
      product(array::MatmulStart::Zero);
      expect_near_exact(a, b, std::vector<float>(m * n), c, m, k, n);
    }
  }
  isa::pin_portable_target(false);
}

TEST(Array, InfinitiesInAProductOfHalvesStayWhereTheyAre) {
  constexpr size_t kSize = 32;
  std::vector<toprope::half> a(kSize * kSize, toprope::half(1.0f)), b = a;
  a[5 * kSize + 3] = toprope::half(INFINITY);
  b[7 * kSize + 9] = toprope::half(NAN);
  std::vector<float> c(kSize * kSize);
  array::matmul(DType::Half, DType::Float, c.data(), a.data(), b.data(), nullptr, array::MatmulStart::Zero,
                kSize, kSize, kSize);
  for (size_t i = 0; i < kSize; ++i)
    for (size_t j = 0; j < kSize; ++j) {
      const float is = c[i * kSize + j];
      if (j == 9)
        EXPECT_TRUE(std::isnan(is)) << i;
      else
        EXPECT_EQ(is, i == 5 ? INFINITY : static_cast<float>(kSize)) << i << ", " << j;
    }
}

TEST(Array, TransposeOfEveryPermutation) {
  const int64_t shape[] = {2, 3, 4};
  std::vector<uint32_t> a(24), b(24);
  for (uint32_t i = 0; i < 24; ++i) a[i] = i;
  int perm[] = {0, 1, 2};
  do {
    array::transpose(4, b.data(), a.data(), 3, shape, perm);
    size_t at = 0;
    int64_t i[3];
    for (i[0] = 0; i[0] < shape[perm[0]]; ++i[0])
      for (i[1] = 0; i[1] < shape[perm[1]]; ++i[1])
        for (i[2] = 0; i[2] < shape[perm[2]]; ++i[2]) {
          int64_t source[3];
          for (int axis = 0; axis < 3; ++axis) source[perm[axis]] = i[axis];
          EXPECT_EQ(b[at++], a[static_cast<size_t>((source[0] * 3 + source[1]) * 4 + source[2])]);
        }
  } while (std::next_permutation(perm, perm + 3));
  const int twice[] = {0, 0, 1};
  EXPECT_THROW(array::transpose(4, b.data(), a.data(), 3, shape, twice), std::invalid_argument);
}

TEST(Array, StridedReadsRepeatAndReverse) {
  const uint16_t a[] = {1, 2, 3};
  uint16_t b[6];
  const int64_t shape[] = {2, 3}, repeat[] = {0, 1}, spread[] = {1, 0}, reverse[] = {0, -1};
  array::gather_strided(2, b, a, 2, shape, repeat);
  EXPECT_EQ(std::vector<uint16_t>(b, b + 6), (std::vector<uint16_t>{1, 2, 3, 1, 2, 3}));
  array::gather_strided(2, b, a, 2, shape, spread);
  EXPECT_EQ(std::vector<uint16_t>(b, b + 6), (std::vector<uint16_t>{1, 1, 1, 2, 2, 2}));
  array::gather_strided(2, b, a + 2, 2, shape, reverse);
  EXPECT_EQ(std::vector<uint16_t>(b, b + 6), (std::vector<uint16_t>{3, 2, 1, 3, 2, 1}));
}

}  // namespace
