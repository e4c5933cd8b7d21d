// `@file` on a command line: the file's words stand in its place.
#pragma once
#include <string>
#include <vector>

namespace toprope::driver {

/// `arguments` with every `@file` expanded, also inside such files. Throws UsageError for a file that cannot
/// be read or includes itself.
std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments);

}  // namespace toprope::driver
