#include "machine/observer.h"

#include <algorithm>
#include <vector>

#include "machine/core_state.h"
#include "machine/deferral.h"
#include "machine/remark.h"

namespace toprope {
namespace {

std::vector<Observer*>& installed() {
  static std::vector<Observer*> all;
  return all;
}

}  // namespace

bool any_observer = false;

void install(Observer* observer) {
  installed().push_back(observer);
  any_observer = true;
}

void uninstall(Observer* observer) {
  std::erase(installed(), observer);
  any_observer = !installed().empty();
}

std::span<Observer* const> observers() { return installed(); }

namespace {
Deferral* installed_deferral = nullptr;
}

Deferral* deferral() { return installed_deferral; }

void set_deferral(Deferral* deferral) { installed_deferral = deferral; }

void tell_remark(Core& core, const Remark& remark, Site site) {
  if (core.state->composed.site) site = core.state->composed.site;
  for (Observer* o : observers()) o->on_remark(core, remark, site);
}

const char* name_of(Pipe pipe) {
  constexpr const char* names[] = {"PIPE_S",    "PIPE_V",    "PIPE_M",   "PIPE_MTE1",
                                   "PIPE_MTE2", "PIPE_MTE3", "PIPE_FIX", "PIPE_ALL"};
  return names[static_cast<int>(pipe)];
}

const char* name_of(Mem mem) {
  constexpr const char* names[kMems] = {"GM", "UB", "L1", "L0A", "L0B", "L0C", "BT", "FB"};
  return names[static_cast<int>(mem)];
}

}  // namespace toprope
