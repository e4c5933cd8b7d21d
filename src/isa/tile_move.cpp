// Tiles to tiles: parts, other layouts, transposed, side by side, padded.
#include "toprope/isa/tile_move.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "isa/tile_drain.h"
#include "isa/tile_walk.h"
#include "machine/fault.h"
#include "toprope/machine/host_core.h"

namespace toprope::isa {
namespace {

/// A tile from (row, column) on must have the rows and columns that are asked for.
void check_part(Core& core, const Instruction& as, const char* name, const Tile& tile, uint32_t row,
                uint32_t column, uint32_t rows, uint32_t columns, Site site) {
  const TileShape& s = *tile.shape;
  if (row + uint64_t{rows} <= s.rows && column + uint64_t{columns} <= s.cols) [[likely]]
    return;
  refuse(core, as.name,
         std::string(name) + " has " + std::to_string(s.rows) + " x " + std::to_string(s.cols) +
             " elements; " + std::to_string(rows) + " x " + std::to_string(columns) + " from (" +
             std::to_string(row) + ", " + std::to_string(column) + ") on lie outside",
         "take a part that lies inside the tile", site);
}

/// copy_region of elements that change on the way; parameters count columns of the region from `first` on.
void drain_region(const DrainPlan& plan, const TilePlace& dst, const TilePlace& src, uint32_t first,
                  uint32_t rows, uint32_t columns) {
  std::vector<uint8_t> from(size_t{columns} * size_of(src.shape->type)),
      to(size_t{columns} * size_of(dst.shape->type));
  const TileShape in = {src.shape->type, Mem::UB, false, false, 0, 0, 1, columns},
                  out = {dst.shape->type, Mem::UB, false, false, 0, 0, 1, columns};
  for (uint32_t r = 0; r < rows; ++r) {
    copy_region({from.data(), &in, 0, 0}, {src.at, src.shape, src.row + r, src.column}, 1, columns,
                size_of(in.type));
    drain_line(plan, out.type, to.data(), in.type, from.data(), first, columns);
    copy_region({dst.at, dst.shape, dst.row + r, dst.column}, {to.data(), &out, 0, 0}, 1, columns,
                size_of(out.type));
  }
}

struct Part {
  uint32_t dst_row, dst_column, src_row, src_column, rows, columns;
};

void copy_part(Core& core, const Instruction& as, const Tile& dst, const Tile& src, const Part& p,
               const Drain& drain, Site site) {
  check_part(core, as, "dst", dst, p.dst_row, p.dst_column, p.rows, p.columns, site);
  check_part(core, as, "src", src, p.src_row, p.src_column, p.rows, p.columns, site);
  TileOperand parameters;
  const DrainPlan plan = plan_of(core, as, drain, p.src_column + p.columns, parameters, site);
  // The footprints reach from each tile's first element to the part's last.
  const std::array operands = {
      find(core, as, "dst", dst, p.dst_row + p.rows, p.dst_column + p.columns, true, site),
      find(core, as, "src", src, p.src_row + p.rows, p.src_column + p.columns, false, site)};
  issue(
      core, as, site,
      [&](Footprint& f) {
        for (const TileOperand& o : operands) add_access(f, o);
        if (plan.words) add_access(f, parameters);
      },
      [](const std::array<TileOperand, 2>& o, const DrainPlan& plan, const Part& p) {
        const TilePlace to = {o[0].at, o[0].shape, p.dst_row, p.dst_column},
                        from = {o[1].at, o[1].shape, p.src_row, p.src_column};
        if (plan.changes(to.shape->type, from.shape->type))
          drain_region(plan, to, from, p.src_column, p.rows, p.columns);
        else
          copy_region(to, from, p.rows, p.columns, o[0].element);
      },
      operands, plan, p);
}

}  // namespace

void tile_extract(const Instruction& as, const Tile& dst, const Tile& src, uint32_t row, uint32_t column,
                  const Drain& drain) {
  copy_part(tile_core(), as, dst, src, {0, 0, row, column, dst.valid_rows, dst.valid_cols}, drain,
            __builtin_return_address(0));
}

void tile_insert(const Instruction& as, const Tile& dst, const Tile& src, uint32_t row, uint32_t column,
                 const Drain& drain) {
  copy_part(tile_core(), as, dst, src, {row, column, 0, 0, src.valid_rows, src.valid_cols}, drain,
            __builtin_return_address(0));
}

void tile_transpose(const Instruction& as, const Tile& dst, const Tile& src) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = src.valid_rows, columns = src.valid_cols;
  issue_tiles(core, as, site,
              std::array{find(core, as, "dst", dst, columns, rows, true, site),
                         find(core, as, "src", src, rows, columns, false, site)},
              [](const std::array<TileOperand, 2>& o) {
                // The transpose of a layout is the same bytes with rows and columns exchanged.
                TileShape turned = *o[1].shape;
                turned.col_major = !turned.col_major;
                turned.box_col_major = !turned.box_col_major;
                std::swap(turned.rows, turned.cols);
                std::swap(turned.box_rows, turned.box_cols);
                copy_region({o[0].at, o[0].shape, 0, 0}, {o[1].at, &turned, 0, 0}, o[0].rows, o[0].columns,
                            o[0].element);
              });
}

