// What a check remembers of each core that plays a block; the core that was asked for last is at hand.
#pragma once
#include <memory>
#include <unordered_map>
#include <vector>

#include "machine/observer.h"

namespace toprope::check {

template <class T>
class PerCore {
 public:
  T& of(const Core& core) {
    if (core.state != last_core_ || !last_) {
      last_core_ = core.state;
      auto& place = all_[core.state];
      if (!place) place = std::make_unique<T>();
      last_ = place.get();
    }
    return *last_;
  }
  auto begin() const { return all_.begin(); }
  auto end() const { return all_.end(); }

 private:
  std::unordered_map<const CoreState*, std::unique_ptr<T>> all_;
  const CoreState* last_core_ = nullptr;
  T* last_ = nullptr;
};

/// Numbers for the places at which instructions stand, small and from 1 on. A kernel has few of them and runs
/// them often.
class EventNumbers {
 public:
  struct Event {
    const Instruction* instruction = nullptr;
    Site site = nullptr;
    bool operator==(const Event&) const = default;
  };

  uint32_t of(const Instruction& instruction, Site site) {
    const Event event{&instruction, site};
    Recent& recent = recent_[Hash{}(event) % kRecent];
    if (recent.event == event) return recent.number;
    const auto [it, fresh] = numbers_.try_emplace(event, static_cast<uint32_t>(events_.size()));
    if (fresh) events_.push_back(event);
    recent = {event, it->second};
    return it->second;
  }
  const Event& operator[](uint32_t number) const { return events_[number]; }

 private:
  struct Hash {
    size_t operator()(const Event& e) const {
      return reinterpret_cast<uintptr_t>(e.instruction) / 16 * 31 ^ reinterpret_cast<uintptr_t>(e.site);
    }
  };
  struct Recent {
    Event event;
    uint32_t number = 0;
  };
  static constexpr size_t kRecent = 64;
  std::vector<Event> events_{1};
  std::unordered_map<Event, uint32_t, Hash> numbers_;
  Recent recent_[kRecent];
};

}  // namespace toprope::check
