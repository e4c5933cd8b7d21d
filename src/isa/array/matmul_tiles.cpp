#include "isa/array/matmul_tiles.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#define TOPROPE_VECTORS __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq")))
#define TOPROPE_TILES __attribute__((target("avx512f,amx-tile,amx-bf16")))

namespace toprope::isa::array {
namespace {

// A block is kBlock rows of a, or columns of b, by kStep of k: four tiles of 16 x 64 bytes, the upper parts
// of both halves of the block, then their lower parts. In a tile of b, neighbours in k lie beside each other.
constexpr size_t kBlock = 32, kStep = 32, kTileBytes = 1024, kBlockBytes = 4 * kTileBytes;
static_assert(kPanelDepth % kStep == 0);

/// The upper part of a float that was a half: its first 8 significant bits. The rest has 3.
constexpr uint32_t kUpper = 0xffff0000;

struct Parts {
  __m512i upper, lower;  ///< bfloat16 in the upper half of each lane; below it, zeros
};

TOPROPE_VECTORS inline Parts parts_of(__m256i halves) {
  const __m512 value = _mm512_cvtph_ps(halves);
  const __m512i upper =
      _mm512_and_epi32(_mm512_castps_si512(value), _mm512_set1_epi32(static_cast<int>(kUpper)));
  return {upper, _mm512_castps_si512(_mm512_sub_ps(value, _mm512_castsi512_ps(upper)))};
}

constexpr uint32_t first_lanes(size_t n) { return n >= 32 ? ~0u : (uint32_t{1} << n) - 1; }

TOPROPE_VECTORS inline __m512i narrowed(__m512i low, __m512i high) {
  const __m256i a = _mm512_cvtepi32_epi16(_mm512_srli_epi32(low, 16)),
                b = _mm512_cvtepi32_epi16(_mm512_srli_epi32(high, 16));
  return _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1);
}

TOPROPE_VECTORS void pack_a(void* to, const void* a, size_t stride, size_t m, size_t k) {
  auto* out = static_cast<uint8_t*>(to);
  const auto* in = static_cast<const uint16_t*>(a);
  for (size_t i = 0; i < m; i += kBlock)
    for (size_t p = 0; p < k; p += kStep, out += kBlockBytes) {
      const __mmask32 here = first_lanes(k - p);
      for (size_t r = 0; r < kBlock; ++r) {
        const __m512i row = i + r < m ? _mm512_maskz_loadu_epi16(here, in + (i + r) * stride + p) : __m512i{};
        const Parts low = parts_of(_mm512_castsi512_si256(row)),
                    high = parts_of(_mm512_extracti64x4_epi64(row, 1));
        _mm512_store_si512(out + r * 64, narrowed(low.upper, high.upper));
        _mm512_store_si512(out + 2 * kTileBytes + r * 64, narrowed(low.lower, high.lower));
      }
    }
}

/// Lane by lane, `even` below `odd`.
TOPROPE_VECTORS inline __m512i paired(__m512i even, __m512i odd) {
  return _mm512_or_epi32(_mm512_srli_epi32(even, 16),
                         _mm512_and_epi32(odd, _mm512_set1_epi32(static_cast<int>(kUpper))));
}

TOPROPE_VECTORS void pack_b(void* to, const void* b, size_t stride, size_t n, size_t k) {
  auto* out = static_cast<uint8_t*>(to);
  const auto* in = static_cast<const uint16_t*>(b);
  for (size_t j = 0; j < n; j += kBlock) {
    const __mmask32 here = first_lanes(n - j);
    for (size_t p = 0; p < k; p += kStep, out += kBlockBytes)
      for (size_t pair = 0; pair < kStep / 2; ++pair) {
        const size_t row = p + 2 * pair;
        const auto* from = in + row * stride + j;
        const __m512i even = row < k ? _mm512_maskz_loadu_epi16(here, from) : __m512i{},
                      odd = row + 1 < k ? _mm512_maskz_loadu_epi16(here, from + stride) : __m512i{};
        for (int half = 0; half < 2; ++half) {
          const Parts e = parts_of(half ? _mm512_extracti64x4_epi64(even, 1) : _mm512_castsi512_si256(even)),
                      o = parts_of(half ? _mm512_extracti64x4_epi64(odd, 1) : _mm512_castsi512_si256(odd));
          uint8_t* at = out + static_cast<size_t>(half) * kTileBytes + pair * 64;
          _mm512_store_si512(at, paired(e.upper, o.upper));
          _mm512_store_si512(at + 2 * kTileBytes, paired(e.lower, o.lower));
        }
      }
  }
}

/// Four 16 x 16 tiles of c += the products of `steps` blocks.
TOPROPE_TILES void tile(float* c, size_t stride, const uint8_t* a, const uint8_t* b, size_t steps) {
  const size_t row = stride * sizeof(float);
  float* const below = c + 16 * stride;
  _tile_loadd(0, c, row);
  _tile_loadd(1, c + 16, row);
  _tile_loadd(2, below, row);
  _tile_loadd(3, below + 16, row);
  const auto products = [&]() __attribute__((target("avx512f,amx-tile,amx-bf16"), always_inline)) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  };
  for (size_t s = 0; s < steps; ++s, a += kBlockBytes, b += kBlockBytes) {
    _tile_loadd(4, a, 64);
    _tile_loadd(5, a + kTileBytes, 64);
    _tile_loadd(6, b, 64);
    _tile_loadd(7, b + kTileBytes, 64);
    products();
    _tile_loadd(6, b + 2 * kTileBytes, 64);
    _tile_loadd(7, b + 3 * kTileBytes, 64);
    products();
    _tile_loadd(4, a + 2 * kTileBytes, 64);
    _tile_loadd(5, a + 3 * kTileBytes, 64);
    products();
    _tile_loadd(6, b, 64);
    _tile_loadd(7, b + kTileBytes, 64);
    products();
  }
  _tile_stored(0, c, row);
  _tile_stored(1, c + 16, row);
  _tile_stored(2, below, row);
  _tile_stored(3, below + 16, row);
}

