// Words and element types of PTO programs. Source: PTO Tile Lib, programming model and scalar parameters.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "toprope/driver/words.h"
#include "toprope/types/dtype.h"

#ifdef __CPU_SIM
#include "acl/acl.h"
#endif

using half = toprope::half;
using bfloat16_t = toprope::bfloat16;

/// Element types that only move, or feed a matrix multiplication with scales; two 4-bit ones lie in a byte.
struct float8_e4m3_t {
  uint8_t bits;
};
struct float8_e5m2_t {
  uint8_t bits;
};
struct float8_e8m0_t {
  uint8_t bits;
};
struct hifloat8_t {
  uint8_t bits;
};
struct float4_e2m1x2_t {
  uint8_t bits;
};
struct float4_e1m2x2_t {
  uint8_t bits;
};
using hifloat8 = hifloat8_t;

/// Whether an element of the type holds two numbers.
template <class T>
constexpr bool IsTwinType() {
  return std::is_same_v<T, float4_e2m1x2_t> || std::is_same_v<T, float4_e1m2x2_t>;
}

#ifndef AICORE
#define AICORE
#endif
#define PTO_INST [[gnu::always_inline]] inline
#define PTO_INTERNAL inline
#define __in__
#define __out__

#define PTO_CEIL(x, y) ((((x) + (y) - 1) / (y)) * (y))
#define PTO_DIV_ROUNDUP(x, y) (((x) + (y) - 1) / (y))

namespace pto {

enum class CmpMode : uint8_t { EQ, NE, LT, LE, GT, GE };

/// Which elements of a group a gather keeps: the pattern's bits, the first element's on the right.
enum class MaskPattern : uint8_t { P0101 = 1, P1010, P0001, P0010, P0100, P1000, P1111 };

enum class GatherAxis : uint8_t { GATHER_ROW, GATHER_COL };
enum class ScatterAxis : uint8_t { SCATTER_ROW, SCATTER_COL };
enum class Coalesce : uint8_t { Row, Elem };
enum class GatherOOB : uint8_t { Undefined, Clamp, Wrap, Zero };
enum class GatherExec : uint8_t { Scalar, Simt };
enum class ScatterOOB : uint8_t { Undefined, Skip, Clamp, Wrap };
enum class ScatterAtomicOp : uint8_t { None, Add, Max, Min };
enum class ScatterConflict : uint8_t { Last, Default };
enum class HistByte : uint8_t { BYTE_0, BYTE_1, BYTE_2, BYTE_3 };
enum class PrintFormat : uint8_t { Width8_Precision4, Width8_Precision2, Width10_Precision6 };

namespace detail {

/// The element type that the library knows; those it does not compute with move as bytes.
template <class T>
constexpr toprope::DType dtype() {
  if constexpr (requires { toprope::DTypeOf<T>::value; })
    return toprope::DTypeOf<T>::value;
  else if constexpr (sizeof(T) == 1)
    return toprope::DType::UInt8;
  else
    static_assert(sizeof(T) == 1, "PTO has no such element type");
}

}  // namespace detail

}  // namespace pto
