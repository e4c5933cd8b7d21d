// Synchronisation of cores through words in GM: SyncAll with workspaces, IBSet/IBWait, and the order of
// blocks for deterministic results.
#include <atomic>
#include <string>
#include <vector>

#include "machine/batch.h"
#include "machine/core_state.h"
#include "machine/fault.h"
#include "machine/occupancy.h"
#include "machine/remark.h"
#include "machine/tell.h"
#include "toprope/machine/sync.h"

namespace toprope {
namespace {

constexpr uint64_t kSlot = 32;

using Word = std::atomic_ref<int32_t>;

Word word_at(const Slice& gm, uint64_t slot) {
  return Word(*reinterpret_cast<int32_t*>(static_cast<uintptr_t>(gm.at + slot * kSlot)));
}

/// AIVs of the launch.
uint32_t vectors(const Core& c) { return c.state->launch->blocks * c.state->launch->vectors; }

/// These functions move their words through MTE2 and MTE3 and wait for both: nothing of the core's own is
/// still on its way behind them. Ascend C's sample of WaitPreBlock counts on it.
void wait_for_own_pipes(Core& c, Site site) { tell_barrier(c, Pipe::ALL, site); }

void check(Core& c, const char* call, const Slice& gm, uint64_t gm_bytes, const Slice& ub, uint64_t ub_bytes,
           Site site) {
  if (c.cube)
    refuse(c, call, "called on a cube core", "guard it with if ASCEND_IS_AIV: it works between vector cores",
           site);
  if (gm.mem != Mem::GM || gm.at == 0)
    refuse(c, call, "gmWorkspace has no address", "call SetGlobalBuffer on it first", site);
  if (gm.end != 0 && gm.at + gm_bytes > gm.end)
    refuse(c, call,
           "gmWorkspace has " + std::to_string(gm.end - gm.at) + " bytes, " + std::to_string(gm_bytes) +
               " are needed",
           "give 32 bytes for each core", site);
  if (ub.mem != Mem::UB || ub.end == 0 || ub.at + ub_bytes > ub.end)
    refuse(c, call,
           "ubWorkspace has " + std::to_string(ub.end > ub.at ? ub.end - ub.at : 0) + " bytes, " +
               std::to_string(ub_bytes) + " are needed",
           "give it the bytes that the page of the function names", site);
  require_a_core_for_each_block(c, call, site);
  wait_for_own_pipes(c, site);
}

void tell(Core& c, SyncEvent::Kind kind, uint64_t object, Site site) {
  tell_sync(c, {kind, object, Pipe::ALL}, site);
}

}  // namespace

void sync_all(const Slice& gm, const Slice& ub, int32_t used) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  const char* call = "SyncAll(gmWorkspace, ubWorkspace)";
  if (used < 0 || static_cast<uint32_t>(used) > vectors(c))
    refuse(c, call, "usedCores is " + std::to_string(used),
           "it goes from 1 to GetBlockNum() * GetTaskRatio(), or is left out for all", site);
  const uint32_t n = used == 0 ? vectors(c) : static_cast<uint32_t>(used);
  check(c, call, gm, n * kSlot, ub, n * kSlot, site);
  if (c.block_idx >= n)
    refuse(c, call, "core " + std::to_string(c.block_idx) + " takes part, usedCores is " + std::to_string(n),
           "only the cores below usedCores may call it", site);
  Word mine = word_at(gm, c.block_idx);
  const int32_t round = mine.load(std::memory_order_relaxed) + 1;
  if (const int32_t begun = ++c.state->met[gm.at]; round != begun) [[unlikely]]
    remark(c, site, [&] {
      return Remark{
          call, "constraints.workspace_not_zero", true,
          "gmWorkspace holds " + std::to_string(round - begun) + " for core " + std::to_string(c.block_idx) +
              " before its first SyncAll: cores go on before the others have arrived, or wait for ever",
          "fill gmWorkspace with zeros before every launch"};
    });
  tell(c, SyncEvent::Release, gm.at, site);
  mine.store(round, std::memory_order_release);
  signal(c);
  const auto absent = [gm, n, round] {
    std::vector<uint32_t> slots;
    for (uint32_t i = 0; i < n; ++i)
      if (word_at(gm, i).load(std::memory_order_acquire) < round) slots.push_back(i);
    return slots;
  };
  wait_for(
      c,
      [gm, n, round] {
        for (uint32_t i = 0; i < n; ++i)
          if (word_at(gm, i).load(std::memory_order_acquire) < round) return false;
        return true;
      },
      call, site,
      [absent, round] {
        std::string text = "not reached by";
        const auto slots = absent();
        for (size_t i = 0; i < slots.size() && i < 8; ++i)
          text += (i ? ", AIV " : " AIV ") + std::to_string(slots[i]);
        if (slots.size() > 8) text += " and " + std::to_string(slots.size() - 8) + " more";
        if (round != 1)
          text += "; this is round " + std::to_string(round) + ": was gmWorkspace zero at the start?";
        return text;
      });
  tell(c, SyncEvent::Acquire, gm.at, site);
}

