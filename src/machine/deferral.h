// Instructions that run later than they were issued, as the device's pipes may run them. The machine knows
// this interface; who decides is an observer (check/schedule.h).
#pragma once
#include <cstdint>
#include <functional>

#include "machine/observer.h"

namespace toprope {

class Deferral {
 public:
  virtual ~Deferral() = default;

  /// Takes over one instruction of a pipe of `core`; `run` may be called at once or later, in this thread,
  /// but before the block ends.
  virtual void defer(Core& core, Pipe pipe, std::function<void()> run) = 0;

  /// Runs all that is pending on `core`: it is about to wait for what other cores do.
  virtual void finish(Core& core) = 0;

  /// Which of `tasks` tasks (a block's part each) runs as the `position`th: a permutation.
  virtual uint32_t task_at(uint32_t position, uint32_t tasks) = 0;
};

/// The installed one; null when instructions run as they are issued. Only with an observer installed, so that
/// cores are watched.
Deferral* deferral();
void set_deferral(Deferral* deferral);

}  // namespace toprope
