// Operators by name, and the options of compiling them.
#include <array>
#include <atomic>
#include <cstring>
#include <mutex>

#include "runtime/error.h"
#include "runtime/operator.h"

using namespace toprope;

namespace {

std::atomic<AclopHook> hook{nullptr};

constexpr size_t kOptions = ACL_OP_DEBUG_OPTION + 1;
std::mutex options_mutex;

std::array<std::string, kOptions>& options() {
  static auto& values = *new std::array<std::string, kOptions>([] {
    std::array<std::string, kOptions> v;
    v[ACL_OP_JIT_COMPILE] = "disable";
    return v;
  }());
  return values;
}

bool known(aclCompileOpt opt) { return static_cast<size_t>(opt) < kOptions; }

aclError execute(const char* api, const char* type, int num_inputs, const aclTensorDesc* const* input_descs,
                 const aclDataBuffer* const* inputs, int num_outputs, aclTensorDesc* const* output_descs,
                 aclDataBuffer* const* outputs, const aclopAttr* attr, aclrtStream stream) {
  return guarded(api, [&]() -> aclError {
    if (!type || !*type) return fail(ACL_ERROR_INVALID_PARAM, api, "opType is null or empty");
    if (num_inputs < 0 || num_outputs < 0 || (num_inputs && (!input_descs || !inputs)) ||
        (num_outputs && (!output_descs || !outputs)))
      return fail(ACL_ERROR_INVALID_PARAM, api, "operator {}: {} inputs or {} outputs without their arrays",
                  type, num_inputs, num_outputs);
    for (int i = 0; i < num_inputs; ++i)
      if (!input_descs[i] || !inputs[i])
        return fail(ACL_ERROR_INVALID_PARAM, api, "operator {}: input {} is null", type, i);
    for (int i = 0; i < num_outputs; ++i)
      if (!output_descs[i] || !outputs[i])
        return fail(ACL_ERROR_INVALID_PARAM, api, "operator {}: output {} is null", type, i);
    const AclopHook run = hook.load();
    if (!run)
      return fail(ACL_ERROR_OP_NOT_FOUND, api, "operator {}: the operator library (libopapi) is not loaded",
                  type);
    return run(type, num_inputs, input_descs, inputs, num_outputs, output_descs, outputs, attr, stream);
  });
}

}  // namespace

AclopHook toprope_set_aclop_hook(AclopHook next) { return hook.exchange(next); }

extern "C" {

aclError aclopExecuteV2(const char* type, int num_inputs, aclTensorDesc* input_descs[],
                        aclDataBuffer* inputs[], int num_outputs, aclTensorDesc* output_descs[],
                        aclDataBuffer* outputs[], aclopAttr* attr, aclrtStream stream) {
  return execute("aclopExecuteV2", type, num_inputs, input_descs, inputs, num_outputs, output_descs, outputs,
                 attr, stream);
}

aclError aclopCompileAndExecute(const char* type, int num_inputs, const aclTensorDesc* const input_descs[],
                                const aclDataBuffer* const inputs[], int num_outputs,
                                const aclTensorDesc* const output_descs[], aclDataBuffer* const outputs[],
                                const aclopAttr* attr, aclopEngineType, aclopCompileType, const char*,
                                aclrtStream stream) {
  return guarded("aclopCompileAndExecute", [&]() -> aclError {
    // The operator may change descriptions; this caller's are its own, so it changes copies.
    std::vector<aclTensorDesc> copies;
    std::vector<aclTensorDesc*> pointers;
    if (num_outputs > 0 && output_descs) {
      copies.reserve(static_cast<size_t>(num_outputs));
      for (int i = 0; i < num_outputs; ++i) {
        if (output_descs[i]) copies.push_back(*output_descs[i]);
        pointers.push_back(output_descs[i] ? &copies.back() : nullptr);
      }
    }
    return execute("aclopCompileAndExecute", type, num_inputs, input_descs, inputs, num_outputs,
                   output_descs ? pointers.data() : nullptr, outputs, attr, stream);
  });
}

aclError aclopCompileAndExecuteV2(const char* type, int num_inputs, aclTensorDesc* input_descs[],
                                  aclDataBuffer* inputs[], int num_outputs, aclTensorDesc* output_descs[],
                                  aclDataBuffer* outputs[], aclopAttr* attr, aclopEngineType,
                                  aclopCompileType, const char*, aclrtStream stream) {
  return execute("aclopCompileAndExecuteV2", type, num_inputs, input_descs, inputs, num_outputs, output_descs,
                 outputs, attr, stream);
}

aclError aclSetCompileopt(aclCompileOpt opt, const char* value) {
  constexpr const char* api = "aclSetCompileopt";
  if (!known(opt) || !value)
    return fail(ACL_ERROR_INVALID_PARAM, api, "value is null or option {} is unknown", static_cast<int>(opt));
  return guarded(api, [&]() -> aclError {
    std::lock_guard lock(options_mutex);
    options()[opt] = value;
    return ACL_SUCCESS;
  });
}

size_t aclGetCompileoptSize(aclCompileOpt opt) {
  if (!known(opt)) return 0;
  std::lock_guard lock(options_mutex);
  return options()[opt].size() + 1;
}

aclError aclGetCompileopt(aclCompileOpt opt, char* value, size_t length) {
  constexpr const char* api = "aclGetCompileopt";
  if (!known(opt) || !value)
    return fail(ACL_ERROR_INVALID_PARAM, api, "value is null or option {} is unknown", static_cast<int>(opt));
  std::lock_guard lock(options_mutex);
  const std::string& held = options()[opt];
  if (length < held.size() + 1)
    return fail(ACL_ERROR_INVALID_PARAM, api, "option {} needs {} bytes, {} are given", static_cast<int>(opt),
                held.size() + 1, length);
  std::memcpy(value, held.c_str(), held.size() + 1);
  return ACL_SUCCESS;
}

aclError aclopSetCompileFlag(aclOpCompileFlag flag) {
  if (flag == ACL_OP_COMPILE_DEFAULT || flag == ACL_OP_COMPILE_FUZZ) return ACL_SUCCESS;
  return fail(ACL_ERROR_INVALID_PARAM, "aclopSetCompileFlag", "flag {} is unknown", static_cast<int>(flag));
}

}  // extern "C"
