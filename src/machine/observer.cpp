#include "machine/observer.h"

#include <algorithm>
#include <array>
#include <vector>

#include "machine/core_state.h"
#include "machine/deferral.h"
#include "machine/remark.h"

namespace toprope {
namespace {

using Lists = std::array<std::vector<Observer*>, kHeard>;

Lists& installed() {
  static Lists all;
  return all;
}

}  // namespace

bool any_observer = false;

void install(Observer* observer, uint32_t heard) {
  for (int what = 0; what < kHeard; ++what)
    if (heard >> what & 1) installed()[what].push_back(observer);
  any_observer = true;
}

void uninstall(Observer* observer) {
  any_observer = false;
  for (std::vector<Observer*>& list : installed()) {
    std::erase(list, observer);
    any_observer |= !list.empty();
  }
}

std::span<Observer* const> observers(Heard what) { return installed()[static_cast<int>(what)]; }

namespace {
Deferral* installed_deferral = nullptr;
}

Deferral* deferral() { return installed_deferral; }

void set_deferral(Deferral* deferral) { installed_deferral = deferral; }

void tell_remark(Core& core, const Remark& remark, Site site) {
  if (core.state->composed.site) site = core.state->composed.site;
  for (Observer* o : observers(Heard::Remark)) o->on_remark(core, remark, site);
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
