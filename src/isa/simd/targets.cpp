#include "isa/simd/targets.h"

#include <hwy/highway.h>
#include <hwy/targets.h>

namespace toprope::isa {
namespace {

DispatchedTable* first =
    nullptr;  // constant-initialised: tables of other files enrol during static initialisation
bool pinned = false;

}  // namespace

DispatchedTable::DispatchedTable(const void* (*choose)()) : choose_(choose), table_(choose()), next_(first) {
  first = this;
}

void DispatchedTable::choose_again() {
  for (DispatchedTable* t = first; t; t = t->next_) t->table_ = t->choose_();
}

void pin_portable_target(bool portable) {
  pinned = portable;
  hwy::SetSupportedTargetsForTest(portable ? HWY_STATIC_TARGET : 0);
  hwy::GetChosenTarget().DeInit();
  DispatchedTable::choose_again();
}

bool portable_target_pinned() { return pinned; }

const char* target_name() { return hwy::TargetName(hwy::SupportedTargets() & -hwy::SupportedTargets()); }

}  // namespace toprope::isa
