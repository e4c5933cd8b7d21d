// What the reductions share: a source taken repeat by repeat, the elements of a repeat that take part, and
// the checks of their destinations.
#pragma once
#include <algorithm>

#include "isa/reduce_table.h"
#include "isa/walk.h"

namespace toprope::isa {

inline constexpr uint32_t kReduceBatch = 32;  // repeats that one kernel call takes

inline const ReduceTable& reduce_kernel_table() {
  return *static_cast<const ReduceTable*>(reduce_table.get());
}

/// What stands in the place of elements that do not take part.
enum class Fill : uint8_t {
  MinusZero,  ///< neutral in a sum
  OfBlock,    ///< the first element of the same DataBlock that takes part
  OfRepeat    ///< the first element of the repeat that takes part
};

/// A reduction on its way: operands resolved, repeats in order.
class Pass {
 public:
  Pass(const Plan& plan, const Row& src, DType type, bool saturate)
      : plan(plan), src(src), type(static_cast<int>(type)), saturate(saturate) {
    if (plan.consecutive) {
      this->plan.consecutive = false;
      this->plan.lanes = plan.full;
      this->plan.repeats = static_cast<uint32_t>((plan.count + plan.full - 1) / plan.full);
      this->plan.last = static_cast<uint32_t>(plan.count - uint64_t{this->plan.repeats - 1} * plan.full);
      this->src.block_stride = kBlockBytes;
      this->src.repeat_stride = kRepeatBytes;
    }
  }

  /// Calls f(first repeat, number, their elements in rows of 256 bytes).
  template <class F>
  void batches(Fill fill, uint32_t at_once, F&& f) const {
    alignas(64) uint8_t scratch[kReduceBatch * kRepeatBytes];
    for (uint32_t r = 0; r < plan.repeats;) {
      const Taking part = taking(plan, r);
      const uint32_t n = std::min(at_once, alike_from(plan, r));
      const bool whole = plan.prefix && part.end() == plan.full;
      f(r, n, whole ? rows_of(plan, src, r, n, scratch) : lay_out(r, n, part, fill, scratch));
      r += n;
    }
  }

  /// Where the element at place `i` of a repeat filled with Fill::OfRepeat stands first.
  uint32_t origin(uint32_t r, uint32_t i) const {
    const Taking part = taking(plan, r);
    return part.test(i) ? i : part.first();
  }

  Plan plan;
  Row src;
  int type;
  bool saturate;

 private:
  const uint8_t* lay_out(uint32_t r, uint32_t n, const Taking& part, Fill fill, uint8_t* to) const;
};

/// Destination checks: `unit` bytes of result for each repeat (the last has `last_unit`), `stride` units
/// apart. Returns where they go.
uint8_t* resolve_results(Core& core, const Instruction& instruction, const Slice& dst, uint32_t repeats,
                         int32_t stride, uint32_t unit, uint32_t last_unit, uint32_t alignment, Site site);

/// How many repeats may be taken at once: one where a result may fall into the source of a later repeat.
uint32_t batch_of(const Pass& pass, const uint8_t* dst, uint64_t dst_bytes, uint64_t dst_stride);

void check_steps(Core& core, const Instruction& instruction, const ReduceSteps& steps, int32_t most_repeats,
                 Site site);

/// Plan and source of the forms with repeats.
struct ReduceSource {
  ReduceSource(Core& core, const Instruction& instruction, DType type, const Slice& src, const VecShape& mask,
               const ReduceSteps& steps, Site site)
      : operand{src, static_cast<uint16_t>(steps.src_block), static_cast<uint16_t>(steps.src_repeat)},
        plan(plan_of(core, mask, size_of(type))) {
    if (!plan.consecutive && !core.mask.counter) plan.repeats = static_cast<uint32_t>(steps.repeats);
    if (!plan.empty()) row = resolve(core, instruction, "src", operand, plan, size_of(type), site);
  }
  VecOperand operand;
  Plan plan;
  Row row{};
};

/// The extreme over repeats, whose values are offered in order.
class RunningExtreme {
 public:
  RunningExtreme(Reduce op, uint32_t element) : op_(op), element_(element) {}
  void offer(const uint8_t* value, uint64_t index);
  void leave_in(Core& core) const {
    core.vector.extreme = value;
    core.vector.extreme_index = index;
  }
  uint64_t value = 0, index = 0;

 private:
  Reduce op_;
  uint32_t element_;
  bool empty_ = true;
  int64_t rank_ = 0;
};

}  // namespace toprope::isa
