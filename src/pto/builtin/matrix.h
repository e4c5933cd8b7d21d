// Functions of the built-in reductions, expansions and matrix products. A matrix is whatever has rows of its
// last size.
#pragma once
#include "isa/array/reduce.h"
#include "pto/builtin/kernels.h"

namespace pto::builtin {

using Reduce = array::Reduce;

template <Reduce op>
void reduce_rows(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[1];
  array::reduce(op, type_of(d), d.data, s.data, d.elements, call.symbols[0], 1);
}

template <Reduce op>
void reduce_columns(const Call& call) {
  const Tensor& d = call.operands[1];
  array::reduce(op, type_of(d), d.data, call.operands[0].data, 1, call.symbols[0], call.symbols[1]);
}

template <Reduce op>
void index_rows(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[1];
  array::reduce_index(op, type_of(s), call.out<int32_t>(1), s.data, d.elements, call.symbols[0], 1);
}

template <Reduce op>
void index_columns(const Call& call) {
  array::reduce_index(op, type_of(call.operands[0]), call.out<int32_t>(1), call.operands[0].data, 1,
                      call.symbols[0], call.symbols[1]);
}

/// dst[i, j] = op(src0[i, j], src1[i, 0]).
template <array::Binary op>
void row_scalars(const Call& call) {
  const Tensor& d = call.operands[2];
  const auto f = array::binary(op, type_of(d), array::Spread::Second);
  const auto rows = static_cast<size_t>(d.shape[0]), columns = static_cast<size_t>(d.shape[1]);
  for (size_t i = 0; i < rows; ++i)
    f(out(d, i * columns), at(call.operands[0], i * columns), at(call.operands[1], i), columns);
}

/// dst[i, j] = op(src0[i, j], src1[0, j]).
template <array::Binary op>
void column_scalars(const Call& call) {
  const Tensor& d = call.operands[2];
  const auto f = array::binary(op, type_of(d));
  const auto rows = static_cast<size_t>(d.shape[0]), columns = static_cast<size_t>(d.shape[1]);
  for (size_t i = 0; i < rows; ++i)
    f(out(d, i * columns), at(call.operands[0], i * columns), call.operands[1].data, columns);
}

void expand_rows(const Call& call);
void expand_columns(const Call& call);
void matmul(const Call& call);
void matmul_acc(const Call& call);
void matmul_bias(const Call& call);

}  // namespace pto::builtin
