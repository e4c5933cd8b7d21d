// CrossCoreSetFlag, CrossCoreWaitFlag and SyncAll in hardware.
#include "machine/cross_core.h"

#include <algorithm>

#include "base/soc.h"
#include "machine/core_state.h"
#include "machine/fault.h"
#include "machine/occupancy.h"
#include "machine/tell.h"
#include "toprope/machine/sync.h"

namespace toprope {

uint32_t Meeting::arrive(uint32_t core, bool& complete) {
  const auto i = static_cast<size_t>(std::ranges::lower_bound(members_, core) - members_.begin());
  const uint32_t round = arrivals_[i]++, open = rounds_.load(std::memory_order_relaxed);
  complete = false;
  if (round == open && ++in_round_ == members_.size()) {
    in_round_ = 0;
    for (uint32_t a : arrivals_) in_round_ += a > open + 1;
    complete = true;
    rounds_.store(open + 1, std::memory_order_release);
  }
  return round;
}

std::vector<uint32_t> Meeting::missing(uint32_t round) const {
  std::vector<uint32_t> absent;
  for (size_t i = 0; i < members_.size(); ++i)
    if (arrivals_[i] <= round) absent.push_back(members_[i]);
  return absent;
}

CrossCore::CrossCore(const Launch& l)
    : launch(l),
      counters_(tasks() * kFlags),
      pair_counters_(l.cubes && l.vectors ? tasks() * kPairFlags : 0) {}

uint32_t CrossCore::task_of(const Core& core) const {
  if (core.cube) return core.block_idx * parts();
  return core.block_idx / launch.vectors * parts() + launch.cubes + core.sub_block_idx;
}

uint32_t CrossCore::index_of(uint32_t task) const {
  const uint32_t block = block_of(task), part = task % parts();
  return part < launch.cubes ? block : block * launch.vectors + part - launch.cubes;
}

std::string CrossCore::name(uint32_t task) const {
  return (is_cube(task) ? "AIC " : "AIV ") + std::to_string(index_of(task));
}

std::string CrossCore::names(const std::vector<uint32_t>& tasks) const {
  constexpr size_t kShown = 8;
  std::string text;
  for (size_t i = 0; i < tasks.size() && i < kShown; ++i) text += (i ? ", " : "") + name(tasks[i]);
  if (tasks.size() > kShown) text += " and " + std::to_string(tasks.size() - kShown) + " more";
  return text;
}

namespace {

constexpr uint64_t kFlagMeeting = 1, kBarrier = 2, kPair = 3;

/// The name of a meeting, and (with a round) of the order that it makes between cores.
constexpr uint64_t key_of(uint64_t kind, uint64_t mode, uint64_t group, uint64_t id) {
  return kind << 60 | mode << 56 | group << 36 | id << 28;
}
constexpr uint64_t kRound = 0xfffffff;

constexpr uint64_t object_of(uint64_t key, uint32_t round) { return key | (round & kRound); }

struct SetCall {
  uint8_t mode;
  Pipe pipe;
  uint16_t id;
  std::string text() const {
    return "CrossCoreSetFlag<" + std::to_string(mode) + ", " + name_of(pipe) + ">(" + std::to_string(id) +
           ")";
  }
};

struct WaitCall {
  uint16_t id;
  std::string text() const { return "CrossCoreWaitFlag(" + std::to_string(id) + ")"; }
};

void raise(Core& c, CrossCore& shared, CrossCore::Counter& counter, uint32_t task, uint64_t object,
           SetCall call, Site site) {
  const uint32_t count = counter.count.load(std::memory_order_relaxed);
  if (count >= CrossCore::kMost)
    refuse(c, call.text(),
           "the flag of " + shared.name(task) + " was set 16 times without a CrossCoreWaitFlag",
           "a flag counts to 15: let the other side report back before", site);
  counter.raised_by[(counter.oldest + count) % 16] = object;
  counter.count.store(count + 1, std::memory_order_release);
}

/// The group of cores whose sets together raise flags: key and members.
template <class Use>
void with_group(Core& c, CrossCore& shared, uint8_t mode, uint16_t id, Use use) {
  const uint32_t self = shared.task_of(c), block = shared.block_of(self);
  const bool cube = c.cube;
  if (mode == 0)
    use(shared.meeting(key_of(kFlagMeeting, 0, cube, id),
                       [&](uint32_t t) { return shared.is_cube(t) == cube; }),
        key_of(kFlagMeeting, 0, cube, id));
  else
    use(shared.meeting(key_of(kFlagMeeting, mode, block * 2 + cube, id),
                       [&](uint32_t t) { return shared.block_of(t) == block && shared.is_cube(t) == cube; }),
        key_of(kFlagMeeting, mode, block * 2 + cube, id));
}

/// Who has not yet set a flag that `task` waits for: the groups of which some members have, or nobody.
std::string who_is_missing(CrossCore& shared, Core& c, uint16_t id) {
  std::lock_guard lock(shared.mutex);
  std::string text;
  const uint32_t self = shared.task_of(c), block = shared.block_of(self);
  const auto look = [&](uint8_t mode, bool cubes, uint64_t group) {
    Meeting& m = shared.meeting(key_of(kFlagMeeting, mode, group, id), [&](uint32_t t) {
      return shared.is_cube(t) == cubes && (mode == 0 || shared.block_of(t) == block);
    });
    if (m.begun())
      text += (text.empty() ? "" : "; ") + ("in mode " + std::to_string(mode)) + " not set by " +
              shared.names(m.missing(m.rounds()));
  };
  look(0, c.cube, c.cube);
  if (!c.cube) look(1, false, block * 2);
  if (c.cube) look(2, false, block * 2);
  return text.empty() ? "nobody has set it" : text;
}

template <class Call>
void check_flag(Core& c, uint8_t mode, uint16_t id, Call call, Site site) {
  const Launch& l = *c.state->launch;
  if (mode > 2) {
    const bool has_mode4 = std::string_view(soc().arch) == "dav-3510";
    if (mode != 4 || !has_mode4)
      refuse(c, call.text(), "mode " + std::to_string(mode),
             has_mode4 ? "modes are 0, 1, 2 and 4" : "this chip has modes 0, 1 and 2", site);
    if (id >= (c.cube ? l.vectors * CrossCore::kFlags : CrossCore::kFlags))
      refuse(c, call.text(), "flag id " + std::to_string(id),
             "an AIV has ids 0 to 15, the AIC 16 for each of its AIVs", site);
  }
  if (mode != 0 && !(l.cubes && l.vectors))
    refuse(c, call.text(),
           "mode " + std::to_string(mode) + " in a kernel of " + (c.cube ? "cube" : "vector") + " cores only",
           "declare the kernel __mix__(1, 1) or __mix__(1, 2) (KERNEL_TYPE_MIX_AIC_1_1, _1_2)", site);
}

}  // namespace

void CrossCore::tell_left_flags() const {
  const auto tell_all = [](const Launch& launch, const LeftFlag& flag) {
    for (Observer* o : observers(Heard::LeftFlag)) o->on_left_flag(launch, flag);
  };
  const auto up = [&](const std::vector<Counter>& counters, uint32_t ids) {
    for (size_t i = 0; i < counters.size(); ++i) {
      const auto task = static_cast<uint32_t>(i / ids);
      const Counter& c = counters[i];
      if (const uint32_t count = c.count.load())
        tell_all(launch, {index_of(task), is_cube(task), c.raised_by[c.oldest], count,
                          static_cast<uint16_t>(i % ids)});
    }
  };
  up(counters_, kFlags);
  up(pair_counters_, kPairFlags);
  for (const auto& [key, meeting] : meetings_) {
    if (key >> 60 != kFlagMeeting || !meeting->begun()) continue;
    size_t first = 0;
    while (!meeting->has_arrived(first, meeting->rounds())) ++first;
    const uint32_t task = meeting->members()[first];
    tell_all(launch, {index_of(task), is_cube(task), object_of(key, meeting->rounds()), 0,
                      static_cast<uint16_t>(key >> 28 & (kFlags - 1))});
  }
}

void cross_core_set(uint8_t mode, Pipe pipe, uint16_t id, bool scalar) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  const SetCall call{mode, pipe, id};
  check_flag(c, mode, id, call, site);
  if (pipe == Pipe::ALL || (pipe == Pipe::S && mode != 4 && !scalar))
    refuse(c, call.text(), "the template argument pipe",
           "name the pipe whose work the others wait for; not PIPE_S or PIPE_ALL", site);
  if (mode == 0) require_a_core_for_each_block(c, "CrossCoreSetFlag in mode 0", site);
  const uint16_t given = id;
  CrossCore& shared = cross_core(c);
  {
    std::lock_guard lock(shared.mutex);
    const uint32_t self = shared.task_of(c), block = shared.block_of(self);
    const uint32_t first = block * shared.parts();
    if (mode == 4) {
      const uint32_t target = c.cube ? first + 1 + id / CrossCore::kFlags : first;
      const uint32_t theirs = c.cube ? id % CrossCore::kFlags : id + c.sub_block_idx * CrossCore::kFlags;
      const uint64_t object = key_of(kPair, 4, target, theirs);
      tell_sync(c, {SyncEvent::Release, object, pipe, SyncEvent::Flag, mode, given}, site);
      raise(c, shared, shared.pair_counter(target, theirs), target, object, call, site);
    } else {
      id &= CrossCore::kFlags - 1;  // the device keeps the low 4 bits
      with_group(c, shared, mode, id, [&](Meeting& m, uint64_t key) {
        bool complete = false;
        const uint32_t round = m.arrive(self, complete);
        tell_sync(c, {SyncEvent::Release, object_of(key, round), pipe, SyncEvent::Flag, mode, given}, site);
        if (!complete) return;
        const uint64_t object = object_of(key, m.rounds() - 1);
        const auto raise_at = [&](uint32_t t) {
          raise(c, shared, shared.counter(t, id), t, object, call, site);
        };
        if (mode != 2)
          for (uint32_t t : m.members()) raise_at(t);
        else if (c.cube)
          for (uint32_t t = first + shared.launch.cubes; t < first + shared.parts(); ++t) raise_at(t);
        else
          raise_at(first);
      });
    }
  }
  signal(c);
}

