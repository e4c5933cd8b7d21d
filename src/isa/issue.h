// The one choke point: every instruction of every front end passes issue(). With no observer it costs one
// predicted branch; the footprint is built only for an observer, the arguments are copied only for a
// schedule.
#pragma once
#include <span>
#include <tuple>
#include <type_traits>

#include "machine/deferral.h"
#include "machine/fault.h"
#include "machine/tell.h"

namespace toprope::isa {

/// The operands of one instruction; filled by its footprint, first the destination.
class Footprint {
 public:
  Footprint() {}  // what is not added is not touched: clearing it would cost more than most observers
  void add(const Access& access) { accesses_[size_++] = access; }
  std::span<const Access> accesses() const { return {accesses_, size_}; }

 private:
  union {
    Access accesses_[12];  // a boxed tile takes two
  };
  size_t size_ = 0;
};

/// An instruction of a pipe: body(arguments...) runs now or, under a schedule, when the pipe gets to it, with
/// copies of the arguments. So a body captures nothing, and takes what it needs by value: plans, rows,
/// kernels, and the core as a pointer.
template <class MakeFootprint, class Body, class... Arguments>
inline void issue(Core& core, const Instruction& instruction, Site site, MakeFootprint&& make, Body body,
                  const Arguments&... arguments) {
  static_assert(std::is_empty_v<Body>, "what a body captures is gone when a schedule runs it: pass it along");
  static_assert((... && !std::is_same_v<Arguments, Core>), "pass the core as a pointer: there is one of it");
  static_assert((... && !std::is_array_v<Arguments>), "pass arrays as std::array");
  if (core.watched) [[unlikely]] {
    Footprint footprint;
    make(footprint);
    tell_instruction(core, instruction, footprint.accesses(), site);
    if (Deferral* later = deferral()) {
      later->defer(core, instruction.pipe,
                   [body, copies = std::tuple<Arguments...>(arguments...)] { std::apply(body, copies); });
      return;
    }
  }
  body(arguments...);
}

/// An instruction whose results the program reads at once, or whose bytes depend on its data: under a
/// schedule everything before it has run when make() and body() do.
template <class MakeFootprint, class Body>
inline void issue_now(Core& core, const Instruction& instruction, Site site, MakeFootprint&& make,
                      Body&& body) {
  if (core.watched) [[unlikely]] {
    if (Deferral* later = deferral()) later->finish(core);
    Footprint footprint;
    make(footprint);
    tell_instruction(core, instruction, footprint.accesses(), site);
  }
  body();
}

/// An instruction of the scalar pipe, which is in order with the program: `body` runs now.
template <class MakeFootprint, class Body>
inline void issue_scalar(Core& core, const Instruction& instruction, Site site, MakeFootprint&& make,
                         Body&& body) {
  if (core.watched) [[unlikely]] {
    Footprint footprint;
    make(footprint);
    tell_instruction(core, instruction, footprint.accesses(), site);
  }
  body();
}

}  // namespace toprope::isa
