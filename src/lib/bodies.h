// The bodies that elementwise.list names.
#pragma once
#include "lib/pass.h"

namespace toprope::lib::body {

#define TOPROPE_OP(name, types, sources, pieces) void name(const Pass& p);
#include "toprope/lib/elementwise.list"
#undef TOPROPE_OP

}  // namespace toprope::lib::body
