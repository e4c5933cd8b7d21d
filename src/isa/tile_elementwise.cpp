// Elementwise instructions on tiles: the vector instructions' own kernels, walked over valid regions.
#include <algorithm>
#include <cstring>
#include <string>

#include "isa/array/elementwise.h"
#include "isa/ternary_table.h"
#include "isa/tile_walk.h"
#include "machine/fault.h"
#include "toprope/machine/host_core.h"

namespace toprope::isa {
namespace {

using array::Binary;
using array::BinaryFunction;
using array::Unary;
using array::UnaryFunction;
using OneForAll = array::Spread;

/// The block of a row again and again, for a kernel that wants a vector.
void repeat(uint8_t* line, size_t bytes, size_t needed) {
  for (size_t done = bytes; done < needed; done *= 2)
    std::memcpy(line + done, line, std::min(done, needed - done));
}

[[noreturn]] void refuse_type(Core& core, const Instruction& as, DType type, Site site) {
  refuse(core, as.name, std::string("takes no elements of type ") + name_of(type),
         "see the instruction's page for its element types", site);
}

BinaryFunction kernel_of(Core& core, const Instruction& as, Binary op, DType type, Site site,
                         OneForAll spread = OneForAll::No) {
  const BinaryFunction kernel = array::binary(op, type, spread);
  if (!kernel) [[unlikely]]
    refuse_type(core, as, type, site);
  return kernel;
}

UnaryFunction kernel_of(Core& core, const Instruction& as, Unary op, DType type, Site site) {
  const UnaryFunction kernel = array::unary(op, type);
  if (!kernel) [[unlikely]]
    refuse_type(core, as, type, site);
  return kernel;
}

/// The second source of a row-expanding instruction: how many values a row has.
uint32_t values_a_row(const Tile& tile) {
  return tile.shape->col_major ? 1 : std::min(tile.valid_cols, kBlockBytes / size_of(tile.shape->type));
}

/// The operands of an instruction whose second source may be spread, and how.
struct SpreadOperands {
  std::array<TileOperand, 3> all;  ///< dst, the source of dst's size, the other one
  Spread how;
  uint32_t values;  ///< Rows: how many values a row has
  bool lying;       ///< Rows: one row holds a value for each row
};

SpreadOperands spread_operands(Core& core, const Instruction& as, const Tile& dst, const Tile& src0,
                               const Tile& src1, Spread how, Site site) {
  const uint32_t rows = dst.valid_rows, columns = dst.valid_cols;
  check_covers(core, as, "src0", src0, rows, columns, site);
  SpreadOperands o;
  o.how = how;
  o.lying = how == Spread::Rows && src1.valid_rows < rows && src1.valid_rows == 1 && src1.valid_cols >= rows;
  o.values = o.lying ? 1 : how == Spread::Rows ? values_a_row(src1) : 0;
  const uint32_t other_rows = o.lying || how == Spread::Columns ? 1 : rows;
  const uint32_t other_columns = o.lying ? rows : how == Spread::Rows ? o.values : columns;
  check_covers(core, as, "src1", src1, other_rows, other_columns, site);
  o.all = {find(core, as, "dst", dst, rows, columns, true, site),
           find(core, as, "src0", src0, rows, columns, false, site),
           find(core, as, "src1", src1, other_rows, other_columns, false, site)};
  return o;
}

/// Elements [column, column + n) of the spread source's row, or the row's values again and again.
const uint8_t* spread_line(const SpreadOperands& o, uint32_t row, uint32_t column, uint32_t n,
                           uint8_t* line) {
  const TileOperand& b = o.all[2];
  const uint32_t e = b.element;
  if (o.how == Spread::Rows) {
    for (uint32_t k = 0; k < o.values; ++k)
      std::memcpy(line + k * e, o.lying ? b.byte_at(0, row) : b.byte_at(row, k), e);
    repeat(line, size_t{o.values} * e, size_t{n} * e);
    return line;
  }
  for (uint32_t i = 0; i < n;) {
    const uint32_t run = std::min(n - i, run_in(*b.shape, 0, column + i, false));
    if (run == n) return b.byte_at(0, column);
    std::memcpy(line + size_t{i} * e, b.byte_at(0, column + i), size_t{run} * e);
    i += run;
  }
  return line;
}

/// Calls f(dst, first source, second source, n) over the region.
template <class F>
void walk_spread(const SpreadOperands& o, F&& f) {
  if (o.how == Spread::None) {
    walk_tiles(o.all, {},
               [&](uint32_t, uint32_t, uint8_t* const* at, size_t n) { f(at[0], at[1], at[2], n); });
    return;
  }
  alignas(64) uint8_t line[kTileChunk * sizeof(uint64_t)];
  // A chunk is a multiple of the values a row, so that every one starts with the first.
  walk_tiles(std::array{o.all[0], o.all[1]}, {.merge = false, .most = kTileChunk},
             [&](uint32_t row, uint32_t column, uint8_t* const* at, size_t n) {
               f(at[0], at[1], spread_line(o, row, column, static_cast<uint32_t>(n), line), n);
             });
}

template <class Body, class... Arguments>
void issue_spread(Core& core, const Instruction& as, Site site, const SpreadOperands& o, Body body,
                  const Arguments&... arguments) {
  issue(
      core, as, site,
      [&](Footprint& f) {
        for (const TileOperand& operand : o.all) add_access(f, operand);
      },
      body, o, arguments...);
}

/// dst and sources over dst's valid region.
template <class... Sources>
std::array<TileOperand, 1 + sizeof...(Sources)> plain(Core& core, const Instruction& as, Site site,
                                                      const Tile& dst, const Sources&... sources) {
  const uint32_t rows = dst.valid_rows, columns = dst.valid_cols;
  static constexpr const char* names[] = {"src0", "src1", "src2"};
  int index = 0;
  auto source = [&](const Tile& tile) {
    const char* name = sizeof...(Sources) == 1 ? "src" : names[index++];
    check_covers(core, as, name, tile, rows, columns, site);
    return find(core, as, name, tile, rows, columns, false, site);
  };
  return {find(core, as, "dst", dst, rows, columns, true, site), source(sources)...};
}

}  // namespace

void tile_unary(const Instruction& as, Unary op, const Tile& dst, const Tile& src) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  issue_tiles(
      core, as, site, plain(core, as, site, dst, src),
      [](const std::array<TileOperand, 2>& o, UnaryFunction kernel) {
        walk_tiles(o, {}, [&](uint32_t, uint32_t, uint8_t* const* at, size_t n) { kernel(at[0], at[1], n); });
      },
      kernel_of(core, as, op, dst.shape->type, site));
}

