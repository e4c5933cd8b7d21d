// Handles for C: a live one leads to its object, a stale or null one is recognised.
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace toprope {

/// What a C handle of a T points to. Slots are never returned to the allocator and are reused late, so that
/// using a handle after its object was destroyed is an error instead of a crash.
template <class T>
struct Slot {
  std::atomic<uint32_t> magic{0};
  std::shared_ptr<T> object;
};

template <class T>
class Handles {
 public:
  /// A new handle that owns `object`.
  static Slot<T>* make(std::shared_ptr<T> object) {
    Slot<T>* slot = nullptr;
    {
      std::lock_guard lock(mutex());
      if (retired().size() > kIdle) {
        slot = retired().front();
        retired().pop_front();
      }
    }
    if (!slot) slot = new Slot<T>;
    slot->object = std::move(object);
    slot->magic.store(T::kMagic, std::memory_order_release);
    return slot;
  }

  /// The object of a live handle, else null.
  static T* get(void* handle) {
    auto* slot = static_cast<Slot<T>*>(handle);
    if (reinterpret_cast<uintptr_t>(handle) % alignof(Slot<T>) || reinterpret_cast<uintptr_t>(handle) < 4096)
      return nullptr;
    return slot->magic.load(std::memory_order_acquire) == T::kMagic ? slot->object.get() : nullptr;
  }

  /// The same, kept alive.
  static std::shared_ptr<T> share(void* handle) {
    return get(handle) ? static_cast<Slot<T>*>(handle)->object : nullptr;
  }

  /// Ends the handle and gives its object away; null when it was not live.
  static std::shared_ptr<T> drop(void* handle) {
    if (!get(handle)) return nullptr;
    auto* slot = static_cast<Slot<T>*>(handle);
    uint32_t live = T::kMagic;
    if (!slot->magic.compare_exchange_strong(live, 0)) return nullptr;
    std::shared_ptr<T> object = std::move(slot->object);
    std::lock_guard lock(mutex());
    retired().push_back(slot);
    return object;
  }

 private:
  static constexpr size_t kIdle = 1024;
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }
  static std::deque<Slot<T>*>& retired() {
    static auto& slots = *new std::deque<Slot<T>*>;
    return slots;
  }
};

}  // namespace toprope
