#include "toprope/isa/reduce.h"

#include <algorithm>
#include <cstring>

#include "isa/reduce_pass.h"
#include "machine/core_state.h"
#include "machine/remark.h"

namespace toprope::isa {
namespace {

constexpr int kOps = static_cast<int>(Reduce::kCount);
constexpr Instruction kRepeat[kOps] = {
    {"ReduceRepeat<SUM>", Pipe::V}, {"ReduceRepeat<MAX>", Pipe::V}, {"ReduceRepeat<MIN>", Pipe::V}};
constexpr Instruction kBlock[kOps] = {
    {"ReduceDataBlock<SUM>", Pipe::V}, {"ReduceDataBlock<MAX>", Pipe::V}, {"ReduceDataBlock<MIN>", Pipe::V}};
constexpr Instruction kPair = {"ReducePairElem<SUM>", Pipe::V};

/// ReduceDataBlock and ReducePairElem: `width` neighbours give a result; where none takes part, none is
/// written.
void reduce_groups(Core& core, const Instruction& instruction, Reduce op, DType type, const Slice& dst,
                   const Slice& src, const VecShape& mask, const ReduceSteps& steps, uint32_t width,
                   uint32_t alignment, Site site) {
  check_steps(core, instruction, steps, 255, site);
  const ReduceSource source(core, instruction, type, src, mask, steps, site);
  if (source.plan.empty()) return;
  const uint32_t element = size_of(type);
  const Pass pass(source.plan, source.row, type, core.saturate);
  const uint32_t repeats = pass.plan.repeats, results = pass.plan.full / width, unit = results * element;
  const uint32_t stride = static_cast<uint32_t>(steps.dst_repeat) * unit;
  // Results of a repeat, and of the last one, up to the last that is written.
  uint64_t written[2] = {0, 0};
  uint32_t reach = 0, last_reach = 0;
  const Taking all = taking(pass.plan, 0), last = taking(pass.plan, repeats - 1);
  for (uint32_t g = 0; g < results; ++g) {
    if (all.range(g * width, width)) written[g / 64] |= uint64_t{1} << (g % 64), reach = g + 1;
    if (last.range(g * width, width)) last_reach = g + 1;
  }
  uint8_t* out = resolve_results(core, instruction, dst, repeats, steps.dst_repeat, unit,
                                 std::max(last_reach * element, steps.dst_repeat == 0 ? reach * element : 0),
                                 alignment, site);
  issue(
      core, instruction, site,
      [&](Footprint& f) {
        Access a{.operand = "dst",
                 .slice = dst,
                 .run = unit,
                 .repeats = repeats,
                 .repeat_stride = stride,
                 .write = true};
        if (!pass.plan.prefix || reach != results || last_reach != reach) {
          a.element = static_cast<uint8_t>(element);
          std::copy_n(written, 2, a.mask);
        }
        if (last_reach != reach) a.last = last_reach;
        f.add(a);
        f.add(access_of("src", source.operand, source.plan, element, false));
      },
      [](const Pass& pass, Reduce op, uint8_t* out, uint32_t stride, uint32_t width, uint32_t element) {
        const uint32_t results = pass.plan.full / width, unit = results * element;
        const uint32_t at_once = batch_of(pass, out, uint64_t{pass.plan.repeats - 1} * stride + unit, stride);
        const Fill fill = op == Reduce::Sum ? Fill::MinusZero : Fill::OfBlock;
        pass.batches(fill, at_once, [&](uint32_t r, uint32_t n, const uint8_t* in) {
          alignas(64) uint8_t values[kReduceBatch * kRepeatBytes / 2];
          reduce_kernel_table().tree[static_cast<int>(op)][pass.type](values, in, size_t{n} * results, width,
                                                                      pass.saturate);
          const Taking t = taking(pass.plan, r);  // that of every repeat here
          bool all = true;
          for (uint32_t g = 0; g < results; ++g) all &= t.range(g * width, width) != 0;
          uint8_t* to = out + size_t{r} * stride;
          if (all && stride == unit) {
            std::memcpy(to, values, size_t{n} * unit);
            return;
          }
          for (uint32_t k = 0; k < n; ++k, to += stride)
            for (uint32_t g = 0; g < results; ++g)
              if (t.range(g * width, width))
                std::memcpy(to + g * element, values + k * unit + g * element, element);
        });
      },
      pass, op, out, stride, width, element);
}

}  // namespace

void reduce_repeat(Reduce op, DType type, const Slice& dst, const Slice& src, const VecShape& mask,
                   const ReduceSteps& steps, ReduceOrder order) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const Instruction& instruction = kRepeat[static_cast<int>(op)];
  check_steps(core, instruction, steps, 255, site);
  const ReduceSource source(core, instruction, type, src, mask, steps, site);
  if (source.plan.empty()) return;
  const uint32_t element = size_of(type);
  const bool value_only = op == Reduce::Sum || order == ReduceOrder::OnlyValue;
  const uint32_t unit = value_only ? element : order == ReduceOrder::OnlyIndex ? 4 : 2 * element;
  const Pass pass(source.plan, source.row, type, core.saturate);
  const uint32_t repeats = pass.plan.repeats;
  const uint32_t stride = static_cast<uint32_t>(steps.dst_repeat) * unit;
  uint8_t* out = resolve_results(core, instruction, dst, repeats, steps.dst_repeat, unit, unit, unit, site);
  issue(
      core, instruction, site,
      [&](Footprint& f) {
        f.add({.operand = "dst",
               .slice = dst,
               .run = unit,
               .repeats = repeats,
               .repeat_stride = stride,
               .write = true});
        f.add(access_of("src", source.operand, source.plan, element, false));
      },
      [](Core* core, const Pass& pass, Reduce op, ReduceOrder order, uint8_t* out, uint32_t stride,
         uint32_t unit, uint32_t element, const char* doubt) {
        const uint32_t at_once = batch_of(pass, out, uint64_t{pass.plan.repeats - 1} * stride + unit, stride);
        alignas(64) uint8_t values[kReduceBatch * 4];
        if (op == Reduce::Sum) {
          pass.batches(Fill::MinusZero, at_once, [&](uint32_t r, uint32_t n, const uint8_t* in) {
            reduce_kernel_table().tree[static_cast<int>(op)][pass.type](values, in, n, pass.plan.full,
                                                                        pass.saturate);
            for (uint32_t k = 0; k < n; ++k)
              std::memcpy(out + size_t{r + k} * stride, values + k * element, element);
          });
          return;
        }
        RunningExtreme running(op, element);
        pass.batches(Fill::OfRepeat, at_once, [&](uint32_t r, uint32_t n, const uint8_t* in) {
          uint32_t places[kReduceBatch];
          reduce_kernel_table().extreme[static_cast<int>(op)][pass.type](values, places, in, n,
                                                                         pass.saturate);
          for (uint32_t k = 0; k < n; ++k) {
            const uint32_t place = pass.origin(r + k, places[k]);
            const uint8_t* value = values + k * element;
            running.offer(value, uint64_t{r + k} * pass.plan.full + place);
            uint8_t* to = out + size_t{r + k} * stride;
            switch (order) {
              case ReduceOrder::ValueIndex:
                std::memcpy(to, value, element);
                std::memcpy(to + element, &place, element);
                break;
              case ReduceOrder::IndexValue:
                std::memcpy(to, &place, element);
                std::memcpy(to + element, value, element);
                break;
              case ReduceOrder::OnlyValue:
                std::memcpy(to, value, element);
                break;
              case ReduceOrder::OnlyIndex:
                std::memcpy(to, &place, 4);
                break;
            }
          }
        });
        running.leave_in(*core);
        core->state->extreme_doubt = doubt;
      },
      &core, pass, op, order, out, stride, unit, element,
      core.mask.counter ? "the last ReduceRepeat ran in counter mode"
      : steps.src_block != 1 || steps.src_repeat != 8
          ? "the last ReduceRepeat had srcBlkStride and srcRepStride other than 1 and 8"
          : nullptr);
}

Extreme last_extreme() {
  Core& core = toprope::core();
  if (core.state->extreme_doubt) [[unlikely]]
    remark(core, __builtin_return_address(0), [&] {
      return Remark{"GetReduceRepeatMaxMinSpr", "constraints.extreme", true, core.state->extreme_doubt,
                    "call it right after a maximum or minimum of consecutive elements, in normal mode"};
    });
  return {core.vector.extreme, core.vector.extreme_index};
}

void reduce_block(Reduce op, DType type, const Slice& dst, const Slice& src, const VecShape& mask,
                  const ReduceSteps& steps) {
  Core& core = toprope::core();
  const uint32_t element = size_of(type);
  reduce_groups(core, kBlock[static_cast<int>(op)], op, type, dst, src, mask, steps, kBlockBytes / element,
                kBlocksPerRepeat * element, __builtin_return_address(0));
}

void reduce_pair(DType type, const Slice& dst, const Slice& src, const VecShape& mask,
                 const ReduceSteps& steps) {
  reduce_groups(toprope::core(), kPair, Reduce::Sum, type, dst, src, mask, steps, 2, kBlockBytes,
                __builtin_return_address(0));
}

}  // namespace toprope::isa
