#include <algorithm>

#include "lib/composition.h"
#include "lib/normalization/steps.h"

namespace toprope::lib {

void welford_update(DType type, const WelfordStep& step, Temporary memory) {
  const Composition call("WelfordUpdate", __builtin_return_address(0));
  const bool wide = type == DType::Float;
  const uint32_t tile = memory.elements(8, step.computed);
  const View difference = take(memory, DType::Float, tile), room = take(memory, DType::Float, tile);
  // Outputs may be inputs: they start as the old values, to which the changes are added.
  const uint32_t started = step.in_place ? step.length : step.computed;
  if (step.mean.at != step.old_mean.at) move({step.mean}, {step.old_mean}, started);
  if (step.variance.at != step.old_variance.at) move({step.variance}, {step.old_variance}, started);
  for (uint32_t i = 0; i < step.computed; i += tile) {
    const uint32_t count = std::min(tile, step.computed - i);
    const View mean = View{step.mean}[i], variance = View{step.variance}[i];
    View x = View{step.x, type}[i];
    if (!wide) {
      convert(room, x, count);
      x = room;
    }
    apply(Binary::Sub, difference, x, mean, count);
    isa::axpy(DType::Float, DType::Float, mean.operand(), difference.operand(),
              scalar(DType::Float, step.reciprocal), first(count));
    apply(Binary::Sub, room, x, mean, count);
    isa::ternary(isa::Ternary::MulAddDst, DType::Float, DType::Float, variance.operand(), room.operand(),
                 difference.operand(), first(count));
  }
}

void welford_finalize(const WelfordEnd& end, Temporary memory) {
  const Composition call("WelfordFinalize", __builtin_return_address(0));
  const uint32_t n = end.length;
  const View weights = take(memory, DType::Float, n), products = take(memory, DType::Float, n);
  const View mean = take(memory, DType::Float, 8), sum = take(memory, DType::Float, 8),
             block = take(memory, DType::Float, 64);
  const View means{end.means}, variances{end.variances};
  const bool weighted = end.has_counts || end.tail_count != 0;
  const Rows row{1, n, n};
  if (end.has_counts) {
    convert(weights, {end.counts, DType::Int32}, n);
  } else if (weighted) {  // the tail first: its count fills everything, then the head's its own part
    fill(weights, end.tail_count, n);
    if (end.head_length != 0) fill(weights, end.head_count, end.head_length);
  }
  fill(mean, 0, 8);
  if (weighted) {
    apply(Binary::Mul, products, means, weights, n);
    sum_rows(mean, products, row);
  } else {
    sum_rows(mean, means, row);
  }
  apply(VectorScalar::Muls, mean, mean, weighted ? end.reciprocal_total : end.reciprocal_length, 1);
  move({end.mean}, mean, 1);

  // The sum of variances plus weights times the squared distances of the means.
  spread_blocks(block, mean, 1);
  each(Binary::Sub, products, means, block, Spread::OfRow, row);
  apply(Binary::Mul, products, products, products, n);
  if (weighted)
    apply(Binary::Mul, products, products, weights, n);
  else
    apply(VectorScalar::Muls, products, products, end.repeats, n);
  apply(Binary::Add, products, products, variances, n);
  sum_rows(sum, products, row);
  apply(VectorScalar::Muls, sum, sum, end.reciprocal_total, 1);
  move({end.variance}, sum, 1);
}

}  // namespace toprope::lib
