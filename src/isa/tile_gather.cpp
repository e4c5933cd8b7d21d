#include "toprope/isa/tile_gather.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "isa/tile_walk.h"
#include "machine/fault.h"
#include "toprope/machine/host_core.h"

namespace toprope::isa {
namespace {

uint64_t index_at(const TileOperand& o, uint32_t row, uint32_t column) {
  uint64_t value = 0;
  std::memcpy(&value, o.byte_at(row, column), o.element);
  return value;
}

/// Indices are data: one that leaves the tile is refused when the instruction runs.
void check_index(Core& core, const Instruction& as, uint64_t index, const TileOperand& tile, uint64_t unit,
                 Site site) {
  const uint64_t room = uint64_t{tile.shape->rows} * tile.shape->cols * tile.element / unit;
  if (index < room) [[likely]]
    return;
  refuse(core, as.name,
         "index " + std::to_string(index) + " lies outside " + tile.name + ", which has room for " +
             std::to_string(room),
         "keep every index below the tile's size", site);
}

TileOperand whole(Core& core, const Instruction& as, const char* name, const Tile& tile, bool write,
                  Site site) {
  return find(core, as, name, tile, tile.valid_rows, tile.valid_cols, write, site);
}

}  // namespace

void tile_gather(const Instruction& as, const Tile& dst, const Tile& src, const Tile& index) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  check_covers(core, as, "index", index, dst.valid_rows, dst.valid_cols, site);
  issue_tiles(
      core, as, site,
      std::array{whole(core, as, "dst", dst, true, site), whole(core, as, "src", src, false, site),
                 find(core, as, "index", index, dst.valid_rows, dst.valid_cols, false, site)},
      [](const std::array<TileOperand, 3>& o, Core* core, const Instruction* as, Site site) {
        for (uint32_t r = 0; r < o[0].rows; ++r)
          for (uint32_t c = 0; c < o[0].columns; ++c) {
            const uint64_t i = index_at(o[2], r, c);
            check_index(*core, *as, i, o[1], o[1].element, site);
            std::memcpy(o[0].byte_at(r, c), o[1].at + i * o[1].element, o[0].element);
          }
      },
      &core, &as, site);
}

void tile_gather_blocks(const Instruction& as, const Tile& dst, const Tile& src, const Tile& offset) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  issue_tiles(
      core, as, site,
      std::array{whole(core, as, "dst", dst, true, site), whole(core, as, "src", src, false, site),
                 whole(core, as, "offset", offset, false, site)},
      [](const std::array<TileOperand, 3>& o, Core* core, const Instruction* as, Site site) {
        const uint32_t unit = kBlockBytes / o[0].element;
        for (uint32_t r = 0; r < o[0].rows; ++r)
          for (uint32_t c = 0; c < o[0].columns; c += unit) {
            const uint64_t at = index_at(o[2], r, c / unit);
            check_index(*core, *as, at + kBlockBytes - 1, o[1], 1, site);
            std::memcpy(o[0].byte_at(r, c), o[1].at + at, std::min(unit, o[0].columns - c) * o[0].element);
          }
      },
      &core, &as, site);
}

void tile_gather_comb(const Instruction& as, const Tile& dst, const Tile& src, Comb comb, bool by_columns) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t kept = (src.valid_cols + comb.step - 1 - comb.first) / comb.step;
  const uint64_t room = uint64_t{dst.shape->rows} * dst.shape->cols;
  if (!by_columns && uint64_t{kept} * src.valid_rows > room) [[unlikely]]
    refuse(core, as.name,
           "dst has room for " + std::to_string(room) + " elements, and " +
               std::to_string(uint64_t{kept} * src.valid_rows) + " are gathered",
           "give dst as many elements as the pattern keeps", site);
  issue_tiles(
      core, as, site,
      std::array{whole(core, as, "dst", dst, true, site), whole(core, as, "src", src, false, site)},
      [](const std::array<TileOperand, 2>& o, Comb comb, bool by_columns) {
        const TileOperand &d = o[0], &s = o[1];
        if (by_columns) {
          for (uint32_t r = comb.first, to = 0; r < s.rows && to < d.rows; r += comb.step, ++to)
            copy_region({d.at, d.shape, to, 0}, {s.at, s.shape, r, 0}, 1, std::min(s.columns, d.columns),
                        d.element);
          return;
        }
        uint8_t* to = d.at;
        for (uint32_t r = 0; r < s.rows; ++r)
          for (uint32_t c = comb.first; c < s.columns; c += comb.step, to += d.element)
            std::memcpy(to, s.byte_at(r, c), d.element);
      },
      comb, by_columns);
}

