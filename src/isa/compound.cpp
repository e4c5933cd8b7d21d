#include "toprope/isa/compound.h"

#include <algorithm>

#include "isa/binary_table.h"
#include "isa/cast_table.h"
#include "isa/unary_table.h"
#include "isa/walk.h"

namespace toprope::isa {
namespace {

constexpr Instruction kMulCast{"MulCast", Pipe::V}, kAddDeqRelu{"AddDeqRelu", Pipe::V};
constexpr size_t kChunkBytes = 4096;  // of what is kept between two steps

BinaryKernel binary_kernel(const Core& core, Binary op, DType type) {
  const auto* table = static_cast<const BinaryTable*>(binary_table.get());
  return table->at[core.saturate][static_cast<int>(op)][static_cast<int>(type)];
}

CastKernel cast_kernel(DType to, DType from) {
  const auto* table = static_cast<const CastTable*>(cast_table.get());
  return table->at[static_cast<int>(to)][static_cast<int>(from)][static_cast<int>(Round::Rint)];
}

/// The shape these instructions share: first(between, src0, src1, n) into scratch, then second(dst, between,
/// n).
template <class First, class Second>
void two_steps(Core& core, const Instruction& instruction, DType to, DType from, const VecOperand& dst,
               const VecOperand& src0, const VecOperand& src1, const VecShape& shape, Site site, First first,
               Second second) {
  const uint32_t narrow = size_of(to), wide = size_of(from);
  const Plan plan = plan_of(core, shape, wide);
  if (plan.empty()) return;
  const std::array<Row, 3> rows = {resolve(core, instruction, "dst", dst, plan, narrow, site),
                                   resolve(core, instruction, "src0", src0, plan, wide, site),
                                   resolve(core, instruction, "src1", src1, plan, wide, site)};
  issue(
      core, instruction, site,
      [&](Footprint& f) {
        f.add(access_of("dst", dst, plan, narrow, true));
        f.add(access_of("src0", src0, plan, wide, false));
        f.add(access_of("src1", src1, plan, wide, false));
      },
      [](const Plan& plan, const std::array<Row, 3>& rows, First first, Second second, uint32_t narrow,
         uint32_t wide) {
        walk(plan, rows, [&](uint8_t* const* at, size_t n) {
          alignas(64) uint8_t between[kChunkBytes];
          const size_t chunk = kChunkBytes / wide;
          for (size_t i = 0; i < n; i += chunk) {
            const size_t here = std::min(chunk, n - i);
            first(between, at[1] + i * wide, at[2] + i * wide, here);
            second(at[0] + i * narrow, between, here);
          }
        });
      },
      plan, rows, first, second, narrow, wide);
}

}  // namespace

void mul_cast(DType to, const VecOperand& dst, const VecOperand& src0, const VecOperand& src1,
              const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const BinaryKernel mul = binary_kernel(core, Binary::Mul, DType::Half);
  const CastKernel cast = cast_kernel(to, DType::Half);
  const CastMode mode{core.saturate, 1.0f};
  two_steps(core, kMulCast, to, DType::Half, dst, src0, src1, shape, site, mul,
            [=](void* out, const void* in, size_t n) { cast(out, in, n, mode); });
}

void add_deq_relu(const VecOperand& dst, const VecOperand& src0, const VecOperand& src1,
                  const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const BinaryKernel add = binary_kernel(core, Binary::Add, DType::Int32);
  const CastKernel dequantise = cast_kernel(DType::Half, DType::Int32);
  const auto* unaries = static_cast<const UnaryTable*>(unary_table.get());
  const UnaryKernel relu =
      unaries->at[core.saturate][static_cast<int>(Unary::Relu)][static_cast<int>(DType::Half)];
  const CastMode mode{core.saturate, float_from_half(static_cast<uint16_t>(core.vector.deq_scale))};
  two_steps(core, kAddDeqRelu, DType::Half, DType::Int32, dst, src0, src1, shape, site, add,
            [=](void* out, const void* in, size_t n) {
              dequantise(out, in, n, mode);
              relu(out, out, n);
            });
}

}  // namespace toprope::isa
