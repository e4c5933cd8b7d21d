// The block scheduler. Blocks run to completion one after the other on a pooled fiber; a second fiber is
// taken only when a block waits for another. Independent blocks of a launch that is long enough run on OpenMP
// workers.
#include "machine/run.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/tsan.h"
#include "machine/cross_core.h"
#include "machine/deferral.h"
#include "machine/fault.h"
#include "machine/fiber.h"
#include "machine/observer.h"
#include "machine/symbolize.h"
#include "toprope/machine/tiling_key.h"

namespace toprope {

/// One launch while it runs; shared by its workers.
class Batch {
 public:
  explicit Batch(const Launch& l) : launch(l), tasks(l.blocks * (l.cubes + l.vectors)) {}
  const Launch& launch;
  const uint32_t tasks;
  const uint64_t serial = next_serial();  // tells launches apart; their objects may lie at the same address
  std::atomic<uint32_t> next{0};
  std::atomic<uint32_t> epoch{0};  // counts whatever a waiting core may be waiting for
  std::atomic<int> busy{1};        // workers that may still make progress
  std::atomic<bool> failed{false};

  void fail(Fault fault, std::string report) {
    std::lock_guard lock(mutex_);
    if (status_.fault == Fault::None) status_ = {fault, std::move(report)};
    failed = true;
    ++epoch;
  }
  LaunchStatus take() { return std::move(status_); }

  CrossCore& cross_core() {
    if (CrossCore* made = made_.load(std::memory_order_acquire)) [[likely]]
      return *made;
    std::lock_guard lock(mutex_);
    if (!cross_core_) cross_core_ = std::make_unique<CrossCore>(launch);
    made_.store(cross_core_.get(), std::memory_order_release);
    return *cross_core_;
  }

  /// A worker rests: these cores of its are suspended until it goes on. Said before it counts as not busy, so
  /// whoever finds that nobody is busy knows them all.
  void rests(const void* worker, std::vector<const CoreState*> suspended) {
    std::lock_guard lock(mutex_);
    resting_[worker] = std::move(suspended);
  }
  void goes_on(const void* worker) {
    std::lock_guard lock(mutex_);
    resting_.erase(worker);
  }
  /// After the last block: what the observers are still to learn.
  void tell_end() {
    if (cross_core_ && !failed) cross_core_->tell_left_flags();
  }

  /// The suspended cores of all workers, when all of them rest.
  std::vector<const CoreState*> waiting() {
    std::lock_guard lock(mutex_);
    std::vector<const CoreState*> all;
    for (const auto& [worker, suspended] : resting_)
      all.insert(all.end(), suspended.begin(), suspended.end());
    return all;
  }

 private:
  static uint64_t next_serial() {
    static std::atomic<uint64_t> last{0};
    return ++last;
  }
  std::mutex mutex_;
  LaunchStatus status_;
  std::unique_ptr<CrossCore> cross_core_;
  std::atomic<CrossCore*> made_{nullptr};
  std::map<const void*, std::vector<const CoreState*>> resting_;
};

CrossCore& cross_core(Core& core) { return core.state->batch->cross_core(); }

namespace {

// Below this much remaining work a parallel region costs more than it brings (docs/performance.md).
constexpr auto kWorthAThread = std::chrono::microseconds(15);

/// The report of an exception that is not ours.
std::string escaped(const Core& core, std::string_view what) {
  return refusal(core, "a C++ exception left the kernel", what,
                 "code for an AI core has no exceptions: test for what is wrong and return, or use "
                 "ascendc_assert",
                 nullptr)
      .report;
}

void run_tasks(Fiber& fiber, void* argument) {
  auto& batch = *static_cast<Batch*>(argument);
  const Launch& launch = batch.launch;
  const uint32_t parts = launch.cubes + launch.vectors;
  CoreState& state = fiber.state();
  state.batch = &batch;
  state.gm.begin(batch.serial);
  uint32_t limit = batch.tasks;
  Deferral* const later = watched() ? deferral() : nullptr;
  for (uint32_t task; !batch.failed.load(std::memory_order_relaxed) &&
                      (task = batch.next.fetch_add(1, std::memory_order_relaxed)) < limit;) {
    const uint32_t part = later ? later->task_at(task, batch.tasks) : task;
    state.begin(launch, part / parts, part % parts);
    current_core = &state.core;
    try {
      if (state.core.watched)
        for (Observer* o : observers(Heard::Block)) o->on_block(state.core, {BlockEvent::Begin});
      launch.call(launch.state);
      if (state.core.watched)
        for (Observer* o : observers(Heard::Block)) o->on_block(state.core, {BlockEvent::End});
    } catch (KernelAbort& abort) {
      if (!state.aborting) batch.fail(abort.fault, std::move(abort.report));
    } catch (const std::exception& e) {
      batch.fail(Fault::Exception, escaped(state.core, e.what()));
    } catch (...) {
      batch.fail(Fault::Exception, escaped(state.core, "it is no std::exception"));
    }
    state.aborting = false;
    ++batch.epoch;
    if (task == 0) break;  // the first block decides how the rest is run
  }
}

void fail_deadlocked(Batch& batch);

/// The fibers of one thread.
class Worker {
 public:
  /// Runs the first task; true when it finished without waiting.
  bool first(Batch& batch) {
    forget_tiling_key();
    Fiber* fiber = take();
    if (resume(*fiber, batch)) {
      idle_.push_back(fiber);
      return true;
    }
    waiting_.push_back(fiber);
    return false;
  }

