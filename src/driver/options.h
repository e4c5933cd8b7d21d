// The command line of bisheng: the vendor's flags, GCC's own where they mean the same, nothing else.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

namespace toprope::driver {

/// A command line that cannot be obeyed; what() says what was found and what is accepted.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

enum class Language : uint8_t {
  Asc,
  Cxx,
  C,
  Assembler,
  None
};  ///< None: an object, a library, left to the linker
enum class Stage : uint8_t { Preprocess, Assembly, Object, StaticLibrary, Link };

/// A file, or a flag whose place among the files matters (-lfoo, -Wl,--whole-archive).
struct Input {
  std::string text;
  Language language = Language::None;
  bool is_file = false;
};

struct Options {
  std::vector<Input> inputs;
  std::vector<std::string> preprocessor;  ///< -D -U -I -include -Wp, …
  std::vector<std::string> common;  ///< -f -m -O -g -W -std -pthread …: preprocessing, compiling, linking
  std::vector<std::string> link;    ///< -shared -L -static …
  std::vector<std::string> dependencies;  ///< -MD and friends, without -MF, -MT, -MQ
  std::string dependency_file, output;
  std::vector<std::string> dependency_targets;  ///< "-MT", "name", …
  Stage stage = Stage::Link;
  std::string arch = "dav-2201";
  std::string standard, optimisation;  ///< as given; empty when not
  bool shared = false;
  bool cpu_mode = false;  ///< --run-mode=cpu: user sources see ASCENDC_CPU_DEBUG
  bool simt = false;
  bool automatic_sync = true;  ///< false: --cce-auto-sync=off
  bool verbose = false;        ///< -v: show the commands
  bool dry_run = false;        ///< -###: show the commands only
  bool help = false, version = false;
  bool print_arch = false;         ///< --toprope-print-arch: only say which --npu-arch is in force
  bool only_dependencies = false;  ///< -M, -MM
  bool launch_functions = false;   ///< --toprope-launch-functions, set by ascendc_library
  bool list_kernels = false;       ///< --toprope-list-kernels: names in the text as it stands, nothing else
  std::vector<std::string> expected_kernels;  ///< --toprope-expect=NAME: its header is written in any case
  std::string launch_header_directory;  ///< --toprope-launch-headers=DIR: write aclrtlaunch_*.h and stop
};

/// Reads the command line without the program's name; `@file` is expanded. Throws UsageError.
Options parse(const std::vector<std::string>& arguments);

/// What `bisheng -help` prints.
std::string help_text();

}  // namespace toprope::driver
