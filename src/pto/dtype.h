// The C API's element types and those of the instruction set.
#pragma once
#include <string>

#include "pto/pto.h"
#include "toprope/types/dtype.h"

namespace pto {

constexpr bool known(pto_dtype t) { return static_cast<unsigned>(t) < PTO_DTYPE_COUNT; }

/// bool is uint8_t to the instruction set.
constexpr toprope::DType isa_type(pto_dtype t) {
  using toprope::DType;
  constexpr DType types[PTO_DTYPE_COUNT] = {DType::UInt8,  DType::Int8,  DType::UInt8,    DType::Int16,
                                            DType::UInt16, DType::Int32, DType::UInt32,   DType::Int64,
                                            DType::UInt64, DType::Half,  DType::BFloat16, DType::Float};
  return types[t];
}

constexpr size_t size_of(pto_dtype t) { return toprope::size_of(isa_type(t)); }

/// "float32, float16 or int32".
std::string names_of(pto_dtype_set set);

}  // namespace pto
