// Collectives over one rank: every reduction is the rank's own data, every exchange is with itself.
#include <fmt/format.h>

#include <cstring>

#include "hccl/communicator.h"
#include "runtime/stream.h"

namespace toprope::hccl {
namespace {

/// Bytes of one element; 0 for a type that no collective takes.
uint64_t item_of(HcclDataType type) {
  switch (type) {
    case HCCL_DATA_TYPE_INT8:
    case HCCL_DATA_TYPE_UINT8:
    case HCCL_DATA_TYPE_HIF8:
    case HCCL_DATA_TYPE_FP8E4M3:
    case HCCL_DATA_TYPE_FP8E5M2:
    case HCCL_DATA_TYPE_FP8E8M0:
      return 1;
    case HCCL_DATA_TYPE_INT16:
    case HCCL_DATA_TYPE_UINT16:
    case HCCL_DATA_TYPE_FP16:
    case HCCL_DATA_TYPE_BFP16:
      return 2;
    case HCCL_DATA_TYPE_INT32:
    case HCCL_DATA_TYPE_UINT32:
    case HCCL_DATA_TYPE_FP32:
      return 4;
    case HCCL_DATA_TYPE_INT64:
    case HCCL_DATA_TYPE_UINT64:
    case HCCL_DATA_TYPE_FP64:
      return 8;
    case HCCL_DATA_TYPE_INT128:
      return 16;
    default:
      return 0;
  }
}

HcclResult copy(const char* api, const void* from, void* to, uint64_t count, HcclDataType type, HcclComm comm,
                aclrtStream stream) {
  if (comm == nullptr) return refuse(HCCL_E_PTR, api, "comm is null");
  if (count != 0 && (from == nullptr || to == nullptr)) return refuse(HCCL_E_PTR, api, "a buffer is null");
  const uint64_t item = item_of(type);
  if (item == 0) return refuse(HCCL_E_PARA, api, fmt::format("unknown data type {}", static_cast<int>(type)));
  aclError error = ACL_SUCCESS;
  Stream* target = find_stream(api, stream, error);
  if (target == nullptr) return HCCL_E_RUNTIME;
  const auto work = [from, to, bytes = count * item](Stream&) {
    if (from != to) std::memmove(to, from, bytes);
  };
  return target->submit(api, Task{api, work}) == ACL_SUCCESS ? HCCL_SUCCESS : HCCL_E_RUNTIME;
}

HcclResult check_root(const char* api, uint32_t root) {
  return root == 0 ? HCCL_SUCCESS : refuse(HCCL_E_PARA, api, fmt::format("root {} of 1 rank", root));
}

}  // namespace
}  // namespace toprope::hccl

using namespace toprope::hccl;

extern "C" {

HcclResult HcclAllReduce(void* from, void* to, uint64_t count, HcclDataType type, HcclReduceOp, HcclComm comm,
                         aclrtStream stream) {
  return copy("HcclAllReduce", from, to, count, type, comm, stream);
}

HcclResult HcclReduce(void* from, void* to, uint64_t count, HcclDataType type, HcclReduceOp, uint32_t root,
                      HcclComm comm, aclrtStream stream) {
  const HcclResult checked = check_root("HcclReduce", root);
  return checked != HCCL_SUCCESS ? checked : copy("HcclReduce", from, to, count, type, comm, stream);
}

HcclResult HcclBroadcast(void* buffer, uint64_t count, HcclDataType type, uint32_t root, HcclComm comm,
                         aclrtStream stream) {
  const HcclResult checked = check_root("HcclBroadcast", root);
  return checked != HCCL_SUCCESS ? checked : copy("HcclBroadcast", buffer, buffer, count, type, comm, stream);
}

HcclResult HcclAllGather(void* from, void* to, uint64_t count, HcclDataType type, HcclComm comm,
                         aclrtStream stream) {
  return copy("HcclAllGather", from, to, count, type, comm, stream);
}

HcclResult HcclReduceScatter(void* from, void* to, uint64_t count, HcclDataType type, HcclReduceOp,
                             HcclComm comm, aclrtStream stream) {
  return copy("HcclReduceScatter", from, to, count, type, comm, stream);
}

HcclResult HcclScatter(void* from, void* to, uint64_t count, HcclDataType type, uint32_t root, HcclComm comm,
                       aclrtStream stream) {
  const HcclResult checked = check_root("HcclScatter", root);
  return checked != HCCL_SUCCESS ? checked : copy("HcclScatter", from, to, count, type, comm, stream);
}

HcclResult HcclAlltoAll(const void* from, uint64_t send_count, HcclDataType send_type, const void* to,
                        uint64_t recv_count, HcclDataType recv_type, HcclComm comm, aclrtStream stream) {
  static constexpr char kApi[] = "HcclAlltoAll";
  if (send_count != recv_count || send_type != recv_type) {
    return refuse(HCCL_E_PARA, kApi, "what the rank sends itself is not what it receives");
  }
  return copy(kApi, from, const_cast<void*>(to), send_count, send_type, comm, stream);
}

HcclResult HcclBarrier(HcclComm comm, aclrtStream) {
  return comm == nullptr ? refuse(HCCL_E_PTR, "HcclBarrier", "comm is null") : HCCL_SUCCESS;
}

}  // extern "C"
