// The block scheduler. Blocks run to completion one after the other on a pooled fiber; a second fiber is
// taken only when a block waits for another. Independent blocks of a launch that is long enough run on OpenMP
// workers.
#include "machine/run.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "base/tsan.h"
#include "machine/batch.h"
#include "machine/deferral.h"
#include "machine/fault.h"
#include "machine/fiber.h"
#include "machine/float_state.h"
#include "machine/observer.h"
#include "machine/symbolize.h"
#include "machine/wait.h"

namespace toprope {

namespace {

using Clock = std::chrono::steady_clock;

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
  Deferral* const later = watched() ? deferral() : nullptr;
  for (uint32_t task; !batch.failed() && (task = batch.take_task()) < batch.tasks;) {
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
    batch.changed();
    if (task == 0) break;  // the first block decides how the rest is run
  }
}

void fail_deadlocked(Batch& batch, Batch::Cores waiting);

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
    constexpr Clock::duration kLongestPause = std::chrono::milliseconds(1);
    Clock::time_point polling_since{}, turn_began{};
    while (true) {
      const uint32_t seen = batch.epoch();
      const Turn turn = take_turn(batch);
      if (turn == Turn::Polled) {
        // Pauses grow with the time waited, so that they at most double it. Where a turn takes long, because
        // there are many cores or the program is instrumented, they may do so for longer.
        const auto now = Clock::now();
        if (polling_since == Clock::time_point{}) polling_since = turn_began = now;
        batch.pause(seen, std::min(now - polling_since, std::max(kLongestPause, 4 * (now - turn_began))));
        turn_began = Clock::now();
        continue;
      }
      polling_since = {};
      if (turn == Turn::Worked) continue;
      if (waiting_.empty()) break;
      Batch::Cores suspended;
      for (Fiber* fiber : waiting_) suspended.push_back(&fiber->state());
      Batch::Cores stuck = batch.rest(seen, std::move(suspended));
      if (!stuck.empty()) fail_deadlocked(batch, std::move(stuck));
    }
    batch.leave();
  }

 private:
  enum class Turn { Idle, Polled, Worked };

  /// Starts all tasks that are left, then goes on once with each fiber that can.
  Turn take_turn(Batch& batch) {
    Turn turn = Turn::Idle;
    while (batch.has_task() && !batch.failed()) {
      turn = Turn::Worked;
      start(batch);
    }
    for (size_t i = 0; i < waiting_.size();) {
      Fiber* fiber = waiting_[i];
      CoreState& state = fiber->state();
      state.aborting = batch.failed();
      if (!state.aborting && !state.waiting.ready()) {
        ++i;
        continue;
      }
      const bool finished = resume(*fiber, batch);
      turn = std::max(turn, !finished && state.waiting.polls ? Turn::Polled : Turn::Worked);
      if (finished) {
        idle_.push_back(fiber);
        waiting_[i] = waiting_.back();
        waiting_.pop_back();
      } else {
        ++i;
      }
    }
    return turn;
  }

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

  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber*> idle_, waiting_;
};

// Not inlined: else the compiler asks for the thread's address again for each fiber.
[[gnu::noinline]] Worker& this_worker() {
  static thread_local Worker worker;
  return worker;
}

/// Who waits for what, at which line, and who never came. Cores that wait at the same place share a line.
std::string deadlock_report(Batch& batch, Batch::Cores& waiting) {
  struct Place {
    const CoreState* first;
    std::vector<uint32_t> cores;
  };
  CrossCore& names = batch.cross_core();
  std::sort(waiting.begin(), waiting.end(), [&](auto* a, auto* b) { return a->task < b->task; });
  std::vector<Place> places;
  for (const CoreState* state : waiting) {
    auto same = std::find_if(places.begin(), places.end(), [&](const Place& p) {
      return p.first->waiting.site == state->waiting.site && p.first->waiting.what == state->waiting.what;
    });
    if (same == places.end()) same = places.insert(same, Place{state, {}});
    same->cores.push_back(state->task);
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

void fail_deadlocked(Batch& batch, Batch::Cores waiting) {
  std::string report = deadlock_report(batch, waiting);
  for (Observer* o : observers(Heard::Refusal))
    o->on_refusal(
        {batch.launch, Fault::Deadlock, -1, waiting[0]->waiting.what, report, "", waiting[0]->waiting.site});
  batch.fail(Fault::Deadlock, std::move(report));
}

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
  batch.begin_threads();
  tsan_release(&batch);  // libgomp starts and ends the team in this order
#pragma omp parallel num_threads(threads)
  {
    tsan_acquire(&batch);
#pragma omp single
    batch.workers(static_cast<uint32_t>(omp_get_num_threads()));
    const KeptFloatState kept;
    Worker& worker = this_worker();
    worker.serve(batch);
    tsan_release(&batch);
  }
  tsan_acquire(&batch);
}

LaunchStatus run_blocks(const Launch& launch, bool may_use_threads) {
  Batch batch(launch);
  if (batch.tasks == 0) return {};
  const KeptFloatState kept;
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
  if (threads > 1 && independent && !batch.failed() && one * (batch.tasks - 1) > kWorthAThread)
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
              FunctionRef<std::string()> missing, bool polls) {
  wait_inline(core, ready, what, site, missing, polls);
}

void signal(Core& core) { core.state->batch->changed(); }

}  // namespace toprope
