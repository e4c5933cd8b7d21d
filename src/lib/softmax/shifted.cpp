// SoftmaxFlashV3: each of a row's eight parts is brought to the mean of the row before the softmax.
#include "lib/composition.h"
#include "lib/softmax/rows.h"

namespace toprope::lib {
namespace {

constexpr uint32_t kParts = 8, kSums = 64;

struct Room {
  View sums;    ///< 64 partial sums a row
  View means;   ///< 8 means of parts a row
  View spread;  ///< each of them as a DataBlock
};

/// The means of a row's parts, as the page defines them: the first 512 elements in blocks of 8, the rest in
/// strides of 64, are added to 64 sums, and 8 neighbours of those make a part.
void means_of_parts(const RowGroup& g, const View& x, const Room& room, uint32_t columns) {
  for (uint32_t r = 0; r < g.rows(); ++r)
    isa::reduce_block(isa::Reduce::Sum, DType::Float, room.sums[r * kSums].at, x[uint64_t{r} * columns].at,
                      VecShape::mask_count(kSums, 1), {kSums / 8, 1, 1, 8});
  const uint32_t row_blocks = columns / 8;
  for (uint32_t c = 512; c < columns; c += kSums)
    for (uint32_t done = 0; done < g.rows();) {
      const uint32_t n = row_blocks > 255 ? 1 : std::min(255u, g.rows() - done);
      const View sums = room.sums[done * kSums];
      isa::binary(Binary::Add, DType::Float, sums.operand(), sums.operand(),
                  x[uint64_t{done} * columns + c].operand(1, static_cast<uint16_t>(n == 1 ? 8 : row_blocks)),
                  VecShape::mask_count(kSums, static_cast<uint8_t>(n)));
      done += n;
    }
  for (uint32_t done = 0; done < g.rows(); done += 255)
    isa::reduce_block(isa::Reduce::Sum, DType::Float, room.means[done * kParts].at,
                      room.sums[done * kSums].at, VecShape::mask_count(kSums, 1),
                      {static_cast<int32_t>(std::min(255u, g.rows() - done)), 1, 1, 8});
  apply(VectorScalar::Muls, room.means, room.means, 1.0 / (columns / kParts), g.rows() * kParts);
}

void one_group(RowGroup& g, const SoftmaxTypes& types, const SoftmaxOperands& o, bool update,
               const SoftmaxShift& shift, uint32_t columns, const Room& room) {
  const View &mean = g.value[0], &max = g.value[1], &sum = g.value[2], &now = g.value[3],
             &before = g.value[4], &in = g.value[5], &overall = g.value[6];
  const View src{o.src, types.type}, dst{o.dst, types.type};
  const auto statistics = [&](const Slice& s) { return View{s, types.statistics}; };
  const double factor = static_cast<double>(shift.alpha) / (1 - static_cast<double>(shift.alpha));
  const uint32_t n = g.rows();
  const View x = g.bring(src, g.matrix[0]);
  means_of_parts(g, x, room, columns);
  reduce_rows(isa::Reduce::Sum, overall, room.means, g.work(), {n, kParts, kParts});
  apply(VectorScalar::Muls, overall, overall, 1.0 / kParts, n);
  spread_blocks(g.blocks(), overall, n);
  apply(Binary::Sub, room.means, g.blocks(), room.means, n * kParts);
  apply(VectorScalar::Muls, room.means, room.means, factor, n * kParts);
  spread_blocks(room.spread, room.means, n * kParts);
  const View shifted = g.matrix[0];
  each(Binary::Sub, shifted, x, room.spread, Spread::OfRow, {n * kParts, columns / kParts, columns / kParts});

  if (update) {
    g.load(in, statistics(o.in_mean));
    apply(VectorScalar::Muls, mean, in, shift.loops - 1.0, n);
    apply(Binary::Add, mean, mean, overall, n);
    apply(VectorScalar::Muls, mean, mean, 1.0 / shift.loops, n);
    apply(Binary::Sub, before, in, mean, n);
    apply(VectorScalar::Muls, before, before, factor, n);
  } else {
    apply(VectorScalar::Muls, mean, overall, 1, n);
  }
  apply(Binary::Sub, now, overall, mean, n);
  apply(VectorScalar::Muls, now, now, factor, n);
  g.reduce(isa::Reduce::Max, max, shifted);
  apply(Binary::Add, max, max, now, n);
  if (update) {
    g.load(in, statistics(o.in_max));
    apply(Binary::Add, before, before, in, n);
    apply(Binary::Max, max, max, before, n);
    apply(Binary::Sub, before, before, max, n);
    apply(Unary::Exp, before, before, n);
    g.store({o.exp_max, types.type}, before);
  }
  apply(Binary::Sub, now, max, now, n);
  g.each_row(Binary::Sub, shifted, shifted, now);
  apply(Unary::Exp, shifted, shifted, g.elements());
  g.reduce(isa::Reduce::Sum, sum, shifted);
  if (update) {
    g.load(in, statistics(o.in_sum));
    apply(Binary::Mul, in, in, before, n);
    apply(Binary::Add, sum, sum, in, n);
  }
  g.store(statistics(o.mean), mean);
  g.store(statistics(o.max), max);
  g.store(statistics(o.sum), sum);
  g.take_back(dst, shifted);
}

}  // namespace

void softmax_shifted(const SoftmaxTypes& types, const SoftmaxOperands& operands, bool update,
                     const SoftmaxShift& shift, const SoftmaxShape& shape, const Temporary& temporary) {
  const Composition composition("SoftmaxFlashV3", __builtin_return_address(0));
  if (shape.columns < 512 || shape.columns % 64 != 0)
    composition.refuse(
        "a row of " + std::to_string(shape.columns) + " elements is not a multiple of 64 from 512 on",
        "give rows of at least 512 elements, in multiples of 64");
  const uint32_t step =
      group_rows(shape, temporary, [&](uint32_t rows) { return softmax_shifted_bytes(rows, shape.columns); });
  Temporary memory = temporary;
  RowGroup group(shape, step, 1, 7, memory);
  const Room room{take(memory, DType::Float, uint64_t{step} * kSums),
                  take(memory, DType::Float, round_up(step, 8) * kParts),
                  take(memory, DType::Float, round_up(step, 8) * kParts * 8)};
  for (uint32_t first = 0; first < shape.rows; first += step) {
    group.begin(first, std::min(step, shape.rows - first));
    one_group(group, types, operands, update, shift, shape.columns, room);
  }
}

}  // namespace toprope::lib