void tile_scatter(const Instruction& as, const Tile& dst, const Tile& src, const Tile& index) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  check_covers(core, as, "src", src, index.valid_rows, index.valid_cols, site);
  issue_tiles(
      core, as, site,
      std::array{whole(core, as, "dst", dst, true, site),
                 find(core, as, "src", src, index.valid_rows, index.valid_cols, false, site),
                 whole(core, as, "index", index, false, site)},
      [](const std::array<TileOperand, 3>& o, Core* core, const Instruction* as, Site site) {
        for (uint32_t r = 0; r < o[2].rows; ++r)
          for (uint32_t c = 0; c < o[2].columns; ++c) {
            const uint64_t i = index_at(o[2], r, c);
            check_index(*core, *as, i, o[0], o[0].element, site);
            std::memcpy(o[0].at + i * o[0].element, o[1].byte_at(r, c), o[0].element);
          }
      },
      &core, &as, site);
}

void tile_scatter_comb(const Instruction& as, const Tile& dst, const Tile& src, Comb comb, bool by_columns) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  issue_tiles(
      core, as, site,
      std::array{whole(core, as, "dst", dst, true, site), whole(core, as, "src", src, false, site)},
      [](const std::array<TileOperand, 2>& o, Comb comb, bool by_columns) {
        const TileOperand &d = o[0], &s = o[1];
        for (uint32_t r = 0; r < d.rows; ++r)
          for (uint32_t c = 0; c < d.columns; ++c) {
            const uint32_t place = by_columns ? r : c;
            const uint32_t from_row = by_columns ? r / comb.step : r,
                           from_column = by_columns ? c : c / comb.step;
            if (place % comb.step == comb.first && from_row < s.rows && from_column < s.columns)
              std::memcpy(d.byte_at(r, c), s.byte_at(from_row, from_column), d.element);
            else
              std::memset(d.byte_at(r, c), 0, d.element);
          }
      },
      comb, by_columns);
}

void tile_interleave(const Instruction& as, const Tile& dst1, const Tile& dst0, const Tile& src1,
                     const Tile& src0) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = dst0.valid_rows, columns = dst0.valid_cols;
  for (const Tile* t : {&dst1, &src1, &src0}) check_covers(core, as, "each tile", *t, rows, columns, site);
  issue_tiles(core, as, site,
              std::array{find(core, as, "dst0", dst0, rows, columns, true, site),
                         find(core, as, "dst1", dst1, rows, columns, true, site),
                         find(core, as, "src0", src0, rows, columns, false, site),
                         find(core, as, "src1", src1, rows, columns, false, site)},
              [](const std::array<TileOperand, 4>& o) {
                const uint32_t middle = o[0].columns / 2;
                for (uint32_t r = 0; r < o[0].rows; ++r)
                  for (uint32_t c = 0; c < 2 * middle; ++c)
                    for (uint32_t k = 0; k < 2; ++k)
                      std::memcpy(o[c / middle].byte_at(r, 2 * (c % middle) + k), o[2 + k].byte_at(r, c),
                                  o[0].element);
              });
}

void tile_deinterleave(const Instruction& as, const Tile& dst1, const Tile& dst0, const Tile* src1,
                       const Tile& src0) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = dst0.valid_rows, columns = dst0.valid_cols;
  const uint32_t wide = src1 ? columns : 2 * columns;
  check_covers(core, as, "src0", src0, rows, wide, site);
  check_covers(core, as, "dst1", dst1, rows, columns, site);
  const TileOperand first = find(core, as, "src0", src0, rows, wide, false, site);
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst0", dst0, rows, columns, true, site),
                 find(core, as, "dst1", dst1, rows, columns, true, site), first,
                 src1 ? find(core, as, "src1", *src1, rows, columns, false, site) : first},
      [](const std::array<TileOperand, 4>& o, bool one_source) {
        const uint32_t columns = o[0].columns;
        for (uint32_t r = 0; r < o[0].rows; ++r)
          for (uint32_t c = 0; c < columns; ++c) {
            const bool second = !one_source && c >= columns / 2;
            const uint32_t pair = second ? c - columns / 2 : c;
            for (uint32_t k = 0; k < 2; ++k)
              std::memcpy(o[k].byte_at(r, c), o[second ? 3 : 2].byte_at(r, 2 * pair + k), o[0].element);
          }
      },
      src1 == nullptr);
}

}  // namespace toprope::isa
