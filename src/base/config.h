// The environment, read once: every TOPROPE_* variable the core obeys has one accessor here.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace toprope {

/// An environment variable or option that cannot be obeyed; what() says which, what was found and what is
/// accepted.
struct ConfigError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class StreamMode : uint8_t {
  Eager,  ///< work is done when it is submitted (default)
  Async,  ///< a worker per stream
  Lazy,   ///< work is held until something waits for it
};

struct Config {
  std::string soc;                        ///< TOPROPE_SOC, empty when unset
  int devices = 1;                        ///< TOPROPE_DEVICES
  StreamMode stream = StreamMode::Eager;  ///< TOPROPE_STREAM
  uint64_t device_memory = 0;  ///< TOPROPE_DEVICE_MEMORY in bytes (suffixes K, M, G); 0: the chip's HBM
  int log_level = 3;           ///< ASCEND_GLOBAL_LOG_LEVEL: 0 debug, 1 info, 2 warning, 3 error, 4 none
};

/// The process's configuration. The first call reads the environment; throws ConfigError when a value is
/// refused.
const Config& config();

/// Reads a configuration through `get` (name → value or null); what config() does with getenv.
Config read_config(const char* (*get)(const char* name));

}  // namespace toprope
