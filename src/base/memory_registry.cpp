#include "base/memory_registry.h"

#include <algorithm>
#include <cstdio>
#include <mutex>

namespace toprope {
namespace {

constexpr size_t kRemembered = 256;

}  // namespace

void MemoryRegistry::add(const MemoryBlock& block) {
  std::unique_lock lock(mutex_);
  blocks_[block.base] = block;
}

std::optional<MemoryBlock> MemoryRegistry::remove(uintptr_t base, const void* site) {
  std::unique_lock lock(mutex_);
  const auto found = blocks_.find(base);
  if (found == blocks_.end()) return std::nullopt;
  const MemoryBlock block = found->second;
  blocks_.erase(found);
  removed_.push_back(block);
  removed_.back().freed = site;
  if (removed_.size() > kRemembered) removed_.pop_front();
  return block;
}

std::optional<MemoryBlock> MemoryRegistry::find(uintptr_t address) const {
  std::shared_lock lock(mutex_);
  auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin()) return std::nullopt;
  const MemoryBlock& block = std::prev(next)->second;
  if (!block.contains(address)) return std::nullopt;
  return block;
}

std::optional<MemoryBlock> MemoryRegistry::before(uintptr_t address, size_t reach) const {
  std::shared_lock lock(mutex_);
  auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin()) return std::nullopt;
  const MemoryBlock& block = std::prev(next)->second;
  const uintptr_t end = block.base + block.size;
  if (address < end || address - end >= reach) return std::nullopt;
  return block;
}

bool MemoryRegistry::has_device_memory() const {
  std::shared_lock lock(mutex_);
  return std::any_of(blocks_.begin(), blocks_.end(), [](const auto& b) { return b.second.on_device(); });
}

std::vector<MemoryBlock> MemoryRegistry::all() const {
  std::shared_lock lock(mutex_);
  std::vector<MemoryBlock> list;
  for (const auto& [base, block] : blocks_) list.push_back(block);
  return list;
}

std::optional<MemoryBlock> MemoryRegistry::removed(uintptr_t address) const {
  std::shared_lock lock(mutex_);
  const auto found = std::find_if(removed_.rbegin(), removed_.rend(),
                                  [address](const MemoryBlock& b) { return b.contains(address); });
  if (found == removed_.rend()) return std::nullopt;
  return *found;
}

MemoryRegistry& memory_registry() {
  // Never destroyed: static objects of the program may still free memory at exit.
  static auto& registry = *new MemoryRegistry;
  return registry;
}

std::string describe(const MemoryBlock& block) {
  static constexpr const char* kinds[] = {"device memory", "mapped device memory", "host memory",
                                          "registered host memory"};
  char text[128];
  std::snprintf(text, sizeof text, "%s of %zu bytes at %#zx", kinds[static_cast<int>(block.kind)], block.size,
                static_cast<size_t>(block.base));
  std::string result = text;
  if (block.on_device()) result += " (device " + std::to_string(block.device) + ")";
  return result;
}

}  // namespace toprope