struct alignas(64) Shapes {
  uint8_t palette = 1, start_row = 0, unused[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(Shapes) == 64);

TOPROPE_TILES void product(void* result, size_t stride, const void* pa, const void* pb, size_t m, size_t n,
                           size_t k) {
  static const Shapes shapes;
  _tile_loadconfig(&shapes);
  const size_t steps = (k + kStep - 1) / kStep;
  auto* const c = static_cast<float*>(result);
  const auto* b = static_cast<const uint8_t*>(pb);
  for (size_t j = 0; j < n; j += kBlock, b += steps * kBlockBytes) {
    const auto* a = static_cast<const uint8_t*>(pa);
    for (size_t i = 0; i < m; i += kBlock, a += steps * kBlockBytes) {
      const size_t high = std::min(kBlock, m - i), wide = std::min(kBlock, n - j);
      float* const at = c + i * stride + j;
      if (high == kBlock && wide == kBlock) {
        tile(at, stride, a, b, steps);
        continue;
      }
      alignas(64) float whole[kBlock * kBlock] = {};
      for (size_t r = 0; r < high; ++r)
        std::memcpy(whole + r * kBlock, at + r * stride, wide * sizeof(float));
      tile(whole, kBlock, a, b, steps);
      for (size_t r = 0; r < high; ++r)
        std::memcpy(at + r * stride, whole + r * kBlock, wide * sizeof(float));
    }
  }
  _tile_release();
}

/// The processor has tiles of bfloat16, and the system saves them for this process.
bool has_tiles() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned kBf16 = 1u << 22, kTile = 1u << 24;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (d & (kBf16 | kTile)) != (kBf16 | kTile)) return false;
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl")) return false;
  constexpr long kAsk = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kAsk, kTileData) == 0;
}

}  // namespace

const MatmulKernels* matmul_of_half_in_tiles() {
  static const MatmulKernels kernels = {kBlock, kBlock, kStep, &pack_a, &pack_b, &product};
  static const bool has = has_tiles();
  return has && !portable_target_pinned() ? &kernels : nullptr;
}

}  // namespace toprope::isa::array

#else

namespace toprope::isa::array {
const MatmulKernels* matmul_of_half_in_tiles() { return nullptr; }
}  // namespace toprope::isa::array

#endif

namespace toprope::isa::array {

bool all_finite_halves(const void* data, size_t n) {
  constexpr uint16_t kExponent = 0x7c00;
  const auto* halves = static_cast<const uint16_t*>(data);
  constexpr size_t kStride = 4096;
  for (size_t i = 0; i < n; i += kStride) {
    const size_t end = n - i < kStride ? n : i + kStride;
    uint16_t found = 0;  // without a branch inside: the compiler makes vectors of it
    for (size_t k = i; k < end; ++k) found |= (halves[k] & kExponent) == kExponent;
    if (found) return false;
  }
  return true;
}

}  // namespace toprope::isa::array
