// A test program that runs itself once more: what the environment sets is read once a process.
#pragma once
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

namespace toprope::test {

/// Runs this program's cases that match `filter` with TOPROPE_STREAM=`mode`; the exit code.
inline int rerun(const char* mode, const char* filter) {
  const pid_t child = fork();
  if (child == 0) {
    setenv("TOPROPE_STREAM", mode, 1);
    const std::string chosen = std::string("--gtest_filter=") + filter;
    execl("/proc/self/exe", "test", chosen.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace toprope::test
