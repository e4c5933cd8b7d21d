// Places behind another in UB.
#pragma once
#include "toprope/machine/core.h"

namespace toprope::lib {

inline Slice advance(Slice s, uint64_t bytes) {
  s.at += bytes;
  return s;
}

}  // namespace toprope::lib
