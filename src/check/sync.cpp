// Source of the rules: Ascend C API, SetFlag and WaitFlag, CrossCoreSetFlag: constraints.
#include "check/sync.h"

#include <algorithm>
#include <string>

#include "base/soc.h"
#include "machine/run.h"

namespace toprope::check {
namespace {

constexpr int kFirstReserved = 6;  // 6 is kept back, 7 is for what TPipe puts in
constexpr uint16_t kFlagIds = 16;

std::string call(const char* api, const FlagEvent& e) {
  return std::string(api) + "<HardEvent::" + (name_of(e.from) + 5) + "_" + (name_of(e.to) + 5) + ">(" +
         std::to_string(e.id) + ")";
}

std::string cross_call(const SyncEvent& e) {
  return e.kind == SyncEvent::Release ? "CrossCoreSetFlag<" + std::to_string(e.mode) + ", " +
                                            name_of(e.pipe) + ">(" + std::to_string(e.id) + ")"
                                      : "CrossCoreWaitFlag(" + std::to_string(e.id) + ")";
}

Finding warning(const char* rule) {
  Finding f;
  f.check = "sync";
  f.rule = rule;
  f.severity = Severity::Warning;
  return f;
}

}  // namespace

void Sync::on_launch(const Launch& launch, bool begins) {
  if (!begins && barrier_ && reserved_) {
    Finding f = warning("sync.reserved_flag");
    f.message = "flag " + std::to_string(reserved_id_) +
                " between cores is used next to SyncAll, which needs the flags 11 to 14 for itself";
    f.cure = "use the flags 0 to 10";
    f.places = {{"the flag is used here", "CrossCore", reserved_}, {"SyncAll here", "SyncAll", barrier_}};
    f.kernel = launch.kernel;
    reporter().add(std::move(f));
  }
  releases_.clear();
  barrier_ = reserved_ = nullptr;
}

void Sync::on_block(Core& core, const BlockEvent& event) {
  auto& raised = raised_.of(core);
  if (event.kind == BlockEvent::End)
    for (const auto& [flag, site] : raised) {
      Finding f;
      f.check = "sync";
      f.rule = "sync.unwaited";
      f.message = call("SetFlag", flag) +
                  " is never waited for: the flag stays up and the next kernel on the "
                  "core starts with it";
      f.cure = "call " + call("WaitFlag", flag) + " where " + name_of(flag.to) +
               " needs the result, or leave SetFlag out (the last one of a loop is the usual one too many)";
      f.places = {{"it is set here", "SetFlag", site}};
      name_block(f, core);
      reporter().add(std::move(f));
    }
  raised.clear();
}

void Sync::on_flag(Core& core, const FlagEvent& e, Site site) {
  auto& raised = raised_.of(core);
  if (e.kind == FlagEvent::Wait) {
    std::erase_if(raised, [&](const Raised& r) {
      return r.flag.from == e.from && r.flag.to == e.to && r.flag.id == e.id;
    });
    return;
  }
  raised.push_back({e, site});
  if (e.id < kFirstReserved || reporter().repeated("sync.reserved_event", site, nullptr, core)) return;
  Finding f = warning("sync.reserved_event");
  f.message = call("SetFlag", e) + " uses event id " + std::to_string(e.id) + ", which is " +
              (e.id == kFirstReserved ? "kept back" : "what TPipe's own waits use");
  f.cure = "use the ids 0 to 5, or let AllocEventID choose";
  f.places = {{"it is set here", "SetFlag", site}};
  name_block(f, core);
  reporter().add(std::move(f));
}

void Sync::check_id(Core& core, const SyncEvent& e, Site site) {
  if (e.mode != 4 && e.id >= kFlagIds && !reporter().repeated("sync.flag_range", site, nullptr, core)) {
    Finding f = warning("sync.flag_range");
    f.message = cross_call(e) + ": the device keeps the low 4 bits of the id, so this is flag " +
                std::to_string(e.id % kFlagIds);
    f.cure = "use ids from 0 to 15 (0 to 10 next to SyncAll)";
    f.places = {{"here", "CrossCore", site}};
    name_block(f, core);
    reporter().add(std::move(f));
  }
  if (e.id % kFlagIds >= 11 && e.id % kFlagIds <= 14 && !reserved_) {
    reserved_ = site;
    reserved_id_ = e.id;
  }
}

void Sync::on_sync(Core& core, const SyncEvent& e, Site site) {
  if (e.means == SyncEvent::Barrier) barrier_ = site;
  if (e.means != SyncEvent::Flag) return;
  check_id(core, e, site);
  if (e.kind != SyncEvent::Release) return;
  constexpr uint64_t kRounds = 0xfffffff, kOld = 16;
  if ((e.object & kRounds) >= kOld) releases_.erase(e.object - kOld);
  releases_[e.object] = {e, site};
}

void Sync::on_left_flag(const Launch& launch, const LeftFlag& left) {
  const auto found = releases_.find(left.object);
  const std::string who = (left.cube ? "AIC " : "AIV ") + std::to_string(left.core);
  const std::string what = found == releases_.end() ? "CrossCoreSetFlag(" + std::to_string(left.id) + ")"
                                                    : cross_call(found->second.event);
  Finding f;
  f.check = "sync";
  if (left.count) {
    f.rule = "sync.flag_left";
    f.message = what + " raised flag " + std::to_string(left.id) + " of " + who + ", where " +
                (left.count == 1 ? std::string("nobody waited for it")
                                 : std::to_string(left.count) + " of its sets were not waited for") +
                ": it is still up when the next kernel starts";
    f.cure = "call CrossCoreWaitFlag(" + std::to_string(left.id) + ") on " + who + " once for each set";
  } else {
    f.rule = "sync.flag_incomplete";
    f.message =
        what + " was called by " + who +
        ", but not by all the cores that raise the flag together: nobody could pass a wait for it, and "
        "what is counted disturbs the next kernel";
    f.cure = "call CrossCoreSetFlag on every core of the group, or on none";
  }
  if (found != releases_.end()) f.places = {{"the flag is set here", "CrossCoreSetFlag", found->second.site}};
  f.kernel = launch.kernel;
  f.block = static_cast<int>(left.core);
  reporter().add(std::move(f));
}

}  // namespace toprope::check
