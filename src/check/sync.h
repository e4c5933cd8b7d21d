// Flags that are left up or used outside of what is the kernel's own. A wait for what never comes and a
// second set are refused by the machine at once.
#pragma once
#include <unordered_map>
#include <vector>

#include "check/per_core.h"
#include "check/report.h"

namespace toprope::check {

class Sync final : public Observer {
 public:
  void on_launch(const Launch& launch, bool begins) override;
  void on_block(Core& core, const BlockEvent& event) override;
  void on_flag(Core& core, const FlagEvent& event, Site site) override;
  void on_sync(Core& core, const SyncEvent& event, Site site) override;
  void on_left_flag(const Launch& launch, const LeftFlag& flag) override;

 private:
  struct Raised {
    FlagEvent flag;
    Site site;
  };
  struct Release {
    SyncEvent event;
    Site site;
  };
  void check_id(Core& core, const SyncEvent& event, Site site);

  PerCore<std::vector<Raised>> raised_;
  std::unordered_map<uint64_t, Release> releases_;  ///< by object, the last rounds only
  Site barrier_ = nullptr;                          ///< a SyncAll in hardware of this launch
  Site reserved_ = nullptr;                         ///< a flag of this launch that SyncAll needs for itself
  uint16_t reserved_id_ = 0;
};

}  // namespace toprope::check
