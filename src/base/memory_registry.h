// Who owns an address: every device and host allocation of the runtime, for bounds, reports and address
// queries.
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

namespace toprope {

enum class MemoryKind : uint8_t {
  Device,      ///< aclrtMalloc
  Mapped,      ///< physical device memory in a reserved range; neighbours form one range
  Host,        ///< aclrtMallocHost
  Registered,  ///< the program's own memory, aclrtHostRegister
};

struct MemoryBlock {
  uintptr_t base = 0;
  size_t size = 0;  ///< bytes asked for
  MemoryKind kind = MemoryKind::Device;
  int device = -1;              ///< owner; for host memory the device that was current
  const void* site = nullptr;   ///< return address of the call that made it
  size_t mapped = 0;            ///< bytes held from the operating system, 0 when they come from the heap
  size_t guard = 0;             ///< bytes in front of and behind it that belong to nobody
  const void* freed = nullptr;  ///< of a removed block: return address of the call that freed it

  bool contains(uintptr_t address) const { return address - base < size; }
  bool on_device() const { return kind == MemoryKind::Device || kind == MemoryKind::Mapped; }
};

/// Thread-safe. Blocks do not overlap, except that a registered range may lie in host memory.
class MemoryRegistry {
 public:
  void add(const MemoryBlock& block);

  /// Removes the block that starts at `base`; nothing when there is none. `site`: the caller's return
  /// address.
  std::optional<MemoryBlock> remove(uintptr_t base, const void* site = nullptr);

  /// The block around `address`.
  std::optional<MemoryBlock> find(uintptr_t address) const;

  /// The last block that ends at or before `address`, if less than `reach` bytes lie between: what an overrun
  /// left.
  std::optional<MemoryBlock> before(uintptr_t address, size_t reach) const;

  bool has_device_memory() const;

  /// Every block, by address.
  std::vector<MemoryBlock> all() const;

  /// The most recent of the last 256 removed blocks that held `address`.
  std::optional<MemoryBlock> removed(uintptr_t address) const;

 private:
  mutable std::shared_mutex mutex_;
  std::map<uintptr_t, MemoryBlock> blocks_;
  std::deque<MemoryBlock> removed_;
};

/// The process's registry.
MemoryRegistry& memory_registry();

/// "device memory of 4096 bytes at 0x… (device 0)" and the like.
std::string describe(const MemoryBlock& block);

}  // namespace toprope
