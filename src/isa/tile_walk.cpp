#include "isa/tile_walk.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "machine/fault.h"

namespace toprope::isa {
namespace {

constexpr int kMost = 4;

std::string size_text(uint32_t rows, uint32_t columns) {
  return std::to_string(rows) + " x " + std::to_string(columns);
}

/// One element, whatever its type.
void copy_element(uint8_t* to, const uint8_t* from, uint32_t element) {
  switch (element) {
    case 1:
      *to = *from;
      return;
    case 2:
      std::memcpy(to, from, 2);
      return;
    case 4:
      std::memcpy(to, from, 4);
      return;
    default:
      std::memcpy(to, from, element);
  }
}

/// The bytes behind a tile's valid region's last element.
uint64_t end_of(const TileShape& s, uint32_t rows, uint32_t columns, uint32_t element) {
  if (rows == 0 || columns == 0) return 0;
  uint64_t last = place_in(s, rows - 1, columns - 1);
  if (s.boxed()) {
    // The last element of a box is not that of its last row or column.
    last = std::max(last, place_in(s, rows - 1, (columns - 1) / s.box_cols * s.box_cols));
    last = std::max(last, place_in(s, (rows - 1) / s.box_rows * s.box_rows, columns - 1));
  }
  return (last + 1) * element;
}

void move_elements(const TileOperand& o, uint32_t row, uint32_t column, uint32_t n, uint8_t* row_of_elements,
                   bool out) {
  for (uint32_t i = 0; i < n;) {
    const uint32_t run = std::min(n - i, run_in(*o.shape, row, column + i, false));
    uint8_t* place = o.byte_at(row, column + i);
    uint8_t* packed = row_of_elements + size_t{i} * o.element;
    if (run == 1)
      out ? copy_element(place, packed, o.element) : copy_element(packed, place, o.element);
    else
      out ? std::memcpy(place, packed, size_t{run} * o.element)
          : std::memcpy(packed, place, size_t{run} * o.element);
    i += run;
  }
}

/// Any layout, row by row through scratch memory.
void walk_gathered(const TileOperand* operands, int count, uint32_t rows, uint32_t columns, TileCut cut,
                   const TileKernel& kernel) {
  alignas(64) uint8_t scratch[kMost][kTileChunk * sizeof(uint64_t)];
  uint8_t* at[kMost];
  for (int i = 0; i < count; ++i) at[i] = scratch[i];
  const uint32_t chunk = std::min(cut.most, kTileChunk);
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t c = 0; c < columns; c += chunk) {
      const uint32_t n = std::min(chunk, columns - c);
      for (int i = 0; i < count; ++i) move_elements(operands[i], r, c, n, scratch[i], false);
      kernel(r, c, at, n);
      if (cut.writes) move_elements(operands[0], r, c, n, scratch[0], true);
    }
}

/// A part of a tile in which rows and columns go in constant steps, in elements.
struct Patch {
  uint64_t place;
  uint32_t rows, columns;
  size_t row_step, column_step;
};

/// The patch that starts at an element: the whole rest of an unboxed tile, a box's rest, or the rest of the
/// strip of boxes that lie behind one another.
Patch patch_at(const TileShape& s, uint32_t row, uint32_t column) {
  const uint64_t place = place_in(s, row, column);
  if (!s.boxed())
    return {place, s.rows - row, s.cols - column, s.col_major ? 1 : size_t{s.cols},
            s.col_major ? size_t{s.rows} : 1};
  const bool strips = s.col_major != s.box_col_major;
  const uint32_t rows = strips && !s.box_col_major ? s.rows - row : s.box_rows - row % s.box_rows;
  const uint32_t columns = strips && s.box_col_major ? s.cols - column : s.box_cols - column % s.box_cols;
  return {place, rows, columns, s.box_col_major ? 1 : size_t{s.box_cols},
          s.box_col_major ? size_t{s.box_rows} : 1};
}

template <class T>
void copy_elements(T* to, const Patch& d, const T* from, const Patch& s, uint32_t rows, uint32_t columns) {
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t c = 0; c < columns; ++c)
      to[r * d.row_step + c * d.column_step] = from[r * s.row_step + c * s.column_step];
}

