// Reductions of tiles over rows and columns.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "isa/array/elementwise.h"
#include "isa/array/reduce.h"
#include "isa/tile_walk.h"
#include "machine/fault.h"
#include "toprope/machine/host_core.h"

namespace toprope::isa {
namespace {

/// n elements of a row (or, `down`, of a column) behind one another: where they lie, or gathered into `line`.
const uint8_t* line_of(const TileOperand& o, uint32_t index, uint32_t n, bool down,
                       std::vector<uint8_t>& line) {
  if (run_in(*o.shape, down ? 0 : index, down ? index : 0, down) >= n)
    return down ? o.byte_at(0, index) : o.byte_at(index, 0);
  line.resize(size_t{n} * o.element);
  for (uint32_t i = 0; i < n; ++i)
    std::memcpy(line.data() + size_t{i} * o.element, down ? o.byte_at(i, index) : o.byte_at(index, i),
                o.element);
  return line.data();
}

/// An index in the element type of the destination.
void put_index(uint8_t* to, DType type, uint32_t index) {
  if (type == DType::Float) {
    const float f = static_cast<float>(index);
    std::memcpy(to, &f, sizeof f);
  } else if (type == DType::Half) {
    const uint16_t h = half_from_float(static_cast<float>(index));
    std::memcpy(to, &h, sizeof h);
  } else {
    std::memcpy(to, &index, size_of(type));
  }
}

void arg_reduce(Core& core, const Instruction& as, bool largest, const Tile* values, const Tile& index,
                const Tile& src, bool by_rows, Site site) {
  const uint32_t rows = src.valid_rows, columns = src.valid_cols;
  const uint32_t out_rows = by_rows ? rows : 1, out_columns = by_rows ? 1 : columns;
  const TileOperand i = find(core, as, "index", index, out_rows, out_columns, true, site);
  const TileOperand v = values ? find(core, as, "value", *values, out_rows, out_columns, true, site) : i;
  const TileOperand s = find(core, as, "src", src, rows, columns, false, site);
  issue(
      core, as, site,
      [&](Footprint& f) {
        if (values) add_access(f, v);
        add_access(f, i);
        add_access(f, s);
      },
      [](const std::array<TileOperand, 3>& o, array::Reduce op, bool by_rows, bool with_values) {
        const TileOperand &v = o[0], &i = o[1], &s = o[2];
        const uint32_t lines = by_rows ? s.rows : s.columns, length = by_rows ? s.columns : s.rows;
        std::vector<uint8_t> scratch;
        for (uint32_t line = 0; line < lines && length; ++line) {
          const uint8_t* elements = line_of(s, line, length, !by_rows, scratch);
          int32_t best = 0;
          array::reduce_index(op, s.shape->type, &best, elements, 1, length, 1);
          const uint32_t row = by_rows ? line : 0, column = by_rows ? 0 : line;
          uint8_t found[sizeof(uint64_t)];
          std::memcpy(found, elements + static_cast<size_t>(best) * s.element, s.element);
          put_index(i.byte_at(row, column), i.shape->type, static_cast<uint32_t>(best));
          if (with_values) std::memcpy(v.byte_at(row, column), found, s.element);
        }
      },
      std::array{v, i, s}, largest ? array::Reduce::Max : array::Reduce::Min, by_rows, values != nullptr);
}

}  // namespace

void tile_reduce_rows(const Instruction& as, array::Reduce op, const Tile& dst, const Tile& src) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = src.valid_rows, columns = src.valid_cols;
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, rows, 1, true, site),
                 find(core, as, "src", src, rows, columns, false, site)},
      [](const std::array<TileOperand, 2>& o, array::Reduce op) {
        const TileOperand &d = o[0], &s = o[1];
        std::vector<uint8_t> scratch;
        for (uint32_t row = 0; row < s.rows && s.columns; ++row) {
          uint8_t result[sizeof(uint64_t)];
          array::reduce(op, s.shape->type, result, line_of(s, row, s.columns, false, scratch), 1, s.columns,
                        1);
          std::memcpy(d.byte_at(row, 0), result, s.element);
        }
      },
      op);
}

void tile_reduce_columns(const Instruction& as, array::Reduce op, const Tile& dst, const Tile& src,
                         bool tree) {
  using array::Binary;
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = src.valid_rows, columns = src.valid_cols;
  constexpr Binary joins[] = {Binary::Add, Binary::Mul, Binary::Max, Binary::Min};
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, 1, columns, true, site),
                 find(core, as, "src", src, rows, columns, false, site)},
      [](const std::array<TileOperand, 2>& o, array::BinaryFunction join, bool tree) {
        const TileOperand &d = o[0], &s = o[1];
        const size_t pitch = size_t{s.columns} * s.element;
        std::vector<uint8_t> joined(pitch * (tree ? s.rows : 1));
        walk_tiles(std::array{s}, {.merge = false, .writes = false},
                   [&](uint32_t row, uint32_t column, uint8_t* const* at, size_t n) {
                     uint8_t* to = joined.data() + (tree ? row * pitch : 0) + size_t{column} * s.element;
                     tree || row == 0 ? static_cast<void>(std::memcpy(to, at[0], n * s.element))
                                      : join(to, to, at[0], n);
                   });
        for (size_t n = tree ? s.rows : 1; n > 1; n = (n + 1) / 2)
          join(joined.data(), joined.data(), joined.data() + (n + 1) / 2 * pitch, n / 2 * s.columns);
        const TileShape line = {s.shape->type, s.shape->mem, false, false, 0, 0, 1, s.columns};
        copy_region({d.at, d.shape, 0, 0}, {joined.data(), &line, 0, 0}, s.rows ? 1 : 0, s.columns,
                    s.element);
      },
      array::binary(joins[static_cast<int>(op)], dst.shape->type), tree);
}

void tile_arg_rows(const Instruction& as, bool largest, const Tile* values, const Tile& index,
                   const Tile& src) {
  arg_reduce(tile_core(), as, largest, values, index, src, true, __builtin_return_address(0));
}

void tile_arg_columns(const Instruction& as, bool largest, const Tile* values, const Tile& index,
                      const Tile& src) {
  arg_reduce(tile_core(), as, largest, values, index, src, false, __builtin_return_address(0));
}

void tile_reduce_pairs(const Instruction& as, const Tile& dst, const Tile& src) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = dst.valid_rows, columns = src.valid_cols;
  check_covers(core, as, "src", src, rows, 0, site);
  const uint32_t touched = std::max((columns + 1) / 2, dst.valid_cols);
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, rows, touched, true, site),
                 find(core, as, "src", src, rows, columns, false, site)},
      [](const std::array<TileOperand, 2>& o, array::BinaryFunction join) {
        const TileOperand& s = o[1];
        const size_t e = s.element;
        alignas(64) uint8_t first[kTileChunk * sizeof(uint64_t)], second[kTileChunk * sizeof(uint64_t)];
        walk_tiles(std::array{o[0]}, {.merge = false, .most = kTileChunk},
                   [&](uint32_t row, uint32_t column, uint8_t* const* at, size_t n) {
                     // What lies behind the source's columns counts as 0.
                     auto take = [&](uint8_t* to, uint32_t place) {
                       place < s.columns ? std::memcpy(to, s.byte_at(row, place), e) : std::memset(to, 0, e);
                     };
                     for (uint32_t i = 0; i < n; ++i) {
                       take(first + i * e, 2 * (column + i));
                       take(second + i * e, 2 * (column + i) + 1);
                     }
                     join(at[0], first, second, n);
                   });
      },
      array::binary(array::Binary::Add, dst.shape->type));
}

}  // namespace toprope::isa
