#include "lib/view.h"

#include <algorithm>

namespace toprope::lib {
namespace {

constexpr uint32_t kMostRepeats = 255;

/// Calls part(first row, rows) so that one instruction's repeats suffice for each part.
template <class Part>
void in_repeats(uint32_t rows, Part part) {
  for (uint32_t r = 0; r < rows; r += kMostRepeats)
    part(r, static_cast<uint8_t>(std::min(kMostRepeats, rows - r)));
}

uint16_t blocks(DType type, uint32_t elements) {
  return static_cast<uint16_t>(elements / lanes_of_block(type));
}

/// Whether rows can be repeats of one instruction.
bool as_repeats(DType type, const Rows& rows) { return rows.stride / lanes_of_block(type) <= 255; }

/// Calls issue(dst, src, values, shape) for each instruction that each() takes.
template <class Issue>
void for_each_row(const View& dst, const View& src, const View& values, Spread spread, const Rows& rows,
                  Issue issue) {
  const uint32_t lanes = lanes_of(dst.type), chunks = (rows.columns + lanes - 1) / lanes;
  const bool of_row = spread == Spread::OfRow;
  if (as_repeats(dst.type, rows) && chunks <= rows.rows) {
    const uint16_t stride = blocks(dst.type, rows.stride);
    for (uint32_t c = 0; c < rows.columns; c += lanes)
      in_repeats(rows.rows, [&](uint32_t r, uint8_t n) {
        const uint64_t place = uint64_t{r} * rows.stride + c;
        issue(dst[place].operand(1, stride), src[place].operand(1, stride),
              of_row ? values[uint64_t{r} * lanes_of_block(dst.type)].operand(0, 1) : values[c].operand(1, 0),
              VecShape::mask_count(std::min(lanes, rows.columns - c), n));
      });
    return;
  }
  for (uint32_t r = 0; r < rows.rows; ++r) {
    const View to = dst[uint64_t{r} * rows.stride], from = src[uint64_t{r} * rows.stride];
    if (!of_row) {
      issue(to.operand(), from.operand(), values.operand(), first(rows.columns));
      continue;
    }
    const isa::VecOperand value = values[uint64_t{r} * lanes_of_block(dst.type)].operand(0, 0);
    in_repeats(rows.columns / lanes, [&](uint32_t c, uint8_t n) {
      const uint64_t place = uint64_t{c} * lanes;
      issue(to[place].operand(), from[place].operand(), value, VecShape::mask_count(lanes, n));
    });
    if (const uint32_t rest = rows.columns % lanes; rest != 0) {
      const uint64_t place = rows.columns - rest;
      issue(to[place].operand(), from[place].operand(), value, VecShape::mask_count(rest, 1));
    }
  }
}

}  // namespace

void move(const View& dst, const View& src, uint32_t count) {
  const uint32_t lanes = lanes_of(dst.type), whole = count / lanes;
  in_repeats(whole, [&](uint32_t r, uint8_t n) {
    isa::copy_masked(dst.type, dst[uint64_t{r} * lanes].operand(), src[uint64_t{r} * lanes].operand(),
                     VecShape::mask_count(lanes, n));
  });
  if (const uint32_t rest = count % lanes; rest != 0) {
    const uint64_t done = uint64_t{whole} * lanes;
    isa::copy_masked(dst.type, dst[done].operand(), src[done].operand(), VecShape::mask_count(rest, 1));
  }
}

void each(Binary op, const View& dst, const View& src, const View& values, Spread spread, const Rows& rows) {
  for_each_row(dst, src, values, spread, rows,
               [&](const isa::VecOperand& d, const isa::VecOperand& s, const isa::VecOperand& v,
                   const VecShape& shape) { isa::binary(op, dst.type, d, s, v, shape); });
}

void each_multiply_add(const View& dst, const View& src, const View& values, Spread spread,
                       const Rows& rows) {
  for_each_row(dst, src, values, spread, rows,
               [&](const isa::VecOperand& d, const isa::VecOperand& s, const isa::VecOperand& v,
                   const VecShape& shape) {
                 isa::ternary(isa::Ternary::MulAddDst, dst.type, src.type, d, s, v, shape);
               });
}

void reduce_rows(isa::Reduce op, const View& dst, const View& src, const View& work, const Rows& rows) {
  const uint32_t lanes = lanes_of(dst.type);
  const auto repeats_to = [&](const View& to, const View& from, uint32_t columns, uint8_t n,
                              uint16_t stride) {
    isa::reduce_repeat(op, to.type, to.at, from.at, VecShape::mask_count(columns, 1), {n, 1, 1, stride},
                       isa::ReduceOrder::OnlyValue);
  };
  if (rows.columns <= lanes && as_repeats(dst.type, rows)) {
    in_repeats(rows.rows, [&](uint32_t r, uint8_t n) {
      repeats_to(dst[r], src[uint64_t{r} * rows.stride], rows.columns, n, blocks(dst.type, rows.stride));
    });
    return;
  }
  for (uint32_t r = 0; r < rows.rows; ++r) {
    const View from = src[uint64_t{r} * rows.stride];
    if (rows.columns <= lanes) {
      repeats_to(dst[r], from, rows.columns, 1, 8);
    } else if (op == isa::Reduce::Sum) {
      isa::reduce_sum(dst.type, dst[r].at, from.at, first(rows.columns));
    } else {  // one repeat of extremes, then its extreme
      const Binary fold = op == isa::Reduce::Max ? Binary::Max : Binary::Min;
      const uint32_t second = std::min(lanes, rows.columns - lanes);
      if (second < lanes) move(work, from, lanes);
      apply(fold, work, from, from[lanes], second);
      for (uint32_t c = 2 * lanes; c < rows.columns; c += lanes)
        apply(fold, work, work, from[c], std::min(lanes, rows.columns - c));
      repeats_to(dst[r], work, lanes, 1, 8);
    }
  }
}

void spread_blocks(const View& dst, const View& src, uint32_t count) {
  const uint32_t groups = (count + 7) / 8, lanes = lanes_of_block(dst.type);
  in_repeats(groups, [&](uint32_t g, uint8_t n) {
    isa::brcb(dst.type, dst[uint64_t{g} * 8 * lanes].operand(1, 8), src[uint64_t{g} * 8].at, n);
  });
}

void spread_blocks(const View& dst, const View& src, uint32_t count, const View& spare) {
  const uint32_t lanes = lanes_of_block(dst.type), rest = count % lanes, whole = count - rest;
  spread_blocks(dst, src, whole);
  if (rest == 0) return;
  fill(spare, 0, lanes);
  move(spare, src[whole], rest);
  spread_blocks(dst[uint64_t{whole} * lanes], spare, rest);
}

}  // namespace toprope::lib
