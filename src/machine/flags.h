// Flags between the pipes of one core (SetFlag, WaitFlag): 8 ids for each ordered pair of pipes.
#pragma once
#include <array>
#include <cstdint>

#include "machine/observer.h"

namespace toprope {

class FlagTable {
 public:
  static constexpr int kIds = 8;
  void clear() { set_.fill(0); }
  /// False when the flag was set already (the second SetFlag is lost on the device).
  bool set(Pipe from, Pipe to, int id) {
    uint8_t& bits = at(from, to);
    const bool fresh = !(bits >> id & 1);
    bits = static_cast<uint8_t>(bits | 1u << id);
    return fresh;
  }
  /// False when the flag is not set: in program order nothing can set it any more.
  bool wait(Pipe from, Pipe to, int id) {
    uint8_t& bits = at(from, to);
    if (!(bits >> id & 1)) return false;
    bits = static_cast<uint8_t>(bits & ~(1u << id));
    return true;
  }
  bool is_set(Pipe from, Pipe to, int id) const {
    return set_[static_cast<size_t>(from) * 8 + static_cast<size_t>(to)] >> id & 1;
  }

 private:
  uint8_t& at(Pipe from, Pipe to) { return set_[static_cast<size_t>(from) * 8 + static_cast<size_t>(to)]; }
  std::array<uint8_t, 64> set_{};
};

}  // namespace toprope
