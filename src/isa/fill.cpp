#include "toprope/isa/fill.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "isa/copy_runs.h"
#include "isa/fill_table.h"
#include "isa/walk.h"

namespace toprope::isa {
namespace {

constexpr Instruction kDuplicate{"Duplicate", Pipe::V}, kBrcb{"Brcb", Pipe::V},
    kIndex{"CreateVecIndex", Pipe::V};

uint32_t pattern_of(uint64_t bits, uint32_t element) {
  const auto low = static_cast<uint32_t>(bits);
  return element == 2 ? (low & 0xffffu) * 0x10001u : low;
}

}  // namespace

void duplicate(DType type, const VecOperand& dst, Scalar value, const VecShape& shape) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  const uint32_t element = size_of(type);
  const Plan plan = plan_of(core, shape, element);
  if (plan.empty()) return;
  const std::array<Row, 1> rows = {resolve(core, kDuplicate, "dst", dst, plan, element, site)};
  const FillKernel& fill = static_cast<const FillTable*>(fill_table.get())->fill[element == 4];
  issue(
      core, kDuplicate, site, [&](Footprint& f) { f.add(access_of("dst", dst, plan, element, true)); },
      [](const Plan& plan, const std::array<Row, 1>& rows, FillKernel fill, uint32_t value) {
        walk(plan, rows, [&](uint8_t* const* at, auto n) { fill(at[0], value, n); });
      },
      plan, rows, fill, static_cast<uint32_t>(value.bits));
}

void brcb(DType type, const VecOperand& dst, const Slice& src, uint8_t repeats) {
  constexpr uint32_t kElements = 8;
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  if (repeats == 0) return;
  const uint32_t element = size_of(type);
  const Runs d{dst.slice,
               kBlockBytes,
               kElements,
               repeats,
               uint64_t{dst.block_stride ? dst.block_stride : 1u} * kBlockBytes,
               uint64_t{dst.repeat_stride} * kBlockBytes};
  const Runs s{src, uint64_t{repeats} * kElements * element};
  check_side(core, kBrcb, "dst", dst.slice, d.reach(), kBlockBytes, site);
  check_side(core, kBrcb, "src", src, s.reach(), kBlockBytes, site);
  if (src.at < dst.slice.at + d.reach() && dst.slice.at < src.at + s.run)
    for (uint32_t r = 0; r < repeats; ++r)
      for (uint32_t j = 0; j < kElements; ++j) {
        const uint64_t at = dst.slice.at + r * d.repeat_step + j * d.block_step;
        if (at < src.at + s.run && src.at < at + kBlockBytes)
          refuse(core, kBrcb.name,
                 "dst and src share bytes of UB from byte " + std::to_string(std::max(at, src.at)) + " on",
                 "give dst a buffer of its own: Brcb does not work in place", site);
      }
  issue(
      core, kBrcb, site,
      [&](Footprint& f) {
        f.add(access_of("dst", d, true));
        f.add(access_of("src", s, false));
      },
      [](uint8_t* to, const uint8_t* from, const Runs& d, uint32_t element) {
        for (uint32_t r = 0; r < d.repeats; ++r)
          for (uint32_t j = 0; j < kElements; ++j, from += element) {
            uint64_t bits = 0;
            std::memcpy(&bits, from, element);
            const uint32_t pattern = pattern_of(bits, element);
            uint32_t block[kBlockBytes / sizeof pattern];
            for (uint32_t& word : block) word = pattern;
            std::memcpy(to + r * d.repeat_step + j * d.block_step, block, kBlockBytes);
          }
      },
      host(core, dst.slice.mem, dst.slice.at), host(core, src.mem, src.at), d, element);
}

void create_index(DType type, const VecOperand& dst, Scalar first, const VecShape& shape) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  const uint32_t element = size_of(type);
  const Plan plan = plan_of(core, shape, element);
  if (plan.empty()) return;
  const std::array<Row, 1> rows = {resolve(core, kIndex, "dst", dst, plan, element, site)};
  issue(
      core, kIndex, site, [&](Footprint& f) { f.add(access_of("dst", dst, plan, element, true)); },
      [](const Plan& plan, const std::array<Row, 1>& rows, IndexKernel kernel, uint64_t first) {
        uint32_t place = 0;  // walk() goes through the elements in order and takes whole repeats
        walk(plan, rows, [&](uint8_t* const* at, size_t n) {
          kernel(at[0], first, place, n);
          place += static_cast<uint32_t>((n + plan.full - 1) / plan.full * plan.full);
        });
      },
      plan, rows, static_cast<const FillTable*>(fill_table.get())->index[static_cast<int>(type)], first.bits);
}

}  // namespace toprope::isa
