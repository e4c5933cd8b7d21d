// Which checks run: TOPROPE_CHECK names them ("race,bounds", "all"), read when the library is loaded.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "check/constraints.h"
#include "check/init.h"
#include "check/race.h"
#include "check/report.h"

namespace toprope::check {
namespace {

struct Check {
  std::string_view name;
  std::unique_ptr<Observer> (*make)();
};

template <class T>
std::unique_ptr<Observer> make() {
  return std::make_unique<T>();
}

constexpr Check kChecks[] = {
    {"constraints", make<Constraints>},
    {"init", make<Init>},
    {"race", make<Race>},
};

class Installed {
 public:
  Installed() {
    const char* wanted = std::getenv("TOPROPE_CHECK");
    if (!wanted || !*wanted) return;
    std::string_view rest = wanted;
    reporter();  // made before this object, so destroyed after it
    while (!rest.empty()) {
      const size_t comma = rest.find(',');
      select(rest.substr(0, comma));
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
  }
  ~Installed() {
    for (auto& o : observers_) uninstall(o.get());
    if (!observers_.empty()) reporter().finish();
  }

 private:
  void select(std::string_view name) {
    bool known = false;
    for (const Check& check : kChecks)
      if (name == "all" || name == check.name) {
        known = true;
        observers_.push_back(check.make());
        install(observers_.back().get());
      }
    if (known) return;
    std::fprintf(stderr, "toprope: TOPROPE_CHECK names '%.*s'; there are: all", static_cast<int>(name.size()),
                 name.data());
    for (const Check& check : kChecks) std::fprintf(stderr, ", %s", check.name.data());
    std::fputs("\n", stderr);
  }
  std::vector<std::unique_ptr<Observer>> observers_;
};

Installed installed;

}  // namespace
}  // namespace toprope::check