void copy_patch(uint8_t* to, const Patch& d, const uint8_t* from, const Patch& s, uint32_t rows,
                uint32_t columns, uint32_t element) {
  if (d.column_step == 1 && s.column_step == 1) {
    for (uint32_t r = 0; r < rows; ++r)
      std::memmove(to + r * d.row_step * element, from + r * s.row_step * element, size_t{columns} * element);
    return;
  }
  if (d.row_step == 1 && s.row_step == 1) {
    for (uint32_t c = 0; c < columns; ++c)
      std::memmove(to + c * d.column_step * element, from + c * s.column_step * element,
                   size_t{rows} * element);
    return;
  }
  auto as = [&]<class T>(T) {
    copy_elements(reinterpret_cast<T*>(to), d, reinterpret_cast<const T*>(from), s, rows, columns);
  };
  switch (element) {
    case 1:
      return as(uint8_t{});
    case 2:
      return as(uint16_t{});
    case 4:
      return as(uint32_t{});
    default:
      return as(uint64_t{});
  }
}

}  // namespace

uint32_t run_in(const TileShape& s, uint32_t row, uint32_t column, bool down) {
  if (!s.boxed()) return s.col_major != down ? 1 : down ? s.rows - row : s.cols - column;
  if (s.box_col_major != down) return 1;
  return down ? s.box_rows - row % s.box_rows : s.box_cols - column % s.box_cols;
}

TileOperand find(Core& core, const Instruction& as, const char* name, const Tile& tile, uint32_t rows,
                 uint32_t columns, bool write, Site site) {
  const TileShape& s = *tile.shape;
  const uint32_t element = size_of(s.type);
  if (rows > s.rows || columns > s.cols) [[unlikely]]
    refuse(core, as.name,
           std::string(name) + " has " + size_text(rows, columns) + " elements to work on, and room for " +
               size_text(s.rows, s.cols),
           "make the tile's rows and columns as large as its valid region", site);
  TileOperand o = {name, &s, static_cast<uint8_t*>(tile.data), {}, element, rows, columns, write};
  if (!tile.data) [[unlikely]]
    refuse(core, as.name, std::string(name) + " has no place in a memory",
           "bind it with TASSIGN(tile, address)", site);
  const auto mem = static_cast<size_t>(s.mem);
  const uint64_t offset = static_cast<uint64_t>(o.at - core.base[mem]),
                 bytes = end_of(s, rows, columns, element);
  const uint64_t capacity = uint64_t{s.rows} * s.cols * element;
  if (o.at >= core.base[mem] && offset <= core.capacity[mem]) {
    if (offset + bytes > core.capacity[mem]) [[unlikely]]
      refuse(core, as.name,
             std::string(name) + " at byte " + std::to_string(offset) + " ends " +
                 std::to_string(offset + bytes - core.capacity[mem]) + " bytes past the end of " +
                 name_of(s.mem) + ", which has " + std::to_string(core.capacity[mem]),
             "place the tiles of " + std::string(name_of(s.mem)) + " inside its memory", site);
    o.slice = {offset, offset, offset + capacity, s.mem};
  } else {
    const uint64_t address = reinterpret_cast<uintptr_t>(o.at);
    o.slice = {address, address, address + capacity, Mem::GM};
  }
  return o;
}

void check_covers(Core& core, const Instruction& as, const char* name, const Tile& source, uint32_t rows,
                  uint32_t columns, Site site) {
  if (source.valid_rows >= rows && source.valid_cols >= columns) [[likely]]
    return;
  refuse(core, as.name,
         std::string(name) + " has " + size_text(source.valid_rows, source.valid_cols) +
             " valid elements, dst " + size_text(rows, columns),
         "give the sources a valid region at least as large as dst's", site);
}

