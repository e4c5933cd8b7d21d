// Tiles from and to global memory.
#include <algorithm>
#include <cstring>
#include <string>

#include "isa/copy_runs.h"
#include "isa/tile_drain.h"
#include "isa/tile_walk.h"
#include "toprope/isa/tile_move.h"
#include "toprope/machine/host_core.h"

namespace toprope::isa {
namespace {

/// A tensor's lines as the tile sees them: line i of `length` elements, `step` bytes apart.
class Lines {
 public:
  Lines(const Tensor& t, uint32_t rows, uint32_t columns) : tensor_(t) {
    const auto& n = t.shape;
    down_ = t.order == TensorOrder::Columns;
    length_ = down_ ? static_cast<uint32_t>(std::min<int64_t>(n[3], rows))
                    : static_cast<uint32_t>(std::min<int64_t>(n[4], columns));
    step_ = t.stride[down_ ? 3 : 4] * int64_t{t.element()};
    rows_ = rows;
    columns_ = columns;
  }

  /// f(tile row, tile column, host address, elements) for every line inside the tile's region.
  template <class F>
  void each(F&& f) const {
    const auto& n = tensor_.shape;
    const auto& s = tensor_.stride;
    const int64_t inner = down_ ? n[4] : n[3], inner_step = down_ ? s[4] : s[3];
    for (int64_t a = 0; a < n[0]; ++a)
      for (int64_t b = 0; b < n[1]; ++b)
        for (int64_t c = 0; c < n[2]; ++c)
          for (int64_t d = 0; d < inner; ++d) {
            uint8_t* at = static_cast<uint8_t*>(tensor_.data) +
                          (a * s[0] + b * s[1] + c * s[2] + d * inner_step) * int64_t{tensor_.element()};
            const int64_t line = ((a * n[1] + b) * n[2] + c) * inner + d;
            int64_t row = down_ ? 0 : line, column = down_ ? line : 0;
            if (tensor_.order == TensorOrder::Boxes) {
              row = c * n[3] + d;
              column = (a * n[1] + b) * n[4];
            }
            if (row >= rows_ || column >= columns_) {
              if (tensor_.order == TensorOrder::Boxes) continue;
              return;
            }
            const auto room = static_cast<uint32_t>(down_ ? rows_ - row : columns_ - column);
            f(static_cast<uint32_t>(row), static_cast<uint32_t>(column), at, std::min(length_, room));
          }
  }

  bool down() const { return down_; }
  int64_t step() const { return step_; }
  DType type() const { return tensor_.type; }
  uint32_t element() const { return tensor_.element(); }

