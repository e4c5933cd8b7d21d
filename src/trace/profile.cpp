#include "trace/profile.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/soc.h"
#include "machine/handover.h"

namespace toprope::trace {
namespace {

// What the picture holds, whatever the kernels' length.
constexpr size_t kKeptEvents = 60000, kKeptLaunches = 2000;
constexpr uint32_t kKeptCores = 8, kKeptPerCore = 1500;
// The share of reads that found another block's data from which on a launch's first block, which loaded them
// for all, says nothing about the others.
constexpr double kPilotMatters = 0.1;

/// GM's sustained bandwidth in bytes a cycle of the chip.
double gm_rate() { return figure("gm.sustained") * 1000 / soc().mhz; }

// Waits are told apart by these strings' addresses.
constexpr const char *kWaitFlag = "WaitFlag", *kBarrier = "PipeBarrier", *kDeQue = "DeQue",
                     *kAlloc = "AllocTensor", *kCross = "wait for other cores";
// What cores have released and may still wait for; older ones go.
constexpr size_t kObjects = 1 << 14;

}  // namespace

void Profiler::on_launch(const Launch& launch, bool begins) {
  if (begins) {
    one_launch_.lock();  // streams with workers of their own launch beside each other
    now_ = LaunchState{};
    now_.launch = &launch;
    const auto [at, fresh] = kernel_ids_.try_emplace({launch.kernel, launch.file, launch.line},
                                                     static_cast<uint32_t>(kernels_.size()));
    if (fresh) {
      kernels_.emplace_back();
      kernels_.back().name = launch.kernel;
      kernels_.back().file = launch.file;
      kernels_.back().line = launch.line;
    }
    now_.kernel = at->second;
    now_.tasks = launch.blocks * (launch.cubes + launch.vectors);
    const SocInfo& chip = soc();
    const uint32_t vectors = std::min(launch.blocks * launch.vectors, chip.aiv);
    const uint32_t cubes = std::min(launch.blocks * launch.cubes, chip.aic);
    now_.share = gm_rate() / std::max(1u, vectors + cubes);
    now_.slots[0].resize(chip.aiv);
    now_.slots[1].resize(chip.aic);
    l2_.begin(chip.l2, vectors + cubes);
    if (runs_.size() > 2 * (chip.aic + chip.aiv)) runs_.clear();  // threads have come and gone
    recent_core_ = nullptr;
    return;
  }
  KernelTotals& k = kernels_[now_.kernel];
  Cycles cycles = now_.latest;
  Path* path = &now_.path;
  const bool shared_reads = static_cast<double>(now_.hits) > kPilotMatters * static_cast<double>(now_.reads);
  if (now_.pilot > cycles && (now_.finished < 2 || !shared_reads)) {
    cycles = now_.pilot;
    path = &now_.pilot_path;
  }
  const Cycles bandwidth = static_cast<double>(now_.gm_bytes) / gm_rate();
  if (bandwidth > cycles) {  // no order of the blocks gets all bytes through sooner
    path->shared += bandwidth - cycles;
    path->pipe[static_cast<int>(Pipe::MTE2)] += bandwidth - cycles;
    cycles = bandwidth;
  }
  k.shortest = k.launches ? std::min(k.shortest, cycles) : cycles;
  k.longest = std::max(k.longest, cycles);
  ++k.launches;
  k.cycles += cycles;
  k.bandwidth += bandwidth;
  k.blocks = launch.blocks;
  k.cubes = launch.cubes;
  k.vectors = launch.vectors;
  k.fewest_blocks = std::min(k.fewest_blocks, launch.blocks);
  k.most_blocks = std::max(k.most_blocks, launch.blocks);
  for (int p = 0; p < kPipes; ++p) k.critical[p] += path->pipe[p];
  k.sync += path->sync;
  k.shared += path->shared;
  k.unknown += path->unknown;
  k.places.resize(places_.size());
  for (size_t i = 0; i < path->place.size(); ++i) {
    k.places[i].critical += path->place[i].own;
    for (int e = 0; e < kEdges; ++e) k.places[i].held[e] += path->place[i].held[e];
  }
  if (kept_launches_.size() < kKeptLaunches) kept_launches_.push_back({now_.kernel, clock_, cycles});
  clock_ += cycles;
  now_.launch = nullptr;
  one_launch_.unlock();
}

Profiler::Run& Profiler::run_of(Core& core) {
  if (recent_core_ == &core) return *recent_run_;
  auto& run = runs_[&core];
  if (!run) run = std::make_unique<Run>();
  recent_core_ = &core;
  return *(recent_run_ = run.get());
}

void Profiler::on_block(Core& core, const BlockEvent& event) {
  if (!now_.launch) return;
  Run& run = run_of(core);
  if (event.kind == BlockEvent::End) return finish(run);
  run.task = now_.started++;
  run.cube = core.cube;
  run.number = core.block_idx;
  run.moved = run.cached = run.last_line = 0;
  // Blocks go to the core that is free first.
  auto& slots = now_.slots[core.cube];
  const auto first = std::ranges::min_element(slots, {}, &CoreSlot::free);
  run.slot = static_cast<uint32_t>(first - slots.begin());
  run.time.begin(first->free, now_.share, soc().ub);
  first->free = std::numeric_limits<Cycles>::max();
}

void Profiler::finish(Run& run) {
  const Cycles end = run.time.end();
  now_.cached += run.cached;
  CoreSlot& slot = now_.slots[run.cube][run.slot];
  Path path = run.time.path(places_.size());
  path.add(slot.path);
  slot = {end, path};
  KernelTotals& k = kernels_[now_.kernel];
  for (int p = 0; p < kPipes; ++p) {
    const Cycles busy = run.time.busy(static_cast<Pipe>(p));
    k.busy[p] += busy;
    k.users[p] += busy > 0;
  }
  ++k.cores;
  k.events += run.time.events();
  keep(run);
  ++now_.finished;
  if (run.task == 0) {
    now_.pilot = end;
    now_.pilot_path = std::move(path);
  } else if (end >= now_.latest) {
    now_.latest = end;
    now_.path = std::move(path);
  }
}

void Profiler::keep(Run& run) {
  const uint64_t all = run.time.events();
  if (run.task >= kKeptCores || kept_launches_.size() >= kKeptLaunches || kept_.size() >= kKeptEvents) {
    left_out_ += all;
    return;
  }
  const uint64_t first = run.time.oldest();
  const uint64_t count = std::min<uint64_t>({all - first, kKeptPerCore, kKeptEvents - kept_.size()});
  const size_t base = kept_.size();
  for (uint64_t i = 0; i < count; ++i) {
    KeptEvent kept;
    kept.event = run.time.event(static_cast<uint32_t>(first + i));
    Event& e = kept.event;
    e.by = e.by != kNone && e.by >= first && e.by < first + count ? static_cast<uint32_t>(base + e.by - first)
                                                                  : kNone;
    kept.launch = static_cast<uint32_t>(kept_launches_.size());
    kept.core = run.number;
    kept.cube = run.cube;
    kept_.push_back(kept);
  }
  left_out_ += all - count;
}

uint32_t Profiler::place_of(const Instruction* instruction, const char* name, Pipe pipe, Site site) {
  const void* what = instruction ? static_cast<const void*>(instruction) : name;
  Slot& slot = recent_places_[(reinterpret_cast<uintptr_t>(site) ^ reinterpret_cast<uintptr_t>(what) >> 4) %
                              recent_places_.size()];
  if (slot.site == site && slot.what == what) return slot.place;
  const auto [at, fresh] = place_ids_.try_emplace({what, site}, static_cast<uint32_t>(places_.size()));
  if (fresh) {
    places_.push_back({instruction, name, pipe, site});
    costers_.push_back(instruction ? std::make_unique<Coster>(*instruction) : nullptr);
  }
  slot = {what, site, at->second};
  return at->second;
}

bool Profiler::spills(const Run& run) const {
  const double cores = gm_rate() / now_.share;
  double expected = static_cast<double>(run.cached) * cores;
  if (now_.finished)
    expected = std::max(expected, static_cast<double>(now_.cached) / now_.finished * now_.tasks);
  return expected > static_cast<double>(soc().l2);
}

void Profiler::move(Run& run, std::span<const Access> accesses, const Work& work, double& gm_bytes,
                    Work& adjusted) {
  const Rates& r = rates();
  KernelTotals& k = kernels_[now_.kernel];
  uint64_t missing = work.bytes;
  if (!work.past_l2) {
    missing = 0;
    for (const Access& gm : accesses)
      if (gm.slice.mem == Mem::GM)
        for (uint32_t r = 0; r < gm.repeats; ++r)
          for (uint32_t b = 0; b < gm.blocks; ++b)
            missing += l2_.touch(gm.slice.at + r * gm.repeat_stride + b * gm.block_stride, gm.run, run.moved);
    run.moved += work.bytes;
    run.cached += missing;
  }
  (work.gm_read ? k.gm_read : k.gm_write) += work.bytes;
  const uint64_t hits = work.bytes - std::min(missing, work.bytes);
  const auto in_l2 = static_cast<double>(hits), out = static_cast<double>(missing);
  if (work.gm_read) {
    now_.reads += work.bytes;
    now_.hits += hits;
    k.l2_hits += hits;
    gm_bytes = out * work.stretch;
    if (missing == 0) adjusted.late = r.hit;
    adjusted.busy = std::max(r.interval, work.stretch * (out / r.core_read + in_l2 / r.l2_read));
  } else if (!work.past_l2 && !spills(run)) {
    gm_bytes = 0;
    adjusted.late = r.hit;
    adjusted.busy = std::max(r.interval, work.busy * r.core_write / r.l2_write);
  } else {
    gm_bytes = out * work.stretch;
    adjusted.late = r.hit;
  }
  now_.gm_bytes += static_cast<uint64_t>(gm_bytes);
}

void Profiler::on_instruction(Core& core, const Instruction& instruction, std::span<const Access> accesses,
                              Site site) {
  if (!now_.launch) return;
  Run& run = run_of(core);
  const uint32_t place = place_of(&instruction, instruction.name, instruction.pipe, site);
  Work work = costers_[place]->work(accesses);
  double gm_bytes = 0;
  if (instruction.pipe == Pipe::S) {
    if (!accesses.empty() && accesses[0].slice.mem == Mem::GM) {
      const uint64_t line = accesses[0].slice.at / static_cast<uint64_t>(rates().line) + 1;
      if (line != run.last_line) work.busy = rates().miss;
      run.last_line = line;
    }
  } else if (work.gm_read || work.gm_write) {
    move(run, accesses, Work(work), gm_bytes, work);
  }
  run.time.run(instruction.pipe, work, gm_bytes, place);
  KernelTotals& k = kernels_[now_.kernel];
  if (k.places.size() <= place) k.places.resize(places_.size());
  PlaceTotals& t = k.places[place];
  const Event& e = *run.time.last();
  ++t.count;
  t.busy += e.free - e.start;
  if (e.shared) t.shared += e.free - e.start - work.busy;
  t.conflicts += work.conflicts;
  t.bytes += work.bytes;
  if (work.past_l2) t.past_l2 += work.bytes;
  t.operations += work.operations;
  t.small += work.small;
  t.unaligned += work.unaligned;
  if (instruction.pipe == Pipe::V) k.vector_operations += work.operations;
  if (instruction.pipe == Pipe::M) k.cube_operations += work.operations;
}

void Profiler::on_flag(Core& core, const FlagEvent& e, Site site) {
  if (!now_.launch) return;
  Timeline& time = run_of(core).time;
  if (e.kind == FlagEvent::Set)
    time.set_flag(e.from, e.to, e.id);
  else
    time.wait_flag(e.from, e.to, e.id, place_of(nullptr, kWaitFlag, e.to, site));
}

void Profiler::on_barrier(Core& core, Pipe pipe, Site site) {
  if (!now_.launch) return;
  run_of(core).time.barrier(pipe, place_of(nullptr, kBarrier, pipe, site));
}

void Profiler::on_queue(Core& core, const QueueEvent& e, Site site) {
  const auto passed = handover_of(e);
  if (!now_.launch || !passed) return;
  Timeline& time = run_of(core).time;
  if (passed->gives) return time.give(passed->buffer, passed->from);
  const char* call = e.kind == QueueEvent::DeQue ? kDeQue : kAlloc;
  time.take(passed->buffer, passed->from, passed->to, place_of(nullptr, call, passed->to, site));
}

void Profiler::on_sync(Core& core, const SyncEvent& e, Site site) {
  if (!now_.launch) return;
  Timeline& time = run_of(core).time;
  if (now_.objects.size() > kObjects) {
    Cycles middle = 0;
    for (const auto& object : now_.objects) middle += object.second / static_cast<double>(kObjects);
    std::erase_if(now_.objects, [&](const auto& object) { return object.second < middle; });
  }
  Cycles& at = now_.objects[e.object];
  if (e.kind == SyncEvent::Release)
    at = std::max(at, time.released(e.pipe));
  else
    time.acquire(at, place_of(nullptr, kCross, Pipe::S, site));
}

}  // namespace toprope::trace