  /// Runs tasks until none is left and no fiber of this thread waits.
  void serve(Batch& batch) {
    bool fresh = true;
    while (true) {
      bool progress = false;
      while (batch.next.load(std::memory_order_relaxed) < batch.tasks &&
             !batch.failed.load(std::memory_order_relaxed)) {
        progress = true;
        start(batch);
      }
      for (size_t i = 0; i < waiting_.size();) {
        Fiber* fiber = waiting_[i];
        CoreState& state = fiber->state();
        state.aborting = batch.failed;
        if (!state.aborting && !state.waiting.ready()) {
          ++i;
          continue;
        }
        progress = true;
        if (resume(*fiber, batch)) {
          idle_.push_back(fiber);
          waiting_[i] = waiting_.back();
          waiting_.pop_back();
        } else {
          ++i;
        }
      }
      if (waiting_.empty() && (batch.next.load() >= batch.tasks || batch.failed)) break;
      if (!progress && !fresh) rest(batch);
      fresh = progress;
    }
    batch.busy.fetch_sub(1);
  }

 private:
  Fiber* take() {
    if (idle_.empty()) {
      all_.push_back(std::make_unique<Fiber>(&run_tasks));
      return all_.back().get();
    }
    Fiber* fiber = idle_.back();
    idle_.pop_back();
    return fiber;
  }

  void start(Batch& batch) {
    forget_tiling_key();
    Fiber* fiber = take();
    (resume(*fiber, batch) ? idle_ : waiting_).push_back(fiber);
  }

  bool resume(Fiber& fiber, Batch& batch) {
    current_core = &fiber.state().core;
    const bool finished = fiber.resume(&batch);
    current_core = nullptr;
    return finished;
  }

  /// Nothing of this thread can run. Waits for another worker's signal, or finds that nobody can run.
  void rest(Batch& batch) {
    const uint32_t seen = batch.epoch.load();
    for (Fiber* fiber : waiting_)
      if (fiber->state().waiting.ready()) return;
    std::vector<const CoreState*> suspended;
    for (Fiber* fiber : waiting_) suspended.push_back(&fiber->state());
    batch.rests(this, std::move(suspended));
    if (batch.busy.fetch_sub(1) == 1 && batch.epoch.load() == seen) {
      batch.busy.fetch_add(1);
      fail_deadlocked(batch);
      return;
    }
    while (batch.epoch.load() == seen) {
      if (batch.busy.load() == 0 && batch.epoch.load() == seen) {
        fail_deadlocked(batch);
        break;
      }
      std::this_thread::yield();
    }
    batch.busy.fetch_add(1);
    batch.goes_on(this);
  }

  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber*> idle_, waiting_;
};

Worker& this_worker() {
  static thread_local Worker worker;
  return worker;
}

/// Who waits for what, at which line, and who never came. Cores that wait at the same place share a line.
std::string deadlock_report(Batch& batch) {
  struct Place {
    const CoreState* first;
    std::vector<uint32_t> cores;
  };
  std::vector<const CoreState*> waiting = batch.waiting();
  CrossCore& names = batch.cross_core();
  std::sort(waiting.begin(), waiting.end(),
            [&](auto* a, auto* b) { return names.task_of(a->core) < names.task_of(b->core); });
  std::vector<Place> places;
  for (const CoreState* state : waiting) {
    auto same = std::find_if(places.begin(), places.end(), [&](const Place& p) {
      return p.first->waiting.site == state->waiting.site && p.first->waiting.what == state->waiting.what;
    });
    if (same == places.end()) same = places.insert(same, Place{state, {}});
    same->cores.push_back(names.task_of(state->core));
  }
  const Launch& launch = batch.launch;
  std::string text = "toprope: error: deadlock: every unfinished block waits\n";
  for (const Place& place : places) {
    const Waiting& w = place.first->waiting;
    text += "  " + names.names(place.cores) +
            (place.cores.size() == 1 ? " waits for " : ": each waits for ") + std::string(w.what);
    if (const std::string where = describe(w.site); !where.empty()) text += " at " + where;
    text += '\n';
    if (w.missing)
      if (const std::string missing = w.missing(); !missing.empty()) text += "    " + missing + '\n';
  }
  if (waiting.size() < batch.tasks)
    text += "  the other " + std::to_string(batch.tasks - waiting.size()) + " of " +
            std::to_string(batch.tasks) + " cores have finished\n";
  text += "  in kernel " + std::string(launch.kernel) + ", " + std::to_string(launch.blocks) + " blocks";
  if (launch.line) text += ", launched at " + std::string(launch.file) + ":" + std::to_string(launch.line);
  return text +
         "\n  cure: let every core of the group reach the call, or set what is waited for, with the same id "
         "and "
         "mode\n";
}

void fail_deadlocked(Batch& batch) {
  std::string report = deadlock_report(batch);
  const auto waiting = batch.waiting();
  for (Observer* o : observers(Heard::Refusal))
    o->on_refusal({batch.launch, Fault::Deadlock, -1, waiting.empty() ? "" : waiting[0]->waiting.what, report,
                   "", waiting.empty() ? nullptr : waiting[0]->waiting.site});
  batch.fail(Fault::Deadlock, std::move(report));
}

using Clock = std::chrono::steady_clock;

/// What earlier launches of a kernel took: with it the next one starts on all workers at once, where
/// otherwise its first block must be timed alone. Keyed by the code that calls the kernel, which is one for
/// each kernel.
class History {
 public:
  Clock::duration& block_time(const Launch& launch) {
    Entry& e = entries_[reinterpret_cast<uintptr_t>(launch.call) / 16 % entries_.size()];
    if (e.call != launch.call) e = {launch.call, {}};
    return e.block;
  }

