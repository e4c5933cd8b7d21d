#include <algorithm>

#include "lib/composition.h"
#include "lib/normalization/steps.h"

namespace toprope::lib {
namespace {

/// a = a * gamma + beta, as far as they are there; `scratch` holds a row. gamma and beta end with the valid
/// elements: what pads a row stays.
void scale_and_shift(const View& a, const View& scratch, DType parameter, const Slice* gamma,
                     const Slice* beta, uint32_t count, const NormRows& n) {
  const Rows rows{count, n.valid, n.width};
  const auto with = [&](Binary op, const Slice& values) {
    View v{values, parameter};
    if (parameter != DType::Float) {
      convert(scratch, v, rows.columns);
      v = scratch;
    }
    each(op, a, a, v, Spread::OfColumn, rows);
  };
  if (gamma) with(Binary::Mul, *gamma);
  if (beta) with(Binary::Add, *beta);
}

struct Form {
  DType type, parameter;
  const Slice *gamma, *beta;
  bool float_statistics, rstd;
  const Slice* gx;
  float alpha;
};

void layer_norm_tiles(const Form& form, const LayerNormOperands& o, float epsilon, const NormRows& n,
                      Temporary memory, uint32_t tile) {
  const bool wide = form.type == DType::Float;
  View means{o.mean}, variances{o.variance};
  if (!form.float_statistics) {
    means = take(memory, DType::Float, n.rows);
    variances = take(memory, DType::Float, n.rows);
  }
  const View per_row = take(memory, DType::Float, tile);
  const View scratch = take_scratch(memory, tile, n.width);
  View work;
  if (!wide) work = take(memory, DType::Float, uint64_t{tile} * n.width);
  fill(per_row, 0, static_cast<uint32_t>(round_up(tile, 8)));
  for (uint32_t r = 0; r < n.rows; r += tile) {
    const Rows rows{std::min(tile, n.rows - r), n.width, n.width};
    const uint32_t count = rows.rows * n.width;
    const uint64_t place = uint64_t{r} * n.width;
    const View out = View{o.output, form.type}[place], x = View{o.x, form.type}[place];
    const View a = wide ? out : work;
    View from = x;
    if (!wide) {
      convert(a, x, count);
      from = a;
    }
    if (form.gx) {
      View gx = View{*form.gx, form.type}[place];
      if (!wide) {
        convert(scratch, gx, count);
        gx = scratch;
      }
      apply(VectorScalar::Muls, a, from, form.alpha, count);
      apply(Binary::Add, a, a, gx, count);
      from = a;
    }
    centre(a, from, {scratch, per_row, means[r]}, rows, n.valid);
    spread_of_squares(a, {scratch, per_row, variances[r]}, rows, n.valid, epsilon);
    scale_and_shift(a, scratch, form.parameter, form.gamma, form.beta, rows.rows, n);
    if (!wide) convert(out, a, count);
  }
  if (form.rstd) inverse_root(variances, variances, epsilon, scratch, n.rows);
  if (!form.float_statistics) {
    convert({o.mean, form.type}, means, n.rows);
    convert({o.variance, form.type}, variances, n.rows);
  }
}

}  // namespace

void layer_norm(DType type, const LayerNormOperands& o, float epsilon, const NormRows& rows,
                Temporary memory) {
  const Composition call("LayerNorm", __builtin_return_address(0));
  const uint32_t tile =
      rows_at_once(memory, rows.rows, [&](uint32_t t) { return memory::layer_norm(size_of(type), rows, t); });
  layer_norm_tiles({type, type, &o.gamma, &o.beta, type == DType::Float, false, nullptr, 1}, o, epsilon, rows,
                   memory, tile);
}

void layer_norm_rstd(DType type, DType parameter, const LayerNormOperands& o, bool has_gamma, bool has_beta,
                     float epsilon, const NormRows& rows, Temporary memory) {
  const Composition call("LayerNorm", __builtin_return_address(0));
  const uint32_t tile = rows_at_once(
      memory, rows.rows, [&](uint32_t t) { return memory::layer_norm_rstd(size_of(type), rows, t); });
  layer_norm_tiles(
      {type, parameter, has_gamma ? &o.gamma : nullptr, has_beta ? &o.beta : nullptr, true, true, nullptr, 1},
      o, epsilon, rows, memory, tile);
}

void deep_norm(DType type, const LayerNormOperands& o, const Slice& gx, float alpha, float epsilon,
               const NormRows& rows, Temporary memory) {
  const Composition call("DeepNorm", __builtin_return_address(0));
  const uint32_t tile =
      rows_at_once(memory, rows.rows, [&](uint32_t t) { return memory::layer_norm(size_of(type), rows, t); });
  layer_norm_tiles({type, type, &o.gamma, &o.beta, type == DType::Float, false, &gx, alpha}, o, epsilon, rows,
                   memory, tile);
}

void rms_norm(DType type, const Slice& output, const Slice& x, const Slice& gamma, float epsilon,
              const NormRows& n, Temporary memory) {
  const Composition call("RmsNorm", __builtin_return_address(0));
  const bool wide = type == DType::Float;
  const uint32_t tile =
      rows_at_once(memory, n.rows, [&](uint32_t t) { return memory::rms_norm(size_of(type), n, t); });
  const View per_row = take(memory, DType::Float, tile);
  const View scratch = take_scratch(memory, tile, n.width);
  View work;
  if (!wide) work = take(memory, DType::Float, uint64_t{tile} * n.width);
  fill(per_row, 0, static_cast<uint32_t>(round_up(tile, 8)));
  for (uint32_t r = 0; r < n.rows; r += tile) {
    const Rows rows{std::min(tile, n.rows - r), n.width, n.width};
    const uint32_t count = rows.rows * n.width;
    const uint64_t place = uint64_t{r} * n.width;
    const View out = View{output, type}[place], a = wide ? out : work;
    View from = View{x, type}[place];
    if (!wide) {
      convert(a, from, count);
      from = a;
    }
    apply(Binary::Mul, scratch, from, from, count);
    sum_rows(per_row, scratch, {rows.rows, n.valid, n.width});
    apply(VectorScalar::Muls, per_row, per_row, 1.0f / static_cast<float>(n.valid), rows.rows);
    divide_by_root(a, from, per_row, scratch, epsilon, rows);
    scale_and_shift(a, scratch, type, &gamma, nullptr, rows.rows, n);
    if (!wide) convert(out, a, count);
  }
}

void normalize(DType type, DType parameter, const LayerNormOperands& o, const Slice& rstd, bool has_gamma,
               bool has_beta, float epsilon, const NormRows& n, Temporary memory) {
  const Composition call("Normalize", __builtin_return_address(0));
  const bool wide = type == DType::Float;
  const uint32_t tile =
      rows_at_once(memory, n.rows, [&](uint32_t t) { return memory::normalize(size_of(type), n, t); });
  const View means = take(memory, DType::Float, 8 * round_up(n.rows, 8));
  const View scales = take(memory, DType::Float, 8 * round_up(n.rows, 8));
  const View scratch = take(memory, DType::Float, uint64_t{tile} * n.width);
  View work;
  if (!wide) work = take(memory, DType::Float, uint64_t{tile} * n.width);
  inverse_root({rstd}, {o.variance}, epsilon, scratch, n.rows);
  spread_blocks(scales, {rstd}, n.rows, scratch);
  spread_blocks(means, {o.mean}, n.rows, scratch);
  for (uint32_t r = 0; r < n.rows; r += tile) {
    const Rows rows{std::min(tile, n.rows - r), n.width, n.width};
    const uint64_t place = uint64_t{r} * n.width, block = uint64_t{r} * 8;
    const View out = View{o.output, type}[place], a = wide ? out : work;
    View from = View{o.x, type}[place];
    if (!wide) {
      convert(a, from, rows.rows * n.width);
      from = a;
    }
    each(Binary::Sub, a, from, means[block], Spread::OfRow, rows);
    each(Binary::Mul, a, a, scales[block], Spread::OfRow, rows);
    scale_and_shift(a, scratch, parameter, has_gamma ? &o.gamma : nullptr, has_beta ? &o.beta : nullptr,
                    rows.rows, n);
    if (!wide) convert(out, a, rows.rows * n.width);
  }
}

}  // namespace toprope::lib
