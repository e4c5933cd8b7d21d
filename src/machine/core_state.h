// What a core has beyond what a kernel reads: its memories' storage, flags, and how it waits for other cores.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/function_ref.h"
#include "machine/buffers.h"
#include "machine/flags.h"
#include "machine/gm_history.h"
#include "machine/local_arrays.h"
#include "machine/run.h"
#include "toprope/machine/core.h"
#include "toprope/machine/guard.h"

namespace toprope {

class Fiber;
struct SocInfo;
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

/// Small values that stay where they are until the block ends (shapes of tensors).
using KeptBytes = std::unordered_set<std::string>;

/// What a core has looked at in GM, and how often it has looked without finding anything new. A loop may poll
/// many words in turn.
struct Spin {
  struct Seen {
    const void* at = nullptr;
    uint64_t value = 0;
    uint32_t bytes = 0;
  };
  std::vector<Seen> seen;
  uint32_t looks = 0, turns = 0;
};

/// Why a core is suspended. Refers to the arguments of wait_for, which lie on the core's stack meanwhile.
struct Waiting {
  FunctionRef<bool()> ready;  ///< asked again whenever another core has done something
  std::string_view what;      ///< "SyncAll", "flag 3 of mode 0", …
  const void* site = nullptr;
  FunctionRef<std::string()>
      missing;  ///< for the report of a deadlock: who or what has not come; may be empty
  bool polls =
      false;  ///< is ready after every turn of the others, and has found nothing new in its last ones
};

/// The high-level function that is issuing instructions, and where the kernel called it; empty outside one.
struct Composed {
  const char* name = nullptr;
  const void* site = nullptr;
};

class CoreState {
 public:
  CoreState();
  explicit CoreState(const SocInfo& chip);
  Core core;
  FlagTable flags;
  GmHistory gm;
  Buffers buffers;
  std::unordered_map<uint64_t, uint32_t> turns;  ///< WaitPreBlock: turns this core has had, by workspace
  std::unordered_map<uint64_t, int32_t> met;     ///< SyncAll: rounds this core has begun, by workspace
  uint8_t* system_workspace = nullptr;           ///< SetSysWorkspace
  std::optional<uint64_t> tiling_key;            ///< of the launch, when it brings its own
  uint64_t sync_base = 0;                        ///< asc_set_ffts_base_addr; only read back
  uint64_t control = 0;                          ///< bits of CTRL that nothing here obeys
  LocalArrays arrays;
  uint64_t kept_elements = 0;     ///< of the last GatherMask
  uint64_t addresses[8][8] = {};  ///< what asc_set_va_reg left
  /// What the vector instruction that is told to observers did with the mask register: nothing, put its own
  /// mask (or all elements) there, or took its mask from there. Kept for observers only.
  enum class MaskUse : uint8_t { None, Overwrites, Reads } mask_use = MaskUse::None;
  /// Why VectorRegisters::extreme is not what a kernel may read now; null when it is.
  const char* extreme_doubt = nullptr;
  Composed composed;
  std::array<LocalGuard, kGuards> guards{};
  bool guarded = false;  ///< one of them is set
  KeptBytes kept;
  Spin spin;
  Waiting waiting;
  const Launch* launch = nullptr;
  uint32_t task = 0;  ///< number of the core in its launch: parts of block 0, then of block 1, …
  Batch* batch = nullptr;
  Fiber* fiber = nullptr;
  bool aborting = false;  ///< the launch has failed elsewhere: a suspended core unwinds when resumed

  /// Puts the core into the state in which a block starts. Local memories keep their bytes, as on the device.
  void begin(const Launch& launch, uint32_t block, uint32_t part);

 private:
  std::unique_ptr<Arena> arena_;
};

/// Suspends the running core until `ready` holds. The scheduler calls it whenever any core signalled,
/// `missing` only for the report of a deadlock. `polls` as in Waiting.
void wait_for(Core& core, FunctionRef<bool()> ready, std::string_view what, const void* site,
              FunctionRef<std::string()> missing = {}, bool polls = false);

/// Tells the scheduler that something another core may wait for has changed.
void signal(Core& core);

}  // namespace toprope
