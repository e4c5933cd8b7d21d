#include <algorithm>

#include "lib/composition.h"
#include "lib/sort/steps.h"
#include "lib/view.h"
#include "toprope/isa/gather.h"

namespace toprope::lib {
namespace {

constexpr uint32_t kGroup = isa::kSortGroup;
constexpr int32_t kMostRepeats = 255;

Slice record(const Slice& from, uint64_t index) {
  Slice s = from;
  s.at += index * isa::kRecordBytes;
  return s;
}

/// Sorted runs of `length` records each, four at a time.
void merge_round(DType type, const Slice& dst, const Slice& src, uint32_t count, uint32_t length) {
  const uint32_t whole = count / (4 * length);
  if (whole != 0) {
    isa::MergeRuns runs{};
    for (uint32_t i = 0; i < 4; ++i) {
      runs.run[i] = record(src, uint64_t{i} * length);
      runs.lengths[i] = static_cast<uint16_t>(length);
    }
    runs.valid = 15;
    runs.repeats = static_cast<uint16_t>(whole);
    isa::merge(type, dst, runs);
  }
  const uint32_t done = whole * 4 * length, rest = count - done;
  if (rest == 0) return;
  const uint32_t queues = (rest + length - 1) / length;
  if (queues == 1) {
    move(View{record(dst, done), DType::Int32}, View{record(src, done), DType::Int32}, rest * 2);
    return;
  }
  isa::MergeRuns runs{};
  for (uint32_t i = 0; i < queues; ++i) {
    runs.run[i] = record(src, done + uint64_t{i} * length);
    runs.lengths[i] = static_cast<uint16_t>(std::min(length, rest - i * length));
  }
  runs.valid = static_cast<uint16_t>((1u << queues) - 1);
  runs.repeats = 1;
  isa::merge(type, record(dst, done), runs);
}

}  // namespace

void sort_groups(DType type, const Slice& dst, const Slice& scores, const Slice& indices, uint32_t groups) {
  for (uint32_t g = 0; g < groups; g += kMostRepeats) {
    const uint64_t at = uint64_t{g} * kGroup;
    isa::sort32(type, record(dst, at), View{scores, type}[at].at, View{indices, DType::UInt32}[at].at,
                std::min<int32_t>(kMostRepeats, static_cast<int32_t>(groups - g)));
  }
}

void sort_all(DType type, const Slice& dst, const Slice& other, const Slice& scores, const Slice& indices,
              uint32_t groups) {
  const uint32_t count = groups * kGroup;
  uint32_t rounds = 0;
  for (uint32_t length = kGroup; length < count; length *= 4) ++rounds;
  // The records go to and fro; the last round ends in dst.
  Slice from = rounds % 2 == 0 ? dst : other, to = rounds % 2 == 0 ? other : dst;
  sort_groups(type, from, scores, indices, groups);
  for (uint32_t length = kGroup; length < count; length *= 4) {
    merge_round(type, to, from, count, length);
    std::swap(from, to);
  }
}

void split_records(DType type, const Slice& scores, const Slice& indices, const Slice& records,
                   uint32_t of_repeat, uint32_t repeats) {
  // Patterns of GatherMask: 1 and 2 keep every second element, 3 the first of four.
  const bool narrow = type == DType::Half;
  const isa::VecOperand src{records, 1, 8};
  isa::gather_mask(type, scores, src, {static_cast<uint8_t>(narrow ? 3 : 1), {}, 0},
                   of_repeat * (narrow ? 4 : 2), repeats);
  isa::gather_mask(DType::UInt32, indices, src, {2, {}, 0}, of_repeat * 2, repeats);
}

void sort(DType type, const Slice& dst, const Slice& scores, const Slice& indices, int32_t repeats, bool all,
          Temporary memory) {
  const Composition call("Sort", __builtin_return_address(0));
  const uint32_t groups = repeats > 0 ? static_cast<uint32_t>(repeats) : 0;
  if (all && groups > 1)
    sort_all(type, dst, memory.take(memory::sort(uint64_t{groups} * kGroup)), scores, indices, groups);
  else
    sort_groups(type, dst, scores, indices, groups);
}

void extract(DType type, const Slice& scores, const Slice& indices, const Slice& records, int32_t repeats) {
  const Composition call("Extract", __builtin_return_address(0));
  if (repeats > 0) split_records(type, scores, indices, records, kGroup, static_cast<uint32_t>(repeats));
}

void merge_sorted(DType type, const Slice& dst, const isa::MergeRuns& runs, uint32_t (&taken)[4]) {
  const Composition call("MrgSort", __builtin_return_address(0));
  isa::merge(type, dst, runs);
  uint16_t counts[4];
  isa::merge_result(counts);
  std::copy(counts, counts + 4, taken);
}

}  // namespace toprope::lib
