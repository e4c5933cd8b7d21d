// Reads of bytes that nothing has written: local memory holds what an earlier kernel left, GM what was there
// before.
#pragma once
#include "check/intervals.h"
#include "check/painted.h"
#include "check/per_core.h"
#include "check/report.h"

namespace toprope::check {

class Init final : public Observer {
 public:
  void on_host(const HostEvent& event, Site site) override;
  void on_block(Core& core, const BlockEvent& event) override;
  void on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                      Site site) override;
  void on_queue(Core& core, const QueueEvent& event, Site site) override;

 private:
  enum class State : uint8_t { Never, Written, Recycled };
  struct Bytes {
    State state = State::Never;
    Site freed = nullptr;  ///< where the buffer was given back, when Recycled
    bool operator==(const Bytes&) const = default;
  };
  struct Memories {
    Intervals<Bytes> of[kMems];
  };
  void read(Core& core, Memories& memories, const Instruction& instruction, const Access& access, Site site);

  void read_global(Core& core, const Instruction& instruction, const Access& access, Site site);

  PerCore<Memories> cores_;
  Painted global_;
};

}  // namespace toprope::check
