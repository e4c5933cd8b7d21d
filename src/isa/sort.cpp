// Sort32, MrgSort and GetMrgSortResult.
#include "toprope/isa/sort.h"

#include <algorithm>
#include <array>
#include <string>

#include "isa/copy_runs.h"
#include "isa/records.h"
#include "machine/remark.h"

namespace toprope::isa {
namespace {

constexpr Instruction kSort32{"Sort32", Pipe::V}, kMrgSort{"MrgSort", Pipe::V},
    kResult{"GetMrgSortResult", Pipe::S};
constexpr const char* kRuns[] = {"src1", "src2", "src3", "src4"};
constexpr uint32_t kMostLength = 4095;

uint32_t runs_in(uint16_t valid) { return valid == 3 ? 2 : valid == 7 ? 3 : 4; }

/// Whether repeats count: four runs of one length behind one another, merged to their ends.
bool repeatable(const MergeRuns& r) {
  if (r.valid != 15 || r.until_exhausted) return false;
  for (int i = 1; i < 4; ++i)
    if (r.lengths[i] != r.lengths[0] ||
        r.run[i].at != r.run[i - 1].at + uint64_t{r.lengths[0]} * kRecordBytes)
      return false;
  return true;
}

}  // namespace

void sort32(DType type, const Slice& dst, const Slice& scores, const Slice& indices, int32_t repeats) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  if (repeats < 0 || repeats > 255) [[unlikely]]
    refuse(core, kSort32.name, "repeatTime is " + std::to_string(repeats) + "; it takes 0 to 255",
           "sort the rest with a further call", site);
  if (repeats == 0) return;
  const uint64_t n = static_cast<uint64_t>(repeats) * kSortGroup;
  const Runs out{dst, n * kRecordBytes}, in{scores, n * size_of(type)},
      numbers{indices, n * sizeof(uint32_t)};
  check_side(core, kSort32, "dst", dst, out.run, kBlockBytes, site);
  check_side(core, kSort32, "src0", scores, in.run, kBlockBytes, site);
  check_side(core, kSort32, "src1", indices, numbers.run, kBlockBytes, site);
  issue(
      core, kSort32, site,
      [&](Footprint& f) {
        f.add(access_of("dst", out, true));
        f.add(access_of("src0", in, false));
        f.add(access_of("src1", numbers, false));
      },
      [](uint8_t* to, const uint8_t* scores, const uint8_t* indices, int32_t repeats, DType type) {
        const SortKernel sort = sort_kernel(type);
        for (int32_t r = 0; r < repeats; ++r) {
          sort(to, scores, indices, kSortGroup);
          to += kSortGroup * kRecordBytes;
          scores += kSortGroup * size_of(type);
          indices += kSortGroup * sizeof(uint32_t);
        }
      },
      host(core, dst.mem, dst.at), host(core, scores.mem, scores.at), host(core, indices.mem, indices.at),
      repeats, type);
}

