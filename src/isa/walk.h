// The one loop that brings the operands of a vector instruction to its kernel, whatever their mask, repeats
// and strides. Instructions know nothing of it; kernels see elements in a row, or whole blocks that lie
// apart.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "isa/issue.h"
#include "isa/map_kernel.h"
#include "isa/plan.h"

namespace toprope::isa {

/// Whether a kernel needs to know what its destination holds.
enum class Destination : bool { Written, ReadToo };

/// What walk() calls, operands[0] being the destination.
struct Kernel {
  const void* self;
  void (*row)(const void* self, uint8_t* const* operands, size_t n);
  void (*blocks)(const void* self, uint8_t* const* operands, const Apart& extent);  ///< null: only rows
  Destination destination;
};

void walk(const Plan& plan, const Row* rows, int count, const Kernel& kernel);

/// `count` repeats of an operand, from `first` on, as rows of plan.full elements: where they lie, or copied
/// to `scratch` (count * kRepeatBytes). Blocks behind the last that has an element which takes part are not
/// read.
const uint8_t* rows_of(const Plan& plan, const Row& row, uint32_t first, uint32_t count, uint8_t* scratch);

/// walk() with a lambda (uint8_t* const* operands, size_t n), or (…, auto n) when the kernel takes Apart as
/// well.
template <size_t N, class F>
void walk(const Plan& plan, const std::array<Row, N>& rows, F&& f,
          Destination destination = Destination::Written) {
  static_assert(N <= kMostOperands);
  if (plan.consecutive) {
    // The common case stays free of the call unless operands overlap in part.
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
  using Call = std::remove_reference_t<F>;
  Kernel kernel{&f,
                [](const void* self, uint8_t* const* operands, size_t n) {
                  (*static_cast<const Call*>(self))(operands, n);
                },
                nullptr, destination};
  if constexpr (std::is_invocable_v<const Call&, uint8_t* const*, const Apart&>)
    kernel.blocks = [](const void* self, uint8_t* const* operands, const Apart& extent) {
      (*static_cast<const Call*>(self))(operands, extent);
    };
  walk(plan, rows.data(), static_cast<int>(N), kernel);
}

}  // namespace toprope::isa
