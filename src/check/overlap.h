// How the operands of one vector instruction may share bytes. Source: Ascend C API, general notes, address
// overlap.
#pragma once
#include <span>
#include <string_view>

#include "machine/observer.h"

namespace toprope::check {

struct Overlap {
  enum Kind : uint8_t {
    None,
    Partial,  ///< in one repeat: the operands must be the same bytes, or share none
    Across    ///< a repeat reads what an earlier one has written
  } kind = None;
  uint64_t begin = 0, end = 0;       ///< the first bytes that are shared
  uint32_t repeat = 0, earlier = 0;  ///< who reads them and, Across, who wrote them
};

/// How `dst` may disturb `src`. Both are operands of an instruction whose repeats belong together.
Overlap overlap_of(const Access& dst, const Access& src);

/// Two-source instructions that may accumulate over repeats: dst is src1 and stands still.
bool may_accumulate(std::string_view instruction, const Access& dst, const Access& src);

/// The first bytes that an operand writes twice; empty range when there are none.
struct Twice {
  uint64_t begin = 0, end = 0;
};
Twice written_twice(const Access& dst);

}  // namespace toprope::check
