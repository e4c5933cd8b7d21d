// The block scheduler. Blocks run to completion one after the other on a pooled fiber; a second fiber is taken only
// when a block waits for another. Independent blocks of a launch that is long enough run on OpenMP workers.
#include "machine/run.h"

#include <omp.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "machine/fault.h"
#include "machine/fiber.h"
#include "machine/observer.h"
#include "machine/symbolize.h"

namespace toprope {

/// One launch while it runs; shared by its workers.
class Batch {
 public:
  explicit Batch(const Launch& l) : launch(l), tasks(l.blocks * (l.cubes + l.vectors)) {}
  const Launch& launch;
  const uint32_t tasks;
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

 private:
  std::mutex mutex_;
  LaunchStatus status_;
};

namespace {

// Below this much remaining work a parallel region costs more than it brings (docs/performance.md).
constexpr auto kWorthAThread = std::chrono::microseconds(15);

void run_tasks(Fiber& fiber, void* argument) {
  auto& batch = *static_cast<Batch*>(argument);
  const Launch& launch = batch.launch;
  const uint32_t parts = launch.cubes + launch.vectors;
  CoreState& state = fiber.state();
  state.batch = &batch;
  uint32_t limit = batch.tasks;
  for (uint32_t task; !batch.failed.load(std::memory_order_relaxed) &&
                      (task = batch.next.fetch_add(1, std::memory_order_relaxed)) < limit;) {
    state.begin(launch, task / parts, task % parts);
    current_core = &state.core;
    try {
      if (state.core.watched)
        for (Observer* o : observers()) o->on_block(state.core, {BlockEvent::Begin});
      launch.call(launch.state);
      if (state.core.watched)
        for (Observer* o : observers()) o->on_block(state.core, {BlockEvent::End});
    } catch (KernelAbort& abort) {
      if (!state.aborting) batch.fail(abort.fault, std::move(abort.report));
    } catch (const std::exception& e) {
      batch.fail(Fault::Exception, std::string("the kernel let a C++ exception escape: ") + e.what());
    }
    state.aborting = false;
    ++batch.epoch;
    if (task == 0) break;  // the first block decides how the rest is run
  }
}

std::string deadlock_report(const std::vector<Fiber*>& waiting, const Batch& batch);

/// The fibers of one thread.
class Worker {
 public:
  /// Runs the first task; true when it finished without waiting.
  bool first(Batch& batch) {
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
      while (batch.next.load(std::memory_order_relaxed) < batch.tasks && !batch.failed.load(std::memory_order_relaxed)) {
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
    if (batch.busy.fetch_sub(1) == 1 && batch.epoch.load() == seen) {
      batch.busy.fetch_add(1);
      batch.fail(Fault::Deadlock, deadlock_report(waiting_, batch));
      return;
    }
    while (batch.epoch.load() == seen) {
      if (batch.busy.load() == 0 && batch.epoch.load() == seen) {
        batch.fail(Fault::Deadlock, deadlock_report(waiting_, batch));
        break;
      }
      std::this_thread::yield();
    }
    batch.busy.fetch_add(1);
  }

  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber*> idle_, waiting_;
};

Worker& this_worker() {
  static thread_local Worker worker;
  return worker;
}

std::string deadlock_report(const std::vector<Fiber*>& waiting, const Batch& batch) {
  std::string text = "toprope: error: deadlock: every unfinished block waits\n";
  text += "  kernel " + std::string(batch.launch.kernel) + ", " + std::to_string(batch.launch.blocks) + " blocks\n";
  size_t shown = 0;
  for (Fiber* fiber : waiting) {
    if (++shown > 8) {
      text += "  … and " + std::to_string(waiting.size() - 8) + " more\n";
      break;
    }
    const CoreState& state = fiber->state();
    text += "  block " + std::to_string(state.core.block_idx) + " waits for " + state.waiting.what;
    const std::string where = describe(state.waiting.site);
    if (!where.empty()) text += " at " + where;
    text += '\n';
  }
  return text;
}

}  // namespace

LaunchStatus run(const Launch& launch) {
  Batch batch(launch);
  if (batch.tasks == 0) return {};
  Worker& worker = this_worker();
  const auto begin = std::chrono::steady_clock::now();
  const bool independent = worker.first(batch);
  const uint32_t left = batch.tasks - 1;
  const int threads = static_cast<int>(std::min<uint32_t>(left, static_cast<uint32_t>(omp_get_max_threads())));
  if (independent && threads > 1 && !omp_in_parallel() && !batch.failed) {
    const auto one = std::chrono::steady_clock::now() - begin;
    if (one * left > kWorthAThread) {
#pragma omp parallel num_threads(threads)
      {
#pragma omp single
        batch.busy = omp_get_num_threads();
        this_worker().serve(batch);
      }
      return batch.take();
    }
  }
  worker.serve(batch);
  return batch.take();
}

void wait_for(Core& core, std::function<bool()> ready, std::string what, const void* site) {
  if (ready()) return;
  CoreState& state = *core.state;
  state.waiting = {std::move(ready), std::move(what), site};
  signal(core);
  state.fiber->suspend();
  current_core = &core;
  if (state.aborting) throw KernelAbort{Fault::None, {}};
}

void signal(Core& core) { ++core.state->batch->epoch; }

}  // namespace toprope
