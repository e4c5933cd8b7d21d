// Elements of tensors, and text, from kernels to standard output. -DASCENDC_DUMP=0 switches all of it off.
// Source: Ascend C API, printing on the device.
#pragma once
#include "basic_api/kernel_printf.h"
#include "basic_api/kernel_tensor.h"
#include "toprope/machine/system.h"

namespace AscendC {

/// Prints `dumpSize` elements and the user's number `desc`; at most 30 KB a call.
template <class T>
[[gnu::always_inline]] static inline void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc,
                                                     uint32_t dumpSize) {
  if constexpr (detail::prints)
    toprope::dump(tensor.slice(), toprope::dtype_of<PrimT<T>>, dumpSize, desc, nullptr, 0);
}
template <class T>
[[gnu::always_inline]] static inline void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc,
                                                     uint32_t dumpSize) {
  if constexpr (detail::prints)
    toprope::dump(tensor.slice(), toprope::dtype_of<PrimT<T>>, dumpSize, desc, nullptr, 0);
}
/// The elements that shapeInfo has, nested by its dimensions; a dash for those beyond dumpSize.
template <class T>
[[gnu::always_inline]] static inline void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc,
                                                     uint32_t dumpSize, const ShapeInfo& shapeInfo) {
  if constexpr (detail::prints)
    toprope::dump(tensor.slice(), toprope::dtype_of<PrimT<T>>, dumpSize, desc, shapeInfo.shape,
                  shapeInfo.shapeDim);
}
template <class T>
[[gnu::always_inline]] static inline void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc,
                                                     uint32_t dumpSize, const ShapeInfo& shapeInfo) {
  if constexpr (detail::prints)
    toprope::dump(tensor.slice(), toprope::dtype_of<PrimT<T>>, dumpSize, desc, shapeInfo.shape,
                  shapeInfo.shapeDim);
}

/// From element countOff on.
template <class T>
[[gnu::always_inline]] static inline void DumpAccChkPoint(const LocalTensor<T>& tensor, uint32_t index,
                                                          uint32_t countOff, uint32_t dumpSize) {
  DumpTensor(tensor[countOff], index, dumpSize);
}
template <class T>
[[gnu::always_inline]] static inline void DumpAccChkPoint(const GlobalTensor<T>& tensor, uint32_t index,
                                                          uint32_t countOff, uint32_t dumpSize) {
  DumpTensor(tensor[countOff], index, dumpSize);
}

/// The time of this line, with -DASCENDC_TIME_STAMP_ON; nothing without, as on the device.
[[gnu::always_inline]] static inline void PrintTimeStamp([[maybe_unused]] uint32_t descId) {
#ifdef ASCENDC_TIME_STAMP_ON
  const int64_t now = toprope::system_cycle();
  toprope::detail::print_all("descId is %u, rsv is 0, timeStamp is %lld, pcPtr is %lld, entry is %lld.\n",
                             descId, now, toprope::program_counter(), now);
#endif
}

}  // namespace AscendC
