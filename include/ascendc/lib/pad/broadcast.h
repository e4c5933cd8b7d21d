// Broadcast. Source: Ascend C API, high-level API, tensor transformation, Broadcast.
#pragma once
#include "lib/temporary.h"
#include "toprope/lib/transform.h"

namespace AscendC {

namespace detail {
template <class T, int32_t dim, int32_t axis>
[[gnu::always_inline]] inline void broadcast(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                             const uint32_t dst_shape[], const uint32_t src_shape[],
                                             const toprope::lib::Temporary& memory) {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>;
  static_assert(sizeof(PrimT<T>) <= 4, "Broadcast takes types of 8, 16 and 32 bits on this chip");
  static_assert((dim == 1 || dim == 2) && axis >= 0 && axis < dim,
                "Broadcast has one or two dimensions, and axis is one of them");
  if constexpr (dim == 1) {
    (void)src_shape;
    toprope::lib::broadcast_column(type, dst.slice(), src.slice(), 1, dst_shape[0], memory);
  } else if constexpr (axis == 1) {
    toprope::lib::broadcast_column(type, dst.slice(), src.slice(), src_shape[0], dst_shape[1], memory);
  } else {
    toprope::lib::broadcast_row(type, dst.slice(), src.slice(), dst_shape[0], src_shape[1]);
  }
}
}  // namespace detail

/// Repeats src along `axis`, in which its extent is 1, up to dstShape. Rows that are repeated (axis 0 of two)
/// are a multiple of 32 bytes.
template <class T, int32_t dim, int32_t axis, bool isReuseSource = false>
[[gnu::always_inline]] inline void Broadcast(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                             const uint32_t dstShape[dim], const uint32_t srcShape[dim],
                                             const LocalTensor<uint8_t>& sharedTmpBuffer) {
  detail::broadcast<T, dim, axis>(dstLocal, srcLocal, dstShape, srcShape, detail::temporary(sharedTmpBuffer));
}
template <class T, int32_t dim, int32_t axis, bool isReuseSource = false>
[[gnu::always_inline]] inline void Broadcast(const LocalTensor<T>& dstLocal, const LocalTensor<T>& srcLocal,
                                             const uint32_t dstShape[dim], const uint32_t srcShape[dim]) {
  detail::broadcast<T, dim, axis>(dstLocal, srcLocal, dstShape, srcShape, toprope::lib::Temporary());
}

}  // namespace AscendC
