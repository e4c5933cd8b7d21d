#include "toprope/isa/scalar.h"

#include <string>

#include "isa/scalar_table.h"
#include "isa/walk.h"

namespace toprope::isa {
namespace {

constexpr Instruction instructions[] = {
#define TOPROPE_OP(name, page, types) {page, Pipe::V},
#include "toprope/isa/scalar.list"
#undef TOPROPE_OP
};

bool shifts(VectorScalar op) {
  return op == VectorScalar::ShiftLeft || op == VectorScalar::ShiftRight ||
         op == VectorScalar::ShiftRightRound;
}

/// A negative distance appears as a number far beyond the type's bits.
void check_distance(Core& core, const Instruction& instruction, DType type, Scalar scalar, Site site) {
  const uint64_t bits = size_of(type) * 8;
  if (scalar.bits <= bits) [[likely]]
    return;
  const bool negative = (type == DType::Int16 || type == DType::Int32) && scalar.bits >> (bits - 1) & 1;
  const int64_t distance = static_cast<int64_t>(scalar.bits) - (negative ? int64_t{1} << bits : 0);
  refuse(core, instruction.name,
         "scalarValue is " + std::to_string(distance) + ", which is outside 0 … " + std::to_string(bits),
         "shift " + std::string(name_of(type)) + " by 0 to " + std::to_string(bits) + " bits", site);
}

}  // namespace

void vector_scalar(VectorScalar op, DType type, const VecOperand& dst, const VecOperand& src, Scalar scalar,
                   const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const Instruction& instruction = instructions[static_cast<int>(op)];
  const uint32_t element = size_of(type);
  const Plan plan = plan_of(core, shape, element);
  if (plan.empty()) return;
  if (shifts(op)) check_distance(core, instruction, type, scalar, site);
  const std::array<Row, 2> rows = {resolve(core, instruction, "dst", dst, plan, element, site),
                                   resolve(core, instruction, "src", src, plan, element, site)};
  const auto* table = static_cast<const VectorScalarTable*>(vector_scalar_table.get());
  const VectorScalarKernel kernel = table->at[core.saturate][static_cast<int>(op)][static_cast<int>(type)];
  issue(
      core, instruction, site,
      [&](Footprint& f) {
        f.add(access_of("dst", dst, plan, element, true));
        f.add(access_of("src", src, plan, element, false));
      },
      [](const Plan& plan, const std::array<Row, 2>& rows, VectorScalarKernel kernel, Scalar scalar) {
        walk(plan, rows, [&](uint8_t* const* at, auto n) { kernel(at[0], at[1], scalar, n); });
      },
      plan, rows, kernel, scalar);
}

}  // namespace toprope::isa
