#include "nnopbase/packages.h"

#include <dlfcn.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <list>
#include <map>
#include <mutex>

#include "base/log.h"
#include "base/soc.h"
#include "nnopbase/definition.h"
#include "nnopbase/status.h"
#include "runtime/error.h"

namespace fs = std::filesystem;

namespace toprope::operators {
namespace {

struct Package {
  fs::path directory;
  Registered registered;
};

std::string machine() {
  utsname name;
  return uname(&name) == 0 ? name.machine : "x86_64";
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::string part;
  for (const char c : text + at) {
    if (c != at) {
      if (!std::isspace(static_cast<unsigned char>(c))) part += c;
    } else if (!part.empty()) {
      parts.push_back(std::move(part));
      part.clear();
    }
  }
  return parts;
}

/// The opp directory: ASCEND_OPP_PATH, else the one beside this library.
fs::path opp_directory() {
  if (const char* set = std::getenv("ASCEND_OPP_PATH"); set && *set) return set;
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(&opp_directory), &info) || !info.dli_fname) return {};
  std::error_code error;
  return fs::canonical(info.dli_fname, error).parent_path().parent_path() / "opp";
}

std::vector<std::string> priorities(const fs::path& vendors) {
  std::ifstream in(vendors / "config.ini");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("load_priority", 0) == 0 && line.find('=') != std::string::npos)
      return split(line.substr(line.find('=') + 1), ',');
  return {};
}

std::vector<fs::path> directories() {
  std::vector<fs::path> all;
  if (const char* custom = std::getenv("ASCEND_CUSTOM_OPP_PATH"))
    for (const std::string& path : split(custom, ':')) all.emplace_back(path);
  const fs::path vendors = opp_directory() / "vendors";
  std::error_code error;
  std::vector<std::string> names = priorities(vendors), rest;
  for (const auto& entry : fs::directory_iterator(vendors, error)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_directory(error) && std::find(names.begin(), names.end(), name) == names.end())
      rest.push_back(name);
  }
  std::sort(rest.begin(), rest.end());
  names.insert(names.end(), rest.begin(), rest.end());
  for (const std::string& name : names) all.push_back(vendors / name);
  return all;
}

fs::path tiling_library(const fs::path& package) {
  return package / "op_impl" / "ai_core" / "tbe" / "op_tiling" / "lib" / "linux" / machine() /
         "libcust_opmaster_rt2.0.so";
}

std::mutex mutex;

// Packages stay for the life of the process, as their functions are called.
std::list<Package>& packages() {
  static auto& all = [&]() -> std::list<Package>& {
    auto& loaded = *new std::list<Package>;
    for (const fs::path& directory : directories()) {
      const fs::path library = tiling_library(directory);
      std::error_code error;
      if (!fs::exists(library, error)) continue;
      Package& package = loaded.emplace_back();
      package.directory = directory;
      const Collect collect(package.registered);
      if (!dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        log(LogLevel::Warning, std::string("operator package left out: ") + dlerror());
        loaded.pop_back();
      }
    }
    return loaded;
  }();
  return all;
}

aclrtBinHandle load(const Found& found, const std::string& name) {
  aclrtBinHandle handle = nullptr;
  if (found.package.empty()) {
    const auto kernel = found.by->kernels.find(name);
    if (kernel == found.by->kernels.end())
      throw Refused(kFindKernel, "the program has no kernel " + name +
                                     "; the operator library was built for other chips: add the family to "
                                     "ASCEND_COMPUTE_UNIT, or describe another chip with TOPROPE_SOC");
    if (aclrtBinaryLoadFromData(kernel->second.data, kernel->second.size, nullptr, &handle))
      throw Refused(kFindKernel, recent_message());
    return handle;
  }
  const fs::path file = found.package / "op_impl" / "ai_core" / "tbe" / "kernel" / (name + ".o");
  std::error_code error;
  if (!fs::exists(file, error))
    throw Refused(kFindKernel,
                  "there is no " + file.string() +
                      "; the package was built for other chips or without binaries: add the family "
                      "to ASCEND_COMPUTE_UNIT, or describe another chip with TOPROPE_SOC");
  if (aclrtBinaryLoadFromFile(file.c_str(), nullptr, &handle)) throw Refused(kFindKernel, recent_message());
  return handle;
}

}  // namespace

Found find_operator(const std::string& op_type) {
  std::lock_guard lock(mutex);
  const auto in = [&](const Registered& registered) -> const ops::OpDef* {
    const auto found = registered.operators.find(op_type);
    return found == registered.operators.end() ? nullptr : found->second.get();
  };
  if (const ops::OpDef* def = in(program_operators())) return {def, &program_operators(), {}};
  for (const Package& package : packages())
    if (const ops::OpDef* def = in(package.registered)) return {def, &package.registered, package.directory};
  return {};
}

std::string searched_places() {
  std::string text;
  for (const fs::path& directory : directories()) text += (text.empty() ? "" : ", ") + directory.string();
  return text.empty() ? opp_directory().string() + "/vendors, which has no package" : text;
}

std::string this_unit() {
  std::string name = soc().name;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* unit : {"ascend910b", "ascend910_93", "ascend950"})
    if (name.rfind(unit, 0) == 0) return unit;
  return name;
}

aclrtFuncHandle find_kernel(const Found& found, const std::string& unit, size_t combination,
                            const std::string& function) {
  const std::string name = kernel_name(unit, found.def->type(), combination);
  std::lock_guard lock(mutex);
  static auto& handles = *new std::map<std::pair<const Registered*, std::string>, aclrtBinHandle>;
  aclrtBinHandle& handle = handles[{found.by, name}];
  if (!handle) handle = load(found, name);
  aclrtFuncHandle out = nullptr;
  if (aclrtBinaryGetFunction(handle, function.c_str(), &out)) throw Refused(kFindKernel, recent_message());
  return out;
}

}  // namespace toprope::operators
