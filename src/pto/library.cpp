// Loading custom instruction libraries.
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>

#include "pto/registry.h"
#include "pto/status.h"

namespace pto {
namespace {

using FileId = std::pair<dev_t, ino_t>;

struct Loaded {
  std::mutex mutex;
  std::map<FileId, int> files;  ///< and how many instructions each has
};

Loaded& loaded() {
  static Loaded* const all = new Loaded;
  return *all;
}

[[noreturn]] void refuse(const std::string& text) { throw Error(PTO_LIBRARY_ERROR, text); }

int load(const char* path) {
  struct stat status;
  if (stat(path, &status) != 0) refuse(fmt::format("{}: {}", path, std::strerror(errno)));
  if (!S_ISREG(status.st_mode)) refuse(fmt::format("{} is not a file", path));
  Loaded& all = loaded();
  std::lock_guard lock(all.mutex);
  const FileId id{status.st_dev, status.st_ino};
  if (const auto found = all.files.find(id); found != all.files.end()) return found->second;

  char* whole = realpath(path, nullptr);  // a name without '/' would be looked for in the library path
  const std::string absolute = whole ? whole : path;
  std::free(whole);
  void* handle = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) refuse(fmt::format("{} cannot be loaded: {}", path, dlerror()));
  struct Close {
    void* handle;
    ~Close() {
      if (handle) dlclose(handle);
    }
  } close{handle};
  const auto entry = reinterpret_cast<const Library* (*)()>(dlsym(handle, "pto_insn_library"));
  if (!entry)
    refuse(fmt::format(
        "{} is not a PTO instruction library: it has no symbol pto_insn_library (made by python3 -m "
        "pto.codegen, or by hand with pto/insn.hpp)",
        path));
  const Library* library = entry();
  if (!library) refuse(fmt::format("{}: pto_insn_library() returned null", path));
  if (library->abi != PTO_INSN_ABI)
    refuse(fmt::format(
        "{} was built against version {} of pto/insn.hpp, this is version {}: generate and compile it again",
        path, library->abi, PTO_INSN_ABI));
  if (library->count < 1 || !library->insns) refuse(fmt::format("{} has no instructions", path));
  std::vector<std::unique_ptr<Definition>> definitions;
  for (int i = 0; i < library->count; ++i) {
    try {
      definitions.push_back(compile(library->insns[i], absolute));
    } catch (const std::exception& e) {
      refuse(fmt::format("{}: {}", path, e.what()));
    }
  }
  add_custom(std::move(definitions));
  close.handle = nullptr;  // its functions are in use until the process ends
  all.files.emplace(id, library->count);
  return library->count;
}

}  // namespace
}  // namespace pto

pto_status pto_library_load(const char* path, int* count) {
  return pto::guarded([&] {
    if (!path) throw pto::Error(PTO_INVALID_ARGUMENT, "path is null");
    const int n = pto::load(path);
    if (count) *count = n;
  });
}
