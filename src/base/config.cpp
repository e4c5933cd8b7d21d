#include "base/config.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace toprope {
namespace {

[[noreturn]] void refuse(const char* name, std::string_view value, const char* accepted) {
  throw ConfigError(std::string(name) + "=" + std::string(value) + " is not accepted; use " + accepted);
}

template <class Int>
bool parse(std::string_view text, Int& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

int read_int(const char* name, std::string_view text, int low, int high, const char* accepted) {
  int value = 0;
  if (!parse(text, value) || value < low || value > high) refuse(name, text, accepted);
  return value;
}

uint64_t read_bytes(const char* name, std::string_view text) {
  constexpr const char* accepted = "a positive number of bytes, with K, M or G for KiB, MiB, GiB";
  const std::string_view whole = text;
  int shift = 0;
  if (!text.empty()) {
    switch (text.back()) {
      case 'K':
        shift = 10;
        break;
      case 'M':
        shift = 20;
        break;
      case 'G':
        shift = 30;
        break;
    }
    if (shift) text.remove_suffix(1);
  }
  uint64_t value = 0;
  if (!parse(text, value) || value == 0 || value > (UINT64_MAX >> shift)) refuse(name, whole, accepted);
  return value << shift;
}

StreamMode read_mode(const char* name, std::string_view text) {
  if (text == "eager") return StreamMode::Eager;
  if (text == "async") return StreamMode::Async;
  if (text == "lazy") return StreamMode::Lazy;
  refuse(name, text, "eager, async or lazy");
}

}  // namespace

Config read_config(const char* (*get)(const char* name)) {
  Config c;
  auto set = [get](const char* name) -> const char* {
    const char* value = get(name);
    return value && *value ? value : nullptr;
  };
  if (auto v = set("TOPROPE_SOC")) c.soc = v;
  if (auto v = set("TOPROPE_DEVICES"))
    c.devices = read_int("TOPROPE_DEVICES", v, 1, 64, "a number of devices, 1 to 64");
  if (auto v = set("TOPROPE_STREAM")) c.stream = read_mode("TOPROPE_STREAM", v);
  if (auto v = set("TOPROPE_DEVICE_MEMORY")) c.device_memory = read_bytes("TOPROPE_DEVICE_MEMORY", v);
  if (auto v = set("ASCEND_GLOBAL_LOG_LEVEL"))
    c.log_level = read_int("ASCEND_GLOBAL_LOG_LEVEL", v, 0, 4, "0 debug, 1 info, 2 warning, 3 error, 4 none");
  return c;
}

const Config& config() {
  static const Config c = read_config([](const char* name) -> const char* { return std::getenv(name); });
  return c;
}

}  // namespace toprope
