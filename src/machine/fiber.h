// A core that can be suspended: a stack, the core's local memories and its state, pooled per thread.
#pragma once
#include <boost/context/fiber.hpp>
#include <memory>
#include <utility>

#include "machine/core_state.h"
#include "machine/float_state.h"

namespace toprope {

/// Runs `body` on a stack of its own until it calls suspend() or returns. A finished fiber is resumed again
/// for the next piece of work, so that a block costs no creation.
///
/// What costs time is less the change of stack than the returns behind it: the processor foretells them from
/// the calls that the other stack made, and is wrong each time. So resume() and suspend() are inlined.
class Fiber {
 public:
  explicit Fiber(void (*body)(Fiber&, void*));
  Fiber(const Fiber&) = delete;
  ~Fiber();

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(TOPROPE_FIBERS_UNDER_TSAN)
  bool resume(void* argument);  // these tell the sanitizer of the other stack
  void suspend();
#else
  /// Continues the fiber on the calling thread. False while it is suspended, true when its body returned.
  bool resume(void* argument) { return enter(argument); }
  /// Called on the fiber: back to the caller of resume().
  void suspend() { leave(); }
#endif

  CoreState& state() { return *state_; }

 private:
  [[gnu::always_inline]] bool enter(void* argument) {
    if (done_) argument_ = argument;
    done_ = false;
    caller_state_ = float_state();
    inside_ = std::move(inside_).resume();
    take_over_float_flags(own_state_);
    return done_;
  }
  [[gnu::always_inline]] void leave() {
    own_state_ = float_state();
    outside_ = std::move(outside_).resume();
    take_over_float_flags(caller_state_);
  }

  struct Stack;
  boost::context::fiber inside_, outside_;
  std::unique_ptr<CoreState> state_;
  unsigned own_state_ = 0, caller_state_ = 0;  // of the floating-point unit, at the last change of stack
  bool done_ = true, quit_ = false;
  void* argument_ = nullptr;
  void (*body_)(Fiber&, void*);
  std::unique_ptr<Stack> stack_;
};

}  // namespace toprope