 private:
  Tensor tensor_;
  bool down_;
  uint32_t length_;
  int64_t step_, rows_, columns_;
};

/// A line of a tile and one of a tensor, in runs that both have.
template <class Copy>
void move_line(const TileOperand& tile, const Lines& lines, uint32_t row, uint32_t column, uint8_t* at,
               uint32_t n, Copy&& copy) {
  const bool down = lines.down();
  for (uint32_t i = 0; i < n;) {
    const uint32_t r = down ? row + i : row, c = down ? column : column + i;
    uint32_t run =
        lines.step() == int64_t{tile.element} ? std::min(n - i, run_in(*tile.shape, r, c, down)) : 1;
    copy(tile.byte_at(r, c), at + int64_t{i} * lines.step(), size_t{run} * tile.element);
    i += run;
  }
}

/// The same for elements that change on the way.
template <class Put>
void drain_to(const DrainPlan& plan, const TileOperand& tile, const Lines& lines, uint32_t row,
              uint32_t column, uint8_t* at, uint32_t n, Put&& put) {
  alignas(64) uint8_t from[kTileChunk * sizeof(uint64_t)], to[kTileChunk * sizeof(uint64_t)];
  const bool down = lines.down();
  const size_t e = lines.element();
  for (uint32_t i = 0; i < n; i += kTileChunk) {
    const uint32_t here = std::min(kTileChunk, n - i);
    for (uint32_t k = 0; k < here; ++k)
      std::memcpy(from + k * tile.element,
                  tile.byte_at(down ? row + i + k : row, down ? column : column + i + k), tile.element);
    drain_line(plan, lines.type(), to, tile.shape->type, from, (down ? row : column) + i, here);
    if (lines.step() == static_cast<int64_t>(e)) {
      put(to, at + int64_t{i} * lines.step(), here * e);
      continue;
    }
    for (uint32_t k = 0; k < here; ++k) put(to + k * e, at + int64_t{i + k} * lines.step(), e);
  }
}

/// The tensor's bytes for observers: where lines of one length follow at steps, as two levels; a third is
/// told line by line of the outer dimensions only when it is small.
void add_access(Footprint& footprint, const char* name, const Tensor& t, uint32_t rows, uint32_t columns,
                bool write, bool atomic) {
  const uint32_t e = t.element();
  const auto& n = t.shape;
  const auto& s = t.stride;
  const bool down = t.order == TensorOrder::Columns;
  Access a = {.operand = name, .slice = {}, .write = write, .atomic = atomic};
  const auto at = reinterpret_cast<uintptr_t>(t.data);
  a.slice = {at, 0, 0, Mem::GM};
  const int64_t length = down ? std::min<int64_t>(n[3], rows) : std::min<int64_t>(n[4], columns);
  const bool dense = s[down ? 3 : 4] == 1;
  a.run = dense ? static_cast<uint32_t>(length) * e : e;
  a.blocks = dense ? 1 : static_cast<uint32_t>(length);
  a.block_stride = static_cast<uint64_t>(s[down ? 3 : 4]) * e;
  const int64_t inner = down ? n[4] : n[3];
  const int64_t outer = n[0] * n[1] * n[2];
  if (outer == 1) {
    a.repeats = static_cast<uint32_t>(std::min<int64_t>(inner, down ? columns : rows));
    a.repeat_stride = static_cast<uint64_t>(s[down ? 4 : 3]) * e;
    footprint.add(a);
    return;
  }
  // More than two levels: the span from the first to the last byte, which a whole tensor fills.
  int64_t last = 0;
  for (int d = 0; d < 5; ++d) last += (n[d] - 1) * s[d];
  a.run = static_cast<uint32_t>((last + 1) * e);
  a.blocks = 1;
  footprint.add(a);
}

}  // namespace

void tile_load(const Instruction& as, const Tile& dst, const Tensor& src, const TilePadding& padding) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t element = size_of(dst.shape->type), unit = kBlockBytes / element;
  const uint32_t rows = dst.valid_rows, columns = dst.valid_cols;
  const bool pads =
      padding.given && src.order == TensorOrder::Rows && !dst.shape->boxed() && !dst.shape->col_major;
  const uint32_t padded = pads ? std::min((columns + unit - 1) / unit * unit, dst.shape->cols) : columns;
  const TileOperand tile = find(core, as, "dst", dst, rows, padded, true, site);
  const Lines lines(src, rows, columns);
  issue(
      core, as, site,
      [&](Footprint& f) {
        isa::add_access(f, tile);
        add_access(f, "src", src, rows, columns, false, false);
      },
      [](const TileOperand& tile, const Lines& lines, uint32_t padded, Scalar value) {
        lines.each([&](uint32_t row, uint32_t column, uint8_t* at, uint32_t n) {
          move_line(tile, lines, row, column, at, n,
                    [](uint8_t* to, const uint8_t* from, size_t bytes) { std::memcpy(to, from, bytes); });
          for (uint32_t c = column + n; c < padded; ++c)
            std::memcpy(tile.byte_at(row, c), &value.bits, tile.element);
        });
      },
      tile, lines, pads ? padded : 0u, padding.value);
}

void tile_store(const Instruction& as, const Tensor& dst, const Tile& src, const StoreAtomic& atomic,
                const Drain& drain) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = src.valid_rows, columns = src.valid_cols;
  const TileOperand tile = find(core, as, "src", src, rows, columns, false, site);
  const Lines lines(dst, rows, columns);
  TileOperand parameters;
  DrainPlan plan =
      plan_of(core, as, drain, dst.order == TensorOrder::Columns ? rows : columns, parameters, site);
  // Bits move between types of one size, but out of an accumulator numbers do.
  const bool changes =
      plan.relu || plan.scaled || (src.shape->mem == Mem::L0C && dst.type != src.shape->type);
  const StoreAtomic combines = atomic.type != StoreAtomic::None ? atomic : core.atomic;
  issue(
      core, as, site,
      [&](Footprint& f) {
        add_access(f, "dst", dst, rows, columns, true, combines.type != StoreAtomic::None);
        isa::add_access(f, tile);
        if (plan.words) isa::add_access(f, parameters);
      },
      [](const TileOperand& tile, const Lines& lines, const DrainPlan& plan, bool changes,
         const StoreAtomic& atomic, bool saturate) {
        auto put = [&](const uint8_t* from, uint8_t* to, size_t bytes) {
          atomic.type != StoreAtomic::None ? combine(atomic, saturate, to, from, bytes)
                                           : static_cast<void>(std::memcpy(to, from, bytes));
        };
        lines.each([&](uint32_t row, uint32_t column, uint8_t* at, uint32_t n) {
          changes ? drain_to(plan, tile, lines, row, column, at, n, put)
                  : move_line(tile, lines, row, column, at, n, put);
        });
      },
      tile, lines, plan, changes, combines, core.saturate);
}

}  // namespace toprope::isa
