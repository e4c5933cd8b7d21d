// The table of the kernels of one operator in an operator package. Each takes, behind its own parameters, the
// tiling key of the call, which TILING_KEY_IS then sees.
#pragma once
#include "toprope/driver/entries.h"
#include "toprope/machine/tiling_key.h"

namespace toprope {
namespace detail {

template <auto function, class Type = decltype(function)>
struct Keyed;

template <auto function, class... Parameters>
struct Keyed<function, void (*)(Parameters...)> {
  static void run(Parameters... arguments, uint64_t key) {
    use_tiling_key(key);
    function(arguments...);
  }
};

}  // namespace detail

template <auto function>
KernelEntry package_entry(const LaunchSite& site) {
  return kernel_entry<&detail::Keyed<function>::run>(site);
}

}  // namespace toprope
