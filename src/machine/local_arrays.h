// The arrays that a block has declared in its local memories.
#pragma once
#include <cstdint>
#include <vector>

#include "toprope/machine/core.h"

namespace toprope {

struct LocalArrays {
  struct Extent {
    Mem mem;
    uint32_t begin, end;
  };
  std::vector<Extent> open;  ///< in the order of their declarations
  uint32_t top[kMems] = {};  ///< first byte that no open array of a memory has

  void clear() {
    open.clear();
    for (uint32_t& t : top) t = 0;
  }
};

}  // namespace toprope
