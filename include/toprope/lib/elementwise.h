// High-level functions of one element each, as compositions of vector instructions.
#pragma once
#include "toprope/lib/temporary.h"
#include "toprope/types/dtype.h"

namespace toprope::lib {

enum class Elementwise : uint16_t {
#define TOPROPE_OP(name, types, sources, pieces) name,
#include "toprope/lib/elementwise.list"
#undef TOPROPE_OP
  kCount
};

constexpr DTypeSet types_of(Elementwise f) {
  using namespace types;
  constexpr DTypeSet sets[] = {
#define TOPROPE_OP(name, types, sources, pieces) types,
#include "toprope/lib/elementwise.list"
#undef TOPROPE_OP
  };
  return sets[static_cast<int>(f)];
}

/// Bytes of temporary memory that an element needs; what a function gets is used in steps of 64 elements.
constexpr uint32_t temporary_bytes(Elementwise f) {
  constexpr uint32_t bytes[] = {
#define TOPROPE_OP(name, types, sources, pieces) 4 * ((sources) + (pieces)),
#include "toprope/lib/elementwise.list"
#undef TOPROPE_OP
  };
  return bytes[static_cast<int>(f)];
}

/// What some functions take besides tensors.
struct Extra {
  float parameter = 0;  ///< Swish's and SwiGLU's beta, or the source that is no tensor
  uint32_t level = 0;   ///< terms of Exp's series
  int scalar_source = -1;
};

/// dst[i] = f(src0[i], src1[i]) for the first `count` elements; `type` is in types_of(f). Operands lie in UB,
/// 32-byte aligned. dst may be the same as a source where the function's page allows it. src1 is not looked
/// at where the function has one source. Fewer than 64 elements' temporary memory is refused.
void elementwise(Elementwise f, DType type, const Slice& dst, const Slice& src0, const Slice& src1,
                 const Temporary& temporary, uint32_t count, const Extra& extra = {});

}  // namespace toprope::lib
