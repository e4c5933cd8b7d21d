// What a core has copied from and to GM in this launch, coarsely: where the caches will not help by
// themselves. The numbers were measured (docs/performance.md).
#pragma once
#include <algorithm>
#include <cstdint>

namespace toprope {

class GmHistory {
 public:
  /// `launch` tells launches apart.
  void begin(uint64_t launch) {
    if (launch == launch_) return;
    launch_ = launch;
    if (stored_) std::fill_n(stored_to_, kRegions, 0);
    stored_ = loaded_ = 0;
  }

  /// Notes a copy into [at, at + bytes). True when it should go past the caches: the launch has stored more
  /// than they hold, and did not write to this place before.
  bool store(uintptr_t at, uint64_t bytes) {
    constexpr uint64_t kBeyondCaches = 8 << 20;
    if (bytes < kWorthIt) return false;
    uintptr_t& end = stored_to_[at / kRegion % kRegions];
    const bool again = end > at && (end - 1) / kRegion == at / kRegion;
    if (again) return false;
    end = std::min(at + bytes, (at / kRegion + 1) * kRegion);
    stored_ += bytes;
    return stored_ > kBeyondCaches;
  }

  /// Notes a copy from [at, at + bytes). True when it goes on where an earlier one ended, in a launch that
  /// reads much: then the bytes after it will be wanted next.
  bool load(uintptr_t at, uint64_t bytes) {
    constexpr uint64_t kBeyondNear = 2 << 20;
    if (bytes < kWorthIt) return false;
    loaded_ += bytes;
    for (uintptr_t& next : streams_)
      if (next == at) {
        next = at + bytes;
        return loaded_ > kBeyondNear;
      }
    streams_[oldest_++ % kStreams] = at + bytes;
    return false;
  }

 private:
  static constexpr uint64_t kWorthIt = 2048;
  static constexpr uintptr_t kRegion = 65536, kRegions = 512;
  static constexpr uint32_t kStreams = 4;
  uint64_t launch_ = 0, stored_ = 0, loaded_ = 0;
  uintptr_t stored_to_[kRegions] =
      {};  ///< for each region the end of the last copy into it; regions share places
  uintptr_t streams_[kStreams] = {};  ///< where the sequences of loads will go on
  uint32_t oldest_ = 0;
};

}  // namespace toprope
