// plan() and run(): the two halves of an aclnn call, and the life of what is between them.
#include <map>
#include <mutex>

#include "exe_graph/runtime/tiling_context.h"
#include "nnopbase/call.h"
#include "nnopbase/status.h"
#include "runtime/error.h"

namespace toprope::operators {
namespace {

/// The calls that wait for their second half. The vendor's type is never defined here: a handle is an
/// address.
class Executors {
 public:
  aclOpExecutor* add(std::shared_ptr<PlannedCall> call) {
    std::lock_guard lock(mutex_);
    auto* handle = reinterpret_cast<aclOpExecutor*>(call.get());
    calls_[handle] = std::move(call);
    return handle;
  }
  std::shared_ptr<PlannedCall> find(aclOpExecutor* handle) {
    std::lock_guard lock(mutex_);
    const auto found = calls_.find(handle);
    return found == calls_.end() ? nullptr : found->second;
  }
  void end(aclOpExecutor* handle) {
    std::lock_guard lock(mutex_);
    calls_.erase(handle);
  }

 private:
  std::mutex mutex_;
  std::map<aclOpExecutor*, std::shared_ptr<PlannedCall>> calls_;
};

Executors& executors() {
  static auto& all = *new Executors;
  return all;
}

template <class Body>
aclnnStatus guarded_call(const char* api, Body&& body) noexcept {
  try {
    return body();
  } catch (const Refused& refused) {
    return fail_with(refused.status, api, refused.what());
  } catch (const std::exception& error) {
    return fail_with(kInner, api, error.what());
  }
}

// What the tiling function may look at: values only where the definition says that it reads them.
gert::OperandList operands_for_host(const std::vector<GivenOperand>& given,
                                    const std::vector<ops::OpParamDef::Declared>& declared) {
  gert::OperandList list;
  for (size_t i = 0; i < given.size(); ++i) {
    std::vector<gert::Tensor> tensors;
    for (const GivenTensor& t : given[i].tensors)
      tensors.emplace_back(t.tensor.GetShape(),
                           gert::CompileTimeTensorDesc{t.tensor.GetDataType(), t.tensor.GetOriginFormat(),
                                                       t.tensor.GetStorageFormat()},
                           declared[i].value_depend ? t.tensor.GetAddr() : nullptr);
    list.append(tensors);
  }
  return list;
}

bool without_elements(const std::vector<GivenOperand>& outputs) {
  bool any = false;
  for (const GivenOperand& operand : outputs)
    for (const GivenTensor& t : operand.tensors) {
      any = true;
      if (t.tensor.GetShapeSize() != 0) return false;
    }
  return any;
}

void run_tiling(const Call& call, PlannedCall& planned) {
  const ops::OpDef& def = *planned.found.def;
  if (!def.aicore().tiling())
    throw Refused(kTiling, def.type() + " has no tiling function; name it with AICore().SetTiling(...)");
  gert::Node node{def.type(), def.type(), operands_for_host(planned.inputs, planned.input_defs),
                  operands_for_host(planned.outputs, planned.output_defs), attributes_of(call, def)};
  gert::TilingContext context(node);
  if (const ge::graphStatus status = def.aicore().tiling()(&context))
    throw Refused(kTiling, def.type() + ": the tiling function answered " + std::to_string(status));
  const gert::TilingData& tiling = *context.GetRawTilingData();
  if (tiling.GetDataSize() > tiling.GetCapacity())
    throw Refused(kTiling, def.type() + ": the tiling data have " + std::to_string(tiling.GetDataSize()) +
                               " bytes; " + std::to_string(tiling.GetCapacity()) + " is the most");
  if (context.GetBlockDim() == 0)
    throw Refused(kTiling, def.type() +
                               ": the tiling function set no number of blocks; call SetSimdNumBlocks or "
                               "SetBlockDim");
  const char* bytes = static_cast<const char*>(tiling.GetData());
  planned.tiling.assign(bytes, bytes + tiling.GetDataSize());
  planned.blocks = context.GetBlockDim();
  planned.key = context.GetTilingKey();
  planned.fill_outputs = context.NeedAtomic();
  const size_t count = context.GetWorkspaceNum();
  const size_t* sizes = count ? context.GetWorkspaceSizes(count) : nullptr;
  for (size_t i = 0; i < count; ++i) planned.workspace += sizes[i];
}

std::string function_of(const PlannedCall& planned) {
  const std::string& type = planned.found.def->type();
  const auto found = planned.found.by->templates.find(type);
  if (found == planned.found.by->templates.end()) return snake_case(type);
  for (const Instance& instance : instances(found->second))
    if (instance.key == planned.key) return snake_case(type) + "<" + instance.arguments + ">";
  throw Refused(kFindKernel, type + " has no template instance for tiling key " +
                                 std::to_string(planned.key) + "; set the key with ASCENDC_TPL_SEL_PARAM");
}

}  // namespace

aclnnStatus plan(const Call& call, uint64_t* workspace_size, aclOpExecutor** executor) noexcept {
  return guarded_call(call.api, [&]() -> aclnnStatus {
    if (!workspace_size || !executor)
      throw Refused(kParamNull, "workspaceSize and executor must not be null");
    auto planned = std::make_shared<PlannedCall>();
    planned->api = call.api;
    planned->found = find_operator(call.op_type);
    if (!planned->found.def)
      throw Refused(kNoPackage,
                    std::string("no operator package defines ") + call.op_type + "; looked in " +
                        searched_places() +
                        ". Install the package (./custom_opp_*.run), and name it in "
                        "ASCEND_CUSTOM_OPP_PATH when it lies elsewhere (source its bin/set_env.bash)");
    const std::string unit = this_unit();
    planned->input_defs = inputs_of(*planned->found.def, unit);
    planned->output_defs = outputs_of(*planned->found.def, unit);
    for (const auto& output : planned->output_defs)
      if (output.shape_depends_on_compute)
        throw Refused(kInner,
                      std::string(call.op_type) + "'s " + output.name +
                          " has a shape that the kernel computes (OutputShapeDependOnCompute), which is "
                          "not served; launch such a kernel with <<<>>>");
    take_operands(call, *planned);
    const size_t combination = choose_combination(*planned, unit);
    planned->output_types = combinations(*planned->found.def, unit)[combination].outputs;
    planned->nothing_to_do =
        without_elements(planned->outputs) && !planned->found.def->aicore().launch_without_elements();
    if (!planned->nothing_to_do) {
      run_tiling(call, *planned);
      planned->function = function_of(*planned);
      planned->kernel = find_kernel(planned->found, unit, combination, planned->function);
    }
    *workspace_size = planned->workspace;
    *executor = executors().add(std::move(planned));
    return kSuccess;
  });
}

aclnnStatus run(const char* api, void* workspace, uint64_t workspace_size, aclOpExecutor* executor,
                aclrtStream stream) noexcept {
  return guarded_call(api, [&]() -> aclnnStatus {
    const std::shared_ptr<PlannedCall> planned = executors().find(executor);
    if (!planned)
      throw Refused(kParamNull, "the executor is null, has run already, or is none of " + std::string(api) +
                                    "GetWorkspaceSize");
    if (planned->workspace > workspace_size || (planned->workspace && !workspace))
      throw Refused(kParamInvalid, "the workspace has " + std::to_string(workspace ? workspace_size : 0) +
                                       " bytes; the call needs " + std::to_string(planned->workspace));
    if (!planned->repeatable) executors().end(executor);
    return planned->nothing_to_do ? kSuccess : launch(*planned, workspace, stream);
  });
}

}  // namespace toprope::operators

using namespace toprope::operators;

extern "C" {

aclnnStatus aclnnInit(const char* path) {
  const aclError error = aclInit(path);
  return error == ACL_ERROR_REPEAT_INITIALIZE ? ACL_SUCCESS : error;
}

aclnnStatus aclnnFinalize() {
  const aclError error = aclFinalize();
  return error == ACL_ERROR_UNINITIALIZE || error == ACL_ERROR_REPEAT_FINALIZE ? ACL_SUCCESS : error;
}

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor* executor) {
  const auto planned = executors().find(executor);
  if (!planned)
    return toprope::fail_with(
        kParamNull, "aclSetAclOpExecutorRepeatable",
        "the executor is null, has run already, or is of a built-in operator, whose calls "
        "are not repeatable here");
  planned->repeatable = true;
  return kSuccess;
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor* executor) {
  if (!executor) return toprope::fail_with(kParamNull, "aclDestroyAclOpExecutor", "the executor is null");
  executors().end(executor);
  return kSuccess;
}

}  // extern "C"
