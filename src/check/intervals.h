// A map from disjoint ranges of addresses to values: sorted, flat, few entries. Neighbours with equal values
// join.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace toprope::check {

template <class Value>
class Intervals {
 public:
  struct Entry {
    uint64_t begin, end;
    Value value;
  };

  /// Calls f(Value&, begin, end) for every piece of [begin, end), making pieces with `Value{}` where there
  /// was nothing; what f leaves is kept. Equal neighbours inside the range are joined afterwards.
  template <class F>
  void update(uint64_t begin, uint64_t end, F&& f) {
    size_t i = split(begin);
    const size_t first = i;
    uint64_t at = begin;
    while (at < end) {
      if (i == entries_.size() || entries_[i].begin > at) {
        const uint64_t to = i == entries_.size() ? end : std::min(end, entries_[i].begin);
        entries_.insert(entries_.begin() + static_cast<ptrdiff_t>(i), Entry{at, to, Value{}});
      } else if (entries_[i].end > end) {
        Entry rest = entries_[i];
        entries_[i].end = rest.begin = end;
        entries_.insert(entries_.begin() + static_cast<ptrdiff_t>(i) + 1, rest);
      }
      f(entries_[i].value, entries_[i].begin, entries_[i].end);
      at = entries_[i].end;
      ++i;
    }
    join(first, i);
  }

  /// Calls f(const Value&, begin, end) for the pieces that exist in [begin, end).
  template <class F>
  void look(uint64_t begin, uint64_t end, F&& f) const {
    for (size_t i = lower(begin); i < entries_.size() && entries_[i].begin < end; ++i)
      f(entries_[i].value, std::max(begin, entries_[i].begin), std::min(end, entries_[i].end));
  }

 private:
  /// The first entry that ends after `at`. The last place asked for is tried first: accesses come in runs.
  size_t lower(uint64_t at) const {
    if (hint_ < entries_.size() && entries_[hint_].end > at && (hint_ == 0 || entries_[hint_ - 1].end <= at))
      return hint_;
    const auto it = std::upper_bound(entries_.begin(), entries_.end(), at,
                                     [](uint64_t a, const Entry& e) { return a < e.end; });
    return hint_ = static_cast<size_t>(it - entries_.begin());
  }

  /// Makes `at` a boundary; returns the first entry that ends after it.
  size_t split(uint64_t at) {
    size_t i = lower(at);
    if (i < entries_.size() && entries_[i].begin < at) {
      Entry rest = entries_[i];
      entries_[i].end = rest.begin = at;
      entries_.insert(entries_.begin() + static_cast<ptrdiff_t>(++i), rest);
    }
    return i;
  }

  void join(size_t first, size_t last) {
    if (first > 0) --first;
    if (last < entries_.size()) ++last;
    if (last - first < 2) return;
    size_t out = first;
    for (size_t i = first + 1; i < last; ++i) {
      if (entries_[out].end == entries_[i].begin && entries_[out].value == entries_[i].value)
        entries_[out].end = entries_[i].end;
      else if (++out != i)
        entries_[out] = entries_[i];
    }
    if (out + 1 < last)
      entries_.erase(entries_.begin() + static_cast<ptrdiff_t>(out) + 1,
                     entries_.begin() + static_cast<ptrdiff_t>(last));
  }

  std::vector<Entry> entries_;
  mutable size_t hint_ = 0;
};

}  // namespace toprope::check