 private:
  struct Entry {
    void (*call)(void*) = nullptr;
    Clock::duration block{};
  };
  std::array<Entry, 64> entries_;
};

void serve_on_threads(Batch& batch, int threads) {
  tsan_release(&batch);  // libgomp starts and ends the team in this order
#pragma omp parallel num_threads(threads)
  {
    tsan_acquire(&batch);
#pragma omp single
    batch.busy = omp_get_num_threads();
    this_worker().serve(batch);
    tsan_release(&batch);
  }
  tsan_acquire(&batch);
}

LaunchStatus run_blocks(const Launch& launch, bool may_use_threads) {
  Batch batch(launch);
  if (batch.tasks == 0) return {};
  static thread_local History history;
  Clock::duration& block_time = history.block_time(launch);
  const int threads =
      may_use_threads && !omp_in_parallel()
          ? static_cast<int>(std::min<uint32_t>(batch.tasks, static_cast<uint32_t>(omp_get_max_threads())))
          : 1;
  if (threads > 1 && block_time * (batch.tasks - 1) > kWorthAThread) {
    const auto begin = Clock::now();
    serve_on_threads(batch, threads);
    block_time = (block_time + (Clock::now() - begin) * threads / batch.tasks) / 2;
    return batch.take();
  }
  Worker& worker = this_worker();
  const auto begin = Clock::now();
  const bool independent = worker.first(batch);
  const auto one = Clock::now() - begin;
  block_time = independent ? one : Clock::duration{};  // blocks that wait for each other stay on one thread
  if (threads > 1 && independent && !batch.failed && one * (batch.tasks - 1) > kWorthAThread)
    serve_on_threads(batch, std::min<int>(threads, static_cast<int>(batch.tasks - 1)));
  else
    worker.serve(batch);
  if (watched()) batch.tell_end();
  return batch.take();
}

}  // namespace

LaunchStatus run(const Launch& launch) {
  if (!watched()) return run_blocks(launch, true);
  static std::mutex one_at_a_time;  // streams may launch from threads of their own
  std::lock_guard lock(one_at_a_time);
  for (Observer* o : observers(Heard::Launch)) o->on_launch(launch, true);
  LaunchStatus status = run_blocks(launch, false);  // observers see one event at a time
  for (Observer* o : observers(Heard::Launch)) o->on_launch(launch, false);
  return status;
}

void wait_for(Core& core, FunctionRef<bool()> ready, std::string_view what, const void* site,
              FunctionRef<std::string()> missing) {
  if (core.watched && deferral()) deferral()->finish(core);
  if (ready()) return;
  CoreState& state = *core.state;
  state.waiting = {ready, what, site, missing};
  signal(core);
  state.fiber->suspend();
  current_core = &core;
  if (state.aborting) throw KernelAbort{Fault::None, {}};
}

void signal(Core& core) { ++core.state->batch->epoch; }

}  // namespace toprope
