#include "lib/composition.h"
#include "lib/softmax/rows.h"

namespace toprope::lib {
namespace {

constexpr const char* kNames[] = {"SoftMax", "LogSoftMax", "SimpleSoftMax", "SoftmaxFlash", "SoftmaxFlashV2"};
constexpr double kLog10OfE = 0.43429448190325176;

bool given(const Slice& s) { return s.end != 0; }

/// One group: the maxima and sums into group.value[0] and [1], the matrix into `x`.
void one_group(SoftmaxKind kind, RowGroup& g, const SoftmaxTypes& types, const SoftmaxOperands& o,
               bool update) {
  const View &max = g.value[0], &sum = g.value[1], &before = g.value[2], &scale = g.value[3];
  const View src{o.src, types.type}, dst{o.dst, types.type};
  const View in = g.bring(src, g.matrix[0]), x = g.room_for(dst, g.matrix[0]);
  const auto statistics = [&](const Slice& s) { return View{s, types.statistics}; };
  const uint32_t n = g.rows();

  if (kind == SoftmaxKind::SimpleSoftMax) {
    g.load(max, statistics(o.in_max));
    g.load(sum, statistics(o.in_sum));
  } else {
    g.reduce(isa::Reduce::Max, max, in);
    if (update) {
      if (given(o.reduce_max)) g.store(statistics(o.reduce_max), max);
      g.load(before, statistics(o.in_max));
      apply(Binary::Max, max, max, before, n);
      apply(Binary::Sub, scale, before, max, n);
      apply(Unary::Exp, scale, scale, n);
      g.load(before, statistics(o.in_sum));
    }
    if (given(o.max)) g.store(statistics(o.max), max);
  }
  g.each_row(Binary::Sub, x, in, max);
  apply(Unary::Exp, x, x, g.elements());
  if (kind != SoftmaxKind::SimpleSoftMax) {
    g.reduce(isa::Reduce::Sum, sum, x);
    if (update) {
      apply(Binary::Mul, before, before, scale, n);
      apply(Binary::Add, sum, sum, before, n);
      // Flash divides by the sum, so it also corrects what came before by it.
      if (kind == SoftmaxKind::Flash) apply(Binary::Div, scale, before, sum, n);
      g.store({o.exp_max, types.type}, scale);
    }
    if (given(o.sum)) g.store(statistics(o.sum), sum);
  }
  if (kind != SoftmaxKind::FlashV2) g.each_row(Binary::Div, x, x, sum);
  if (kind == SoftmaxKind::LogSoftMax) {
    apply(Unary::Ln, x, x, g.elements());
    apply(VectorScalar::Muls, x, x, kLog10OfE, g.elements());
  }
  g.take_back(dst, x);
}

}  // namespace

void softmax(SoftmaxKind kind, const SoftmaxTypes& types, const SoftmaxOperands& operands, bool update,
             const SoftmaxShape& shape, const Temporary& temporary) {
  const Composition composition(kNames[static_cast<int>(kind)], __builtin_return_address(0));
  const uint32_t matrices = types.type != DType::Float || shape.nz ? 1 : 0;
  const uint32_t step = group_rows(
      shape, temporary, [&](uint32_t rows) { return softmax_bytes(rows, shape.columns, matrices); });
  Temporary memory = temporary;
  RowGroup group(shape, step, matrices, 4, memory);
  for (uint32_t first = 0; first < shape.rows; first += step) {
    group.begin(first, std::min(step, shape.rows - first));
    one_group(kind, group, types, operands, update);
  }
}

void softmax_grad(DType type, const Slice& dst, const Slice& grad, const Slice& src, bool front,
                  const SoftmaxShape& shape, const Temporary& temporary) {
  const Composition composition(front ? "SoftmaxGradFront" : "SoftmaxGrad", __builtin_return_address(0));
  const uint32_t matrices = type != DType::Float || shape.nz ? 2 : 1;
  const uint32_t step = group_rows(
      shape, temporary, [&](uint32_t rows) { return softmax_bytes(rows, shape.columns, matrices); });
  Temporary memory = temporary;
  RowGroup g(shape, step, matrices, 4, memory);
  const View out{dst, type}, of_grad{grad, type}, of_src{src, type}, &sum = g.value[0];
  for (uint32_t first = 0; first < shape.rows; first += step) {
    g.begin(first, std::min(step, shape.rows - first));
    const View y = g.bring(of_src, g.matrix[1]), product = g.matrix[0];
    View x = g.bring(of_grad, product);
    apply(Binary::Mul, product, x, y, g.elements());
    g.reduce(isa::Reduce::Sum, sum, product);
    if (front) {
      g.store(out, sum);
      continue;
    }
    x = g.bring(of_grad, product);
    g.each_row(Binary::Sub, product, x, sum);
    const View result = g.room_for(out, product);
    apply(Binary::Mul, result, product, y, g.elements());
    g.take_back(out, result);
  }
}

}  // namespace toprope::lib
