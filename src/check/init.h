// Reads of bytes that nothing has written: local memory holds what an earlier kernel left, GM what was there
// before.
#pragma once
#include <vector>

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
  enum class State : uint8_t {
    Never,
    Recycled,  ///< the buffer was given back since
    Random,    ///< padding that a copy put there without a value
    Unset,     ///< came along from device memory that nothing has written
    Written
  };
  static constexpr int kMissing = 4;  ///< states in front of Written
  struct Bytes {
    State state = State::Never;
    Site site = nullptr;  ///< who freed the buffer, or copied
    bool operator==(const Bytes&) const = default;
  };
  struct Memories {
    Intervals<Bytes> of[kMems];
  };
  /// Bytes of a copy, counted from the first that it takes.
  struct Part {
    uint64_t begin, end;
  };
  void read(Core& core, Memories& memories, const Instruction& instruction, const Access& access, Site site);
  void report(Core& core, const Instruction& instruction, const Access& access, State state, Part bytes,
              Site site, Site earlier);
  /// Answers what came along although nothing has written it, as the rest of a DataBlock does.
  std::vector<Part> read_global(Core& core, const Instruction& instruction, const Access& access, Site site);
  void report_global(Core& core, const Instruction& instruction, const Access& access, Part bytes, Site site);
  static Finding of_global(const std::string& who, const std::string& operand, Part bytes, Site site);
  static void came_along(Memories& memories, const Access& dst, const std::vector<Part>& parts, Site site);

  PerCore<Memories> cores_;
  Painted global_;
};

}  // namespace toprope::check
