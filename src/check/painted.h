// Device memory that was allocated and not written since: each allocation starts out full of one pattern, and
// what still holds it was never written, by whomever. What the host is seen to write is struck off at once,
// so that usual inputs are never looked at.
#pragma once
#include <atomic>
#include <mutex>

#include "check/intervals.h"

namespace toprope::check {

class Painted {
 public:
  void paint(uint64_t begin, uint64_t bytes);
  /// Somebody has written [begin, begin + bytes), or it is freed.
  void strike(uint64_t begin, uint64_t bytes);

  struct Range {
    uint64_t begin = 0, end = 0;
    explicit operator bool() const { return end != begin; }
  };
  /// What of [begin, end) still holds the pattern: from the first to the last such byte.
  Range unwritten(uint64_t begin, uint64_t end);

 private:
  std::atomic<bool> any_{false};
  std::mutex mutex_;         ///< guards what follows
  Intervals<uint8_t> left_;  ///< 1: may still hold the pattern
};

}  // namespace toprope::check
