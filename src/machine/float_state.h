// The control and status word of the floating-point unit (MXCSR) across changes of stack. Boost.Context saves
// and loads it with each; as long as the value stays the same that costs nothing, a value that differs from
// the one before costs 60 ns, seven times the rest of the change (docs/performance.md). Exception flags are
// the only bits that differ, and they are sticky: so everybody who takes part in a launch takes over the
// flags of the others, after which all have the same. Elsewhere than on x86 there is nothing to do.
#pragma once

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace toprope {

#if defined(__SSE__)

inline constexpr unsigned kFloatFlags = 0x3f, kFloatDefault = 0x1f80;

inline unsigned float_state() { return _mm_getcsr(); }

inline void set_float_state(unsigned state) {
  if (_mm_getcsr() != state) [[unlikely]]
    _mm_setcsr(state);
}

#else

inline constexpr unsigned kFloatFlags = 0, kFloatDefault = 0;
inline unsigned float_state() { return 0; }
inline void set_float_state(unsigned) {}

#endif

/// Raises the flags that are raised in `other`.
inline void take_over_float_flags(unsigned other) { set_float_state(float_state() | (other & kFloatFlags)); }

/// As every block starts: rounding to nearest, denormal numbers kept, whatever the host's thread has chosen
/// (torch.set_flush_denormal); with the flags of `other`.
inline void begin_float_state(unsigned other) { set_float_state(kFloatDefault | (other & kFloatFlags)); }

/// Gives the thread back what it had: a launch is not to be seen in the host's flags.
class KeptFloatState {
 public:
  KeptFloatState() = default;
  KeptFloatState(const KeptFloatState&) = delete;
  ~KeptFloatState() { set_float_state(state_); }

 private:
  const unsigned state_ = float_state();
};

}  // namespace toprope
