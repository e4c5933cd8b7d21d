// Instructions on tiles whose result needs no arithmetic: one value, counting, a triangle, a row or column
// repeated.
#include <algorithm>
#include <cstring>

#include "isa/array/elementwise.h"
#include "isa/tile_walk.h"
#include "toprope/machine/host_core.h"

namespace toprope::isa {
namespace {

template <class T>
void count_up(uint8_t* to, uint64_t bits, size_t from, size_t n, bool descending) {
  const auto start = static_cast<T>(bits);
  for (size_t i = 0; i < n; ++i) {
    const T step = static_cast<T>(from + i);
    const T value = static_cast<T>(descending ? start - step : start + step);
    std::memcpy(to + i * sizeof(T), &value, sizeof(T));
  }
}

}  // namespace

void tile_fill(const Instruction& as, const Tile& dst, Scalar scalar) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  issue_tiles(
      core, as, site, std::array{find(core, as, "dst", dst, dst.valid_rows, dst.valid_cols, true, site)},
      [](const std::array<TileOperand, 1>& o, Scalar scalar) {
        walk_tiles(o, {}, [&](uint32_t, uint32_t, uint8_t* const* at, size_t n) {
          array::fill(o[0].element, at[0], &scalar.bits, n);
        });
      },
      scalar);
}

void tile_iota(const Instruction& as, const Tile& dst, Scalar start, bool descending) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  issue_tiles(
      core, as, site, std::array{find(core, as, "dst", dst, dst.valid_rows, dst.valid_cols, true, site)},
      [](const std::array<TileOperand, 1>& o, Scalar start, bool descending) {
        walk_tiles(o, {.merge = false}, [&](uint32_t row, uint32_t column, uint8_t* const* at, size_t n) {
          const size_t from = size_t{row} * o[0].columns + column;
          if (o[0].element == 2)
            count_up<uint16_t>(at[0], start.bits, from, n, descending);
          else
            count_up<uint32_t>(at[0], start.bits, from, n, descending);
        });
      },
      start, descending);
}

void tile_triangle(const Instruction& as, const Tile& dst, int32_t diagonal, bool upper) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const DType type = dst.shape->type;
  const uint32_t one = type == DType::Half       ? 0x3c00u
                       : type == DType::BFloat16 ? 0x3f80u
                       : type == DType::Float    ? 0x3f800000u
                                                 : 1u;
  issue_tiles(
      core, as, site, std::array{find(core, as, "dst", dst, dst.valid_rows, dst.valid_cols, true, site)},
      [](const std::array<TileOperand, 1>& o, int32_t diagonal, bool upper, uint32_t one) {
        walk_tiles(o, {.merge = false}, [&](uint32_t row, uint32_t column, uint8_t* const* at, size_t n) {
          // Lower: ones up to column row + diagonal; upper: from there on.
          const uint32_t zero = 0, e = o[0].element;
          const int64_t edge = int64_t{row} + diagonal + (upper ? 0 : 1) - column;
          const auto left = static_cast<size_t>(std::clamp<int64_t>(edge, 0, static_cast<int64_t>(n)));
          array::fill(e, at[0], upper ? &zero : &one, left);
          array::fill(e, at[0] + left * e, upper ? &one : &zero, n - left);
        });
      },
      diagonal, upper, one);
}

void tile_expand(const Instruction& as, const Tile& dst, const Tile& src, Spread how) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = dst.valid_rows, columns = dst.valid_cols;
  const bool down = how == Spread::Columns;
  check_covers(core, as, "src", src, down ? 1 : rows, down ? columns : 1, site);
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, rows, columns, true, site),
                 find(core, as, "src", src, down ? 1 : rows, down ? columns : 1, false, site)},
      [](const std::array<TileOperand, 2>& o, bool down) {
        const TileOperand& s = o[1];
        const uint32_t e = s.element;
        walk_tiles(std::array{o[0]}, {.merge = false},
                   [&](uint32_t row, uint32_t column, uint8_t* const* at, size_t n) {
                     if (!down) {
                       uint8_t value[sizeof(uint64_t)];
                       std::memcpy(value, s.byte_at(row, 0), e);
                       return array::fill(e, at[0], value, n);
                     }
                     for (uint32_t i = 0; i < n;) {
                       const uint32_t run =
                           std::min(static_cast<uint32_t>(n) - i, run_in(*s.shape, 0, column + i, false));
                       std::memmove(at[0] + size_t{i} * e, s.byte_at(0, column + i), size_t{run} * e);
                       i += run;
                     }
                   });
      },
      down);
}

}  // namespace toprope::isa
