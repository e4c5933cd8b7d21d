// What the documents forbid or leave open and the device does not refuse: operands that overlap in part, a
// destination that stands still, parameters that are rounded or clamped, modes left on at a kernel's end.
// Alignment, ranges and the tensors' ends are refused by the instructions themselves, with or without a
// check.
#pragma once
#include <unordered_map>
#include <vector>

#include "check/report.h"

namespace toprope::check {

class Constraints final : public Observer {
 public:
  void on_block(Core& core, const BlockEvent& event) override;
  void on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                      Site site) override;
  void on_queue(Core& core, const QueueEvent& event, Site site) override;
  void on_remark(Core& core, const Remark& remark, Site site) override;

 private:
  struct Modes {
    Site atomic = nullptr, counter = nullptr;  ///< where the core switched them on
    bool mask_set = false;                     ///< by SetVectorMask
    const Instruction* overwritten = nullptr;  ///< who has since put a mask of its own into the register
    Site overwritten_at = nullptr;
  };
  void check_mask(Core& core, const Instruction& instruction, std::span<const Access> accesses, Site site);
  std::unordered_map<const CoreState*, Modes> modes_;
};

}  // namespace toprope::check
