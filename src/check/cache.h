// The scalar unit's data cache: GetValue and SetValue of a GlobalTensor go through it, copies and other cores
// do not see what lies in it, and it writes back whole lines of 64 bytes. Source: Ascend C API, cache
// control, DataCacheCleanAndInvalid.
#pragma once
#include <unordered_map>

#include "check/report.h"

namespace toprope::check {

class Cache final : public Observer {
 public:
  void on_launch(const Launch& launch, bool begins) override;
  void on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                      Site site) override;
  void on_cache(Core& core, const CacheEvent& event, Site site) override;

 private:
  /// A line that a core has written to and not written back.
  struct Dirty {
    uint32_t core;
    uint64_t bytes;  ///< a bit for each that was written
    Site site;
  };
  void store(Core& core, const Access& access, Site site);
  void look(Core& core, const Instruction& instruction, const Access& access, Site site);

  std::unordered_map<uint64_t, Dirty> lines_;  ///< by address / 64
};

}  // namespace toprope::check