void tile_binary(const Instruction& as, Binary op, const Tile& dst, const Tile& src0, const Tile& src1,
                 Spread how) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const BinaryFunction kernel = kernel_of(core, as, op, dst.shape->type, site);
  // Either source may be the one that is spread.
  const bool second =
      how == Spread::None || (src0.valid_rows >= dst.valid_rows && src0.valid_cols >= dst.valid_cols);
  issue_spread(
      core, as, site, spread_operands(core, as, dst, second ? src0 : src1, second ? src1 : src0, how, site),
      [](const SpreadOperands& o, BinaryFunction kernel, bool second) {
        if (second)
          walk_spread(o,
                      [&](uint8_t* d, const uint8_t* a, const uint8_t* b, size_t n) { kernel(d, a, b, n); });
        else
          walk_spread(o,
                      [&](uint8_t* d, const uint8_t* a, const uint8_t* b, size_t n) { kernel(d, b, a, n); });
      },
      kernel, second);
}

void tile_exp_difference(const Instruction& as, const Tile& dst, const Tile& src0, const Tile& src1,
                         Spread how) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  issue_spread(
      core, as, site, spread_operands(core, as, dst, src0, src1, how, site),
      [](const SpreadOperands& o, BinaryFunction kernel) {
        walk_spread(o, [&](uint8_t* d, const uint8_t* a, const uint8_t* b, size_t n) { kernel(d, a, b, n); });
      },
      kernel_of(core, as, Binary::ExpDif, dst.shape->type, site));
}

void tile_scalar(const Instruction& as, Binary op, const Tile& dst, const Tile& src, Scalar scalar,
                 bool scalar_first) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  issue_tiles(
      core, as, site, plain(core, as, site, dst, src),
      [](const std::array<TileOperand, 2>& o, BinaryFunction kernel, Scalar scalar, bool scalar_first) {
        walk_tiles(o, {}, [&](uint32_t, uint32_t, uint8_t* const* at, size_t n) {
          scalar_first ? kernel(at[0], &scalar.bits, at[1], n) : kernel(at[0], at[1], &scalar.bits, n);
        });
      },
      kernel_of(core, as, op, dst.shape->type, site, scalar_first ? OneForAll::First : OneForAll::Second),
      scalar, scalar_first);
}

void tile_chain(const Instruction& as, Binary first, Binary second, const Tile& dst, const Tile& src0,
                const Tile& src1, const Tile& src2) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const DType type = dst.shape->type;
  issue_tiles(
      core, as, site, plain(core, as, site, dst, src0, src1, src2),
      [](const std::array<TileOperand, 4>& o, BinaryFunction one, BinaryFunction two) {
        alignas(64) uint8_t between[kTileChunk * sizeof(uint64_t)];
        walk_tiles(o, {.most = kTileChunk}, [&](uint32_t, uint32_t, uint8_t* const* at, size_t n) {
          one(between, at[1], at[2], n);
          two(at[0], between, at[3], n);
        });
      },
      kernel_of(core, as, first, type, site), kernel_of(core, as, second, type, site));
}

