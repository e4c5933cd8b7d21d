// Tensors of queues that are used when they are not the kernel's to use, that are never freed, and buffers
// laid over each other. What the calls themselves can see (an empty queue, a second free) is refused there.
#pragma once
#include <vector>

#include "check/per_core.h"
#include "check/report.h"

namespace toprope::check {

class QueueUse final : public Observer {
 public:
  void on_block(Core& core, const BlockEvent& event) override;
  void on_queue(Core& core, const QueueEvent& event, Site site) override;
  void on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                      Site site) override;

 private:
  enum class State : uint8_t { Fresh, Held, Queued, Free, Gone };
  struct Buffer {
    uint64_t number = 0;  ///< buffer_number of the slice
    State state = State::Fresh;
    Slice slice;
    Flow flow{};
    uint8_t position = 0;
    bool placed = false;
    Site site = nullptr;  ///< of the call that brought it into its state
  };
  /// The buffers of a core. Queues that share a pool share entries: the last call counts.
  using Buffers = std::vector<Buffer>;
  static Buffer* find(Buffers& buffers, const Slice& slice);

  void init(Core& core, Buffers& buffers, const QueueEvent& event, Site site);
  void report_leak(Core& core, const Buffer& buffer);

  PerCore<Buffers> cores_;
};

}  // namespace toprope::check
