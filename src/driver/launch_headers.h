// The older way to launch: `#include "aclrtlaunch_add_custom.h"`, then
// `ACLRT_LAUNCH_KERNEL(add_custom)(blocks, stream, x, y, z)`.
#pragma once
#include <string>
#include <vector>

#include "driver/kernels.h"
#include "driver/source.h"

namespace toprope::driver {

/// Definitions of aclrtlaunch_<kernel>, to stand after the kernels they launch.
std::string launch_functions(const std::vector<Kernel>& kernels, const Source& source);

/// Text of aclrtlaunch_<kernel>.h.
std::string launch_header(const Kernel& kernel, const std::string& source_name);

/// Whether the kernel gets such a function: it is defined here, is no template and runs on AI Cores.
bool has_launch_function(const Kernel& kernel);

}  // namespace toprope::driver
