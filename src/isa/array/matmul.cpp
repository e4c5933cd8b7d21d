// The matrix product, blocked so that a panel of b stays in the first-level cache and a block of a in the
// second.
#include "isa/array/matmul.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "isa/array/elementwise.h"
#include "isa/array/matmul_table.h"
#include "isa/array/matmul_tiles.h"

namespace toprope::isa::array {
namespace {

constexpr size_t kBlockRows = 192, kBlockColumns = 2016;
constexpr size_t kPackedElements = size_t{1} << 22;  // of b, at a time

struct Free {
  void operator()(void* p) const { std::free(p); }
};
using Room = std::unique_ptr<void, Free>;

constexpr size_t up(size_t n, size_t unit) { return (n + unit - 1) / unit * unit; }

/// Panels are walked with large steps: in huge pages each step finds its translation.
Room room(size_t bytes) {
  constexpr size_t kHuge = size_t{2} << 20;
  const size_t unit = bytes >= kHuge ? kHuge : 64;
  const size_t whole = up(bytes + 64, unit);
  void* p = std::aligned_alloc(unit, whole);
  if (!p) throw std::bad_alloc();
  if (unit == kHuge) madvise(p, whole, MADV_HUGEPAGE);  // refused where there are none: ordinary pages do
  return Room(p);
}

/// Memory that a thread keeps for its next product: new pages would have to be cleared first, a twentieth of
/// the time of 1024 cubed.
class Kept {
 public:
  void* of(size_t bytes) {
    if (bytes > kMost) return (large_ = room(bytes)).get();
    large_.reset();
    if (bytes > size_) {
      kept_ = room(bytes);
      size_ = bytes;
    }
    return kept_.get();
  }

 private:
  static constexpr size_t kMost = kPackedElements * 4 + (size_t{1} << 20);
  Room kept_, large_;
  size_t size_ = 0;
};

const MatmulKernels& kernels_of(DType in, DType out) {
  const auto& table = *static_cast<const MatmulTable*>(matmul_table.get());
  if (in == DType::Float && out == DType::Float) return table.of_float;
  if (in == DType::Half && (out == DType::Float || out == DType::Half)) return table.of_half;
  if (in == DType::BFloat16 && (out == DType::Float || out == DType::BFloat16)) return table.of_bfloat;
  if (in == DType::Int8 && out == DType::Int32) return table.of_int8;
  throw std::invalid_argument(std::string("no matrix product of ") + name_of(in) + " gives " + name_of(out));
}

/// Matrix tiles where the processor has them and the operands are worth it and fit.
const MatmulKernels* best_kernels(const MatmulKernels& usual, DType in, const void* a, const void* b,
                                  size_t m, size_t k, size_t n) {
  constexpr size_t kWorth = 16;
  if (in != DType::Half || std::min({m, k, n}) < kWorth) return &usual;
  const MatmulKernels* tiles = matmul_of_half_in_tiles();
  return tiles && all_finite_halves(a, m * k) && all_finite_halves(b, k * n) ? tiles : &usual;
}

/// What the sums start from, as they are kept.
void begin(DType out, void* sums, DType kept, const void* c, const void* bias, MatmulStart start, size_t m,
           size_t n) {
  if (start == MatmulStart::Zero) {
    std::memset(sums, 0, m * n * 4);
  } else if (start == MatmulStart::Accumulate) {
    if (sums != c) cast(kept, sums, out, c, Round::None, m * n);
  } else {
    auto* row = static_cast<uint8_t*>(sums);
    if (m == 0) return;
    if (out == kept)
      std::memcpy(row, bias, n * 4);
    else
      cast(kept, row, out, bias, Round::None, n);
    for (size_t i = 1; i < m; ++i) std::memcpy(row + i * n * 4, row, n * 4);
  }
}

}  // namespace

void matmul(DType in, DType out, void* c, const void* a, const void* b, const void* bias, MatmulStart start,
            int64_t m_, int64_t k_, int64_t n_) {
  const auto m = static_cast<size_t>(m_), k = static_cast<size_t>(k_), n = static_cast<size_t>(n_);
  const MatmulKernels& kernels = *best_kernels(kernels_of(in, out), in, a, b, m, k, n);
  if (m == 0 || n == 0) return;
  const DType kept = in == DType::Int8 ? DType::Int32 : DType::Float;
  const Room aside = kept == out ? Room() : room(m * n * 4);
  auto* sums = static_cast<uint8_t*>(aside ? aside.get() : c);
  begin(out, sums, kept, c, bias, start, m, n);

  // All of k is packed for a block of columns, so that a block of c is completed before the next one is
  // touched.
  const size_t element = size_of(in), depth = std::min(k, kPanelDepth);
  const size_t most = std::max(kPackedElements / std::max(k, size_t{1}), kernels.columns);
  const size_t block_columns = std::min({n, kBlockColumns, most / kernels.columns * kernels.columns});
  const size_t padded = up(block_columns, kernels.columns);
  static thread_local Kept of_a, of_b;
  void* const packed_a = of_a.of(up(std::min(m, kBlockRows), kernels.rows) * up(depth, kernels.steps) * 4);
  auto* const panels = static_cast<uint8_t*>(of_b.of(padded * up(k, kernels.steps) * 4));
  const auto* left = static_cast<const uint8_t*>(a);
  const auto* right = static_cast<const uint8_t*>(b);
  for (size_t j = 0; j < n; j += block_columns) {
    const size_t columns = std::min(block_columns, n - j);
    for (size_t p = 0; p < k; p += kPanelDepth)
      kernels.pack_b(panels + p * padded * 4, right + (p * n + j) * element, n, columns,
                     std::min(kPanelDepth, k - p));
    for (size_t i = 0; i < m; i += kBlockRows) {
      const size_t rows = std::min(kBlockRows, m - i);
      for (size_t p = 0; p < k; p += kPanelDepth) {
        const size_t steps = std::min(kPanelDepth, k - p);
        kernels.pack_a(packed_a, left + (i * k + p) * element, k, rows, steps);
        kernels.product(sums + (i * n + j) * 4, n, packed_a, panels + p * padded * 4, rows, columns, steps);
      }
    }
  }
  if (aside) cast(out, c, kept, sums, Round::Rint, m * n);
}

}  // namespace toprope::isa::array
