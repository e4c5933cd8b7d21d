// Allocating and checking memory: what aclrtMalloc, copies and fills share.
#pragma once
#include <cstddef>
#include <cstdint>

#include "acl/acl_rt.h"
#include "base/memory_registry.h"
#include "runtime/device.h"

namespace toprope {

/// Bytes from the operating system or the heap, aligned to 512 or more; null when the host has none. `mapped`
/// gets what give_back needs.
void* take_memory(size_t size, size_t& mapped);
void give_back(void* address, size_t mapped);

/// What fresh freed memory holds when streams may still use it: a use after free reads this every time.
constexpr unsigned char kPoison = 0xDB;

enum class Side : uint8_t { Host, Device, Any };

/// Checks that [address, address + size) is memory of `side` and stays inside its allocation. `operand` is
/// "dst"…
aclError check_range(const char* api, const char* operand, const void* address, size_t size, Side side);

/// The sides that a copy kind asks of its destination and source.
struct CopySides {
  Side dst, src;
};
aclError sides_of(const char* api, aclrtMemcpyKind kind, CopySides& sides);

/// "; it was freed at …" or "; it lies N bytes behind …", to end a message about an address.
std::string explain_address(uintptr_t address);

}  // namespace toprope
