// The `bisheng` command.
#include <fmt/format.h>

#include <exception>

#include "driver/compile.h"
#include "driver/options.h"

int main(int argc, char** argv) {
  using namespace toprope::driver;
  try {
    const Options options = parse({argv + 1, argv + argc});
    if (options.help) {
      fmt::print("{}", help_text());
      return 0;
    }
    if (options.version) {
      fmt::print("bisheng (Toprope) {}\nAscend C compiled by the host's C++ compiler: {}\n", TOPROPE_VERSION,
                 fmt::join(host_compiler(), " "));
      return 0;
    }
    if (options.print_arch) {
      fmt::print("{}\n", options.arch);
      return 0;
    }
    return compile(options);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bisheng: error: {}\n", error.what());
    return 1;
  }
}
