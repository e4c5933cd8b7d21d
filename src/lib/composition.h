// A high-level function while it issues its instructions: reports name the line of the kernel that called it,
// not the library's.
#pragma once
#include "machine/fault.h"
#include "machine/observer.h"
#include "toprope/machine/core.h"

namespace toprope::lib {

/// Stands from a function's entry to its end, in the mask's normal mode; a kernel's counter mode comes back
/// after it. `site` is the return address into the kernel; a function that calls another keeps its own.
class Composition {
 public:
  Composition(const char* name, Site site);
  ~Composition();
  Composition(const Composition&) = delete;
  Composition& operator=(const Composition&) = delete;

  Core& core() const { return core_; }
  /// Ends the block; the report names the function.
  [[noreturn]] void refuse(std::string_view what, std::string_view cure) const;

 private:
  Core& core_;
  bool outermost_, counter_;
};

}  // namespace toprope::lib
