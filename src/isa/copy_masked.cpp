// Copy: UB → UB under a mask.
#include <cstring>
#include <string>

#include "isa/blocks_table.h"
#include "isa/copy_runs.h"
#include "isa/walk.h"
#include "toprope/isa/copy.h"

namespace toprope::isa {
namespace {

constexpr Instruction kCopy{"Copy", Pipe::V};

/// Counter mode: `lanes` elements from each of `repeats` repeats, block by block at the given strides.
void copy_counted(Core& core, const VecOperand& dst, const VecOperand& src, uint64_t lanes, uint32_t repeats,
                  uint32_t element, Site site) {
  if (lanes == 0 || repeats == 0) return;
  const uint64_t bytes = lanes * element;
  const uint64_t whole = bytes / kBlockBytes, rest = bytes % kBlockBytes;
  auto side = [&](const VecOperand& where) {
    return Runs{where.slice,
                kBlockBytes,
                static_cast<uint32_t>(whole),
                repeats,
                uint64_t{where.block_stride} * kBlockBytes,
                uint64_t{where.repeat_stride} * kBlockBytes};
  };
  const Runs d = side(dst), s = side(src);
  auto reach = [&](const Runs& r) {
    return (repeats - 1) * r.repeat_step +
           (rest ? whole * r.block_step + rest : (whole - 1) * r.block_step + kBlockBytes);
  };
  check_side(core, kCopy, "dst", d.slice, reach(d), kBlockBytes, site);
  check_side(core, kCopy, "src", s.slice, reach(s), kBlockBytes, site);
  auto tail = [&](Runs r) {
    r.slice.at += whole * r.block_step;
    r.run = rest;
    r.blocks = 1;
    return r;
  };
  issue(
      core, kCopy, site,
      [&](Footprint& f) {
        if (whole) f.add(access_of("dst", d, true));
        if (rest) f.add(access_of("dst", tail(d), true));
        if (whole) f.add(access_of("src", s, false));
        if (rest) f.add(access_of("src", tail(s), false));
      },
      [](uint8_t* to, const uint8_t* from, const Runs& d, const Runs& s, uint64_t whole, uint64_t rest) {
        for (uint32_t r = 0; r < d.repeats; ++r, to += d.repeat_step, from += s.repeat_step) {
          for (uint64_t b = 0; b < whole; ++b)
            std::memmove(to + b * d.block_step, from + b * s.block_step, kBlockBytes);
          if (rest) std::memmove(to + whole * d.block_step, from + whole * s.block_step, rest);
        }
      },
      host(core, Mem::UB, dst.slice.at), host(core, Mem::UB, src.slice.at), d, s, whole, rest);
}

}  // namespace

void copy_masked(DType type, const VecOperand& dst, const VecOperand& src, const VecShape& shape) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  const uint32_t element = size_of(type);
  check_range(core, kCopy, "dstRepeatSize", dst.repeat_stride, 0, 4095, site);
  check_range(core, kCopy, "srcRepeatSize", src.repeat_stride, 0, 4095, site);
  if (core.mask.counter && shape.kind != VecShape::Count) {
    if (shape.kind != VecShape::MaskRegister) core.mask.bits[0] = shape.bits[0];
    copy_counted(core, dst, src, core.mask.bits[0] & 0xffffffffu, shape.repeats, element, site);
    return;
  }
  const Plan plan = plan_of(core, shape, element);
  if (plan.empty()) return;
  const std::array<Row, 2> rows = {resolve(core, kCopy, "dst", dst, plan, element, site),
                                   resolve(core, kCopy, "src", src, plan, element, site)};
  issue(
      core, kCopy, site,
      [&](Footprint& f) {
        f.add(access_of("dst", dst, plan, element, true));
        f.add(access_of("src", src, plan, element, false));
      },
      [](const Plan& plan, const std::array<Row, 2>& rows, uint32_t element) {
        const MapKernel<void*, const void*> move{
            [](void* to, const void* from, size_t bytes) { std::memmove(to, from, bytes); },
            block_kernels().move};
        walk(plan, rows, [&](uint8_t* const* at, auto n) { move(at[0], at[1], in_bytes(n, element)); });
      },
      plan, rows, element);
}

}  // namespace toprope::isa
