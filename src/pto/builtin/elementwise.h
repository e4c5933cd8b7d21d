// Functions of the built-in instructions that work element by element. Operands come in the order of the
// table: sources, then the destination.
#pragma once
#include "pto/builtin/kernels.h"

namespace pto::builtin {

using Op = array::Binary;
using Op1 = array::Unary;

template <array::Binary op>
void binary(const Call& call) {
  const Tensor& d = call.operands[2];
  array::binary(op, type_of(d))(d.data, call.operands[0].data, call.operands[1].data, count(d));
}

template <array::Unary op>
void unary(const Call& call) {
  const Tensor& d = call.operands[1];
  array::unary(op, type_of(d))(d.data, call.operands[0].data, count(d));
}

/// dst = op(src, scalar).
template <array::Binary op>
void scalar(const Call& call) {
  const Tensor& d = call.operands[1];
  const Element s(d.dtype, call.attributes[0]);
  array::binary(op, type_of(d), array::Spread::Second)(d.data, call.operands[0].data, s.bytes, count(d));
}

/// dst = first(src0, src1), then second(that, src2).
template <array::Binary first, array::Binary second>
void two_steps(const Call& call) {
  const Tensor& d = call.operands[3];
  const auto f = array::binary(first, type_of(d)), g = array::binary(second, type_of(d));
  in_blocks(count(d), [&](size_t i, size_t n) {
    alignas(64) uint8_t t[kBlock * 8];
    f(t, at(call.operands[0], i), at(call.operands[1], i), n);
    g(out(d, i), t, at(call.operands[2], i), n);
  });
}

/// dst = first(src0, scalar), then second(that, src1).
template <array::Binary first, array::Binary second>
void scalar_steps(const Call& call) {
  const Tensor& d = call.operands[2];
  const Element s(d.dtype, call.attributes[0]);
  const auto f = array::binary(first, type_of(d), array::Spread::Second),
             g = array::binary(second, type_of(d));
  in_blocks(count(d), [&](size_t i, size_t n) {
    alignas(64) uint8_t t[kBlock * 8];
    f(t, at(call.operands[0], i), s.bytes, n);
    g(out(d, i), t, at(call.operands[1], i), n);
  });
}

void invert(const Call& call);
void divide_scalar(const Call& call);  // src / scalar, or with `reverse` scalar / src
void leaky_relu(const Call& call);
void axpy(const Call& call);
void compare(const Call& call);
void compare_scalar(const Call& call);
void select(const Call& call);
void select_scalar(const Call& call);
void convert(const Call& call);
void multiply_add_dst(const Call& call);
void fused_multiply_add(const Call& call);
void fused_multiply_add_relu(const Call& call);
void add_relu_convert(const Call& call);
void add_dequantise_relu(const Call& call);
void expand_scalar(const Call& call);

}  // namespace pto::builtin
