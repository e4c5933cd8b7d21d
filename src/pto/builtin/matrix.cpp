#include "pto/builtin/matrix.h"

#include <fmt/format.h>

#include <cstring>

#include "isa/array/matmul.h"
#include "pto/status.h"

namespace pto::builtin {
namespace {

void require_first(const Tensor& s, int64_t size, const char* of) {
  if (size == 0 && s.elements == 0)
    throw Error(PTO_SHAPE_MISMATCH,
                fmt::format("operand 0 (src) has empty {}, which have no first element", of));
}

/// c = start + a · b; `a` is the operand's place, b follows it.
void product(const Call& call, int a, const void* bias, array::MatmulStart start) {
  const Tensor &left = call.operands[a], &right = call.operands[a + 1],
               &c = call.operands[a == 0 && bias ? 3 : a + 2];
  const bool fits =
      left.dtype == PTO_INT8 ? c.dtype == PTO_INT32 : c.dtype == PTO_FLOAT32 || c.dtype == left.dtype;
  if (!fits)
    throw Error(PTO_TYPE_MISMATCH, fmt::format("{} operands give {}, not {}", pto_dtype_name(left.dtype),
                                               left.dtype == PTO_INT8 ? "int32"
                                               : left.dtype == PTO_FLOAT32
                                                   ? "float32"
                                                   : std::string("float32 or ") + pto_dtype_name(left.dtype),
                                               pto_dtype_name(c.dtype)));
  array::matmul(type_of(left), type_of(c), c.data, left.data, right.data, bias, start, left.shape[0],
                left.shape[1], right.shape[1]);
}

}  // namespace

void expand_rows(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[1];
  const auto rows = static_cast<size_t>(d.shape[0]), columns = static_cast<size_t>(d.shape[1]),
             source = static_cast<size_t>(s.shape[1]);
  if (d.elements) require_first(s, s.shape[1], "rows");
  for (size_t i = 0; i < rows && columns; ++i)
    array::fill(size_of(d.dtype), out(d, i * columns), at(s, i * source), columns);
}

void expand_columns(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[1];
  const auto rows = static_cast<size_t>(d.shape[0]), columns = static_cast<size_t>(d.shape[1]);
  if (d.elements) require_first(s, s.shape[0], "columns");
  for (size_t i = 0; i < rows; ++i) std::memcpy(out(d, i * columns), s.data, columns * size_of(d.dtype));
}

void matmul(const Call& call) { product(call, 0, nullptr, array::MatmulStart::Zero); }

void matmul_acc(const Call& call) {
  const Tensor &acc = call.operands[0], &c = call.operands[3];
  std::memcpy(c.data, acc.data, count(c) * size_of(c.dtype));
  product(call, 1, nullptr, array::MatmulStart::Accumulate);
}

void matmul_bias(const Call& call) { product(call, 0, call.operands[2].data, array::MatmulStart::Bias); }

}  // namespace pto::builtin
