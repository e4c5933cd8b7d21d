// The operations that tiles and whole arrays have, with the element types of every documented chip.
#pragma once
#include <cstdint>

#include "toprope/types/dtype.h"

namespace toprope::isa::array {

namespace types {  // beside those of toprope::types, for the lists
using namespace toprope::types;
inline constexpr DTypeSet FLOATS = F16 | BF16 | F32, SIGNED = I8 | I16 | I32 | I64,
                          UNSIGNED = U8 | U16 | U32 | U64, INTEGERS = SIGNED | UNSIGNED;
}  // namespace types

enum class Binary : uint16_t {
#define TOPROPE_OP(name, types) name,
#include "toprope/isa/array_binary.list"
#undef TOPROPE_OP
  kCount
};

enum class Unary : uint16_t {
#define TOPROPE_OP(name, types) name,
#include "toprope/isa/array_unary.list"
#undef TOPROPE_OP
  kCount
};

constexpr DTypeSet types_of(Binary op) {
  using namespace types;
  constexpr DTypeSet sets[] = {
#define TOPROPE_OP(name, types) types,
#include "toprope/isa/array_binary.list"
#undef TOPROPE_OP
  };
  return sets[static_cast<int>(op)];
}

constexpr DTypeSet types_of(Unary op) {
  using namespace types;
  constexpr DTypeSet sets[] = {
#define TOPROPE_OP(name, types) types,
#include "toprope/isa/array_unary.list"
#undef TOPROPE_OP
  };
  return sets[static_cast<int>(op)];
}

enum class Reduce : uint8_t { Sum, Prod, Max, Min };

}  // namespace toprope::isa::array
