// Sorting and merging records of a value and an index in tiles, and the conversions that take two or three
// steps.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "isa/array/elementwise.h"
#include "isa/records.h"
#include "isa/tile_walk.h"
#include "machine/fault.h"
#include "toprope/isa/tile_gather.h"
#include "toprope/machine/host_core.h"

namespace toprope::isa {
namespace {

/// `elements` elements of the first row from column `first` on, as the records that they hold.
Run run_of(const TileOperand& o, uint32_t first, uint32_t elements) {
  return {o.byte_at(0, first), elements * o.element / kRecordBytes};
}

}  // namespace

void tile_sort32(const Instruction& as, const Tile& dst, const Tile& src, const Tile& index) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = src.valid_rows, columns = src.valid_cols,
                 width = kRecordBytes / size_of(src.shape->type);
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, rows, columns * width, true, site),
                 find(core, as, "src", src, rows, columns, false, site),
                 find(core, as, "index", index, index.valid_rows < rows ? 1 : rows, columns, false, site)},
      [](const std::array<TileOperand, 3>& o, uint32_t width) {
        const TileOperand &d = o[0], &s = o[1], &index = o[2];
        const SortKernel sort = sort_kernel(s.shape->type);
        for (uint32_t r = 0; r < s.rows; ++r)
          for (uint32_t c = 0; c < s.columns; c += kSortGroup) {
            const uint32_t n = std::min(kSortGroup, s.columns - c), row = index.rows == 1 ? 0 : r;
            uint8_t scores[kSortGroup * sizeof(float)], indices[kSortGroup * sizeof(uint32_t)];
            for (uint32_t i = 0; i < n; ++i) {
              std::memcpy(scores + i * s.element, s.byte_at(r, c + i), s.element);
              std::memcpy(indices + i * sizeof(uint32_t), index.byte_at(row, c + i), sizeof(uint32_t));
            }
            sort(d.byte_at(r, c * width), scores, indices, n);
          }
      },
      width);
}

void tile_merge(const Instruction& as, const Tile& dst, const Tile* const* runs, uint32_t count,
                bool exhausted, uint16_t* counts) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  static constexpr const char* names[] = {"src0", "src1", "src2", "src3"};
  std::array<TileOperand, 5> o;
  o[0] = find(core, as, "dst", dst, 1, dst.valid_cols, true, site);
  for (uint32_t i = 0; i < 4; ++i)
    o[1 + i] = i < count ? find(core, as, names[i], *runs[i], 1, runs[i]->valid_cols, false, site) : o[0];
  issue_now(
      core, as, site,
      [&](Footprint& f) {
        for (uint32_t i = 0; i <= count; ++i) add_access(f, o[i]);
      },
      [&] {
        Run lists[4];
        for (uint32_t i = 0; i < count; ++i) lists[i] = run_of(o[1 + i], 0, o[1 + i].columns);
        const uint32_t room = o[0].columns * o[0].element / kRecordBytes;
        std::vector<uint8_t> out(size_t{room} * kRecordBytes);
        const Merged m = merge_records(out.data(), lists, room, o[0].shape->type, exhausted);
        std::memcpy(o[0].at, out.data(), out.size());
        std::copy(m.taken, m.taken + 4, counts);
      });
}

void tile_merge_four(const Instruction& as, const Tile& dst, const Tile& src, uint32_t length) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  if (length == 0 || length * size_of(src.shape->type) % kRecordBytes) [[unlikely]]
    refuse(core, as.name, "a block of " + std::to_string(length) + " elements holds no whole records",
           "give a multiple of 64 elements", site);
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, 1, src.valid_cols, true, site),
                 find(core, as, "src", src, 1, src.valid_cols, false, site)},
      [](const std::array<TileOperand, 2>& o, uint32_t length) {
        std::vector<uint8_t> out(size_t{4} * length * o[1].element);
        for (uint32_t c = 0; c + 4 * length <= o[1].columns; c += 4 * length) {
          Run lists[4];
          for (uint32_t i = 0; i < 4; ++i) lists[i] = run_of(o[1], c + i * length, length);
          merge_records(out.data(), lists, ~0u, o[1].shape->type, false);
          std::memcpy(o[0].byte_at(0, c), out.data(), out.size());
        }
      },
      length);
}

void tile_dequantise(const Instruction& as, const Tile& dst, const Tile& src, const Tile& scale,
                     const Tile& offset) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = dst.valid_rows, columns = dst.valid_cols;
  check_covers(core, as, "src", src, rows, columns, site);
  check_covers(core, as, "scale", scale, rows, 1, site);
  check_covers(core, as, "offset", offset, rows, 1, site);
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, rows, columns, true, site),
                 find(core, as, "src", src, rows, columns, false, site),
                 find(core, as, "scale", scale, rows, std::max(scale.valid_cols, 1u), false, site),
                 find(core, as, "offset", offset, rows, std::max(offset.valid_cols, 1u), false, site)},
      [](const std::array<TileOperand, 4>& o) {
        const DType from = o[1].shape->type;
        walk_tiles(std::array{o[0], o[1]}, {.merge = false, .most = kTileChunk},
                   [&](uint32_t row, uint32_t column, uint8_t* const* at, size_t n) {
                     auto* out = reinterpret_cast<float*>(at[0]);
                     array::cast(DType::Float, out, from, at[1], Round::Rint, n);
                     for (size_t i = 0; i < n; ++i) {
                       const auto place = [&](const TileOperand& p) {
                         return p.byte_at(row, std::min(column + static_cast<uint32_t>(i), p.columns - 1));
                       };
                       float scale, offset;
                       std::memcpy(&scale, place(o[2]), sizeof scale);
                       std::memcpy(&offset, place(o[3]), sizeof offset);
                       out[i] = (out[i] - offset) * scale;
                     }
                   });
      });
}

void tile_add_dequantise_relu(const Instruction& as, const Tile& dst, const Tile& src0, const Tile& src1,
                              float scale) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = dst.valid_rows, columns = dst.valid_cols;
  check_covers(core, as, "src0", src0, rows, columns, site);
  check_covers(core, as, "src1", src1, rows, columns, site);
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, rows, columns, true, site),
                 find(core, as, "src0", src0, rows, columns, false, site),
                 find(core, as, "src1", src1, rows, columns, false, site)},
      [](const std::array<TileOperand, 3>& o, float scale) {
        const array::BinaryFunction add = array::binary(array::Binary::Add, DType::Int32);
        walk_tiles(o, {.most = kTileChunk}, [&](uint32_t, uint32_t, uint8_t* const* at, size_t n) {
          alignas(64) int32_t sum[kTileChunk];
          add(sum, at[1], at[2], n);
          for (size_t i = 0; i < n; ++i) {
            const double x =
                std::clamp(static_cast<double>(sum[i]) * static_cast<double>(scale), 0.0, 65504.0);
            const uint16_t h = half_from_float(static_cast<float>(x));
            std::memcpy(at[0] + i * sizeof h, &h, sizeof h);
          }
        });
      },
      scale);
}

}  // namespace toprope::isa
