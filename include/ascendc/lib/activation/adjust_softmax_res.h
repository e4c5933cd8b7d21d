// AdjustSoftMaxRes: rows whose maximum is a certain value get a value of the caller's.
// Source: Ascend C API, high-level API, activation, AdjustSoftMaxRes.
#pragma once
#include "basic_api/kernel_operator_vec_duplicate_intf.h"
#include "basic_api/kernel_tpipe.h"
#include "lib/activation/softmax_shape.h"

namespace AscendC {

/// `from`: the bits of the maximum, in maxTensor's type. stepSizeMode 0: maxTensor has a DataBlock a row,
/// else an element. Whether any row was changed.
template <class T1, class T2, bool isDataFormatNZ = false, uint8_t stepSizeMode = 0>
inline bool AdjustSoftMaxRes(const LocalTensor<T1>& softMaxRes, const LocalTensor<T2>& maxTensor,
                             const uint32_t from, const T1 to, const SoftMaxShapeInfo& softmaxShapeInfo) {
  constexpr uint32_t step = stepSizeMode == 0 ? ONE_BLK_SIZE / sizeof(T2) : 1;
  constexpr uint32_t strip = 16;
  TPipe& pipe = *GetTPipePtr();
  const event_t read = static_cast<event_t>(pipe.FetchEventID(HardEvent::V_S));
  SetFlag<HardEvent::V_S>(read);
  WaitFlag<HardEvent::V_S>(read);
  bool found = false;
  for (uint32_t row = 0; row < softmaxShapeInfo.srcM; ++row) {
    const T2 value = maxTensor.GetValue(row * step);
    uint32_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    if (bits != from) continue;
    found = true;
    if constexpr (isDataFormatNZ)
      for (uint32_t at = 0; at < softmaxShapeInfo.srcK; at += strip)
        Duplicate(softMaxRes[at * softmaxShapeInfo.srcM + row * strip], to, static_cast<int32_t>(strip));
    else
      Duplicate(softMaxRes[row * softmaxShapeInfo.srcK], to, static_cast<int32_t>(softmaxShapeInfo.srcK));
  }
  return found;
}

}  // namespace AscendC
