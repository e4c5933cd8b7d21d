// Bank conflicts in the unified buffer of dav-2201: 48 banks of 4 KB in 16 groups of 3, rows of 32 bytes.
// Source: Ascend C guide, avoiding UB bank conflicts (2201), and its sample with eight measured layouts.
#pragma once
#include <cstdint>
#include <span>

#include "machine/observer.h"

namespace toprope::trace {

/// How many repeats of 256 bytes the instruction takes, and how many cycles one takes at least because of
/// where its operands lie: 1 without conflicts. In a cycle a group serves one read, and a bank one read or
/// one write; a write that meets the reads of its own repeat block for block is put off and costs nothing.
struct BankUse {
  uint32_t repeats = 0;
  double cycles = 1;
};

BankUse bank_use(std::span<const Access> accesses);

}  // namespace toprope::trace
