// Which SIMD targets the library is built for, and the switch between them. Include before hwy/highway.h.
#pragma once
// One baseline ("portable") and the two widths that matter; each further target costs compile time and binary
// size. Bits 4 and 6 are AVX3_SPR and AVX3_ZEN4, which old Highways have no name for.
#if defined(__x86_64__)
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | (1LL << 4) | (1LL << 6))
#endif

namespace toprope::isa {

/// A kernel table of one operand shape: `get()` is that of the best target the machine has. Construct at
/// namespace scope with a function that resolves through HWY_DYNAMIC_DISPATCH.
class DispatchedTable {
 public:
  explicit DispatchedTable(const void* (*choose)());
  const void* get() const { return table_; }
  /// Resolves every table again, after hwy::SetSupportedTargetsForTest.
  static void choose_again();

 private:
  const void* (*choose_)();
  const void* table_;
  DispatchedTable* next_;
};

/// Tests run every instruction on the baseline too: true pins the portable target, false returns to the best.
void pin_portable_target(bool portable);
bool portable_target_pinned();
const char* target_name();

}  // namespace toprope::isa