void merge(DType type, const Slice& dst, const MergeRuns& runs) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  if (runs.valid != 3 && runs.valid != 7 && runs.valid != 15) [[unlikely]]
    refuse(core, kMrgSort.name, "validBit is " + std::to_string(runs.valid) + "; it takes 3, 7 and 15",
           "name the first two, three or four runs", site);
  check_range(core, kMrgSort, "repeatTimes", runs.repeats, 0, 255, site);
  if (runs.repeats == 0) return;
  const uint32_t count = runs_in(runs.valid);
  uint32_t repeats = runs.repeats, total = 0;
  for (uint32_t i = 0; i < count; ++i) {
    check_range(core, kMrgSort, "elementLengths", runs.lengths[i], 0, kMostLength, site);
    total += runs.lengths[i];
  }
  if (repeats > 1 && !repeatable(runs)) {
    remark(core, site, [&] {
      return Remark{kMrgSort.name, "constraints.repeats_ignored", false,
                    "repeatTimes is " + std::to_string(repeats) +
                        ", but counts only for four runs of one length that lie behind one another, with "
                        "ifExhaustedSuspension off",
                    "merge other runs one call at a time"};
    });
    repeats = 1;
  }
  if (total == 0) return;
  std::array<Slice, 4> places;
  std::array<Run, 4> from;
  const uint64_t written = uint64_t{total} * kRecordBytes * repeats;
  check_side(core, kMrgSort, "dst", dst, runs.until_exhausted ? 0 : written, kBlockBytes, site);
  for (uint32_t i = 0; i < count; ++i) {
    places[i] = runs.run[i];
    from[i] = {host(core, places[i].mem, places[i].at), runs.lengths[i]};
    const uint64_t bytes =
        (repeats - 1) * uint64_t{total} * kRecordBytes + uint64_t{runs.lengths[i]} * kRecordBytes;
    check_side(core, kMrgSort, kRuns[i], places[i], bytes, kRecordBytes, site);
  }
  const auto merge_all = [](uint8_t* to, std::array<Run, 4> from, uint32_t total, uint32_t repeats,
                            DType type, bool until_exhausted) {
    Merged m;
    for (uint32_t r = 0; r < repeats; ++r) {
      m = merge_records(to, {from[0], from[1], from[2], from[3]}, total, type, until_exhausted);
      if (to) to += size_t{total} * kRecordBytes;
      for (Run& run : from) run.at += size_t{total} * kRecordBytes;
    }
    return m;
  };
  uint64_t bytes = written;
  const auto footprint = [&](Footprint& f) {
    if (bytes) f.add(access_of("dst", Runs{dst, bytes}, true));
    for (uint32_t i = 0; i < count; ++i)
      if (runs.lengths[i])
        f.add(access_of(kRuns[i],
                        Runs{places[i], uint64_t{runs.lengths[i]} * kRecordBytes, 1, repeats, 0,
                             uint64_t{total} * kRecordBytes},
                        false));
  };
  const auto check_apart = [&] {
    for (uint32_t i = 0; i < count; ++i) {
      const uint64_t begin = places[i].at, end = begin + uint64_t{runs.lengths[i]} * kRecordBytes;
      if (begin < dst.at + bytes && dst.at < end) [[unlikely]]
        refuse(core, kMrgSort.name,
               std::string("dst and ") + kRuns[i] + " share bytes of UB from byte " +
                   std::to_string(std::max(begin, dst.at)) + " on",
               "give dst a buffer of its own: MrgSort does not work in place", site);
    }
  };
  uint8_t* to = host(core, dst.mem, dst.at);
  if (!runs.until_exhausted) {
    check_apart();
    std::copy(runs.lengths, runs.lengths + 4, core.vector.merged);
    std::fill(core.vector.merged + count, core.vector.merged + 4, uint16_t{0});
    issue(
        core, kMrgSort, site, footprint,
        [](auto merge_all, uint8_t* to, const std::array<Run, 4>& from, uint32_t total, uint32_t repeats,
           DType type) { merge_all(to, from, total, repeats, type, false); },
        merge_all, to, from, total, repeats, type);
    return;
  }
  // How many records there are depends on their scores.
  const auto measure = [&] {
    bytes = uint64_t{merge_all(nullptr, from, total, 1, type, true).total} * kRecordBytes;
    check_side(core, kMrgSort, "dst", dst, bytes, kBlockBytes, site);
    check_apart();
  };
  issue_now(
      core, kMrgSort, site,
      [&](Footprint& f) {
        measure();
        footprint(f);
      },
      [&] {
        measure();
        const Merged m = merge_all(to, from, total, 1, type, true);
        std::copy(m.taken, m.taken + 4, core.vector.merged);
      });
}

void merge_result(uint16_t (&taken)[4]) {
  Core& core = toprope::core();
  issue_scalar(
      core, kResult, __builtin_return_address(0), [](Footprint&) {},
      [&] { std::copy(core.vector.merged, core.vector.merged + 4, taken); });
}

}  // namespace toprope::isa
