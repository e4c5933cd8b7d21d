// A map from disjoint ranges of addresses to values: sorted, flat, few entries. Neighbours with equal values
// join.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
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
    size_t i = lower(begin);
    if (i < entries_.size() && entries_[i].begin == begin && entries_[i].end == end) {
      f(entries_[i].value, begin, end);  // the same tile again: most accesses
      join(i, i + 1);
      return;
    }
    i = split(i, begin);
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

  /// Joins neighbours for which merge(Value& into, const Value& next) answers true.
  template <class F>
  void merge(F&& merge) {
    if (entries_.empty()) return;
    size_t out = 0;
    for (size_t i = 1; i < entries_.size(); ++i) {
      if (entries_[out].end == entries_[i].begin && merge(entries_[out].value, entries_[i].value))
        entries_[out].end = entries_[i].end;
      else
        entries_[++out] = entries_[i];
    }
    entries_.erase(entries_.begin() + static_cast<ptrdiff_t>(out) + 1, entries_.end());
    hint_ = 0;
  }

  void clear() {
    entries_.clear();
    hint_ = 0;
  }
  size_t size() const { return entries_.size(); }

 private:
  /// The first entry that ends after `at`. The last place asked for, and the next, are tried first: accesses
  /// come in runs.
  size_t lower(uint64_t at) const {
    for (size_t i = hint_; i < std::min(hint_ + 2, entries_.size()); ++i)
      if (entries_[i].end > at && (i == 0 || entries_[i - 1].end <= at)) return hint_ = i;
    const auto it = std::upper_bound(entries_.begin(), entries_.end(), at,
                                     [](uint64_t a, const Entry& e) { return a < e.end; });
    return hint_ = static_cast<size_t>(it - entries_.begin());
  }

  /// Makes `at` a boundary; `i` and the answer: the first entry that ends after it.
  size_t split(size_t i, uint64_t at) {
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

/// Global memory: many tiles far apart, so one small map for each page.
template <class Value>
class PagedIntervals {
 public:
  /// As Intervals::update. Afterwards compact(page) is called where a page has grown large.
  template <class F, class Compact>
  void update(uint64_t begin, uint64_t end, F&& f, Compact&& compact) {
    for (uint64_t at = begin; at < end;) {
      const uint64_t stop = std::min(end, (at / kPage + 1) * kPage);
      Intervals<Value>& page = page_of(at);
      page.update(at, stop, f);
      if (page.size() > kLarge) compact(page);
      at = stop;
    }
  }

  template <class F>
  void look(uint64_t begin, uint64_t end, F&& f) {
    for (uint64_t at = begin; at < end;) {
      const uint64_t stop = std::min(end, (at / kPage + 1) * kPage);
      page_of(at).look(at, stop, f);
      at = stop;
    }
  }

  /// Nothing is known of [begin, end) any more.
  void forget(uint64_t begin, uint64_t end) {
    for (auto it = pages_.begin(); it != pages_.end();) {
      const uint64_t first = it->first * kPage, last = first + kPage;
      if (begin <= first && last <= end) {
        it = pages_.erase(it);
        continue;
      }
      if (first < end && begin < last)
        it->second.update(std::max(begin, first), std::min(end, last),
                          [](Value& value, uint64_t, uint64_t) { value = {}; });
      ++it;
    }
    last_ = nullptr;
  }

  void clear() {
    if (pages_.size() <= kKept)  // the next launch of the same kernel wants them again
      for (auto& [number, page] : pages_) page.clear();
    else
      pages_.clear();
    last_ = nullptr;
  }

  size_t size() const {
    size_t all = 0;
    for (const auto& [number, page] : pages_) all += page.size();
    return all;
  }

 private:
  static constexpr uint64_t kPage = 256 * 1024;
  static constexpr size_t kLarge = 2048;  // pieces of a page
  static constexpr size_t kKept = 64;     // pages

  Intervals<Value>& page_of(uint64_t at) {
    if (const uint64_t number = at / kPage; number != last_number_ || !last_) {
      last_number_ = number;
      last_ = &pages_[number];
    }
    return *last_;
  }

  std::unordered_map<uint64_t, Intervals<Value>> pages_;
  uint64_t last_number_ = 0;
  Intervals<Value>* last_ = nullptr;
};

}  // namespace toprope::check
