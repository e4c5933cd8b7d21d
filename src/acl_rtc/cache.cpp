#include "acl_rtc/cache.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace fs = std::filesystem;

namespace toprope::rtc {
namespace {

/// FNV-1a; two with different starts name a directory, and the key in it decides.
uint64_t hash(const std::string& text, uint64_t start) {
  for (const unsigned char c : text) start = (start ^ c) * 0x100000001b3;
  return start;
}

bool holds(const fs::path& file, const std::string& text) {
  std::ifstream in(file, std::ios::binary);
  return in && std::string(std::istreambuf_iterator<char>(in), {}) == text;
}

fs::path fresh_directory(const fs::path& parent) {
  std::string name = (parent / "new-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw std::runtime_error(fmt::format("cannot make {}: {}", name, strerror(errno)));
  return name;
}

std::shared_ptr<void> remover(const fs::path& directory) {
  return std::shared_ptr<void>(nullptr, [directory](void*) {
    std::error_code ignored;
    fs::remove_all(directory, ignored);
  });
}

}  // namespace

fs::path cache_directory() {
  fs::path base;
  if (const char* cache = getenv("XDG_CACHE_HOME"); cache && *cache)
    base = cache;
  else if (const char* home = getenv("HOME"); home && *home)
    base = fs::path(home) / ".cache";
  else
    return {};
  base = base / "toprope" / "rtc";
  std::error_code error;
  fs::create_directories(base, error);
  return error ? fs::path() : base;
}

Kept find_or_make(const std::string& key, const std::function<bool(const fs::path&)>& make) {
  const fs::path cache = cache_directory();
  const fs::path kept =
      cache / fmt::format("{:016x}{:016x}", hash(key, 0xcbf29ce484222325), hash(key, 0x84222325cbf29ce4));
  if (!cache.empty() && holds(kept / "key", key)) return {kept, nullptr};
  const fs::path made = fresh_directory(cache.empty() ? fs::temp_directory_path() : cache);
  std::shared_ptr<void> lifetime = remover(made);
  if (!make(made) || cache.empty()) return {made, lifetime};
  std::ofstream(made / "key", std::ios::binary) << key;
  // Another process may have been first, or another key has the same hash: then this copy serves alone.
  std::error_code taken;
  fs::rename(made, kept, taken);
  return taken ? Kept{made, lifetime} : Kept{kept, nullptr};
}

}  // namespace toprope::rtc
