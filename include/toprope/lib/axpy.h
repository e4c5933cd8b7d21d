// Axpy of the high-level API: product and sum are instructions of their own, each rounded.
#pragma once
#include "toprope/isa/operand.h"
#include "toprope/lib/temporary.h"

namespace toprope::lib {

/// Bytes of temporary memory an element needs when the destination is of `to_size` bytes.
constexpr uint32_t axpy_bytes(uint32_t to_size) { return to_size; }

/// dst = scalar · src + dst; `scalar` is of type `from`. half, float, or half sources of a float dst.
void axpy(DType to, DType from, const Slice& dst, const Slice& src, isa::Scalar scalar,
          const Temporary& temporary, uint32_t count);

}  // namespace toprope::lib
