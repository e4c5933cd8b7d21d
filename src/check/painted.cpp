#include "check/painted.h"

#include <algorithm>

namespace toprope::check {
namespace {

// Two halves, floats and doubles of this are no numbers, and as integers it is nothing that programs count
// to.
constexpr uint64_t kPattern = 0x7ff5db3c7fa5d9b3;
constexpr uint64_t kWord = sizeof kPattern;
constexpr uint64_t kMost = uint64_t{1} << 30;  // bytes of an allocation that are painted

const uint64_t* word_at(uint64_t address) {
  return reinterpret_cast<const uint64_t*>(address / kWord * kWord);
}

/// Whether any word of [first, last) holds the pattern. Without a branch inside: the compiler makes vectors
/// of it.
bool any_pattern(const uint64_t* first, const uint64_t* last) {
  constexpr ptrdiff_t kStep = 64;
  for (; last - first >= kStep; first += kStep) {
    uint64_t found = 0;
    for (ptrdiff_t i = 0; i < kStep; ++i) found |= first[i] == kPattern;
    if (found) return true;
  }
  return std::find(first, last, kPattern) != last;
}

}  // namespace

void Painted::paint(uint64_t begin, uint64_t bytes) {
  bytes = std::min(bytes / kWord * kWord, kMost);
  std::fill_n(reinterpret_cast<uint64_t*>(begin), bytes / kWord, kPattern);
  std::lock_guard lock(mutex_);
  left_.update(begin, begin + bytes, [](uint8_t& left, uint64_t, uint64_t) { left = 1; });
  any_ = true;
}

void Painted::strike(uint64_t begin, uint64_t bytes) {
  if (!any_) return;
  std::lock_guard lock(mutex_);
  left_.update(begin, begin + bytes, [](uint8_t& left, uint64_t, uint64_t) { left = 0; });
}

Painted::Range Painted::unwritten(uint64_t begin, uint64_t end) {
  if (!any_) return {};
  std::lock_guard lock(mutex_);
  Range all;
  left_.look(begin, end, [&](uint8_t left, uint64_t from, uint64_t to) {
    if (!left) return;
    const uint64_t *first = word_at(from), *last = word_at(to + kWord - 1);
    if (!any_pattern(first, last)) return;
    const uint64_t* word = std::find(first, last, kPattern);
    const uint64_t* back = last;
    while (back[-1] != kPattern) --back;
    if (!all) all.begin = std::max(from, reinterpret_cast<uint64_t>(word));
    all.end = std::min(to, reinterpret_cast<uint64_t>(back));
  });
  // Written, and for good: the next read need not look again.
  if (!all && begin / kWord != end / kWord)
    left_.update((begin + kWord - 1) / kWord * kWord, end / kWord * kWord,
                 [](uint8_t& left, uint64_t, uint64_t) { left = 0; });
  return all;
}

}  // namespace toprope::check
