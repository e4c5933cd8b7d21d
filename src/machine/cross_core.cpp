// CrossCoreSetFlag, CrossCoreWaitFlag and SyncAll in hardware.
#include "machine/cross_core.h"

#include <algorithm>

#include "base/soc.h"
#include "machine/core_state.h"
#include "machine/fault.h"
#include "machine/occupancy.h"
#include "machine/tell.h"
#include "machine/wait.h"
#include "toprope/machine/sync.h"

namespace toprope {

void Meeting::open_next(uint32_t round) {
  in_round_ = 0;
  for (uint32_t member : members_) in_round_ += arrivals_[member] > round;
  rounds_.store(round, std::memory_order_release);
}

std::vector<uint32_t> Meeting::missing(uint32_t round) const {
  std::vector<uint32_t> absent;
  for (uint32_t member : members_)
    if (arrivals_[member] <= round) absent.push_back(member);
  return absent;
}

CrossCore::CrossCore(const Launch& l, const bool& alone)
    : launch(l), runs_at_once(l.blocks <= blocks_at_a_time(l)), alone_(alone) {}

CrossCore::Counter& CrossCore::counter(std::vector<Counters>& all, uint32_t task, uint32_t id, uint32_t ids) {
  if (all.empty()) all.resize(tasks());
  if (!all[task]) all[task] = std::make_unique<Counter[]>(ids);
  return all[task][id];
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
  const uint32_t self = c.state->task, block = shared.block_of(self);
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
  const auto lock = shared.lock();
  std::string text;
  const uint32_t self = c.state->task, block = shared.block_of(self);
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
  const auto up = [&](const std::vector<Counters>& counters, uint32_t ids) {
    for (uint32_t task = 0; task < counters.size(); ++task)
      for (uint16_t id = 0; counters[task] && id < ids; ++id) {
        const Counter& c = counters[task][id];
        if (const uint32_t count = c.count.load())
          tell_all(launch, {index_of(task), is_cube(task), c.raised_by[c.oldest], count, id});
      }
  };
  up(counters_, kFlags);
  up(pair_counters_, kPairFlags);
  for (const auto& [key, meeting] : meetings_) {
    if (key >> 60 != kFlagMeeting || !meeting->begun()) continue;
    const auto first = std::ranges::find_if(
        meeting->members(), [&](uint32_t t) { return meeting->has_arrived(t, meeting->rounds()); });
    const uint32_t task = *first;
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
    const auto lock = shared.lock();
    const uint32_t self = c.state->task, block = shared.block_of(self);
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
  const uint32_t self = c.state->task;
  CrossCore::Counter& counter = [&]() -> CrossCore::Counter& {
    const auto lock = shared.lock();
    return mode == 4 ? shared.pair_counter(self, id) : shared.counter(self, id);
  }();
  const auto raised = [&counter] { return counter.count.load(std::memory_order_acquire) != 0; };
  if (!raised())
    wait_for(c, raised, call.text(), site, [&shared, &c, id, mode] {
      return mode == 4 ? std::string("nobody has set it") : who_is_missing(shared, c, id);
    });
  uint64_t object;
  {
    const auto lock = shared.lock();
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
  const std::string_view call = vector_only ? "SyncAll<true>()" : "SyncAll<false>()";
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
  CrossCore& shared = cross_core(c);
  if (!shared.runs_at_once) [[unlikely]]
    require_a_core_for_each_block(c, call, site);
  const uint64_t key = key_of(kBarrier, vector_only, 0, 0);
  Meeting* meeting = nullptr;
  uint32_t round = 0;
  bool complete = false;
  {
    const auto lock = shared.lock();
    meeting = &shared.barrier(vector_only, key);
    round = meeting->arrive(c.state->task, complete);
    if (c.watched) [[unlikely]]
      tell_sync(c, {SyncEvent::Release, object_of(key, round), trigger, SyncEvent::Barrier}, site);
  }
  if (complete) signal(c);
  wait_inline(
      c, [meeting, round] { return meeting->rounds() > round; }, call, site,
      [&shared, meeting, round] {
        const auto lock = shared.lock();
        return "not reached by " + shared.names(meeting->missing(round));
      });
  if (c.watched) [[unlikely]]
    tell_sync(c, {SyncEvent::Acquire, object_of(key, round), Pipe::ALL, SyncEvent::Barrier}, site);
}

}  // namespace toprope