void tile_chain_scalar(const Instruction& as, Binary first, Binary second, const Tile& dst, const Tile& src0,
                       Scalar scalar, const Tile& src2) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const DType type = dst.shape->type;
  issue_tiles(
      core, as, site, plain(core, as, site, dst, src0, src2),
      [](const std::array<TileOperand, 3>& o, BinaryFunction one, BinaryFunction two, Scalar scalar) {
        alignas(64) uint8_t between[kTileChunk * sizeof(uint64_t)];
        walk_tiles(o, {.most = kTileChunk}, [&](uint32_t, uint32_t, uint8_t* const* at, size_t n) {
          one(between, at[1], &scalar.bits, n);
          two(at[0], between, at[2], n);
        });
      },
      kernel_of(core, as, first, type, site, OneForAll::Second), kernel_of(core, as, second, type, site),
      scalar);
}

void tile_ternary(const Instruction& as, Ternary op, const Tile& dst, const Tile& src0, const Tile& src1) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const auto* table = static_cast<const TernaryTable*>(ternary_table.get());
  const auto pair = static_cast<int>(pair_of(dst.shape->type, src0.shape->type));
  issue_tiles(
      core, as, site, plain(core, as, site, dst, src0, src1),
      [](const std::array<TileOperand, 3>& o, TernaryKernel kernel) {
        walk_tiles(o, {},
                   [&](uint32_t, uint32_t, uint8_t* const* at, size_t n) { kernel(at[0], at[1], at[2], n); });
      },
      table->at[core.saturate][static_cast<int>(op)][pair]);
}

void tile_axpy(const Instruction& as, const Tile& dst, const Tile& src, Scalar scalar) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const auto* table = static_cast<const TernaryTable*>(ternary_table.get());
  issue_tiles(
      core, as, site, plain(core, as, site, dst, src),
      [](const std::array<TileOperand, 2>& o, AxpyKernel kernel, Scalar scalar) {
        walk_tiles(o, {}, [&](uint32_t, uint32_t, uint8_t* const* at, size_t n) {
          kernel(at[0], at[1], scalar, n);
        });
      },
      table->axpy[core.saturate][static_cast<int>(pair_of(dst.shape->type, src.shape->type))], scalar);
}

void tile_part(const Instruction& as, Binary op, const Tile& dst, const Tile& src0, const Tile& src1) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = dst.valid_rows, columns = dst.valid_cols;
  auto part = [&](const char* name, const Tile& tile) {
    return find(core, as, name, tile, std::min(rows, tile.valid_rows), std::min(columns, tile.valid_cols),
                false, site);
  };
  const TileOperand a = part("src0", src0), b = part("src1", src1);
  const bool whole = a.rows == rows && a.columns == columns;
  const TileOperand &full = whole ? a : b, &less = whole ? b : a;
  if (full.rows < rows || full.columns < columns) [[unlikely]]
    refuse(core, as.name,
           "neither source's valid region covers dst's " + std::to_string(rows) + " x " +
               std::to_string(columns),
           "give one source dst's valid region", site);
  issue_tiles(
      core, as, site, std::array{find(core, as, "dst", dst, rows, columns, true, site), full, less},
      [](const std::array<TileOperand, 3>& o, BinaryFunction kernel, bool whole) {
        const TileOperand& less = o[2];
        alignas(64) uint8_t line[kTileChunk * sizeof(uint64_t)];
        walk_tiles(std::array{o[0], o[1]}, {.merge = false, .most = kTileChunk},
                   [&](uint32_t row, uint32_t column, uint8_t* const* at, size_t n) {
                     const size_t e = o[0].element;
                     const size_t both = row < less.rows && column < less.columns
                                             ? std::min<size_t>(n, less.columns - column)
                                             : 0;
                     for (uint32_t i = 0; i < both;) {
                       const uint32_t run = std::min(static_cast<uint32_t>(both) - i,
                                                     run_in(*less.shape, row, column + i, false));
                       std::memcpy(line + i * e, less.byte_at(row, column + i), run * e);
                       i += run;
                     }
                     if (both) whole ? kernel(at[0], at[1], line, both) : kernel(at[0], line, at[1], both);
                     std::memmove(at[0] + both * e, at[1] + both * e, (n - both) * e);
                   });
      },
      kernel_of(core, as, op, dst.shape->type, site), whole);
}

}  // namespace toprope::isa
