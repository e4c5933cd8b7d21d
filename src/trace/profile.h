// The profiler: watches kernels and keeps, for each kernel, where the model says that their time goes.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "machine/observer.h"
#include "machine/run.h"
#include "trace/l2.h"
#include "trace/timeline.h"

namespace toprope::trace {

/// A line of the user's code that issues an instruction or waits.
struct Place {
  const Instruction* instruction = nullptr;  ///< null for waits
  const char* name = "";
  Pipe pipe = Pipe::S;
  Site site = nullptr;
};

/// What happened at one place, over all cores and launches of a kernel.
struct PlaceTotals {
  uint64_t count = 0, bytes = 0, operations = 0, small = 0, unaligned = 0;
  uint64_t past_l2 = 0;  ///< of the bytes
  Cycles busy = 0, conflicts = 0, shared = 0;
  Cycles critical = 0;                ///< on the longest chain of each launch, summed
  std::array<Cycles, kEdges> held{};  ///< on it, pipes were idle because of a wait here, by its kind
};

struct KernelTotals {
  std::string name, file;
  uint32_t line = 0;
  uint64_t launches = 0, cores = 0;             ///< cores: summed over launches
  uint32_t blocks = 0, cubes = 0, vectors = 0;  ///< of the last launch
  uint32_t fewest_blocks = ~0u, most_blocks = 0;
  Cycles cycles = 0, shortest = 0, longest = 0;
  std::array<Cycles, kPipes> busy{};     ///< summed over cores
  std::array<uint64_t, kPipes> users{};  ///< cores that used the pipe, summed over launches
  std::array<Cycles, kPipes> critical{};
  Cycles sync = 0, shared = 0, unknown = 0;  ///< of the critical path
  Cycles bandwidth = 0;                      ///< what GM needs for all bytes of a launch, summed
  uint64_t gm_read = 0, gm_write = 0, l2_hits = 0, events = 0;
  uint64_t vector_operations = 0, cube_operations = 0;
  std::vector<PlaceTotals> places;  ///< by Profiler::places()
};

/// An event that is kept for the picture.
struct KeptEvent {
  Event event;  ///< `by` counts kept events, kNone when the other end was not kept
  uint32_t launch = 0, core = 0;
  bool cube = false;
};

struct KeptLaunch {
  uint32_t kernel = 0;
  Cycles start = 0, cycles = 0;
};

class Profiler : public Observer {
 public:
  void on_launch(const Launch&, bool begins) override;
  void on_block(Core&, const BlockEvent&) override;
  void on_instruction(Core&, const Instruction&, std::span<const Access>, Site) override;
  void on_flag(Core&, const FlagEvent&, Site) override;
  void on_barrier(Core&, Pipe, Site) override;
  void on_queue(Core&, const QueueEvent&, Site) override;
  void on_sync(Core&, const SyncEvent&, Site) override;

  const std::vector<KernelTotals>& kernels() const { return kernels_; }
  const std::vector<Place>& places() const { return places_; }
  const std::vector<KeptEvent>& kept() const { return kept_; }
  const std::vector<KeptLaunch>& launches() const { return kept_launches_; }
  uint64_t left_out() const { return left_out_; }  ///< events that the picture lacks

 private:
  /// A core's run of one block.
  struct Run {
    Timeline time;
    uint32_t task = 0, slot = 0;
    uint32_t number = 0;  ///< as GetBlockIdx() of its kind
    bool cube = false;
    uint64_t moved = 0, cached = 0;  ///< bytes through L2, and those of them that took new lines
    uint64_t last_line = 0;          ///< of GM that a scalar access read
  };
  /// A core of the chip: when it is free, and where its time has gone until then.
  struct CoreSlot {
    Cycles free = 0;
    Path path;
  };
  struct LaunchState {
    const Launch* launch = nullptr;
    uint32_t kernel = 0, tasks = 0, started = 0, finished = 0;
    double share = 0;
    std::array<std::vector<CoreSlot>, 2> slots;  ///< the vector [0] and cube [1] cores
    uint64_t gm_bytes = 0, hits = 0, reads = 0, cached = 0;
    Cycles latest = 0, pilot = 0;
    Path path, pilot_path;
    std::unordered_map<uint64_t, Cycles> objects;  ///< when what cores wait for was released
  };
  Run& run_of(Core& core);
  uint32_t place_of(const Instruction* instruction, const char* name, Pipe pipe, Site site);
  void move(Run& run, std::span<const Access> accesses, const Work& work, double& gm_bytes, Work& adjusted);
  bool spills(const Run& run) const;
  void finish(Run& run);
  void keep(Run& run);

  std::mutex one_launch_;
  std::vector<KernelTotals> kernels_;
  std::map<std::tuple<std::string, std::string, uint32_t>, uint32_t> kernel_ids_;
  std::vector<Place> places_;
  std::vector<std::unique_ptr<Coster>> costers_;
  struct Slot {
    const void* what = nullptr;
    Site site = nullptr;
    uint32_t place = 0;
  };
  std::array<Slot, 256> recent_places_;
  std::map<std::pair<const void*, Site>, uint32_t> place_ids_;
  std::unordered_map<Core*, std::unique_ptr<Run>> runs_;
  Core* recent_core_ = nullptr;
  Run* recent_run_ = nullptr;
  LaunchState now_;
  L2 l2_;
  std::vector<KeptEvent> kept_;
  std::vector<KeptLaunch> kept_launches_;
  uint64_t left_out_ = 0;
  Cycles clock_ = 0;
};

}  // namespace toprope::trace
