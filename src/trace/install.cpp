// The profiler runs when TOPROPE_PROFILE names a directory as the library is loaded; at process end it writes
// profile-<process id>.json there. A process without a launch writes nothing.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "base/soc.h"
#include "trace/profile.h"
#include "trace/report.h"

namespace toprope::trace {
namespace {

class Installed {
 public:
  Installed() {
    const char* directory = std::getenv("TOPROPE_PROFILE");
    if (!directory || !*directory) return;
    try {
      if (std::string(soc().arch) != "dav-2201") {
        std::fprintf(
            stderr,
            "toprope: TOPROPE_PROFILE: there are cost figures for dav-2201 only, and TOPROPE_SOC is %s "
            "(%s); no profile is made\n",
            soc().name, soc().arch);
        return;
      }
    } catch (const std::exception&) {
      return;  // TOPROPE_SOC names no chip: whoever needs one says so
    }
    // Absolute: the program may change its directory.
    directory_ = std::filesystem::absolute(directory);
    process_ = getpid();
    profiler_ = std::make_unique<Profiler>();
    install(profiler_.get());
  }
  ~Installed() {
    if (!profiler_) return;
    uninstall(profiler_.get());
    if (!profiler_->kernels().empty() && getpid() == process_) write();
  }

 private:
  void write() const {
    std::error_code error;
    std::filesystem::create_directories(directory_, error);
    const auto file = directory_ / ("profile-" + std::to_string(process_) + ".json");
    std::ofstream out(file);
    out << report(*profiler_);
    out.close();
    if (!out) std::fprintf(stderr, "toprope: TOPROPE_PROFILE: cannot write %s\n", file.c_str());
  }
  std::filesystem::path directory_;
  pid_t process_ = 0;
  std::unique_ptr<Profiler> profiler_;
};

Installed installed;

}  // namespace
}  // namespace toprope::trace
