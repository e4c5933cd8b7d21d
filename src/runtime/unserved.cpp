// Names that programs link or look up and that are not served yet: each says so.
#include "acl/acl_op_compiler.h"
#include "acl/acl_prof.h"
#include "acl/acl_rt.h"
#include "runtime/error.h"

using namespace toprope;

namespace {

constexpr const char* kBetweenProcesses = "sharing between processes";
constexpr const char* kConditional = "conditional tasks in a graph";
constexpr const char* kBinary =
    "device binaries cannot run here; compile the kernel with bisheng and launch it with <<<>>>";
constexpr const char* kDump = "data dump";
constexpr const char* kProfiling = "profiling";

}  // namespace

extern "C" {

aclError aclrtIpcGetEventHandle(aclrtEvent, aclrtIpcEventHandle*) {
  return unsupported("aclrtIpcGetEventHandle", kBetweenProcesses);
}
aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle, aclrtEvent*) {
  return unsupported("aclrtIpcOpenEventHandle", kBetweenProcesses);
}
aclError aclrtIpcMemGetExportKey(void*, size_t, char*, size_t, uint64_t) {
  return unsupported("aclrtIpcMemGetExportKey", kBetweenProcesses);
}
aclError aclrtIpcMemClose(const char*) { return unsupported("aclrtIpcMemClose", kBetweenProcesses); }
aclError aclrtIpcMemImportByKey(void**, const char*, uint64_t) {
  return unsupported("aclrtIpcMemImportByKey", kBetweenProcesses);
}
aclError aclrtIpcMemSetImportPid(const char*, int32_t*, size_t) {
  return unsupported("aclrtIpcMemSetImportPid", kBetweenProcesses);
}
aclError aclrtMemExportToShareableHandle(aclrtDrvMemHandle, aclrtMemHandleType, uint64_t, uint64_t*) {
  return unsupported("aclrtMemExportToShareableHandle", kBetweenProcesses);
}
aclError aclrtMemImportFromShareableHandle(uint64_t, int32_t, aclrtDrvMemHandle*) {
  return unsupported("aclrtMemImportFromShareableHandle", kBetweenProcesses);
}
aclError aclrtMemSetPidToShareableHandle(uint64_t, int32_t*, size_t) {
  return unsupported("aclrtMemSetPidToShareableHandle", kBetweenProcesses);
}

aclError aclmdlRICondHandleCreate(aclmdlRI, uint32_t, aclmdlRICondHandleFlag, aclmdlRICondHandle*) {
  return unsupported("aclmdlRICondHandleCreate", kConditional);
}
aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle, uint64_t**) {
  return unsupported("aclmdlRICondHandleGetCondPtr", kConditional);
}
aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams, aclrtStream, uint32_t) {
  return unsupported("aclmdlRIAddCondTask", kConditional);
}
aclError aclmdlRICaptureToModelRIBegin(aclrtStream, aclmdlRI, aclmdlRICaptureMode) {
  return unsupported("aclmdlRICaptureToModelRIBegin", kConditional);
}

// The runtime layer under acl, which torch_npu links. No public header declares it.
int32_t rtDevBinaryRegister(const void*, void**) { return unsupported("rtDevBinaryRegister", kBinary); }
int32_t rtFunctionRegister(void*, const void*, const char*, const void*, uint32_t) {
  return unsupported("rtFunctionRegister", kBinary);
}
int32_t rtKernelLaunch(const void*, uint32_t, void*, uint32_t, void*, void*) {
  return unsupported("rtKernelLaunch", kBinary);
}
int32_t rtGetC2cCtrlAddr(uint64_t*, uint32_t*) {
  return unsupported("rtGetC2cCtrlAddr", "cores synchronise without a control address here");
}

aclError aclmdlInitDump() { return unsupported("aclmdlInitDump", kDump); }
aclError aclmdlSetDump(const char*) { return unsupported("aclmdlSetDump", kDump); }
aclError aclmdlFinalizeDump() { return unsupported("aclmdlFinalizeDump", kDump); }
aclGraphDumpOption* aclCreateGraphDumpOpt() {
  unsupported("aclCreateGraphDumpOpt", kDump);
  return nullptr;
}
aclError aclDestroyGraphDumpOpt(const aclGraphDumpOption*) {
  return unsupported("aclDestroyGraphDumpOpt", kDump);
}
aclError aclGenGraphAndDumpForOp(const char*, int, const aclTensorDesc* const[], const aclDataBuffer* const[],
                                 int, const aclTensorDesc* const[], aclDataBuffer* const[], const aclopAttr*,
                                 aclopEngineType, const char*, const aclGraphDumpOption*) {
  return unsupported("aclGenGraphAndDumpForOp", kDump);
}
aclError aclrtGetDeviceUtilizationRate(int32_t, aclrtUtilizationInfo*) {
  return unsupported("aclrtGetDeviceUtilizationRate", "there is no hardware whose load could be measured");
}

uint64_t aclprofStr2Id(const char*) {
  unsupported("aclprofStr2Id", kProfiling);
  return 0;
}
aclError aclprofRangePushEx(aclprofEventAttributes*) { return unsupported("aclprofRangePushEx", kProfiling); }
aclError aclprofRangePop() { return unsupported("aclprofRangePop", kProfiling); }
aclError aclprofInit(const char*, size_t) { return unsupported("aclprofInit", kProfiling); }
aclError aclprofFinalize() { return unsupported("aclprofFinalize", kProfiling); }
aclError aclprofStart(const aclprofConfig*) { return unsupported("aclprofStart", kProfiling); }
aclError aclprofStop(const aclprofConfig*) { return unsupported("aclprofStop", kProfiling); }
aclError aclprofDestroyConfig(const aclprofConfig*) {
  return unsupported("aclprofDestroyConfig", kProfiling);
}
aclprofConfig* aclprofCreateConfig(uint32_t*, uint32_t, aclprofAicoreMetrics, const aclprofAicoreEvents*,
                                   uint64_t) {
  unsupported("aclprofCreateConfig", kProfiling);
  return nullptr;
}
aclprofStepInfo* aclprofCreateStepInfo() {
  unsupported("aclprofCreateStepInfo", kProfiling);
  return nullptr;
}
void aclprofDestroyStepInfo(aclprofStepInfo*) { unsupported("aclprofDestroyStepInfo", kProfiling); }
aclError aclprofGetStepTimestamp(aclprofStepInfo*, aclprofStepTag, aclrtStream) {
  return unsupported("aclprofGetStepTimestamp", kProfiling);
}

}  // extern "C"