void add_access(Footprint& footprint, const TileOperand& o) {
  const TileShape& s = *o.shape;
  if (o.rows == 0 || o.columns == 0) return;
  Access a = {
      .operand = o.name, .slice = o.slice, .width = static_cast<uint8_t>(o.element), .write = o.write};
  const uint32_t e = o.element;
  if (!s.boxed()) {
    a.run = (s.col_major ? o.rows : o.columns) * e;
    a.repeats = s.col_major ? o.columns : o.rows;
    a.repeat_stride = uint64_t{s.col_major ? s.rows : s.cols} * e;
    footprint.add(a);
    return;
  }
  // A strip is as wide as a box and goes along the other direction.
  const bool down = s.box_col_major;
  const uint32_t across = down ? s.box_rows : s.box_cols;
  const uint32_t extent = down ? o.rows : o.columns, lines = down ? o.columns : o.rows;
  if (s.col_major != down) {  // a strip's lines follow each other, through all of its boxes
    const uint32_t whole = extent / across, rest = extent % across;
    const uint64_t strip = uint64_t{across} * (down ? s.cols : s.rows) * e;
    a.repeat_stride = strip;
    if (whole) {
      a.run = lines * across * e;
      a.repeats = whole;
      footprint.add(a);
    }
    if (rest) {
      a.slice.at += strip * whole;
      a.run = rest * e;
      a.blocks = lines;
      a.block_stride = uint64_t{across} * e;
      a.repeats = 1;
      footprint.add(a);
    }
    return;
  }
  // Boxes follow across the strips (scale factors only): whole boxes.
  const uint32_t box_lines = down ? s.box_cols : s.box_rows;
  const uint64_t box = uint64_t{s.box_rows} * s.box_cols * e;
  a.run = static_cast<uint32_t>((extent + across - 1) / across * box);
  a.repeats = (lines + box_lines - 1) / box_lines;
  a.repeat_stride = box * ((down ? s.rows : s.cols) / across);
  footprint.add(a);
}

void walk_tiles(const TileOperand* operands, int count, uint32_t rows, uint32_t columns, TileCut cut,
                const TileKernel& kernel) {
  if (rows == 0 || columns == 0) return;
  bool by_rows = true, by_columns = cut.merge;
  for (int i = 0; i < count; ++i) {
    const TileShape& s = *operands[i].shape;
    by_rows &= !s.boxed() && (!s.col_major || columns == 1);
    by_columns &= !s.boxed() && (s.col_major || rows == 1);
  }
  // A column of a column-major tile is a row whose elements follow each other.
  if (by_rows && columns == 1)
    for (int i = 0; i < count; ++i) by_rows &= !operands[i].shape->col_major || !by_columns;
  if (!by_rows && !by_columns) return walk_gathered(operands, count, rows, columns, cut, kernel);
  const bool down = !by_rows;
  const uint32_t lines = down ? columns : rows, length = down ? rows : columns;
  uint8_t* at[kMost];
  size_t pitch[kMost];
  bool consecutive = cut.merge;
  for (int i = 0; i < count; ++i) {
    const TileShape& s = *operands[i].shape;
    at[i] = operands[i].at;
    pitch[i] = size_t{s.col_major ? (down ? s.rows : 1) : (down ? 1 : s.cols)} * operands[i].element;
    consecutive &= pitch[i] == size_t{length} * operands[i].element;
  }
  auto line = [&](uint32_t index, size_t n) {
    uint8_t* here[kMost];
    for (size_t done = 0; done < n; done += cut.most) {
      const size_t part = std::min<size_t>(cut.most, n - done);
      for (int i = 0; i < count; ++i) here[i] = at[i] + done * operands[i].element;
      const auto position = static_cast<uint32_t>(done);
      kernel(down ? position : index, down ? index : position, here, part);
    }
  };
  if (consecutive) return line(0, size_t{lines} * length);
  for (uint32_t i = 0; i < lines; ++i) {
    line(i, length);
    for (int k = 0; k < count; ++k) at[k] += pitch[k];
  }
}

void copy_region(const TilePlace& dst, const TilePlace& src, uint32_t rows, uint32_t columns,
                 uint32_t element) {
  for (uint32_t r = 0; r < rows;) {
    uint32_t high = rows - r;
    for (uint32_t c = 0; c < columns;) {
      const Patch to = patch_at(*dst.shape, dst.row + r, dst.column + c);
      const Patch from = patch_at(*src.shape, src.row + r, src.column + c);
      high = std::min({high, to.rows, from.rows});
      const uint32_t wide = std::min({columns - c, to.columns, from.columns});
      copy_patch(dst.at + to.place * element, to, src.at + from.place * element, from, high, wide, element);
      c += wide;
    }
    r += high;
  }
}

}  // namespace toprope::isa
