#include <algorithm>

#include "lib/composition.h"
#include "lib/normalization/steps.h"

namespace toprope::lib {
namespace {

/// `count` values in float: the values themselves, or a conversion of them into `room`.
View in_float(const Slice& values, DType type, const View& room, uint32_t count) {
  if (type == DType::Float) return {values};
  convert(room, {values, type}, count);
  return room;
}

}  // namespace

void layer_norm_grad(DType type, const LayerNormGradOperands& o, float epsilon, const NormRows& n,
                     Temporary memory) {
  const Composition call("LayerNormGrad", __builtin_return_address(0));
  const uint32_t tile =
      rows_at_once(memory, n.rows, [&](uint32_t t) { return memory::layer_norm_grad(size_of(type), n, t); });
  const View means = take(memory, DType::Float, 8 * round_up(n.rows, 8));
  const View roots = take(memory, DType::Float, 8 * round_up(n.rows, 8));
  const View root = take(memory, DType::Float, n.rows);
  View converted;
  if (type != DType::Float) converted = take(memory, DType::Float, n.rows);
  const View of_variance = take(memory, DType::Float, tile), of_mean = take(memory, DType::Float, tile),
             of_gradient = take(memory, DType::Float, tile);
  const View gradient = take(memory, DType::Float, uint64_t{tile} * n.width);  // x1: dy * gamma
  const View centred = take(memory, DType::Float, uint64_t{tile} * n.width);   // x2: x - mean
  const View scratch = take_scratch(memory, tile, n.width);

  spread_blocks(means, in_float(o.mean, type, root, n.rows), n.rows, scratch);
  inverse_root(root, in_float(o.variance, type, converted, n.rows), epsilon, scratch, n.rows);
  spread_blocks(roots, root, n.rows, scratch);
  fill(of_variance, 0, static_cast<uint32_t>(round_up(tile, 8)));
  fill(of_mean, 0, static_cast<uint32_t>(round_up(tile, 8)));
  const double share = 1.0 / n.valid;
  for (uint32_t r = 0; r < n.rows; r += tile) {
    const Rows rows{std::min(tile, n.rows - r), n.width, n.width}, counted{rows.rows, n.valid, n.width};
    const uint32_t count = rows.rows * n.width;
    const uint64_t place = uint64_t{r} * n.width, block = uint64_t{r} * 8;
    const auto store = [&](const Slice& to, const View& values) {
      const View out = View{to, type}[place];
      if (type == DType::Float)
        move(out, values, count);
      else
        convert(out, values, count);
    };
    const auto load = [&](const Slice& from, const View& room) {
      return in_float(View{from, type}[place].at, type, room, count);
    };
    each(Binary::Mul, gradient, load(o.dy, gradient), in_float(o.gamma, type, scratch, n.width),
         Spread::OfColumn, rows);
    each(Binary::Sub, centred, load(o.x, centred), means[block], Spread::OfRow, rows);

    // The sum of -0.5 * x1 * x2, times the third power of the root; then that of -x1, times the root, and
    // that of -2 * x2, times the first and 1 / H.
    apply(Binary::Mul, scratch, gradient, centred, count);
    apply(VectorScalar::Muls, scratch, scratch, -0.5, count);
    each(Binary::Mul, scratch, scratch, roots[block], Spread::OfRow, rows);
    each(Binary::Mul, scratch, scratch, roots[block], Spread::OfRow, rows);
    each(Binary::Mul, scratch, scratch, roots[block], Spread::OfRow, rows);
    sum_rows(of_variance, scratch, counted);
    apply(VectorScalar::Muls, scratch, centred, -2, count);
    sum_rows(of_mean, scratch, counted);
    apply(Binary::Mul, of_mean, of_mean, of_variance, rows.rows);
    apply(VectorScalar::Muls, of_mean, of_mean, share, rows.rows);
    apply(VectorScalar::Muls, of_variance, of_variance, 2 * share, rows.rows);
    each(Binary::Mul, gradient, gradient, roots[block], Spread::OfRow, rows);
    apply(VectorScalar::Muls, scratch, gradient, -1, count);
    sum_rows(of_gradient, scratch, counted);
    apply(Binary::Add, of_mean, of_mean, of_gradient, rows.rows);
    apply(VectorScalar::Muls, of_mean, of_mean, share, rows.rows);

    // dx = x1 * root + of_variance * x2 + of_mean
    spread_blocks(scratch, of_mean, rows.rows);
    each(Binary::Add, gradient, gradient, scratch, Spread::OfRow, rows);
    spread_blocks(scratch, of_variance, rows.rows);
    each_multiply_add(gradient, centred, scratch, Spread::OfRow, rows);
    each(Binary::Mul, centred, centred, roots[block], Spread::OfRow, rows);
    store(o.res_for_gamma, centred);
    store(o.dx, gradient);
  }
}

void layer_norm_grad_beta(DType type, const Slice& gamma, const Slice& beta, const Slice& res_for_gamma,
                          const Slice& dy, uint32_t rows, uint32_t width, Temporary memory) {
  const Composition call("LayerNormGradBeta", __builtin_return_address(0));
  const bool wide = type == DType::Float;
  const View product = take(memory, DType::Float, width);
  View sums[2] = {{gamma}, {beta}}, row;
  if (!wide) {
    for (View& s : sums) s = take(memory, DType::Float, width);
    row = take(memory, DType::Float, width);
  }
  for (uint32_t r = 0; r < rows; ++r) {
    const uint64_t place = uint64_t{r} * width;
    const View d = in_float(View{dy, type}[place].at, type, row, width);
    const View g = in_float(View{res_for_gamma, type}[place].at, type, product, width);
    if (r == 0) {
      apply(Binary::Mul, sums[0], g, d, width);
      move(sums[1], d, width);
      continue;
    }
    apply(Binary::Mul, product, g, d, width);
    apply(Binary::Add, sums[0], sums[0], product, width);
    apply(Binary::Add, sums[1], sums[1], d, width);
  }
  if (wide) return;
  convert({gamma, type}, sums[0], width);
  convert({beta, type}, sums[1], width);
}

}  // namespace toprope::lib
