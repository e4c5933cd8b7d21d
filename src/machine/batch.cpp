#include "machine/batch.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace toprope {
namespace {

// Looks at the epoch before a worker goes to sleep: as long as sleeping and being woken would take. Each
// leaves the processor to whoever wants it.
constexpr int kLooks = 32;

}  // namespace

void Batch::fail(Fault fault, std::string report) {
  {
    std::lock_guard lock(mutex_);
    if (status_.fault == Fault::None) status_ = {fault, std::move(report)};
    failed_ = true;
  }
  changed();
}

CrossCore& Batch::make_cross_core() {
  std::lock_guard lock(mutex_);
  if (!cross_core_) cross_core_ = std::make_unique<CrossCore>(launch, alone_);
  made_.store(cross_core_.get(), std::memory_order_release);
  return *cross_core_;
}

// Empty, but a sleeper that has looked at the epoch and is not asleep yet holds the lock.
void Batch::wake() {
  { std::lock_guard lock(mutex_); }
  awake_.notify_all();
}

void Batch::leave() {
  if (alone_) return;
  {
    std::lock_guard lock(mutex_);
    --working_;
  }
  changed();  // those who rest must see whether anybody is left for whom they wait
}

Batch::Cores Batch::rest(uint32_t seen, Cores suspended) {
  if (alone_) return suspended;
  for (int i = 0; i < kLooks; ++i) {
    if (epoch() != seen) return {};
    std::this_thread::yield();
  }
  const Resting self{seen, std::move(suspended)};
  std::unique_lock lock(mutex_);
  resting_.push_back(&self);
  ++sleepers_;  // before the look at the epoch: who changes it after that look finds a sleeper to wake
  Cores stuck;
  if (resting_.size() == working_ &&
      std::ranges::all_of(resting_, [now = epoch()](const Resting* r) { return r->seen == now; }))
    for (const Resting* r : resting_) stuck.insert(stuck.end(), r->suspended.begin(), r->suspended.end());
  else
    awake_.wait(lock, [&] { return epoch() != seen; });
  --sleepers_;
  std::erase(resting_, &self);
  return stuck;
}

void Batch::pause(uint32_t seen, std::chrono::nanoseconds at_most) {
  if (alone_) return;
  std::unique_lock lock(mutex_);
  if (resting_.size() + pausing_ + 1 >= working_) return;
  ++pausing_;
  ++sleepers_;
  awake_.wait_for(lock, at_most, [&] { return epoch() != seen; });
  --sleepers_;
  --pausing_;
}

}  // namespace toprope
