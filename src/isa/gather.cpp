// Gather and Gatherb. Offsets are data: they are looked at when the instruction runs.
#include "toprope/isa/gather.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "isa/copy_runs.h"
#include "isa/gather_table.h"
#include "isa/walk.h"

namespace toprope::isa {
namespace {

constexpr Instruction kGather{"Gather", Pipe::V}, kGatherb{"Gatherb", Pipe::V};

const GatherTable& kernels() { return *static_cast<const GatherTable*>(gather_table.get()); }

/// What offsets point into.
struct Source {
  Slice slice;
  uint64_t base;       ///< bytes that every offset starts from
  uint32_t unit;       ///< bytes that are read at an offset
  uint32_t alignment;  ///< of offsets
  const uint8_t* at;   ///< of offset 0

  Source(const Core& core, const Slice& src, uint32_t base, uint32_t unit)
      : slice(src), base(base), unit(unit), alignment(unit), at(host(core, src.mem, src.at) + base) {}
  bool has(uint64_t offset) const { return slice.at + base + offset + unit <= slice.end; }
};

/// An instruction's bytes of dst, for finding out whether it reads what it writes.
struct Written {
  uint64_t begin, end;
};

[[noreturn]] void refuse_offset(Core& core, const Instruction& instruction, const Source& src,
                                uint64_t offset, uint64_t number, Site site) {
  const std::string which = "offset " + std::to_string(number) + " is " + std::to_string(offset) +
                            (src.base ? ", from byte " + std::to_string(src.base) + " of src" : "");
  if ((src.base + offset) % src.alignment)
    refuse(core, instruction.name,
           which + ": byte " + std::to_string(src.base + offset) + " of src is not a multiple of " +
               std::to_string(src.alignment),
           "offsets and the base count bytes: multiply indices by " + std::to_string(src.alignment), site);
  refuse(core, instruction.name,
         which + ": it leaves src, which has " + std::to_string(src.slice.end - src.slice.at) + " bytes",
         "keep base + offset below src's size in bytes", site);
}

[[noreturn]] void refuse_overlap(Core& core, const Instruction& instruction, const char* operand, uint64_t at,
                                 Site site) {
  refuse(core, instruction.name,
         std::string("dst and ") + operand + " share bytes of UB from byte " + std::to_string(at) + " on",
         std::string("give dst a buffer of its own: ") + instruction.name + " does not work in place", site);
}

/// Refuses offsets that are misaligned, leave src, or point into what the instruction writes.
void check_offsets(Core& core, const Instruction& instruction, const Source& src, const uint32_t* offsets,
                   size_t n, uint64_t first, const Written& written, Site site) {
  const OffsetSpan span = kernels().span(offsets, n);
  const uint64_t begin = src.slice.at + src.base;
  const bool wrong = ((span.bits | src.base) & (src.alignment - 1)) != 0 || !src.has(span.most);
  const bool near = begin + span.least < written.end && written.begin < begin + span.most + src.unit;
  if (!wrong && !near) [[likely]]
    return;
  for (size_t i = 0; i < n; ++i) {
    const uint64_t at = begin + offsets[i];
    if ((src.base + offsets[i]) % src.alignment || !src.has(offsets[i]))
      refuse_offset(core, instruction, src, offsets[i], first + i, site);
    if (at < written.end && written.begin < at + src.unit)
      refuse_overlap(core, instruction, "src", std::max(at, written.begin), site);
  }
}

/// The places in src that `offsets` name, once each, in order. Those outside are refused later.
std::vector<uint32_t> places_of(const Source& src, std::vector<uint32_t> offsets) {
  std::erase_if(offsets, [&](uint32_t offset) { return !src.has(offset); });
  for (uint32_t& offset : offsets) offset += static_cast<uint32_t>(src.base);
  std::ranges::sort(offsets);
  offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
  return offsets;
}

/// What is read of src. Under a schedule the offsets are not there yet: all of src may be meant.
void add_source(Footprint& f, const Source& src, const std::vector<uint32_t>& places) {
  Access a{.operand = "src", .slice = src.slice};
  a.width = static_cast<uint8_t>(std::min(src.unit, 4u));
  if (deferral()) {
    a.slice.at += src.base;
    a.run = static_cast<uint32_t>(src.slice.end - std::min(a.slice.at, src.slice.end));
  } else {
    a.run = src.unit;
    a.blocks = static_cast<uint32_t>(places.size());
    a.places = places.data();
  }
  if (a.run && a.blocks) f.add(a);
}

/// Calls f(repeat, lane) for each element that takes part.
template <class F>
void for_each_lane(const Plan& plan, F&& f) {
  if (plan.consecutive) {
    for (uint64_t i = 0; i < plan.count; ++i) f(0u, i);
    return;
  }
  for (uint32_t r = 0; r < plan.repeats; ++r)
    for (uint32_t i = 0; i < plan.full; ++i)
      if (plan.prefix ? i < (r + 1 == plan.repeats ? plan.last : plan.lanes)
                      : plan.bits[i / 64] >> (i % 64) & 1)
        f(r, i);
}

/// One row of elements: those in front, or those whose bit is set.
void gather_row(Core& core, const Plan& plan, const Source& src, uint8_t* dst, const uint32_t* offsets,
                uint64_t lanes, uint64_t first, const Written& written, Site site) {
  const GatherKernel kernel = kernels().gather[src.unit == 4];
  if (plan.consecutive || plan.prefix) {
    check_offsets(core, kGather, src, offsets, lanes, first, written, site);
    kernel(dst, src.at, offsets, lanes);
    return;
  }
  uint32_t chosen[kRepeatBytes / 2], lane[kRepeatBytes / 2];
  size_t n = 0;
  for (int half = 0; half < 2; ++half)
    for (uint64_t bits = plan.bits[half]; bits; bits &= bits - 1) {
      lane[n] = static_cast<uint32_t>(half * 64 + std::countr_zero(bits));
      chosen[n] = offsets[lane[n]];
      ++n;
    }
  check_offsets(core, kGather, src, chosen, n, first, written, site);
  alignas(64) uint8_t row[kRepeatBytes];
  kernel(row, src.at, chosen, n);
  for (size_t i = 0; i < n; ++i) std::memcpy(dst + lane[i] * src.unit, row + i * src.unit, src.unit);
}

}  // namespace

void gather(DType type, const VecOperand& dst, const Slice& src, const Slice& offsets, uint32_t base,
            const VecShape& shape) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  const uint32_t element = size_of(type);
  const Plan plan = plan_of(core, shape, element);
  if (plan.empty()) return;
  const VecOperand list{offsets, 1, static_cast<uint16_t>(plan.full * sizeof(uint32_t) / kBlockBytes)};
  const Row to = resolve(core, kGather, "dst", dst, plan, element, site);
  const Row from = resolve(core, kGather, "srcOffset", list, plan, sizeof(uint32_t), site);
  check_side(core, kGather, "src", src, 0, kBlockBytes, site);
  const Source source(core, src, base, element);
  const uint64_t rows = plan.consecutive ? 1 : plan.repeats;
  const auto reach = [&](const Row& row) {  // of a row and all before it, as if every element took part
    return (rows - 1) * row.repeat_stride + (plan.consecutive ? plan.count : plan.full) * row.element;
  };
  const Written written{dst.slice.at, dst.slice.at + reach(to)};
  if (offsets.at < written.end && written.begin < offsets.at + reach(from)) [[unlikely]]
    refuse_overlap(core, kGather, "srcOffset", std::max(offsets.at, written.begin), site);
  std::vector<uint32_t> places;
  issue(
      core, kGather, site,
      [&](Footprint& f) {
        f.add(access_of("dst", dst, plan, element, true));
        if (!deferral()) {
          const auto* at = reinterpret_cast<const uint32_t*>(from.at);
          for_each_lane(plan, [&](uint64_t r, uint64_t i) { places.push_back(at[r * plan.full + i]); });
          places = places_of(source, std::move(places));
        }
        add_source(f, source, places);
        f.add(access_of("srcOffset", list, plan, sizeof(uint32_t), false));
      },
      [](Core* core, const Plan& plan, const Row& to, const Row& from, const Source& source,
         const Written& written, Site site) {
        if (plan.consecutive)
          return gather_row(*core, plan, source, to.at, reinterpret_cast<const uint32_t*>(from.at),
                            plan.count, 0, written, site);
        for (uint32_t r = 0; r < plan.repeats; ++r)
          gather_row(*core, plan, source, to.at + size_t{r} * to.repeat_stride,
                     reinterpret_cast<const uint32_t*>(from.at + size_t{r} * from.repeat_stride),
                     r + 1 == plan.repeats ? plan.last : plan.lanes, uint64_t{r} * plan.full, written, site);
      },
      &core, plan, to, from, source, written, site);
}

