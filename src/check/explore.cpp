// Schedules and digests: TOPROPE_SCHEDULE=<seed> and TOPROPE_DIGEST=<file>, read when the library is loaded.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "check/digest.h"
#include "check/schedule.h"

namespace toprope::check {
namespace {

class Exploration {
 public:
  Exploration() {
    if (const char* file = std::getenv("TOPROPE_DIGEST"); file && *file) {
      digest_ = std::make_unique<Digest>(file);
      install(digest_.get());
    }
    const char* seed = std::getenv("TOPROPE_SCHEDULE");
    if (!seed || !*seed) return;
    char* end = nullptr;
    errno = 0;
    const unsigned long long number = std::strtoull(seed, &end, 10);
    if (*end || errno) {
      std::fprintf(stderr, "toprope: TOPROPE_SCHEDULE is '%s'; it takes a number, the seed\n", seed);
      return;
    }
    schedule_ = std::make_unique<Schedule>(number);
    install(schedule_.get());
    set_deferral(schedule_.get());
  }
  ~Exploration() {
    set_deferral(nullptr);
    if (schedule_) uninstall(schedule_.get());
    if (digest_) uninstall(digest_.get());
  }

 private:
  std::unique_ptr<Digest> digest_;
  std::unique_ptr<Schedule> schedule_;
};

Exploration exploration;

}  // namespace
}  // namespace toprope::check
