// GatherMask: keeping the elements whose bit is set.
#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "isa/copy_runs.h"
#include "isa/gather_table.h"
#include "machine/core_state.h"
#include "toprope/isa/gather.h"

namespace toprope::isa {
namespace {

constexpr Instruction kGatherMask{"GatherMask", Pipe::V};
constexpr uint8_t kPatterns[] = {0, 0x55, 0xaa, 0x11, 0x22, 0x44, 0x88, 0xff};
constexpr size_t kMostLanes = kRepeatBytes / 2, kBitBytes = kMostLanes / 8;

/// The bits of the elements of src, piece by piece of at most 256 bytes of elements.
struct Bits {
  uint8_t pattern;
  const uint8_t* at;  ///< null for a pattern
  uint64_t repeat_stride;

  /// Those of `n` elements from `first` (a multiple of 8) of a repeat on; behind them any.
  void piece(uint32_t repeat, uint64_t first, size_t n, uint8_t (&to)[kBitBytes + 8]) const {
    if (at)
      std::memcpy(to, at + repeat * repeat_stride + first / 8, (n + 7) / 8);
    else
      std::memset(to, pattern, sizeof to);
  }
};

uint64_t ones(const uint8_t* bits, size_t n) {
  uint64_t count = 0;
  for (size_t i = 0; i < n / 8; ++i) count += static_cast<uint64_t>(std::popcount(bits[i]));
  if (n % 8)
    count += static_cast<uint64_t>(std::popcount(static_cast<uint8_t>(bits[n / 8] & ((1u << n % 8) - 1))));
  return count;
}

/// A source of `repeats` repeats of `lanes` elements, whose blocks follow each other at one step.
struct Source {
  const uint8_t* at;
  uint32_t element, repeats;
  uint64_t lanes, block_step, repeat_step;

  /// `n` elements from `first` on (a whole number of blocks from the repeat's start), in a row.
  const uint8_t* row(uint32_t repeat, uint64_t first, size_t n, uint8_t* scratch) const {
    const uint8_t* from = at + repeat * repeat_step + first * element / kBlockBytes * block_step;
    if (block_step == kBlockBytes) return from;
    for (size_t b = 0; b < n * element; b += kBlockBytes, from += block_step)
      std::memcpy(scratch + b, from, std::min<size_t>(kBlockBytes, n * element - b));
    return scratch;
  }
};

/// Calls f(repeat, first, n) for each piece of at most 256 bytes.
template <class F>
void for_each_piece(const Source& src, F&& f) {
  const uint64_t most = kRepeatBytes / src.element;
  for (uint32_t r = 0; r < src.repeats; ++r)
    for (uint64_t first = 0; first < src.lanes; first += most) f(r, first, std::min(most, src.lanes - first));
}

uint64_t count(const Source& src, const Bits& bits) {
  uint64_t all = 0;
  uint8_t piece[kBitBytes + 8];
  for_each_piece(src, [&](uint32_t r, uint64_t first, size_t n) {
    bits.piece(r, first, n, piece);
    all += ones(piece, n);
  });
  return all;
}

void run(const Source& src, const Bits& bits, uint8_t* to) {
  const KeepKernel keep = static_cast<const GatherTable*>(gather_table.get())->keep[src.element == 4];
  for_each_piece(src, [&](uint32_t r, uint64_t first, size_t n) {
    alignas(64) uint8_t scratch[kRepeatBytes], kept[kRepeatBytes + kKeepSlack];
    uint8_t piece[kBitBytes + 8];
    bits.piece(r, first, n, piece);
    const size_t bytes = keep(kept, src.row(r, first, n, scratch), piece, n) * src.element;
    std::memcpy(to, kept, bytes);  // dst may be src: nothing beyond what was kept is touched
    to += bytes;
  });
}

/// From the first byte to the end of the last element.
uint64_t reach(const Source& src) {
  const uint64_t bytes = src.lanes * src.element;
  return (src.repeats - 1) * src.repeat_step + (bytes - 1) / kBlockBytes * src.block_step +
         (bytes - 1) % kBlockBytes + 1;
}

/// The source as runs: whole blocks, and what a repeat has of its last one.
void add_source(Footprint& f, const Slice& slice, const Source& src) {
  const uint64_t bytes = src.lanes * src.element, whole = bytes / kBlockBytes;
  Runs runs{slice, kBlockBytes, static_cast<uint32_t>(whole), src.repeats, src.block_step, src.repeat_step};
  if (whole) f.add(access_of("src0", runs, false));
  if (bytes % kBlockBytes == 0) return;
  runs.slice.at += whole * src.block_step;
  runs.run = bytes % kBlockBytes;
  runs.blocks = 1;
  f.add(access_of("src0", runs, false));
}

}  // namespace

uint64_t gather_mask(DType type, const Slice& dst, const VecOperand& src, const KeptElements& kept,
                     uint32_t lanes, uint32_t repeats) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  const uint32_t element = size_of(type);
  if (!kept.bits.end && (kept.pattern < 1 || kept.pattern > 7)) [[unlikely]]
    refuse_range(core, kGatherMask, "src1Pattern", kept.pattern, 1, 7, site);
  core.mask = MaskRegister{};
  if (core.watched) core.state->mask_use = CoreState::MaskUse::Overwrites;
  core.state->kept_elements = 0;
  if (repeats == 0) return 0;
  const Source from{host(core, src.slice.mem, src.slice.at),
                    element,
                    repeats,
                    lanes ? lanes : kRepeatBytes / element,
                    uint64_t{src.block_stride} * kBlockBytes,
                    uint64_t{src.repeat_stride} * kBlockBytes};
  Runs bit_runs{
      kept.bits, (from.lanes + 7) / 8, 1, repeats, 0, uint64_t{kept.bits_repeat_stride} * kBlockBytes};
  check_side(core, kGatherMask, "src0", src.slice, reach(from), kBlockBytes, site);
  if (kept.pattern == 0)
    check_side(core, kGatherMask, "src1Pattern", kept.bits, bit_runs.reach(), kBlockBytes, site);
  const Bits bits{kPatterns[kept.pattern], kept.pattern ? nullptr : host(core, kept.bits.mem, kept.bits.at),
                  bit_runs.repeat_step};
  uint64_t all = 0;
  const auto measure = [&] {
    all = count(from, bits);
    check_side(core, kGatherMask, "dst", dst, all * element, kBlockBytes, site);
  };
  issue_now(
      core, kGatherMask, site,
      [&](Footprint& f) {
        measure();
        if (all) f.add(access_of("dst", Runs{dst, all * element}, true));
        add_source(f, src.slice, from);
        if (kept.pattern == 0) f.add(access_of("src1Pattern", bit_runs, false));
      },
      [&] {
        measure();
        run(from, bits, host(core, dst.mem, dst.at));
      });
  core.state->kept_elements = all;
  return all;
}

uint64_t last_kept() { return toprope::core().state->kept_elements; }

}  // namespace toprope::isa