void tile_concatenate(const Instruction& as, const Tile& dst, const Tile& src0, const Tile& src1) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = dst.valid_rows, first = src0.valid_cols, second = src1.valid_cols;
  issue_tiles(core, as, site,
              std::array{find(core, as, "dst", dst, rows, first + second, true, site),
                         find(core, as, "src0", src0, rows, first, false, site),
                         find(core, as, "src1", src1, rows, second, false, site)},
              [](const std::array<TileOperand, 3>& o) {
                for (int i = 1; i < 3; ++i)
                  copy_region({o[0].at, o[0].shape, 0, i == 1 ? 0 : o[1].columns},
                              {o[i].at, o[i].shape, 0, 0}, o[i].rows, o[i].columns, o[i].element);
              });
}

void tile_concatenate_indexed(const Instruction& as, const Tile& dst, const Tile& src0, const Tile& src1,
                              const Tile& index0, const Tile& index1, const Tile* lengths) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = dst.valid_rows;
  const TileOperand i0 = find(core, as, "src0Idx", index0, rows, 1, false, site);
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, rows, dst.valid_cols, true, site),
                 lengths ? find(core, as, "dstIdx", *lengths, rows, 1, true, site) : i0,
                 find(core, as, "src0", src0, rows, src0.valid_cols, false, site),
                 find(core, as, "src1", src1, rows, src1.valid_cols, false, site), i0,
                 find(core, as, "src1Idx", index1, rows, 1, false, site)},
      [](const std::array<TileOperand, 6>& o, bool with_lengths) {
        const TileOperand& d = o[0];
        for (uint32_t r = 0; r < d.rows; ++r) {
          uint64_t bytes[2] = {0, 0};
          for (int k = 0; k < 2; ++k) std::memcpy(&bytes[k], o[4 + k].byte_at(r, 0), o[4 + k].element);
          uint32_t column = 0;
          for (int k = 0; k < 2; ++k) {
            const TileOperand& s = o[2 + k];
            const auto n = static_cast<uint32_t>(
                std::min<uint64_t>({bytes[k] / o[4 + k].element, s.columns, d.columns - column}));
            copy_region({d.at, d.shape, r, column}, {s.at, s.shape, r, 0}, 1, n, d.element);
            column += n;
          }
          const uint64_t sum = bytes[0] + bytes[1];
          if (with_lengths) std::memcpy(o[1].byte_at(r, 0), &sum, o[1].element);
        }
      },
      lengths != nullptr);
}

void tile_fill_pad(const Instruction& as, const Tile& dst, const Tile& src, uint32_t rows, uint32_t columns,
                   Scalar value) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t valid_rows = std::min(src.valid_rows, rows),
                 valid_columns = std::min(src.valid_cols, columns);
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, rows, columns, true, site),
                 find(core, as, "src", src, valid_rows, valid_columns, false, site)},
      [](const std::array<TileOperand, 2>& o, Scalar value) {
        const TileOperand &d = o[0], &s = o[1];
        const bool in_place =
            d.at == s.at && d.shape->cols == s.shape->cols && d.shape->rows == s.shape->rows;
        if (!in_place)
          copy_region({d.at, d.shape, 0, 0}, {s.at, s.shape, 0, 0}, s.rows, s.columns, d.element);
        for (uint32_t r = 0; r < d.rows; ++r)
          for (uint32_t c = r < s.rows ? s.columns : 0; c < d.columns; ++c)
            std::memcpy(d.byte_at(r, c), &value.bits, d.element);
      },
      value);
}

}  // namespace toprope::isa
