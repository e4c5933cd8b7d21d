// Which checks run: TOPROPE_CHECK names them ("race,bounds", "all"), read when the library is loaded.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "check/bounds.h"
#include "check/cache.h"
#include "check/constraints.h"
#include "check/fault.h"
#include "check/host.h"
#include "check/init.h"
#include "check/leak.h"
#include "check/queue.h"
#include "check/race.h"
#include "check/report.h"
#include "check/sync.h"

namespace toprope::check {
namespace {

struct Check {
  std::string_view name;
  std::unique_ptr<Observer> (*start)();
};

template <class T>
std::unique_ptr<Observer> start() {
  auto observer = std::make_unique<T>();
  install(observer.get());
  return observer;
}

// A name may stand for several observers. The first is part of every choice.
constexpr Check kChecks[] = {
    {"fault", start<Faults>}, {"bounds", start<Bounds>},  {"constraints", start<Constraints>},
    {"init", start<Init>},    {"race", start<Race>},      {"race", start<Cache>},
    {"sync", start<Sync>},    {"queue", start<QueueUse>}, {"leak", start<Leak>},
    {"host", start<Host>},
};

class Installed {
 public:
  Installed() {
    const char* wanted = std::getenv("TOPROPE_CHECK");
    if (!wanted || !*wanted) return;
    std::string_view rest = wanted;
    reporter();  // made before this object, so destroyed after it
    bool chosen[std::size(kChecks)] = {true};
    while (!rest.empty()) {
      const size_t comma = rest.find(',');
      select(rest.substr(0, comma), chosen);
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    for (size_t i = 0; i < std::size(kChecks); ++i) {
      if (chosen[i]) observers_.push_back(kChecks[i].start());
    }
  }
  ~Installed() {
    if (observers_.empty()) return;
    for (auto& o : observers_) uninstall(o.get());
    observers_.clear();  // some have a last word
    reporter().finish();
  }

 private:
  static void select(std::string_view name, bool* chosen) {
    bool known = false;
    for (size_t i = 0; i < std::size(kChecks); ++i)
      if (name == "all" || name == kChecks[i].name) known = chosen[i] = true;
    if (known) return;
    std::fprintf(stderr, "toprope: TOPROPE_CHECK names '%.*s'; there are: all", static_cast<int>(name.size()),
                 name.data());
    for (size_t i = 1; i < std::size(kChecks); ++i)
      if (kChecks[i].name != kChecks[i - 1].name) std::fprintf(stderr, ", %s", kChecks[i].name.data());
    std::fputs("\n", stderr);
  }
  std::vector<std::unique_ptr<Observer>> observers_;
};

Installed installed;

}  // namespace
}  // namespace toprope::check
