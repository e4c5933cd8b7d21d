#include "pto/builtin/elementwise.h"

#include "isa/cast_table.h"
#include "isa/scalar_table.h"
#include "isa/ternary_table.h"
#include "pto/status.h"

namespace pto::builtin {
namespace {

using toprope::DType;
namespace isa = toprope::isa;

/// The words of the attribute `mode`, in the order of the instruction pages' CmpMode.
constexpr isa::Compare kModes[] = {isa::Compare::EQ, isa::Compare::NE, isa::Compare::LT,
                                   isa::Compare::GT, isa::Compare::GE, isa::Compare::LE};

template <isa::Ternary op>
void ternary(const Call& call) {
  const Tensor& d = call.operands[2];
  const auto* table = static_cast<const isa::TernaryTable*>(isa::ternary_table.get());
  const auto pair = static_cast<int>(isa::pair_of(type_of(d), type_of(call.operands[0])));
  table->at[0][static_cast<int>(op)][pair](d.data, call.operands[0].data, call.operands[1].data, count(d));
}

const isa::CastTable& casts() { return *static_cast<const isa::CastTable*>(isa::cast_table.get()); }

}  // namespace

void invert(const Call& call) {
  const Tensor& d = call.operands[1];
  pto_block_unary(Unary::Not, d.dtype, d.data, call.operands[0].data, count(d));
}

void divide_scalar(const Call& call) {
  const Tensor& d = call.operands[1];
  const Element s(d.dtype, call.attributes[0]);
  const void* src = call.operands[0].data;
  if (call.attributes[1].i)
    array::binary(Op::Div, type_of(d), array::Spread::First)(d.data, s.bytes, src, count(d));
  else
    array::binary(Op::Div, type_of(d), array::Spread::Second)(d.data, src, s.bytes, count(d));
}

void leaky_relu(const Call& call) {
  const Tensor& d = call.operands[1];
  isa::Scalar s;
  pto_block_constant(d.dtype, &s.bits, call.attributes[0]);
  const auto* table = static_cast<const isa::VectorScalarTable*>(isa::vector_scalar_table.get());
  table->at[0][static_cast<int>(isa::VectorScalar::LeakyRelu)][static_cast<int>(type_of(d))](
      d.data, call.operands[0].data, s, count(d));
}

void axpy(const Call& call) {
  const Tensor &x = call.operands[0], &d = call.operands[1];
  isa::Scalar s;
  pto_block_constant(x.dtype, &s.bits, call.attributes[0]);
  if (d.dtype == PTO_FLOAT16 && x.dtype == PTO_FLOAT32)
    throw Error(PTO_TYPE_MISMATCH,
                "Insn axpy: operand 1 (dst) is float16 and operand 0 (src) float32; a float32 dst takes "
                "both types, a float16 dst only its own");
  const auto* table = static_cast<const isa::TernaryTable*>(isa::ternary_table.get());
  table->axpy[0][static_cast<int>(isa::pair_of(type_of(d), type_of(x)))](d.data, x.data, s, count(d));
}

void compare(const Call& call) {
  const Tensor& a = call.operands[0];
  array::compare(kModes[call.attributes[0].i], type_of(a))(call.operands[2].data, a.data,
                                                           call.operands[1].data, count(a));
}

void compare_scalar(const Call& call) {
  const Tensor& a = call.operands[0];
  const Element s(a.dtype, call.attributes[0]);
  array::compare(kModes[call.attributes[1].i], type_of(a), array::Spread::Second)(call.operands[1].data,
                                                                                  a.data, s.bytes, count(a));
}

void select(const Call& call) {
  const Tensor& d = call.operands[3];
  array::select(size_of(d.dtype))(d.data, call.in<uint8_t>(0), call.operands[1].data, call.operands[2].data,
                                  count(d));
}

void select_scalar(const Call& call) {
  const Tensor& d = call.operands[2];
  const Element s(d.dtype, call.attributes[0]);
  array::select(size_of(d.dtype), array::Spread::Second)(d.data, call.in<uint8_t>(0), call.operands[1].data,
                                                         s.bytes, count(d));
}

void convert(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[1];
  pto_block_cast(d.dtype, d.data, s.dtype, s.data, static_cast<Round>(call.attributes[0].i), count(d));
}

void multiply_add_dst(const Call& call) { ternary<isa::Ternary::MulAddDst>(call); }
void fused_multiply_add(const Call& call) { ternary<isa::Ternary::FusedMulAdd>(call); }
void fused_multiply_add_relu(const Call& call) { ternary<isa::Ternary::MulAddRelu>(call); }

void add_relu_convert(const Call& call) {
  const Tensor &a = call.operands[0], &d = call.operands[2];
  const auto kernel = casts().relu[static_cast<int>(type_of(d))][static_cast<int>(type_of(a))][0];
  if (!kernel)
    throw Error(PTO_TYPE_MISMATCH,
                "Insn addreluconv converts float32 to float16, float16 to int8 or int16 to int8, not " +
                    std::string(pto_dtype_name(a.dtype)) + " to " + pto_dtype_name(d.dtype));
  kernel(d.data, a.data, call.operands[1].data, count(d), true);
}

void add_dequantise_relu(const Call& call) {
  const Tensor& d = call.operands[2];
  const auto to_half = casts().at[static_cast<int>(DType::Half)][static_cast<int>(DType::Int32)][0];
  const auto add = array::binary(Op::Add, DType::Int32);
  const auto relu = array::unary(Op1::Relu, DType::Half);
  const auto scale = static_cast<float>(call.attributes[0].f);
  in_blocks(count(d), [&](size_t i, size_t n) {
    alignas(64) int32_t sum[kBlock];
    add(sum, at(call.operands[0], i), at(call.operands[1], i), n);
    to_half(out(d, i), sum, n, {true, scale});
    relu(out(d, i), out(d, i), n);
  });
}

void expand_scalar(const Call& call) {
  const Tensor& d = call.operands[0];
  const Element s(d.dtype, call.attributes[0]);
  array::fill(size_of(d.dtype), d.data, s.bytes, count(d));
}

}  // namespace pto::builtin
