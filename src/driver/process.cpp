#include "driver/process.h"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

extern char** environ;

namespace toprope::driver {
namespace {

volatile sig_atomic_t pending_signal = 0;

// The children get the terminal's signal too; waiting for them and leaving by the normal way removes the
// files.
void remember(int signal) { pending_signal = signal; }

}  // namespace

Finished run(const std::vector<std::string>& command, bool capture) {
  std::vector<char*> argv;
  for (const std::string& word : command) {
    argv.push_back(const_cast<char*>(word.c_str()));
  }
  argv.push_back(nullptr);

  std::array<int, 2> pipe_ends{-1, -1};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (capture) {
    if (pipe(pipe_ends.data()) != 0) {
      throw std::runtime_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
    }
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], STDERR_FILENO);
    posix_spawn_file_actions_addclose(&actions, pipe_ends[0]);
    posix_spawn_file_actions_addclose(&actions, pipe_ends[1]);
  }
  pid_t child = 0;
  const int error = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (capture) {
    close(pipe_ends[1]);
  }
  if (error != 0) {
    if (capture) {
      close(pipe_ends[0]);
    }
    throw std::runtime_error(fmt::format("cannot run '{}': {}", command[0], std::strerror(error)));
  }

  Finished out;
  if (capture) {
    std::array<char, 4096> buffer;
    for (ssize_t n; (n = read(pipe_ends[0], buffer.data(), buffer.size())) != 0;) {
      if (n > 0) {
        out.errors.append(buffer.data(), static_cast<size_t>(n));
      } else if (errno != EINTR) {
        break;
      }
    }
    close(pipe_ends[0]);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (pending_signal != 0) {
    throw std::runtime_error("interrupted");
  }
  return out;
}

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "bisheng-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error(
        fmt::format("cannot make a directory like {}: {}", pattern, std::strerror(errno)));
  }
  path_ = pattern;
  struct sigaction action = {};
  action.sa_handler = remember;
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    sigaction(signal, &action, nullptr);
  }
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryDirectory::file(const std::string& extension) {
  return fmt::format("{}/{}{}", path_, count_++, extension);
}

}  // namespace toprope::driver
