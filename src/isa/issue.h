// The one choke point: every instruction of every front end passes issue(). With no observer it costs one
// predicted branch; the footprint is built only for an observer.
#pragma once
#include <span>

#include "machine/fault.h"
#include "machine/observer.h"

namespace toprope::isa {

/// The operands of one instruction; filled by its footprint, first the destination.
class Footprint {
 public:
  Footprint() {}  // what is not added is not touched: clearing it would cost more than most observers
  void add(const Access& access) { accesses_[size_++] = access; }
  std::span<const Access> accesses() const { return {accesses_, size_}; }

 private:
  union {
    Access accesses_[6];
  };
  size_t size_ = 0;
};

void notify(Core& core, const Instruction& instruction, const Footprint& footprint, Site site);

template <class MakeFootprint, class Body>
inline void issue(Core& core, const Instruction& instruction, Site site, MakeFootprint&& make, Body&& body) {
  if (core.watched) [[unlikely]] {
    Footprint footprint;
    make(footprint);
    notify(core, instruction, footprint, site);
  }
  body();
}

}  // namespace toprope::isa
