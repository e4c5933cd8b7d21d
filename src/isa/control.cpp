#include "toprope/isa/control.h"

#include "isa/issue.h"

namespace toprope::isa {
namespace {

constexpr Instruction kSet{"SetCtrlSpr", Pipe::S};

}  // namespace

void saturate_floats(bool on) {
  Core& core = toprope::core();
  issue_scalar(core, kSet, __builtin_return_address(0), [](Footprint&) {}, [&] { core.saturate = on; });
}

bool floats_saturate() { return toprope::core().saturate; }

void saturate_casts(bool on) {
  Core& core = toprope::core();
  issue_scalar(core, kSet, __builtin_return_address(0), [](Footprint&) {}, [&] { core.wrap_casts = !on; });
}

bool casts_saturate() { return !toprope::core().wrap_casts; }

}  // namespace toprope::isa
