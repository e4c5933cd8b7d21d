#include "toprope/isa/unary.h"

#include "isa/unary_table.h"
#include "isa/walk.h"

namespace toprope::isa {
namespace {

constexpr Instruction instructions[] = {
#define TOPROPE_OP(name, types) {#name, Pipe::V},
#include "toprope/isa/unary.list"
#undef TOPROPE_OP
};

}  // namespace

void unary(Unary op, DType type, const VecOperand& dst, const VecOperand& src, const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const Instruction& instruction = instructions[static_cast<int>(op)];
  const uint32_t element = size_of(type);
  const Plan plan = plan_of(core, shape, element);
  if (plan.empty()) return;
  const std::array<Row, 2> rows = {resolve(core, instruction, "dst", dst, plan, element, site),
                                   resolve(core, instruction, "src", src, plan, element, site)};
  const auto* table = static_cast<const UnaryTable*>(unary_table.get());
  const UnaryKernel kernel = table->at[core.saturate][static_cast<int>(op)][static_cast<int>(type)];
  issue(
      core, instruction, site,
      [&](Footprint& f) {
        f.add(access_of("dst", dst, plan, element, true));
        f.add(access_of("src", src, plan, element, false));
      },
      [](const Plan& plan, const std::array<Row, 2>& rows, UnaryKernel kernel) {
        walk(plan, rows, [&](uint8_t* const* at, auto n) { kernel(at[0], at[1], n); });
      },
      plan, rows, kernel);
}

}  // namespace toprope::isa
