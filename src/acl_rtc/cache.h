// Compiled programs by the content they were compiled from.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace toprope::rtc {

/// Where programs stay between runs; empty when the machine has no place for them.
std::filesystem::path cache_directory();

/// The directory of what `key` describes. On a miss, `make` fills a fresh directory and says whether that may
/// be kept; what may not is removed with the last copy of `lifetime`. The key's whole text is compared, not
/// only its hash.
struct Kept {
  std::filesystem::path directory;
  std::shared_ptr<void> lifetime;
};
Kept find_or_make(const std::string& key, const std::function<bool(const std::filesystem::path&)>& make);

}  // namespace toprope::rtc
