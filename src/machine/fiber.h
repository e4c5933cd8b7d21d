// A core that can be suspended: a stack, the core's local memories and its state, pooled per thread.
#pragma once
#include <boost/context/fiber.hpp>
#include <functional>
#include <memory>
#include <string>

#include "machine/core_state.h"

namespace toprope {

/// Runs `body` on a stack of its own until it calls suspend() or returns. A finished fiber is resumed again
/// for the next piece of work, so that a block costs no creation.
class Fiber {
 public:
  explicit Fiber(void (*body)(Fiber&, void*));
  Fiber(const Fiber&) = delete;
  ~Fiber();

  /// Continues the fiber on the calling thread. False while it is suspended, true when its body returned.
  bool resume(void* argument);
  /// Called on the fiber: back to the caller of resume().
  void suspend();

  CoreState& state() { return *state_; }

 private:
  struct Stack;
  std::unique_ptr<Stack> stack_;
  std::unique_ptr<CoreState> state_;
  boost::context::fiber inside_, outside_;
  void (*body_)(Fiber&, void*);
  void* argument_ = nullptr;
  bool done_ = true, quit_ = false;
};

}  // namespace toprope
