// The element types that instructions know, and the mapping from C++ types to them.
#pragma once
#include <cstdint>

#include "toprope/types/half.h"

namespace toprope {

enum class DType : uint8_t {
  Half,
  Float,
  BFloat16,
  Int8,
  UInt8,
  Int16,
  UInt16,
  Int32,
  UInt32,
  Int64,
  UInt64,
  Int4
};
inline constexpr int kDTypes = 12;

/// A set of element types: which ones an instruction documents.
using DTypeSet = uint32_t;
constexpr DTypeSet one(DType t) { return 1u << static_cast<int>(t); }
constexpr bool contains(DTypeSet set, DType t) { return (set & one(t)) != 0; }

namespace types {  // short names for the instruction lists
inline constexpr DTypeSet F16 = one(DType::Half), F32 = one(DType::Float), BF16 = one(DType::BFloat16),
                          I8 = one(DType::Int8), U8 = one(DType::UInt8), I16 = one(DType::Int16),
                          U16 = one(DType::UInt16), I32 = one(DType::Int32), U32 = one(DType::UInt32),
                          I64 = one(DType::Int64), U64 = one(DType::UInt64), I4 = one(DType::Int4);
}

template <class T>
struct DTypeOf;  // no definition: an instruction was given an element type that no chip has
template <>
struct DTypeOf<half> {
  static constexpr DType value = DType::Half;
};
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::Float;
};
template <>
struct DTypeOf<bfloat16> {
  static constexpr DType value = DType::BFloat16;
};
template <>
struct DTypeOf<int8_t> {
  static constexpr DType value = DType::Int8;
};
template <>
struct DTypeOf<bool> {
  static constexpr DType value = DType::UInt8;
};
template <>
struct DTypeOf<uint8_t> {
  static constexpr DType value = DType::UInt8;
};
template <>
struct DTypeOf<int16_t> {
  static constexpr DType value = DType::Int16;
};
template <>
struct DTypeOf<uint16_t> {
  static constexpr DType value = DType::UInt16;
};
template <>
struct DTypeOf<int32_t> {
  static constexpr DType value = DType::Int32;
};
template <>
struct DTypeOf<uint32_t> {
  static constexpr DType value = DType::UInt32;
};
template <>
struct DTypeOf<int64_t> {
  static constexpr DType value = DType::Int64;
};
template <>
struct DTypeOf<uint64_t> {
  static constexpr DType value = DType::UInt64;
};
template <class T>
inline constexpr DType dtype_of = DTypeOf<T>::value;

/// Bytes of an element (Int4 packs two elements in one).
constexpr uint32_t size_of(DType t) {
  switch (t) {
    case DType::Int8:
    case DType::UInt8:
    case DType::Int4:
      return 1;
    case DType::Half:
    case DType::BFloat16:
    case DType::Int16:
    case DType::UInt16:
      return 2;
    case DType::Float:
    case DType::Int32:
    case DType::UInt32:
      return 4;
    case DType::Int64:
    case DType::UInt64:
      return 8;
  }
  return 0;
}

constexpr const char* name_of(DType t) {
  constexpr const char* names[kDTypes] = {"half",     "float",   "bfloat16_t", "int8_t",
                                          "uint8_t",  "int16_t", "uint16_t",   "int32_t",
                                          "uint32_t", "int64_t", "uint64_t",   "int4b_t"};
  return names[static_cast<int>(t)];
}

}  // namespace toprope
