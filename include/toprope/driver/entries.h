// A table of the kernels in a shared library, so that a program which only has the library finds and launches
// them: what aclrtc compiles ends with one, aclrtBinaryGetFunction reads it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "toprope/driver/submit.h"

namespace toprope {

struct KernelEntry {
  LaunchSite site;          ///< the kernel as it was named, and where it stands
  const void* function;     ///< null ends a table
  uint32_t parameters;      ///< how many
  const uint32_t* sizes;    ///< bytes of each parameter's value
  const uint32_t* aligned;  ///< alignment of each
  /// Launches with a pointer to each argument's value; returns what aclrtLaunchKernel would.
  uint32_t (*launch)(const KernelEntry& entry, const LaunchConfig& config, const void* const* arguments);
};

/// The symbol of the table.
constexpr const char* kernel_table_symbol = "toprope_kernel_table";

namespace detail {

template <auto function, class Type = decltype(function)>
struct KernelEntryOf;

template <auto function, class... Parameters>
struct KernelEntryOf<function, void (*)(Parameters...)> {
  // One element more than parameters, since there may be none.
  static constexpr uint32_t sizes[] = {sizeof(std::decay_t<Parameters>)..., 0};
  static constexpr uint32_t aligned[] = {alignof(std::decay_t<Parameters>)..., 0};

  template <size_t... index>
  static uint32_t launch_with(const KernelEntry& entry, const LaunchConfig& config,
                              [[maybe_unused]] const void* const* arguments, std::index_sequence<index...>) {
    // A parameter may be a reference: what it refers to is the copy that the launch makes.
    return known_kernel(entry.site, function)
        .submit_status(config,
                       *static_cast<std::decay_t<Parameters>*>(const_cast<void*>(arguments[index]))...);
  }
  static uint32_t launch_kernel(const KernelEntry& entry, const LaunchConfig& config,
                                const void* const* arguments) {
    return launch_with(entry, config, arguments, std::index_sequence_for<Parameters...>{});
  }
  static KernelEntry make(const LaunchSite& site) {
    return {site,         reinterpret_cast<const void*>(function), sizeof...(Parameters), sizes, aligned,
            launch_kernel};
  }
};

}  // namespace detail

template <auto function>
KernelEntry kernel_entry(const LaunchSite& site) {
  return detail::KernelEntryOf<function>::make(site);
}

}  // namespace toprope
