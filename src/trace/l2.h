// What of GM lies in the L2 cache when a core reads it. Blocks run one after the other here and beside each
// other on the device, so "when" is counted in bytes that a core has moved since the launch began: what any
// core has touched within the last (L2 / active cores) bytes of that count is there.
#pragma once
#include <cstdint>
#include <vector>

namespace toprope::trace {

class L2 {
 public:
  L2();
  /// A launch begins: nothing of what it reads is in the cache.
  void begin(uint64_t capacity, uint32_t cores);
  /// Bytes of [at, at + bytes) that are not there; notes them as touched now. `position`: what the core has
  /// moved.
  uint64_t touch(uint64_t at, uint64_t bytes, uint64_t position);

 private:
  struct Granule {
    uint64_t number = 0, position = 0, launch = 0;
    uint64_t lines[2] = {0, 0};  // of 512 bytes, touched in this launch
  };
  std::vector<Granule> granules_;  // each number has one place: what meets there forgets the other
  uint64_t launch_ = 0, reach_ = 0;
};

}  // namespace toprope::trace
