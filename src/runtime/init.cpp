// Life of the runtime and its versions.
#include <cstring>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>

#include "acl/acl_rt.h"
#include "base/config.h"
#include "base/soc.h"
#include "machine/output.h"
#include "runtime/context.h"
#include "runtime/error.h"

using namespace toprope;

namespace {

// The release whose interface is offered, and the driver that goes with it.
constexpr const char* kCannVersion = "8.5.0";
constexpr const char* kDriverVersion = "25.5.0";

std::mutex mutex;
uint64_t references = 0;
bool finalized = false;

/// A number, or its digits as a string; -1 for anything else.
int64_t number_in(const nlohmann::json& value) {
  if (value.is_string()) return std::atoll(value.get<std::string>().c_str());
  return value.is_number_integer() ? value.get<int64_t>() : -1;
}

/// {"defaultDevice": {"default_device": "0"}} gives threads a device before they choose one;
/// {"simd_printf_fifo_size_per_core": 1048576} is how many bytes a kernel prints in one call, 1 KB to 64 MB.
aclError read_config_file(const char* path) {
  constexpr const char* api = "aclInit";
  std::ifstream file(path);
  if (!file) return fail(ACL_ERROR_INVALID_FILE, api, "cannot read the configuration file \"{}\"", path);
  const auto json = nlohmann::json::parse(file, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return fail(ACL_ERROR_PARSE_FILE, api, "\"{}\" is not a JSON object", path);
  if (const auto size = json.find("simd_printf_fifo_size_per_core"); size != json.end()) {
    const int64_t bytes = number_in(*size);
    if (bytes < 1024 || bytes > 64 * 1024 * 1024)
      return fail(ACL_ERROR_INVALID_PARAM, api,
                  "simd_printf_fifo_size_per_core is {}; it goes from 1024 to 67108864", size->dump());
    set_print_limit(static_cast<uint64_t>(bytes));
  }
  const auto section = json.find("defaultDevice");
  if (section == json.end()) return ACL_SUCCESS;
  int id = -1;
  if (section->is_object() && section->contains("default_device"))
    id = static_cast<int>(number_in((*section)["default_device"]));
  if (!find_device(id)) return no_such_device(api, id);
  set_default_device(id);
  return ACL_SUCCESS;
}

const char* version_of(const char* package) {
  // The parts of the release, as the public package names spell them.
  static constexpr const char* packages[] = {"CANN",
                                             "runtime",
                                             "compiler",
                                             "toolkit",
                                             "opp",
                                             "opp_kernel",
                                             "acl_extend",
                                             "aoe",
                                             "asc-devkit",
                                             "ascendnpu-ir",
                                             "asc-tools",
                                             "bisheng-compiler",
                                             "dflow-executor",
                                             "dvpp",
                                             "ge-compiler",
                                             "ge-executor",
                                             "graph_autofusion",
                                             "hccl",
                                             "hcomm",
                                             "hixl",
                                             "metadef",
                                             "ncs",
                                             "oam_tools",
                                             "opbase",
                                             "ops_cv",
                                             "ops_legacy",
                                             "ops_math",
                                             "ops_nn",
                                             "ops_transformer",
                                             "pto_isa",
                                             "pyACL",
                                             "tbe-tik",
                                             "test-ops"};
  if (!package) return nullptr;
  if (strcasecmp(package, "driver") == 0) return kDriverVersion;
  for (const char* known : packages)
    if (strcasecmp(package, known) == 0) return kCannVersion;
  return nullptr;
}

aclError finalize(const char* api, bool all, uint64_t* left) {
  std::lock_guard lock(mutex);
  if (references == 0) {
    if (finalized) return fail(ACL_ERROR_REPEAT_FINALIZE, api, "the runtime is finalized already");
    return fail(ACL_ERROR_UNINITIALIZE, api, "aclInit was not called");
  }
  references = all ? 0 : references - 1;
  if (left) *left = references;
  if (references == 0) {
    finalized = true;
    set_default_device(-1);
  }
  return ACL_SUCCESS;
}

}  // namespace

extern "C" {

aclError aclInit(const char* path) {
  return guarded("aclInit", [&]() -> aclError {
    std::lock_guard lock(mutex);
    if (references) {
      ++references;
      return fail(ACL_ERROR_REPEAT_INITIALIZE, "aclInit", "the runtime is initialized already");
    }
    soc();  // a refused TOPROPE_* variable is reported here, before anything depends on it
    device_count();
    set_print_limit(kPrintLimit);
    if (path && *path)
      if (aclError error = read_config_file(path)) return error;
    references = 1;
    finalized = false;
    return ACL_SUCCESS;
  });
}

aclError aclFinalize() { return finalize("aclFinalize", true, nullptr); }
aclError aclFinalizeReference(uint64_t* left) { return finalize("aclFinalizeReference", false, left); }

aclError aclrtGetVersion(int32_t* major, int32_t* minor, int32_t* patch) {
  if (!major || !minor || !patch)
    return fail(ACL_ERROR_INVALID_PARAM, "aclrtGetVersion", "a result pointer is null");
  *major = ACL_MAJOR_VERSION;
  *minor = ACL_MINOR_VERSION;
  *patch = ACL_PATCH_VERSION;
  return ACL_SUCCESS;
}

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  constexpr const char* api = "aclsysGetCANNVersion";
  if (!version || name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER)
    return fail(ACL_ERROR_INVALID_PARAM, api, "version is null or package {} is unknown",
                static_cast<int>(name));
  *version = {};
  const std::string text = name == ACL_PKG_NAME_DRIVER ? kDriverVersion : kCannVersion;
  const size_t first = text.find('.'), second = text.rfind('.');
  text.copy(version->version, sizeof version->version - 1);
  text.copy(version->majorVersion, first, 0);
  text.copy(version->minorVersion, second - first - 1, first + 1);
  text.copy(version->releaseVersion, text.size() - second - 1, second + 1);
  return ACL_SUCCESS;
}

aclError aclsysGetVersionStr(char* package, char* version) {
  constexpr const char* api = "aclsysGetVersionStr";
  const char* found = version_of(package);
  if (!found || !version)
    return fail(ACL_ERROR_INVALID_PARAM, api, "versionStr is null or package \"{}\" is unknown",
                package ? package : "(null)");
  std::strcpy(version, found);
  return ACL_SUCCESS;
}

aclError aclsysGetVersionNum(char* package, int32_t* number) {
  constexpr const char* api = "aclsysGetVersionNum";
  const char* found = version_of(package);
  if (!found || !number)
    return fail(ACL_ERROR_INVALID_PARAM, api, "versionNum is null or package \"{}\" is unknown",
                package ? package : "(null)");
  int major = 0, minor = 0, patch = 0;
  std::sscanf(found, "%d.%d.%d", &major, &minor, &patch);
  *number = major * 10000000 + minor * 100000 + patch * 1000;
  return ACL_SUCCESS;
}

aclError aclGetCannAttributeList(const aclCannAttr** list, size_t* count) {
  static constexpr aclCannAttr attributes[] = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16};
  if (!list || !count)
    return fail(ACL_ERROR_INVALID_PARAM, "aclGetCannAttributeList", "a result pointer is null");
  *list = attributes;
  *count = std::size(attributes);
  return ACL_SUCCESS;
}

aclError aclGetCannAttribute(aclCannAttr attribute, int32_t* value) {
  constexpr const char* api = "aclGetCannAttribute";
  if (!value || attribute < ACL_CANN_ATTR_INF_NAN || attribute > ACL_CANN_ATTR_JIT_COMPILE)
    return fail(ACL_ERROR_INVALID_PARAM, api, "value is null or attribute {} is unknown",
                static_cast<int>(attribute));
  *value = attribute != ACL_CANN_ATTR_JIT_COMPILE;
  return ACL_SUCCESS;
}

}  // extern "C"
