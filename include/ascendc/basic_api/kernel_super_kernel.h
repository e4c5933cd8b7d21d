// SuperKernel: functions that a graph compiler may join with those of other kernels. Here a kernel is always
// launched by itself, so binding them only checks them. Source: Ascend C API, utilities, SK_BIND.
#pragma once
#include <cstdint>

namespace sk {

/// What a joined kernel tells its parts.
struct SkSystemArgs {
  uint32_t skNumBlocks;
  uint32_t SkGetNumBlocks() const { return skNumBlocks; }
};

}  // namespace sk

namespace toprope {

template <class Kernel, class... Parts>
constexpr bool may_bind(Kernel*, uint64_t cap, Parts*...) {
  static_assert(sizeof...(Parts) >= 1 && sizeof...(Parts) <= 4, "SK_BIND takes one to four functions");
  return cap < 16;
}

}  // namespace toprope

/// The kernel, its capabilities (bits of 1, 2, 4, 8), and one to four functions of it as parts.
#define SK_BIND(...) \
  static_assert(::toprope::may_bind(__VA_ARGS__), "SK_BIND: the capabilities are bits of 1, 2, 4 and 8")
