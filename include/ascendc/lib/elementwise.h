// How the forms of an element-wise high-level function reach its composition. Forms without sharedTmpBuffer
// work in what no InitBuffer has taken of UB; forms without calCount compute the whole of the source.
// isReuseSource only lets a function overwrite its source, which none of these needs.
#pragma once
#include "lib/temporary.h"
#include "toprope/lib/elementwise.h"

namespace AscendC::detail {

template <toprope::lib::Elementwise function, class T>
[[gnu::always_inline]] inline void elementwise(const LocalTensor<T>& dst, const LocalTensor<T>& src0,
                                               const LocalTensor<T>& src1,
                                               const toprope::lib::Temporary& temporary, uint32_t count,
                                               const toprope::lib::Extra& extra = {}) {
  static_assert(
      toprope::contains(types_of(function), toprope::dtype_of<PrimT<T>>),
      "this function does not take this element type on this chip; see its page in the Ascend C API");
  toprope::lib::elementwise(function, toprope::dtype_of<PrimT<T>>, dst.slice(), src0.slice(), src1.slice(),
                            temporary, count, extra);
}

}  // namespace AscendC::detail
