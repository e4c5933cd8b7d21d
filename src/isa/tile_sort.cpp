// Sorting and merging records of a value and an index in tiles, and the conversions that take two or three
// steps.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "isa/array/elementwise.h"
#include "isa/tile_walk.h"
#include "machine/fault.h"
#include "toprope/isa/tile_gather.h"
#include "toprope/machine/host_core.h"

namespace toprope::isa {
namespace {

constexpr uint32_t kRecord = 8;  ///< bytes: the value, what fills it to 4, the index

struct Record {
  float value;
  uint8_t bytes[kRecord];
};

Record record_at(const uint8_t* at, DType type) {
  Record r;
  std::memcpy(r.bytes, at, kRecord);
  uint16_t h;
  std::memcpy(&h, at, sizeof h);
  std::memcpy(&r.value, at, sizeof r.value);
  if (type == DType::Half) r.value = float_from_half(h);
  return r;
}

/// The records of one row, which lie behind one another.
std::vector<Record> records_of(const TileOperand& o, uint32_t first, uint32_t elements) {
  std::vector<Record> all;
  const uint8_t* at = o.byte_at(0, first);
  for (uint32_t i = 0; i < elements * o.element / kRecord; ++i)
    all.push_back(record_at(at + size_t{i} * kRecord, o.shape->type));
  return all;
}

/// Merges into `room` records; returns them, and how many each run gave.
std::vector<Record> merged(const std::vector<std::vector<Record>>& runs, size_t room, bool exhausted,
                           std::array<uint16_t, 4>& counts) {
  std::vector<Record> out;
  counts = {};
  while (out.size() < room) {
    int best = -1;
    for (size_t i = 0; i < runs.size(); ++i) {
      if (counts[i] == runs[i].size()) continue;
      // Of equal values that of the lower run comes first.
      if (best < 0 ||
          runs[i][counts[i]].value > runs[static_cast<size_t>(best)][counts[static_cast<size_t>(best)]].value)
        best = static_cast<int>(i);
    }
    if (best < 0) break;
    const auto b = static_cast<size_t>(best);
    out.push_back(runs[b][counts[b]++]);
    if (exhausted && counts[b] == runs[b].size()) break;
  }
  return out;
}

void put(uint8_t* to, const std::vector<Record>& records) {
  for (size_t i = 0; i < records.size(); ++i) std::memcpy(to + i * kRecord, records[i].bytes, kRecord);
}

}  // namespace

void tile_sort32(const Instruction& as, const Tile& dst, const Tile& src, const Tile& index) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = src.valid_rows, columns = src.valid_cols, width = kRecord / size_of(src.shape->type);
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, rows, columns * width, true, site),
                 find(core, as, "src", src, rows, columns, false, site),
                 find(core, as, "index", index, index.valid_rows < rows ? 1 : rows, columns, false, site)},
      [](const std::array<TileOperand, 3>& o, uint32_t width) {
        const TileOperand &d = o[0], &s = o[1], &index = o[2];
        for (uint32_t r = 0; r < s.rows; ++r)
          for (uint32_t c = 0; c < s.columns; c += 32) {
            std::vector<Record> group;
            for (uint32_t i = c; i < std::min(c + 32, s.columns); ++i) {
              uint8_t bytes[kRecord] = {};
              std::memcpy(bytes, s.byte_at(r, i), s.element);
              std::memcpy(bytes + 4, index.byte_at(index.rows == 1 ? 0 : r, i), 4);
              group.push_back(record_at(bytes, s.shape->type));
            }
            std::stable_sort(group.begin(), group.end(),
                             [](const Record& a, const Record& b) { return a.value > b.value; });
            put(d.byte_at(r, c * width), group);
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
  // The counts are a scalar result: the program reads them at once.
  issue_scalar(
      core, as, site,
      [&](Footprint& f) {
        for (uint32_t i = 0; i <= count; ++i) add_access(f, o[i]);
      },
      [&] {
        std::vector<std::vector<Record>> lists;
        for (uint32_t i = 0; i < count; ++i) lists.push_back(records_of(o[1 + i], 0, o[1 + i].columns));
        std::array<uint16_t, 4> taken;
        const size_t room = size_t{o[0].columns} * o[0].element / kRecord;
        const std::vector<Record> out = merged(lists, room, exhausted, taken);
        put(o[0].at, out);
        std::memset(o[0].at + out.size() * kRecord, 0, (room - out.size()) * kRecord);
        std::copy(taken.begin(), taken.end(), counts);
      });
}

void tile_merge_four(const Instruction& as, const Tile& dst, const Tile& src, uint32_t length) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  if (length == 0 || length * size_of(src.shape->type) % kRecord) [[unlikely]]
    refuse(core, as.name, "a block of " + std::to_string(length) + " elements holds no whole records",
           "give a multiple of 64 elements", site);
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, 1, src.valid_cols, true, site),
                 find(core, as, "src", src, 1, src.valid_cols, false, site)},
      [](const std::array<TileOperand, 2>& o, uint32_t length) {
        std::array<uint16_t, 4> taken;
        for (uint32_t c = 0; c + 4 * length <= o[1].columns; c += 4 * length) {
          std::vector<std::vector<Record>> lists;
          for (uint32_t i = 0; i < 4; ++i) lists.push_back(records_of(o[1], c + i * length, length));
          put(o[0].byte_at(0, c), merged(lists, ~size_t{0}, false, taken));
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
