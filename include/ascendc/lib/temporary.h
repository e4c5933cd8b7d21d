// From the temporary memory of a high-level function's caller to what its implementation hands out: for
// functions that are written in headers. One that is compiled into the library takes Temporary itself
// (src/lib). Source: Ascend C API, high-level API, "temporary space".
#pragma once
#include "basic_api/kernel_tensor.h"
#include "toprope/lib/temporary.h"

namespace AscendC::detail {

/// What the caller gave as sharedTmpBuffer; toprope::lib::Temporary() is what the framework finds itself.
template <class T>
[[gnu::always_inline]] inline toprope::lib::Temporary temporary(const LocalTensor<T>& sharedTmpBuffer) {
  return {sharedTmpBuffer.slice(), sharedTmpBuffer.GetLength()};
}

/// A tensor of `elements` elements out of it.
template <class T>
[[gnu::always_inline]] inline LocalTensor<T> take(toprope::lib::Temporary& temporary, uint32_t elements) {
  return LocalTensor<T>(TPosition::VECCALC, temporary.take(bytes_of<PrimT<T>>(elements)), elements);
}

}  // namespace AscendC::detail
