// Running other programs, and a directory for what lives only as long as this one.
#pragma once
#include <string>
#include <vector>

namespace toprope::driver {

struct Finished {
  int status = 0;      ///< exit status; 128 + signal when it was killed
  std::string errors;  ///< what it wrote to stderr, when that was captured
};

/// Runs `command` (found through PATH) and waits. With `capture`, its stderr is returned instead of shown.
/// Throws std::runtime_error when it cannot be started.
Finished run(const std::vector<std::string>& command, bool capture = false);

/// A fresh directory, removed with what is in it at the end, also when a signal ends the program.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  /// A path in it that no earlier call returned.
  std::string file(const std::string& extension);

 private:
  std::string path_;
  int count_ = 0;
};

}  // namespace toprope::driver
