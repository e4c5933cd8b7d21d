#include "toprope/isa/tile_matmul.h"

#include <string>
#include <vector>

#include "isa/array/matmul.h"
#include "isa/tile_walk.h"
#include "machine/fault.h"
#include "toprope/machine/host_core.h"

namespace toprope::isa {
namespace {

using array::MatmulStart;

/// A tile's elements in row-major order, as the arrays' product takes them.
std::vector<uint8_t> unpacked(const TileOperand& o) {
  std::vector<uint8_t> rows(size_t{o.rows} * o.columns * o.element);
  const TileShape plain = {o.shape->type, o.shape->mem, false, false, 0, 0, o.rows, o.columns};
  copy_region({rows.data(), &plain, 0, 0}, {o.at, o.shape, 0, 0}, o.rows, o.columns, o.element);
  return rows;
}

/// Operands: acc, left, right, and the start (acc again where there is none).
void multiply(const std::array<TileOperand, 4>& o, MatmulStart start) {
  const TileOperand &c = o[0], &a = o[1], &b = o[2];
  const std::vector<uint8_t> left = unpacked(a), right = unpacked(b);
  std::vector<uint8_t> sum, bias;
  if (start == MatmulStart::Accumulate)
    sum = unpacked(o[3]);
  else
    sum.resize(size_t{c.rows} * c.columns * c.element);
  if (start == MatmulStart::Bias) bias = unpacked(o[3]);
  array::matmul(a.shape->type, c.shape->type, sum.data(), left.data(), right.data(), bias.data(), start,
                c.rows, a.columns, c.columns);
  const TileShape plain = {c.shape->type, c.shape->mem, false, false, 0, 0, c.rows, c.columns};
  copy_region({c.at, c.shape, 0, 0}, {sum.data(), &plain, 0, 0}, c.rows, c.columns, c.element);
}

void matmul(const Instruction& as, const Tile& acc, const Tile& left, const Tile& right, const Tile* start,
            MatmulStart kind, Site site) {
  Core& core = tile_core();
  const uint32_t m = left.valid_rows, k = left.valid_cols, n = right.valid_cols;
  constexpr uint32_t kMost = 4095;
  for (uint32_t extent : {m, k, n})
    if (extent == 0 || extent > kMost) [[unlikely]]
      refuse(core, as.name,
             "m, k and n are " + std::to_string(m) + ", " + std::to_string(k) + " and " + std::to_string(n),
             "keep each of them in 1 … 4095", site);
  check_covers(core, as, "right", right, k, n, site);
  if (kind == MatmulStart::Bias) check_covers(core, as, "bias", *start, 1, n, site);
  const TileOperand c = find(core, as, "acc", acc, m, n, true, site);
  const bool bias = kind == MatmulStart::Bias;
  const TileOperand s =
      start ? find(core, as, bias ? "bias" : "start", *start, bias ? 1 : m, n, false, site) : c;
  const std::array operands = {c, find(core, as, "left", left, m, k, false, site),
                               find(core, as, "right", right, k, n, false, site), s};
  issue(
      core, as, site,
      [&](Footprint& f) {
        for (size_t i = 0; i < (start ? 4 : 3); ++i) add_access(f, operands[i]);
      },
      [](const std::array<TileOperand, 4>& o, MatmulStart kind) { multiply(o, kind); }, operands, kind);
}

}  // namespace

void tile_matmul(const Instruction& as, const Tile& acc, const Tile& left, const Tile& right) {
  matmul(as, acc, left, right, nullptr, MatmulStart::Zero, __builtin_return_address(0));
}

void tile_matmul_bias(const Instruction& as, const Tile& acc, const Tile& left, const Tile& right,
                      const Tile& bias) {
  matmul(as, acc, left, right, &bias, MatmulStart::Bias, __builtin_return_address(0));
}

void tile_matmul_accumulate(const Instruction& as, const Tile& acc, const Tile& start, const Tile& left,
                            const Tile& right) {
  matmul(as, acc, left, right, &start, MatmulStart::Accumulate, __builtin_return_address(0));
}

}  // namespace toprope::isa
