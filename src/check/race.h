// Races: two accesses of the same bytes, one of them a write, that nothing puts into an order.
#pragma once
#include <bitset>
#include <optional>
#include <span>
#include <vector>

#include "check/intervals.h"
#include "check/order.h"
#include "check/per_core.h"
#include "check/report.h"

namespace toprope::check {

/// Who touched bytes: an instruction of a pipe of a core, in an epoch of that pipe.
struct Touch {
  uint32_t event = 0;  ///< of EventNumbers; 0 is nobody
  uint32_t epoch = 0;
  uint32_t core : 20 = 0;
  uint32_t pipe_number : 3 = 0;
  uint32_t atomic : 1 = false;  ///< may meet others of its kind: atomic adds, words that cores poll
  uint32_t unseen : 1 = false;  ///< the compiler does not look at this access when it puts waits in
  Pipe pipe() const { return static_cast<Pipe>(pipe_number); }
  bool operator==(const Touch&) const = default;
};

/// The last write of some bytes and the reads since, one for each reader that is still of interest.
struct Touches {
  static constexpr int kReaders = 4, kAdders = 2;
  Touch write;
  Touch overtaken;  ///< local memory: a write before it that may come after it; a fault once somebody reads
  /// Atomic writes since, and writes of the same bytes before it: they may meet their kind, and hide no write
  /// from others.
  Touch adds[kAdders];
  Touch reads[kReaders];
  uint32_t past = 0;  ///< GM: what the writer had read there until then
  bool operator==(const Touches&) const = default;
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
  void on_cache(Core& core, const CacheEvent& event, Site site) override;

  /// Pieces of memory that are remembered now.
  size_t size() const;

 private:
  /// What one core's own memories remember.
  struct Local {
    Intervals<Touches> memory[kMems];
    uint32_t past = 0;  ///< stands for what the block has read of GM, in order
  };
  /// One operand of the instruction that is looked at.
  struct Here {
    Core& core;
    CoreOrder& order;
    const Access& access;
    Touch now;
    uint32_t past = 0;
    bool may_be_again = false;  ///< a store that could turn out to be one
  };
  /// A store of which every byte was stored by another block that had read the same: the two do the same
  /// work. It is of no account when it leaves all bytes as they are, which is seen when it is done.
  struct Again {
    Core* core;
    Access access;
    Touch now;
    std::vector<uint8_t> bytes;  ///< before the store
    struct Piece {
      Touch earlier;
      bool earlier_writes;
      uint64_t begin, end;
    };
    std::vector<Piece> pieces;
  };
  template <class F>
  void each_piece(Local& local, const Access& access, F&& f);
  /// Whether another block has stored these bytes, so that the store may be one again.
  bool look(const Here& here, Touches& touches, uint64_t begin, uint64_t end);
  static void record(const Here& here, bool again, Touches& touches);
  static void keep(const Touch& now, std::span<Touch> places);
  bool unordered(const Here& here, const Touch& earlier) const;
  void found(const Here& here, const Touch& earlier, bool earlier_writes, uint64_t begin, uint64_t end);
  void await(const Here& here, uint64_t stored_before);
  void settle();
  void report(const Here& here, const Touch& now, bool writes, const Touch& earlier, bool earlier_writes,
              uint64_t begin, uint64_t end);

  /// Lines of GM that somebody cleans and invalidates: cores tell each other things with words in them. Who
  /// reads one knows what those knew who cleaned it.
  static constexpr size_t kWords = 4096;  // lines share them: that may miss a race, and never makes one up
  static uint64_t word_of(uint64_t at) { return at / 64 % kWords; }
  bool is_word(const Access& access) const {
    return access.cached && (all_cleaned_ || cleaned_[word_of(access.slice.at)]);
  }

  std::optional<LaunchOrder> order_;
  PerCore<Local> locals_;
  PagedIntervals<Touches> global_;
  std::bitset<kWords> cleaned_;
  bool all_cleaned_ = false;
  EventNumbers events_;
  std::vector<Again::Piece> pieces_;  ///< found in the store that is looked at, which may be one again
  std::optional<Again> again_;
};

}  // namespace toprope::check
