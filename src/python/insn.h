// pypto.Insn: a loaded instruction with what is bound to it.
#pragma once
#include <nanobind/nanobind.h>

namespace pypto {

void bind_insn(nanobind::module_& m);

}  // namespace pypto
