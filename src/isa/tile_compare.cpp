// Comparisons of tiles, and choosing by their bits.
#include <algorithm>
#include <cstring>
#include <string>

#include "isa/array/elementwise.h"
#include "isa/tile_walk.h"
#include "machine/fault.h"
#include "toprope/machine/host_core.h"

namespace toprope::isa {
namespace {

using array::BinaryFunction;

/// Bytes 0 and 1 as bits, the first the lowest; unused bits of the last byte 0.
void pack(uint8_t* bits, const uint8_t* bytes, size_t n) {
  for (size_t i = 0; i < n; i += 8) {
    uint64_t eight = 0;
    std::memcpy(&eight, bytes + i, std::min<size_t>(8, n - i));
    bits[i / 8] = static_cast<uint8_t>(eight * 0x0102040810204080u >> 56);
  }
}

void unpack(uint8_t* bytes, const uint8_t* bits, size_t n) {
  for (size_t i = 0; i < n; ++i) bytes[i] = bits[i / 8] >> (i % 8) & 1;
}

/// A tile of bits, a row's every `pitch` bytes.
struct BitTile {
  TileOperand o;
  uint64_t pitch, row_bytes;
};

BitTile find_bits(Core& core, const Instruction& as, const char* name, const Tile& tile, uint32_t rows,
                  uint32_t columns, bool write, Site site) {
  const TileShape& s = *tile.shape;
  const uint32_t element = size_of(s.type);
  BitTile bits = {{}, uint64_t{s.cols} * element, (uint64_t{columns} + 7) / 8};
  const auto exact = static_cast<uint32_t>((bits.row_bytes + element - 1) / element);
  if (tile.valid_cols != exact) bits.pitch = bits.row_bytes;
  const uint64_t capacity = uint64_t{s.rows} * s.cols * element,
                 needed = rows ? (rows - 1) * bits.pitch + bits.row_bytes : 0;
  if (s.boxed() || s.col_major || bits.row_bytes > bits.pitch || needed > capacity) [[unlikely]]
    refuse(core, as.name,
           std::string(name) + " has room for " + std::to_string(capacity) + " bytes and needs " +
               std::to_string(bits.row_bytes) + " for each of " + std::to_string(rows) + " rows' bits",
           "give it a row-major tile with a bit for each element", site);
  bits.o = find(core, as, name, tile, rows ? 1 : 0, std::min(exact, s.cols), write, site);
  bits.o.rows = rows;
  return bits;
}

Access access_of(const BitTile& bits) {
  Access a = {.operand = bits.o.name, .slice = bits.o.slice, .write = bits.o.write};
  a.run = static_cast<uint32_t>(bits.row_bytes);
  a.repeats = bits.o.rows;
  a.repeat_stride = bits.pitch;
  return a;
}

void compare(Core& core, const Instruction& as, Compare op, const Tile& dst, const Tile& src0,
             const Tile* src1, Scalar scalar, Site site) {
  const uint32_t rows = src0.valid_rows, columns = src0.valid_cols;
  const DType type = src0.shape->type;
  const BinaryFunction kernel = array::compare(op, type, src1 ? array::Spread::No : array::Spread::Second);
  if (!kernel) [[unlikely]]
    refuse(core, as.name, std::string("compares no elements of type ") + name_of(type),
           "see the instruction's page for its element types", site);
  if (src1) check_covers(core, as, "src1", *src1, rows, columns, site);
  const BitTile d = find_bits(core, as, "dst", dst, rows, columns, true, site);
  const TileOperand a = find(core, as, "src0", src0, rows, columns, false, site);
  const TileOperand b = src1 ? find(core, as, "src1", *src1, rows, columns, false, site) : a;
  issue(
      core, as, site,
      [&](Footprint& f) {
        f.add(access_of(d));
        add_access(f, a);
        if (src1) add_access(f, b);
      },
      [](const BitTile& d, const std::array<TileOperand, 2>& sources, BinaryFunction kernel, bool one_value,
         Scalar scalar) {
        uint8_t bytes[kTileChunk], line[kTileChunk / 8];
        const TileCut cut = {.merge = false, .most = kTileChunk, .writes = false};
        auto take = [&](uint32_t row, uint32_t column, const void* left, const void* right, size_t n) {
          kernel(bytes, left, right, n);
          pack(line, bytes, n);
          std::memcpy(d.o.at + row * d.pitch + column / 8, line, (n + 7) / 8);
        };
        if (one_value)
          walk_tiles(std::array{sources[0]}, cut, [&](uint32_t r, uint32_t c, uint8_t* const* at, size_t n) {
            take(r, c, at[0], &scalar.bits, n);
          });
        else
          walk_tiles(sources, cut, [&](uint32_t r, uint32_t c, uint8_t* const* at, size_t n) {
            take(r, c, at[0], at[1], n);
          });
      },
      d, std::array{a, b}, kernel, src1 == nullptr, scalar);
}

void select(Core& core, const Instruction& as, const Tile& dst, const Tile& bits, const Tile& src0,
            const Tile* src1, Scalar scalar, Site site) {
  const uint32_t rows = dst.valid_rows, columns = dst.valid_cols;
  check_covers(core, as, "src0", src0, rows, columns, site);
  if (src1) check_covers(core, as, "src1", *src1, rows, columns, site);
  const BitTile m = find_bits(core, as, "mask", bits, rows, columns, false, site);
  const TileOperand d = find(core, as, "dst", dst, rows, columns, true, site);
  const TileOperand a = find(core, as, "src0", src0, rows, columns, false, site);
  const TileOperand b = src1 ? find(core, as, "src1", *src1, rows, columns, false, site) : a;
  issue(
      core, as, site,
      [&](Footprint& f) {
        add_access(f, d);
        f.add(access_of(m));
        add_access(f, a);
        if (src1) add_access(f, b);
      },
      [](const BitTile& m, const std::array<TileOperand, 3>& o, array::SelectFunction kernel, bool one_value,
         Scalar scalar) {
        const TileCut cut = {.merge = false, .most = kTileChunk};
        uint8_t bytes[kTileChunk];
        auto take = [&](uint32_t row, uint32_t column, uint8_t* to, const void* left, const void* right,
                        size_t n) {
          unpack(bytes, m.o.at + row * m.pitch + column / 8, n);
          kernel(to, bytes, left, right, n);
        };
        if (one_value)
          walk_tiles(std::array{o[0], o[1]}, cut, [&](uint32_t r, uint32_t c, uint8_t* const* at, size_t n) {
            take(r, c, at[0], at[1], &scalar.bits, n);
          });
        else
          walk_tiles(o, cut, [&](uint32_t r, uint32_t c, uint8_t* const* at, size_t n) {
            take(r, c, at[0], at[1], at[2], n);
          });
      },
      m, std::array{d, a, b}, array::select(d.element, src1 ? array::Spread::No : array::Spread::Second),
      src1 == nullptr, scalar);
}

}  // namespace

void tile_compare(const Instruction& as, Compare op, const Tile& dst, const Tile& src0, const Tile& src1) {
  compare(tile_core(), as, op, dst, src0, &src1, {}, __builtin_return_address(0));
}

void tile_compare_scalar(const Instruction& as, Compare op, const Tile& dst, const Tile& src, Scalar scalar) {
  compare(tile_core(), as, op, dst, src, nullptr, scalar, __builtin_return_address(0));
}

void tile_select(const Instruction& as, const Tile& dst, const Tile& bits, const Tile& src0,
                 const Tile& src1) {
  select(tile_core(), as, dst, bits, src0, &src1, {}, __builtin_return_address(0));
}

void tile_select_scalar(const Instruction& as, const Tile& dst, const Tile& bits, const Tile& src0,
                        Scalar scalar) {
  select(tile_core(), as, dst, bits, src0, nullptr, scalar, __builtin_return_address(0));
}

}  // namespace toprope::isa
