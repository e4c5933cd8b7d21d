// Running a launch: every block once, to completion, on this thread and (above a measured size) OpenMP
// workers.
#pragma once
#include <cstdint>
#include <string>

namespace toprope {

/// Why a launch ended early; the runtime maps it to the vendor's number.
enum class Fault : uint8_t {
  None,
  Exception,  ///< an instruction was refused: bounds, alignment, queue or flag misuse, assert, trap
  Deadlock,   ///< every unfinished block waits (the device would time out)
};

struct LaunchStatus {
  Fault fault = Fault::None;
  std::string report;  ///< the text shown to the user: kernel, block, instruction, operand, source line, cure
};

struct Launch {
  const char* kernel = "";  ///< name as written at the launch
  const char* file = "";    ///< source position of the launch
  uint32_t line = 0;
  uint32_t blocks = 1;  ///< already range-checked by the caller
  uint8_t cubes = 0;    ///< AICs a block
  uint8_t vectors = 1;  ///< AIVs a block
  uint64_t dynamic_ub = 0;
  bool automatic_sync = true;  ///< false: compiled with --cce-auto-sync=off
  bool saturate = false;       ///< floating-point units in saturation mode instead of inf/nan mode
  void (*call)(void*) = nullptr;
  void* state = nullptr;
};

/// Runs every block of `launch`. Not reentrant from inside a kernel.
LaunchStatus run(const Launch& launch);

}  // namespace toprope