namespace {

uint64_t ib_slot(Core& c, const char* call, const Slice& gm, const Slice& ub, int32_t block, int32_t event,
                 Site site) {
  const uint32_t cores = vectors(c);
  if (block < 0 || static_cast<uint32_t>(block) >= cores || event < 0)
    refuse(c, call, "blockIdx " + std::to_string(block) + ", eventID " + std::to_string(event),
           "blockIdx is one of the " + std::to_string(cores) + " cores, eventID 0 or more", site);
  const uint64_t slot = uint64_t{cores} * static_cast<uint32_t>(event) + static_cast<uint32_t>(block);
  check(c, call, gm, (slot + 1) * kSlot, ub, kSlot, site);
  return slot;
}

std::string ib_call(const char* api, int32_t block, int32_t event) {
  return std::string(api) + "(blockIdx " + std::to_string(block) + ", eventID " + std::to_string(event) + ")";
}

}  // namespace

void ib_set(const Slice& gm, const Slice& ub, int32_t block, int32_t event) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  const uint64_t slot = ib_slot(c, "IBSet", gm, ub, block, event, site);
  // A second IBSet before the IBWait of the first would be lost: it waits for its turn.
  wait_for(
      c, [gm, slot] { return word_at(gm, slot).load(std::memory_order_acquire) == 0; },
      ib_call("IBSet", block, event), site,
      [] {
        return std::string("the flag is set; nobody waits for it with IBWait, or gmWorkspace was not zero");
      });
  tell(c, SyncEvent::Release, gm.at + slot * kSlot, site);
  word_at(gm, slot).store(1, std::memory_order_release);
  signal(c);
}

void ib_wait(const Slice& gm, const Slice& ub, int32_t block, int32_t event) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  const uint64_t slot = ib_slot(c, "IBWait", gm, ub, block, event, site);
  wait_for(
      c, [gm, slot] { return word_at(gm, slot).load(std::memory_order_acquire) == 1; },
      ib_call("IBWait", block, event), site,
      [] { return std::string("no core has called IBSet with the same workspace, blockIdx and eventID"); });
  word_at(gm, slot).store(0, std::memory_order_release);
  tell(c, SyncEvent::Acquire, gm.at + slot * kSlot, site);
  signal(c);
}

// Turns are counted in the workspace's first word: turn t belongs to core t mod n.
void order_init(const Slice& gm, const Slice& ub) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  const char* call = "InitDetermineComputeWorkspace";
  check(c, call, gm, c.block_num * kSlot, ub, c.block_num * kSlot + kSlot, site);
  c.state->turns.clear();
  CrossCore& shared = cross_core(c);
  Meeting* meeting = nullptr;
  uint32_t round = 0;
  {
    const auto lock = shared.lock();
    meeting = &shared.meeting(gm.at, [&](uint32_t t) { return !shared.is_cube(t); });
    bool complete = false;
    if (!meeting->begun()) word_at(gm, 0).store(0, std::memory_order_release);
    tell(c, SyncEvent::Release, gm.at, site);
    round = meeting->arrive(c.state->task, complete);
  }
  signal(c);
  wait_for(
      c, [meeting, round] { return meeting->rounds() > round; }, call, site,
      [&shared, meeting, round] {
        const auto lock = shared.lock();
        return "not called by " + shared.names(meeting->missing(round));
      });
  tell(c, SyncEvent::Acquire, gm.at, site);
}

void order_wait(const Slice& gm, const Slice& ub) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  check(c, "WaitPreBlock", gm, c.block_num * kSlot, ub, c.block_num * kSlot + kSlot, site);
  const uint32_t n = vectors(c);
  const int32_t turn = static_cast<int32_t>(c.state->turns[gm.at] * n + c.block_idx);
  wait_for(
      c, [gm, turn] { return word_at(gm, 0).load(std::memory_order_acquire) == turn; }, "WaitPreBlock", site,
      [gm, n] {
        const int32_t now = word_at(gm, 0).load(std::memory_order_acquire);
        return "it is the turn of AIV " + std::to_string(static_cast<uint32_t>(now) % n) +
               ", which has not called NotifyNextBlock";
      });
  tell(c, SyncEvent::Acquire, gm.at, site);
}

void order_notify(const Slice& gm, const Slice& ub) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  check(c, "NotifyNextBlock", gm, c.block_num * kSlot, ub, c.block_num * kSlot + kSlot, site);
  const uint32_t turn = c.state->turns[gm.at]++ * vectors(c) + c.block_idx;
  if (word_at(gm, 0).load(std::memory_order_acquire) != static_cast<int32_t>(turn))
    refuse(c, "NotifyNextBlock", "it is not this core's turn",
           "call WaitPreBlock before, once for each NotifyNextBlock", site);
  tell(c, SyncEvent::Release, gm.at, site);
  word_at(gm, 0).store(static_cast<int32_t>(turn + 1), std::memory_order_release);
  signal(c);
}

}  // namespace toprope
