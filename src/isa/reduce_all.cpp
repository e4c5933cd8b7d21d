// Reductions of everything to one result: ReduceSum, ReduceMax, ReduceMin.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "isa/reduce_pass.h"
#include "machine/core_state.h"

namespace toprope::isa {
namespace {

constexpr Instruction kAll[] = {{"ReduceSum", Pipe::V}, {"ReduceMax", Pipe::V}, {"ReduceMin", Pipe::V}};

uint32_t div_ceil(uint64_t a, uint32_t b) { return static_cast<uint32_t>((a + b - 1) / b); }

/// Elements of work space, as the pages of ReduceSum and ReduceMax compute them from the first round's
/// repeats.
uint64_t work_elements(Reduce op, uint64_t first_repeats, uint32_t element, bool index) {
  const uint32_t per_block = kBlockBytes / element, per_repeat = kRepeatBytes / element;
  auto blocks = [&](uint64_t n) { return uint64_t{div_ceil(n, per_block)} * per_block; };
  const uint64_t round1 = op == Reduce::Sum ? first_repeats : 2 * first_repeats;
  if (!index) return blocks(round1);
  const uint64_t round2 = uint64_t{div_ceil(round1, per_repeat)} * 2;
  uint64_t total = blocks(round1) + blocks(round2);
  if (round2 > 2) total += blocks(uint64_t{div_ceil(round2, per_repeat)} * 2);
  return total;
}

uint8_t* resolve_work(Core& core, const Instruction& instruction, const Slice& work, uint64_t bytes,
                      Site site) {
  if (work.at % kBlockBytes) [[unlikely]]
    refuse(
        core, instruction.name,
        "sharedTmpBuffer starts at byte " + std::to_string(work.at) + " of UB, which is not 32-byte aligned",
        "start it at a multiple of 32 bytes", site);
  if (work.at + bytes > work.end) [[unlikely]]
    refuse(core, instruction.name,
           "sharedTmpBuffer has " + std::to_string(work.end > work.at ? work.end - work.at : 0) + " of the " +
               std::to_string(bytes) + " bytes that this call needs",
           "size it as the page of the instruction in the Ascend C API computes it", site);
  return host(core, work.mem, work.at);
}

/// The first round of ReduceMax and ReduceMin, and the rounds after it, which find the same element as one
/// scan.
void extreme_of_all(Core& core, Reduce op, DType type, const Plan& plan, const Row& src,
                    const VecOperand& operand, const Slice& dst, const Slice& work, uint64_t first_repeats,
                    bool index, Site site) {
  const Instruction& instruction = kAll[static_cast<int>(op)];
  const uint32_t element = size_of(type), result = index ? 2 * element : element;
  const Pass pass(plan, src, type, core.saturate);
  uint8_t* out = resolve_results(core, instruction, dst, 1, 1, result, result, result, site);
  const uint64_t elements =
      uint64_t{pass.plan.repeats - 1} * pass.plan.full + (pass.plan.prefix ? pass.plan.last : pass.plan.full);
  if (index && element == 2 && elements > 65536) [[unlikely]]
    refuse(core, instruction.name,
           "the index of one of " + std::to_string(elements) + " half elements does not fit into 16 bits",
           "reduce at most 65536 half elements when the index is asked for", site);
  const auto bytes = static_cast<uint32_t>(work_elements(op, first_repeats, element, index) * element);
  uint8_t* room = resolve_work(core, instruction, work, bytes, site);
  issue(
      core, instruction, site,
      [&](Footprint& f) {
        f.add({.operand = "dst", .slice = dst, .run = result, .write = true});
        f.add(access_of("src", operand, plan, element, false));
        f.add({.operand = "sharedTmpBuffer", .slice = work, .run = bytes, .write = true});
      },
      [](Core* core, const Pass& pass, Reduce op, uint8_t* out, uint8_t* room, uint32_t bytes,
         uint32_t element, bool index) {
        const ExtremeKernel kernel = reduce_kernel_table().extreme[static_cast<int>(op)][pass.type];
        RunningExtreme running(op, element);
        uint64_t written = 0;
        // The work space may be the source: a repeat's pair lies before the next repeat that is read.
        pass.batches(Fill::OfRepeat, kReduceBatch, [&](uint32_t r, uint32_t n, const uint8_t* in) {
          alignas(64) uint8_t values[kReduceBatch * 4];
          uint32_t places[kReduceBatch];
          kernel(values, places, in, n, pass.saturate);
          for (uint32_t k = 0; k < n; ++k) {
            const uint32_t place = pass.origin(r + k, places[k]);
            running.offer(values + k * element, uint64_t{r + k} * pass.plan.full + place);
            if (written + 2 * element > bytes) continue;
            std::memcpy(room + written, values + k * element, element);
            std::memcpy(room + written + element, &place, element);
            written += 2 * element;
          }
        });
        running.leave_in(*core);
        core->state->extreme_doubt = nullptr;
        std::memcpy(out, &running.value, element);
        if (index) std::memcpy(out + element, &running.index, element);
      },
      &core, pass, op, out, room, bytes, element, index);
}

}  // namespace

void reduce_sum(DType type, const Slice& dst, const Slice& src, const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const Instruction& instruction = kAll[static_cast<int>(Reduce::Sum)];
  const ReduceSource source(core, instruction, type, src, shape, ReduceSteps{}, site);
  if (source.plan.empty()) return;
  const uint32_t element = size_of(type);
  const Pass pass(source.plan, source.row, type, core.saturate);
  uint8_t* out = resolve_results(core, instruction, dst, 1, 1, element, element, element, site);
  issue(
      core, instruction, site,
      [&](Footprint& f) {
        f.add({.operand = "dst", .slice = dst, .run = element, .write = true});
        f.add(access_of("src", source.operand, source.plan, element, false));
      },
      [](Core* core, const Pass& pass, uint8_t* out, uint32_t element) {
        uint64_t total = 0;
        pass.batches(Fill::MinusZero, kReduceBatch, [&](uint32_t r, uint32_t n, const uint8_t* in) {
          alignas(64) uint8_t values[kReduceBatch * 4];
          reduce_kernel_table().tree[static_cast<int>(Reduce::Sum)][pass.type](values, in, n, pass.plan.full,
                                                                               pass.saturate);
          const uint32_t taken = r == 0 ? 1 : 0;
          if (taken) std::memcpy(&total, values, element);
          reduce_kernel_table().running_sum[pass.type](&total, values + taken * element, n - taken,
                                                       pass.saturate);
        });
        core->vector.sum = total;
        std::memcpy(out, &total, element);
      },
      &core, pass, out, element);
}

void reduce_all(Reduce op, DType type, const Slice& dst, const Slice& src, const Slice& work,
                const VecShape& mask, const ReduceSteps& steps, bool index) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const Instruction& instruction = kAll[static_cast<int>(op)];
  check_steps(core, instruction, steps, INT32_MAX, site);
  const ReduceSource source(core, instruction, type, src, mask, steps, site);
  if (source.plan.empty()) return;
  if (op != Reduce::Sum) {
    extreme_of_all(core, op, type, source.plan, source.row, source.operand, dst, work, source.plan.repeats,
                   index, site);
    return;
  }
  const uint32_t element = size_of(type);
  const Pass pass(source.plan, source.row, type, core.saturate);
  uint8_t* out = resolve_results(core, instruction, dst, 1, 1, element, element, element, site);
  const auto bytes = static_cast<uint32_t>(work_elements(op, pass.plan.repeats, element, false) * element);
  uint8_t* room = resolve_work(core, instruction, work, bytes, site);
  issue(
      core, instruction, site,
      [&](Footprint& f) {
        f.add({.operand = "dst", .slice = dst, .run = element, .write = true});
        f.add(access_of("src", source.operand, source.plan, element, false));
        f.add({.operand = "sharedTmpBuffer", .slice = work, .run = bytes, .write = true});
      },
      [](const Pass& pass, uint8_t* out, uint8_t* room, uint32_t element) {
        const uint32_t repeats = pass.plan.repeats, full = pass.plan.full;
        const TreeKernel tree = reduce_kernel_table().tree[static_cast<int>(Reduce::Sum)][pass.type];
        pass.batches(Fill::MinusZero, kReduceBatch, [&](uint32_t r, uint32_t n, const uint8_t* in) {
          tree(room + size_t{r} * element, in, n, full, pass.saturate);
        });
        // The following rounds reduce the first one's results as elements of repeats, in place.
        std::vector<uint8_t> rows(size_t{div_ceil(repeats, full)} * kRepeatBytes);
        uint64_t n = repeats;
        std::memcpy(rows.data(), room, n * element);
        while (n > 1) {
          const size_t groups = div_ceil(n, full);
          for (size_t i = n * element; i < groups * kRepeatBytes; i += element) {
            std::memset(rows.data() + i, 0, element);
            rows[i + element - 1] = 0x80;
          }
          tree(rows.data(), rows.data(), groups, full, pass.saturate);
          n = groups;
        }
        std::memcpy(out, rows.data(), element);
      },
      pass, out, room, element);
}

void reduce_first(Reduce op, DType type, const Slice& dst, const Slice& src, const Slice& work, int32_t count,
                  bool index) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const ReduceSource source(core, kAll[static_cast<int>(op)], type, src, VecShape::elements(count),
                            ReduceSteps{}, site);
  if (source.plan.empty()) return;
  const uint64_t first = std::max<uint64_t>(source.plan.count / source.plan.full, 1);
  extreme_of_all(core, op, type, source.plan, source.row, source.operand, dst, work, first, index, site);
}

}  // namespace toprope::isa
