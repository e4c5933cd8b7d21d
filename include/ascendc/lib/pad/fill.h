// Fill: one value into GM. Source: Ascend C API, high-level API, tensor transformation.
#pragma once
#include <type_traits>

#include "basic_api/kernel_operator_block_sync_intf.h"
#include "basic_api/kernel_operator_data_copy_intf.h"
#include "basic_api/kernel_operator_vec_duplicate_intf.h"
#include "basic_api/kernel_tpipe.h"

namespace AscendC {

/// The first `size` elements of the tensor; works in what no InitBuffer has taken of UB, so nothing else may
/// be there yet. The copies may still be under way when it returns.
template <class T>
[[gnu::always_inline]] inline void Fill(const GlobalTensor<T>& gmWorkspaceAddr, const uint64_t size,
                                        const std::enable_if_t<true, T> value) {
  static_assert(toprope::contains(toprope::isa::kFillTypes, toprope::dtype_of<PrimT<T>>) &&
                    !std::is_same_v<PrimT<T>, bfloat16_t>,
                "Fill does not take this element type on this chip; see its page in the Ascend C API");
  LocalTensor<T> values;
  PopStackBuffer<T, TPosition::LCM>(values);
  const uint64_t most = values.GetSize() < size ? values.GetSize() : size;
  if (most == 0) return;
  Duplicate(values, value, static_cast<int32_t>(most));
  const TEventID filled = GetTPipePtr()->FetchEventID(HardEvent::V_MTE3);
  SetFlag<HardEvent::V_MTE3>(filled);
  WaitFlag<HardEvent::V_MTE3>(filled);
  for (uint64_t at = 0; at < size; at += most) {
    const uint64_t count = size - at < most ? size - at : most;
    DataCopyPad(gmWorkspaceAddr[at], values,
                DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(PrimT<T>)), 0, 0, 0});
  }
}

/// The former name of Fill.
template <class T>
[[gnu::always_inline]] inline void InitOutput(const GlobalTensor<T>& gmWorkspaceAddr, const uint32_t size,
                                              const std::enable_if_t<true, T> value = 0) {
  Fill(gmWorkspaceAddr, size, value);
}

}  // namespace AscendC
