#include "hccl/communicator.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "runtime/error.h"

namespace toprope::hccl {
namespace {

HcclResult make(const char* api, uint32_t ranks, uint32_t rank, const char* name, HcclComm* comm) {
  if (comm == nullptr) return refuse(HCCL_E_PTR, api, "comm is null");
  if (ranks == 0 || rank >= ranks)
    return refuse(HCCL_E_PARA, api, fmt::format("rank {} of {} ranks", rank, ranks));
  if (ranks > 1) {
    return refuse(
        HCCL_E_NOT_SUPPORT, api,
        fmt::format(
            "a communicator of {} ranks: Toprope's libhccl serves one rank so far; run with world_size 1, "
            "or with torch's gloo backend on CPU tensors",
            ranks));
  }
  *comm = new Communicator{name};
  return HCCL_SUCCESS;
}

}  // namespace

HcclResult refuse(HcclResult code, const char* api, const std::string& text) {
  fail_with(static_cast<aclError>(code), api, text);
  return code;
}

}  // namespace toprope::hccl

using toprope::hccl::Communicator;
using toprope::hccl::make;
using toprope::hccl::refuse;

extern "C" {

HcclResult HcclGetRootInfo(HcclRootInfo* info) {
  if (info == nullptr) return refuse(HCCL_E_PTR, "HcclGetRootInfo", "rootInfo is null");
  static std::atomic<uint32_t> next{0};
  std::memset(info, 0, sizeof *info);
  std::snprintf(info->internal, COMM_NAME_MAX_LENGTH, "toprope_%d_%u", getpid(), next++);
  return HCCL_SUCCESS;
}

HcclResult HcclCommInitRootInfo(uint32_t ranks, const HcclRootInfo* info, uint32_t rank, HcclComm* comm) {
  static constexpr char kApi[] = "HcclCommInitRootInfo";
  if (info == nullptr) return refuse(HCCL_E_PTR, kApi, "rootInfo is null");
  return make(kApi, ranks, rank, info->internal, comm);
}

HcclResult HcclCommInitRootInfoConfig(uint32_t ranks, const HcclRootInfo* info, uint32_t rank,
                                      const HcclCommConfig* config, HcclComm* comm) {
  static constexpr char kApi[] = "HcclCommInitRootInfoConfig";
  if (info == nullptr || config == nullptr) return refuse(HCCL_E_PTR, kApi, "rootInfo or config is null");
  return make(kApi, ranks, rank, config->hcclCommName[0] != '\0' ? config->hcclCommName : info->internal,
              comm);
}

HcclResult HcclCommInitAll(uint32_t devices, int32_t* ids, HcclComm* comms) {
  if (ids == nullptr) return refuse(HCCL_E_PTR, "HcclCommInitAll", "devices is null");
  return make("HcclCommInitAll", devices, 0, "toprope_all", comms);
}

HcclResult HcclCommDestroy(HcclComm comm) {
  if (comm == nullptr) return refuse(HCCL_E_PTR, "HcclCommDestroy", "comm is null");
  delete static_cast<Communicator*>(comm);
  return HCCL_SUCCESS;
}

HcclResult HcclGetCommName(HcclComm comm, char* name) {
  if (comm == nullptr || name == nullptr)
    return refuse(HCCL_E_PTR, "HcclGetCommName", "comm or commName is null");
  std::snprintf(name, COMM_NAME_MAX_LENGTH, "%s", static_cast<Communicator*>(comm)->name.c_str());
  return HCCL_SUCCESS;
}

HcclResult HcclGetRankSize(HcclComm comm, uint32_t* size) {
  if (comm == nullptr || size == nullptr)
    return refuse(HCCL_E_PTR, "HcclGetRankSize", "comm or rankSize is null");
  *size = 1;
  return HCCL_SUCCESS;
}

HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank) {
  if (comm == nullptr || rank == nullptr) return refuse(HCCL_E_PTR, "HcclGetRankId", "comm or rank is null");
  *rank = 0;
  return HCCL_SUCCESS;
}

HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* error) {
  if (comm == nullptr || error == nullptr)
    return refuse(HCCL_E_PTR, "HcclGetCommAsyncError", "comm or asyncError is null");
  *error = HCCL_SUCCESS;
  return HCCL_SUCCESS;
}

HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue) {
  // Every collective here is deterministic, and there is one way to run it.
  if (config != HCCL_DETERMINISTIC && config != HCCL_ACCELERATOR) {
    return refuse(HCCL_E_PARA, "HcclSetConfig",
                  fmt::format("unknown configuration {}", static_cast<int>(config)));
  }
  return HCCL_SUCCESS;
}

uint32_t HcclGetCommConfigCapability() { return HCCL_COMM_CONFIG_COMM_NAME + 1; }

const char* HcclGetErrorString(HcclResult code) {
  switch (code) {
    case HCCL_SUCCESS:
      return "no error";
    case HCCL_E_PARA:
      return "parameter error";
    case HCCL_E_PTR:
      return "null pointer";
    case HCCL_E_NOT_SUPPORT:
      return "not supported";
    case HCCL_E_RUNTIME:
      return "a call of the runtime failed";
    default:
      return "communication error";
  }
}

}  // extern "C"
