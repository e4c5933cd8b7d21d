// What a core has beyond what a kernel reads: its memories' storage, flags, and how it waits for other cores.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "machine/flags.h"
#include "machine/run.h"
#include "toprope/machine/core.h"

namespace toprope {

class Fiber;
class Batch;

/// Local memories of one core, reserved once and backed by the system page by page as they are touched.
class Arena {
 public:
  explicit Arena(const uint32_t (&sizes)[kMems]);
  Arena(const Arena&) = delete;
  ~Arena();
  uint8_t* base(Mem mem) const { return base_[static_cast<int>(mem)]; }

 private:
  void* mapping_ = nullptr;
  size_t bytes_ = 0;
  uint8_t* base_[kMems] = {};
};

/// Why a core is suspended.
struct Waiting {
  std::function<bool()> ready;  ///< asked again whenever another core has done something
  std::string what;             ///< "SyncAll", "flag 3 of mode 0", …
  const void* site = nullptr;
};

class CoreState {
 public:
  CoreState();
  Core core;
  FlagTable flags;
  Waiting waiting;
  const Launch* launch = nullptr;
  Batch* batch = nullptr;
  Fiber* fiber = nullptr;
  bool aborting = false;  ///< the launch has failed elsewhere: a suspended core unwinds when resumed

  /// Puts the core into the state in which a block starts. Local memories keep their bytes, as on the device.
  void begin(const Launch& launch, uint32_t block, uint32_t part);

 private:
  std::unique_ptr<Arena> arena_;
};

/// Suspends the running core until `ready` holds. The scheduler calls it whenever any core signalled.
void wait_for(Core& core, std::function<bool()> ready, std::string what, const void* site);

/// Tells the scheduler that something another core may wait for has changed.
void signal(Core& core);

}  // namespace toprope
