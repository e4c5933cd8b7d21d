#include "toprope/isa/binary.h"

#include "isa/binary_table.h"
#include "isa/walk.h"

namespace toprope::isa {
namespace {

constexpr Instruction instructions[] = {
#define TOPROPE_OP(name, types) {#name, Pipe::V},
#include "toprope/isa/binary.list"
#undef TOPROPE_OP
};

}  // namespace

void binary(Binary op, DType type, const VecOperand& dst, const VecOperand& src0, const VecOperand& src1,
            const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const Instruction& instruction = instructions[static_cast<int>(op)];
  const uint32_t element = size_of(type);
  const Plan plan = plan_of(core, shape, element);
  if (plan.empty()) return;
  const std::array<Row, 3> rows = {resolve(core, instruction, "dst", dst, plan, element, site),
                                   resolve(core, instruction, "src0", src0, plan, element, site),
                                   resolve(core, instruction, "src1", src1, plan, element, site)};
  const auto* table = static_cast<const BinaryTable*>(binary_table.get());
  const BinaryKernel kernel = table->at[core.saturate][static_cast<int>(op)][static_cast<int>(type)];
  issue(
      core, instruction, site,
      [&](Footprint& f) {
        f.add(access_of("dst", dst, plan, element, true));
        f.add(access_of("src0", src0, plan, element, false));
        f.add(access_of("src1", src1, plan, element, false));
      },
      [](const Plan& plan, const std::array<Row, 3>& rows, BinaryKernel kernel) {
        walk(plan, rows, [&](uint8_t* const* at, auto n) { kernel(at[0], at[1], at[2], n); });
      },
      plan, rows, kernel);
}

}  // namespace toprope::isa