void gather_blocks(const VecOperand& dst, const Slice& src, const Slice& offsets, uint8_t repeats) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  if (repeats == 0) return;
  const Runs d{dst.slice,
               kBlockBytes,
               kBlocksPerRepeat,
               repeats,
               uint64_t{dst.block_stride ? dst.block_stride : 1u} * kBlockBytes,
               uint64_t{dst.repeat_stride} * kBlockBytes};
  const uint32_t count = repeats * kBlocksPerRepeat;
  const Runs list{offsets, count * sizeof(uint32_t)};
  check_side(core, kGatherb, "dst", dst.slice, d.reach(), kBlockBytes, site);
  check_side(core, kGatherb, "offset", offsets, list.run, kBlockBytes, site);
  check_side(core, kGatherb, "src", src, 0, kBlockBytes, site);
  const Source source(core, src, 0, kBlockBytes);
  const auto* numbers = reinterpret_cast<const uint32_t*>(host(core, offsets.mem, offsets.at));
  std::vector<uint32_t> places;
  issue(
      core, kGatherb, site,
      [&](Footprint& f) {
        f.add(access_of("dst", d, true));
        if (!deferral()) places = places_of(source, {numbers, numbers + count});
        add_source(f, source, places);
        f.add(access_of("offset", list, false));
      },
      [](Core* core, uint8_t* to, const Runs& d, const Source& source, const uint32_t* numbers, Site site) {
        // Blocks of dst may lie apart, with sources between them: each is compared by itself.
        const uint32_t count = d.repeats * kBlocksPerRepeat;
        const OffsetSpan all = kernels().span(numbers, count);
        const uint64_t begin = source.slice.at;
        const bool near =
            begin + all.least < d.slice.at + d.reach() && d.slice.at < begin + all.most + kBlockBytes;
        check_offsets(*core, kGatherb, source, numbers, count, 0, {0, 0}, site);
        for (uint32_t r = 0; near && r < d.repeats; ++r)
          for (uint32_t j = 0; j < kBlocksPerRepeat; ++j) {
            const uint64_t at = d.slice.at + r * d.repeat_step + j * d.block_step;
            check_offsets(*core, kGatherb, source, numbers, count, 0, {at, at + kBlockBytes}, site);
          }
        for (uint32_t r = 0; r < d.repeats; ++r)
          for (uint32_t j = 0; j < kBlocksPerRepeat; ++j, ++numbers)
            std::memcpy(to + r * d.repeat_step + j * d.block_step, source.at + *numbers, kBlockBytes);
      },
      &core, host(core, dst.slice.mem, dst.slice.at), d, source, numbers, site);
}

}  // namespace toprope::isa