void cross_core_wait(uint8_t mode, uint16_t id) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  const WaitCall call{id};
  check_flag(c, mode, id, call, site);
  CrossCore& shared = cross_core(c);
  const uint16_t given = id;
  if (mode != 4) id &= CrossCore::kFlags - 1;
  const uint32_t self = shared.task_of(c);
  CrossCore::Counter& counter = mode == 4 ? shared.pair_counter(self, id) : shared.counter(self, id);
  const auto raised = [&counter] { return counter.count.load(std::memory_order_acquire) != 0; };
  if (!raised())
    wait_for(c, raised, call.text(), site, [&shared, &c, id, mode] {
      return mode == 4 ? std::string("nobody has set it") : who_is_missing(shared, c, id);
    });
  uint64_t object;
  {
    std::lock_guard lock(shared.mutex);
    object = counter.raised_by[counter.oldest];
    counter.oldest = (counter.oldest + 1) % 16;
    counter.count.fetch_sub(1, std::memory_order_acq_rel);
  }
  tell_sync(c, {SyncEvent::Acquire, object, Pipe::ALL, SyncEvent::Flag, mode, given}, site);
}

void sync_all(bool vector_only, Pipe trigger) {
  const Site site = __builtin_return_address(0);
  Core& c = core();
  const Launch& l = *c.state->launch;
  const char* call = vector_only ? "SyncAll<true>()" : "SyncAll<false>()";
  if (!vector_only && !(l.cubes && l.vectors))
    refuse(c, call,
           std::string("the kernel runs on ") + (c.cube ? "cube" : "vector") + " cores only: it would hang",
           "isAIVOnly = false is for __mix__(1, 1) and __mix__(1, 2) kernels", site);
  if (vector_only && c.cube) {
    // In a mixed kernel only the vector cores meet; alone, cube cores would not wait for anybody.
    if (l.vectors) return;
    refuse(c, call, "the kernel runs on cube cores only",
           "use CrossCoreSetFlag<0, pipe> and CrossCoreWaitFlag", site);
  }
  require_a_core_for_each_block(c, call, site);
  CrossCore& shared = cross_core(c);
  const uint64_t key = key_of(kBarrier, vector_only, 0, 0);
  Meeting* meeting = nullptr;
  uint32_t round = 0;
  {
    std::lock_guard lock(shared.mutex);
    meeting = &shared.meeting(key, [&](uint32_t t) { return !vector_only || !shared.is_cube(t); });
    bool complete = false;
    round = meeting->arrive(shared.task_of(c), complete);
    tell_sync(c, {SyncEvent::Release, object_of(key, round), trigger, SyncEvent::Barrier}, site);
  }
  signal(c);
  wait_for(
      c, [meeting, round] { return meeting->rounds() > round; }, call, site,
      [&shared, meeting, round] {
        std::lock_guard lock(shared.mutex);
        return "not reached by " + shared.names(meeting->missing(round));
      });
  tell_sync(c, {SyncEvent::Acquire, object_of(key, round), Pipe::ALL, SyncEvent::Barrier}, site);
}

}  // namespace toprope
