// Transpose of the high-level API, ConfusionTranspose by its older name.
// Source: Ascend C API, high-level API, tensor transformation, Transpose.
#pragma once
#include "basic_api/kernel_operator_vec_transpose_intf.h"
#include "kernel_tiling/kernel_tiling.h"
#include "lib/temporary.h"
#include "toprope/lib/transform.h"

namespace AscendC {

namespace detail {
template <class T>
[[gnu::always_inline]] inline void transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                             TransposeType scene, const ConfusionTransposeTiling& t,
                                             const toprope::lib::Temporary& memory) {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>;
  using namespace toprope::types;
  static_assert(toprope::contains(I16 | U16 | F16 | I32 | U32 | F32, type),
                "Transpose does not take this element type on this chip; see its page in the Ascend C API");
  const bool plane = scene == TransposeType::TRANSPOSE_ND2ND_ONLY;
  toprope::lib::transpose(static_cast<toprope::lib::TransposeScene>(scene), type, dst.slice(), src.slice(),
                          {t.batch, t.heads, plane ? t.height : t.rows, plane ? t.width : t.headWidth},
                          memory);
}
}  // namespace detail

/// transposeType is one of the scenes 1 to 7; `tiling` holds the shape.
template <class T>
[[gnu::always_inline]] inline void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                             const LocalTensor<uint8_t>& sharedTmpBuffer,
                                             TransposeType transposeType,
                                             const ConfusionTransposeTiling& tiling) {
  detail::transpose(dst, src, transposeType, tiling, detail::temporary(sharedTmpBuffer));
}
template <class T>
[[gnu::always_inline]] inline void Transpose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                             TransposeType transposeType,
                                             const ConfusionTransposeTiling& tiling) {
  detail::transpose(dst, src, transposeType, tiling, toprope::lib::Temporary());
}

template <class T>
[[gnu::always_inline]] inline void ConfusionTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                                      const LocalTensor<uint8_t>& sharedTmpBuffer,
                                                      TransposeType transposeType,
                                                      const ConfusionTransposeTiling& tiling) {
  detail::transpose(dst, src, transposeType, tiling, detail::temporary(sharedTmpBuffer));
}
template <class T>
[[gnu::always_inline]] inline void ConfusionTranspose(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                                      TransposeType transposeType,
                                                      const ConfusionTransposeTiling& tiling) {
  detail::transpose(dst, src, transposeType, tiling, toprope::lib::Temporary());
}

}  // namespace AscendC
