// What a command line asks for, done: the host compiler preprocesses an Ascend C source, rewrite() turns it
// into C++, the host compiler compiles and links.
#pragma once
#include <string>
#include <vector>

#include "driver/options.h"

namespace toprope::driver {

/// Where Toprope is installed: the directory above the one this program lies in.
std::string install_prefix();

/// The host compiler: $CXX when that is a GCC, else g++, as words ("ccache", "g++").
std::vector<std::string> host_compiler();

/// Carries out `options`; returns the exit status. Mistakes in the sources are printed. Throws
/// std::runtime_error when the machine fails (no compiler, no space).
int compile(const Options& options);

}  // namespace toprope::driver
