// GroupBarrier: AIVs of one group wait until every AIV of another has arrived. Each waiter has 512 bytes of
// the workspace, in which each arriver counts its arrivals.
#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "machine/core_state.h"
#include "machine/fault.h"
#include "machine/occupancy.h"
#include "machine/remark.h"
#include "machine/tell.h"
#include "toprope/machine/sync.h"

namespace toprope {
namespace {

using Word = std::atomic_ref<uint32_t>;
constexpr uint32_t kMostArrivers = GroupBarrierShape::kBytesPerWaiter / sizeof(uint32_t);

Word word_at(const GroupBarrierShape& group, uint32_t waiter, uint32_t arriver) {
  return Word(reinterpret_cast<uint32_t*>(group.workspace +
                                          uint64_t{waiter} * GroupBarrierShape::kBytesPerWaiter)[arriver]);
}

void check(Core& c, const char* call, const GroupBarrierShape& group, uint32_t index, uint32_t size,
           Site site) {
  if (c.cube)
    refuse(c, call, "called on a cube core", "guard it with if ASCEND_IS_AIV: it works between vector cores",
           site);
  if (!group.workspace || reinterpret_cast<uintptr_t>(group.workspace) % GroupBarrierShape::kBytesPerWaiter)
    refuse(c, call, "groupWorkspace is no multiple of 512 bytes",
           "give it waitSizeIn * 512 zeroed bytes of GM at such an address", site);
  if (group.arrivers == 0 || group.arrivers > kMostArrivers)
    refuse(c, call, "arriveSizeIn is " + std::to_string(group.arrivers),
           "it goes from 1 to the number of vector cores", site);
  if (index >= size)
    refuse(c, call, "index " + std::to_string(index) + " in a group of " + std::to_string(size),
           "count the AIVs of the group from 0", site);
  require_a_core_for_each_block(c, call, site);
  tell_barrier(c, Pipe::ALL, site);  // what the core has begun before is done, as with the other words in GM
}

void tell(Core& c, SyncEvent::Kind kind, const GroupBarrierShape& group, Site site) {
  tell_sync(c, {kind, reinterpret_cast<uintptr_t>(group.workspace), Pipe::ALL}, site);
}

}  // namespace

void group_arrive(const GroupBarrierShape& group, uint32_t index) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  check(c, "GroupBarrier::Arrive", group, index, group.arrivers, site);
  tell(c, SyncEvent::Release, group, site);
  for (uint32_t waiter = 0; waiter < group.waiters; ++waiter)
    word_at(group, waiter, index).fetch_add(1, std::memory_order_acq_rel);
  signal(c);
}

void group_wait(const GroupBarrierShape& group, uint32_t index) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  const char* call = "GroupBarrier::Wait";
  check(c, call, group, index, group.waiters, site);
  const uint64_t slot =
      reinterpret_cast<uintptr_t>(group.workspace) + uint64_t{index} * GroupBarrierShape::kBytesPerWaiter;
  const auto round = static_cast<uint32_t>(++c.state->met[slot]);
  const auto absent = [group, index, round] {
    std::vector<uint32_t> missing;
    for (uint32_t a = 0; a < group.arrivers; ++a)
      if (word_at(group, index, a).load(std::memory_order_acquire) < round) missing.push_back(a);
    return missing;
  };
  wait_for(
      c, [absent] { return absent().empty(); }, call, site,
      [absent] {
        std::string text = "no Arrive of";
        const auto missing = absent();
        for (size_t i = 0; i < missing.size() && i < 8; ++i)
          text += (i ? ", " : " ") + std::to_string(missing[i]);
        if (missing.size() > 8) text += " and " + std::to_string(missing.size() - 8) + " more";
        return text + " of the group that is waited for";
      });
  tell(c, SyncEvent::Acquire, group, site);
}

}  // namespace toprope
