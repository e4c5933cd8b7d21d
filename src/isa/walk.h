// Mask, repeat and stride: which bytes of its operands a vector instruction touches, and the one loop that
// brings them to a contiguous kernel. Instructions know nothing of it; kernels see n consecutive elements.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/issue.h"
#include "toprope/isa/operand.h"

namespace toprope::isa {

/// A VecShape after the mask register and mode were applied.
struct Plan {
  bool consecutive = false;  ///< `count` elements in a row, strides play no role
  bool prefix = true;        ///< a repeat's elements are its first `lanes`; else those in `bits`
  uint64_t count = 0;
  uint32_t repeats = 0;
  uint32_t full = 0;  ///< elements a whole repeat holds
  uint32_t lanes = 0;
  uint32_t last = 0;  ///< elements of the last repeat, ≤ lanes (counter mode ends anywhere)
  uint64_t bits[2] = {0, 0};
  uint64_t asked = 0;  ///< elements that the mask asked for, where a repeat holds fewer
  bool empty() const { return consecutive ? count == 0 : repeats == 0 || lanes == 0; }
};

/// `element` is the size of the widest element type of the instruction: it decides how many elements a repeat
/// holds.
Plan plan_of(Core& core, const VecShape& shape, uint32_t element);

/// An operand with its place in the host's memory; strides in bytes.
struct Row {
  uint8_t* at;
  uint32_t element;
  uint32_t block_stride, repeat_stride;
};

/// Checks an operand (alignment, the tensor's end) and finds its bytes. Faults name `operand`.
Row resolve(Core& core, const Instruction& instruction, const char* operand, const VecOperand& where,
            const Plan& plan, uint32_t element, Site site);

/// The operand's exact footprint.
Access access_of(const char* operand, const VecOperand& where, const Plan& plan, uint32_t element,
                 bool write);

/// Calls a contiguous kernel. operands[0] is the destination.
class Kernel {
 public:
  virtual void operator()(uint8_t* const* operands, size_t n) const = 0;

 protected:
  ~Kernel() = default;
};

void walk(const Plan& plan, const Row* rows, int count, const Kernel& kernel);

/// A repeat of an operand as a row of plan.full elements: where it lies, or copied to `scratch`
/// (kRepeatBytes) when its blocks lie apart. Blocks without an element that takes part are not read.
const uint8_t* repeat_of(const Plan& plan, const Row& row, uint32_t repeat, uint8_t* scratch);

/// walk() with a lambda (uint8_t* const* operands, size_t n).
template <size_t N, class F>
void walk(const Plan& plan, const std::array<Row, N>& rows, F&& f) {
  if (plan.consecutive) {
    // The common case stays free of the virtual call unless operands overlap in part.
    bool apart = true;
    for (size_t i = 1; i < N; ++i) {
      const uint8_t *d = rows[0].at, *s = rows[i].at;
      const uint64_t nd = plan.count * rows[0].element, ns = plan.count * rows[i].element;
      apart &= (d == s && rows[0].element == rows[i].element) || d + nd <= s || s + ns <= d;
    }
    if (apart) {
      uint8_t* at[N];
      for (size_t i = 0; i < N; ++i) at[i] = rows[i].at;
      f(at, plan.count);
      return;
    }
  }
  struct Call final : Kernel {
    explicit Call(F& f) : f_(f) {}
    void operator()(uint8_t* const* operands, size_t n) const override { f_(operands, n); }
    F& f_;
  };
  walk(plan, rows.data(), static_cast<int>(N), Call(f));
}

}  // namespace toprope::isa
