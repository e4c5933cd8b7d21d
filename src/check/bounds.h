// Accesses outside of what the host allocated, use of freed memory, and accesses that leave their tensor
// where the instruction itself does not look. Writes that no instruction makes (raw pointers) are found by
// the guard zones around each allocation.
#pragma once
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/memory_registry.h"
#include "check/report.h"

namespace toprope::check {

class Bounds final : public Observer {
 public:
  void on_launch(const Launch& launch, bool begins) override;
  void on_host(const HostEvent& event, Site site) override;
  void on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                      Site site) override;

 private:
  struct Guarded {
    uint64_t bytes, guard;
  };
  const MemoryBlock* block_of(uint64_t at);
  void check_global(Core& core, const Instruction& instruction, const Access& access, Site site);
  void check_local(Core& core, const Instruction& instruction, const Access& access, Site site);
  /// `kernel` has run meanwhile; empty: the block is being freed.
  void check_guards(uint64_t at, const Guarded& block, std::string_view kernel);

  bool runtime_in_use_ = false;      ///< there is device memory; kernels are not given the program's own
  std::vector<MemoryBlock> recent_;  ///< blocks that this launch has accessed, the last one first
  std::mutex mutex_;                 ///< guards what follows
  std::map<uint64_t, Guarded> guarded_;
};

}  // namespace toprope::check
