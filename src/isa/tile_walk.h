// From tiles to consecutive elements: which bytes a tile operand touches, and the one loop that brings any
// layout and valid region to a contiguous kernel. Shared by all instructions on tiles.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/issue.h"
#include "toprope/isa/tile.h"

namespace toprope::isa {

/// Where element (row, column) of a tile lies, in elements from its first.
inline uint64_t place_in(const TileShape& s, uint32_t row, uint32_t column) {
  if (!s.boxed()) return s.col_major ? uint64_t{column} * s.rows + row : uint64_t{row} * s.cols + column;
  const uint32_t box_row = row / s.box_rows, box_column = column / s.box_cols;
  const uint32_t in_row = row % s.box_rows, in_column = column % s.box_cols;
  const uint64_t box = s.col_major ? uint64_t{box_column} * (s.rows / s.box_rows) + box_row
                                   : uint64_t{box_row} * (s.cols / s.box_cols) + box_column;
  const uint32_t inside = s.box_col_major ? in_column * s.box_rows + in_row : in_row * s.box_cols + in_column;
  return box * s.box_rows * s.box_cols + inside;
}

/// Elements from (row, column) on that lie in a row (`down`: in a column) one behind the other.
uint32_t run_in(const TileShape& s, uint32_t row, uint32_t column, bool down);

/// A tile operand with its place in the host's memory. rows and columns are what the instruction touches.
struct TileOperand {
  const char* name;
  const TileShape* shape;
  uint8_t* at;
  Slice slice;
  uint32_t element;
  uint32_t rows, columns;
  bool write;
  uint8_t* byte_at(uint32_t row, uint32_t column) const {
    return at + place_in(*shape, row, column) * element;
  }
};

/// Checks that the operand's rows x columns lie inside its memory. Faults name `name`.
TileOperand find(Core& core, const Instruction& as, const char* name, const Tile& tile, uint32_t rows,
                 uint32_t columns, bool write, Site site);

/// Faults when a source's valid region is smaller than the destination's.
void check_covers(Core& core, const Instruction& as, const char* name, const Tile& source, uint32_t rows,
                  uint32_t columns, Site site);

/// The operand's exact footprint.
void add_access(Footprint& footprint, const TileOperand& operand);

/// Elements that a kernel gets at most at once where it brings scratch memory of its own.
inline constexpr uint32_t kTileChunk = 1024;

/// Called with the first element's row and column, operand pointers (the destination first) and how many
/// elements.
class TileKernel {
 public:
  virtual void operator()(uint32_t row, uint32_t column, uint8_t* const* at, size_t n) const = 0;

 protected:
  ~TileKernel() = default;
};

/// How walk_tiles may cut the region.
struct TileCut {
  bool merge = true;    ///< rows that lie behind each other may come as one
  uint32_t most = ~0u;  ///< elements a call
  bool writes = true;   ///< the first operand is a destination
};

/// Brings rows x columns of every operand to the kernel: as they lie where each operand's rows are
/// consecutive (or each one's columns, if `merge`), else through scratch memory. With `merge` row and column
/// mean nothing to the kernel.
void walk_tiles(const TileOperand* operands, int count, uint32_t rows, uint32_t columns, TileCut cut,
                const TileKernel& kernel);

/// walk_tiles with a lambda (row, column, at, n).
template <size_t N, class F>
void walk_tiles(const std::array<TileOperand, N>& operands, TileCut cut, F&& f) {
  struct Call final : TileKernel {
    explicit Call(F& f) : f_(f) {}
    void operator()(uint32_t row, uint32_t column, uint8_t* const* at, size_t n) const override {
      f_(row, column, at, n);
    }
    F& f_;
  };
  walk_tiles(operands.data(), static_cast<int>(N), operands[0].rows, operands[0].columns, cut, Call(f));
}

/// issue() with the operands' footprints; the body gets the operands and the further arguments by value.
template <size_t N, class Body, class... Arguments>
void issue_tiles(Core& core, const Instruction& as, Site site, const std::array<TileOperand, N>& operands,
                 Body body, const Arguments&... arguments) {
  issue(
      core, as, site,
      [&](Footprint& f) {
        for (const TileOperand& o : operands) add_access(f, o);
      },
      body, operands, arguments...);
}

/// Copies rows x columns elements between any two layouts, from (row, column) of each on.
struct TilePlace {
  uint8_t* at;
  const TileShape* shape;
  uint32_t row, column;
};
void copy_region(const TilePlace& dst, const TilePlace& src, uint32_t rows, uint32_t columns,
                 uint32_t element);

}  // namespace toprope::isa
