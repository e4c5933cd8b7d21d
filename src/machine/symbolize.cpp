#include "machine/symbolize.h"

#include <dlfcn.h>
#include <link.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <sstream>
#include <vector>

extern char** environ;

namespace toprope {
namespace {

struct Module {
  std::string path;
  uintptr_t offset = 0;  // of the address in the file's own address space
};

Module module_of(const void* address) {
  Dl_info info{};
  link_map* map = nullptr;
  if (!dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) || !info.dli_fname) return {};
  Module m;
  m.path = info.dli_fname;
  m.offset = reinterpret_cast<uintptr_t>(address) - (map ? map->l_addr : 0);
  if (m.path.find('/') == std::string::npos) m.path = "/proc/self/exe";
  return m;
}

/// Standard output of a program found on PATH, empty when it cannot be run. posix_spawn: safe in a threaded
/// process.
std::string output_of(std::vector<std::string> words) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", 1, 0);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t pid = 0;
  const int failed = posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  if (!failed) {
    char buffer[4096];
    for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
      text.append(buffer, static_cast<size_t>(n));
    waitpid(pid, nullptr, 0);
  }
  close(ends[0]);
  return text;
}

bool is_ours(const std::string& file) {
  for (const char* part : {"/include/ascendc/", "/include/toprope/", "/include/pto/", "/include/c_api/"})
    if (file.find(part) != std::string::npos) return true;
  // The launch's own machinery: std::apply, std::invoke and the lambda around the call.
  return file.find("/include/c++/") != std::string::npos;
}

std::string program_path() {
  char path[4096];
  const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  return n > 0 ? std::string(path, static_cast<size_t>(n)) : std::string();
}

SourcePosition find(const void* return_address) {
  if (!return_address) return {};
  // A return address is the instruction after the call, which can belong to the next line.
  Module m = module_of(static_cast<const char*>(return_address) - 1);
  if (m.path.empty()) return {};
  if (m.path == "/proc/self/exe") m.path = program_path();
  std::ostringstream hex;
  hex << "0x" << std::hex << m.offset;
  std::istringstream lines(output_of({"addr2line", "-C", "-f", "-i", "-e", m.path, hex.str()}));
  SourcePosition first;
  for (std::string function, where; std::getline(lines, function) && std::getline(lines, where);) {
    where = where.substr(0, where.find(" (discriminator"));
    const size_t colon = where.rfind(':');
    if (colon == std::string::npos || where[0] == '?') continue;
    SourcePosition p{function, where.substr(0, colon),
                     static_cast<uint32_t>(std::strtoul(where.c_str() + colon + 1, nullptr, 10))};
    if (p.line == 0) continue;
    if (!is_ours(p.file)) return p;
    if (!first) first = p;
  }
  return first;
}

}  // namespace

SourcePosition locate(const void* return_address) {
  // A report asks for the same place several times, and every question starts a program.
  static std::mutex mutex;
  static auto& known =
      *new std::map<const void*, SourcePosition>;  // never destroyed: reports are made at process end too
  std::lock_guard lock(mutex);
  const auto [at, fresh] = known.try_emplace(return_address);
  if (fresh) at->second = find(return_address);
  return at->second;
}

std::string module_path(const void* address) { return module_of(address).path; }

std::string describe(const void* return_address) {
  if (!return_address) return {};
  if (const SourcePosition p = locate(return_address))
    return p.file + ":" + std::to_string(p.line) + (p.function.empty() ? "" : " in " + p.function);
  const Module m = module_of(return_address);
  if (m.path.empty()) return {};
  std::ostringstream text;
  text << m.path << "+0x" << std::hex << m.offset << " (no line information: compile with -g)";
  return text.str();
}

}  // namespace toprope
