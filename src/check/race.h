// Races: two accesses of the same bytes, one of them a write, that nothing puts into an order.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "check/intervals.h"
#include "check/order.h"
#include "check/report.h"

namespace toprope::check {

/// Who touched bytes: an instruction of a pipe of a core, by number.
struct Touch {
  uint32_t event = 0;  ///< index into the events seen; 0 is nobody
  uint32_t number = 0;
  uint32_t core = 0;
  Pipe pipe = Pipe::S;
  bool atomic = false;
  bool operator==(const Touch&) const = default;
};

/// The last write of some bytes and the reads since, one for each reader that is still of interest.
struct Touches {
  static constexpr int kReaders = 4;
  Touch write;
  Touch reads[kReaders];
  bool operator==(const Touches&) const = default;
};

/// Global memory: many tiles far apart, so one small map for each page.
class PagedIntervals {
 public:
  template <class F>
  void update(uint64_t begin, uint64_t end, F&& f) {
    for (uint64_t at = begin; at < end;) {
      const uint64_t page = at / kPage, stop = std::min(end, (page + 1) * kPage);
      if (page != last_page_ || !last_) {
        last_page_ = page;
        last_ = &pages_[page];
      }
      last_->update(at, stop, f);
      at = stop;
    }
  }
  void clear() {
    pages_.clear();
    last_ = nullptr;
  }

 private:
  static constexpr uint64_t kPage = 256 * 1024;
  std::unordered_map<uint64_t, Intervals<Touches>> pages_;
  uint64_t last_page_ = 0;
  Intervals<Touches>* last_ = nullptr;
};

class Race final : public Observer {
 public:
  void on_launch(const Launch& launch, bool begins) override;
  void on_block(Core& core, const BlockEvent& event) override;
  void on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                      Site site) override;
  void on_flag(Core& core, const FlagEvent& event, Site site) override;
  void on_barrier(Core& core, Pipe pipe, Site site) override;
  void on_queue(Core& core, const QueueEvent& event, Site site) override;
  void on_sync(Core& core, const SyncEvent& event, Site site) override;

 private:
  struct Event {
    const Instruction* instruction = nullptr;
    Site site = nullptr;
  };
  struct Local {  // what one core's own memories remember
    Intervals<Touches> memory[kMems];
  };
  uint32_t event_of(const Instruction& instruction, Site site);
  void touch(Core& core, Touches& touches, const Touch& now, const Access& access, uint64_t begin,
             uint64_t end);
  void report(Core& core, const Touch& earlier, bool earlier_writes, const Touch& now, const Access& access,
              uint64_t begin, uint64_t end);

  std::optional<LaunchOrder> order_;
  std::unordered_map<uint32_t, Local> locals_;
  PagedIntervals global_;
  std::vector<Event> events_{1};
  std::map<std::pair<const Instruction*, Site>, uint32_t> event_ids_;
  uint32_t last_event_ = 0;
};

}  // namespace toprope::check
