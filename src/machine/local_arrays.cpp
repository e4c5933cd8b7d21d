#include "machine/local_arrays.h"

#include <cstdio>
#include <string>

#include "machine/core_state.h"
#include "machine/fault.h"
#include "toprope/machine/local_array.h"

namespace toprope {
namespace {

constexpr uint64_t kAlignment = 32;

}  // namespace

void* open_local_array(Mem mem, uint64_t bytes) {
  Core& c = core();
  LocalArrays& arrays = c.state->arrays;
  const int m = static_cast<int>(mem);
  const uint64_t begin = (arrays.top[m] + kAlignment - 1) / kAlignment * kAlignment;
  if (begin + bytes > c.capacity[m]) {
    const uint64_t left = begin < c.capacity[m] ? c.capacity[m] - begin : 0;
    refuse(c, "local array",
           std::to_string(bytes) + " bytes do not fit into " + name_of(mem) + ": " + std::to_string(left) +
               " of its " + std::to_string(c.capacity[m]) + " bytes are left, " +
               std::to_string(bytes - left) + " too few",
           "declare smaller arrays, or let them end their scope earlier", __builtin_return_address(0));
  }
  arrays.open.push_back({mem, static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + bytes)});
  arrays.top[m] = static_cast<uint32_t>(begin + bytes);
  return host(c, mem, begin);
}

void close_local_array() noexcept {
  LocalArrays& arrays = core().state->arrays;
  const LocalArrays::Extent last = arrays.open.back();
  arrays.open.pop_back();
  uint32_t top = 0;
  for (const auto& a : arrays.open)
    if (a.mem == last.mem) top = a.end;
  arrays.top[static_cast<int>(last.mem)] = top;
}

Slice local_slice(Mem mem, const void* pointer) {
  Core& c = core();
  const int m = static_cast<int>(mem), ub = static_cast<int>(Mem::UB);
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  const auto inside = [&](int memory) {
    const auto base = reinterpret_cast<uintptr_t>(c.base[memory]);
    return base && address >= base && address - base <= c.capacity[memory];
  };
  uint64_t at = address;
  if (inside(m)) {
    at = address - reinterpret_cast<uintptr_t>(c.base[m]);
  } else if (mem != Mem::UB && inside(ub)) {
    at = address - reinterpret_cast<uintptr_t>(c.base[ub]);
  } else if (address >= c.capacity[m]) {
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    refuse(
        c, "local memory pointer", std::string("pointer ") + text + " does not point into " + name_of(mem),
        mem == Mem::UB
            ? "declare the array with __ubuf__ in the kernel, or take its address from asc_get_phy_buf_addr"
            : "declare the array with the word of its memory, or take its address from asc_get_phy_buf_addr",
        __builtin_return_address(0));
  }
  for (const auto& a : c.state->arrays.open)
    if (a.mem == mem && at >= a.begin && at < a.end) return {at, a.begin, a.end, mem};
  return {at, 0, c.capacity[m], mem};
}

uint64_t local_address(uint64_t offset) {
  Core& c = core();
  return reinterpret_cast<uintptr_t>(host(c, Mem::UB, offset));
}

}  // namespace toprope
