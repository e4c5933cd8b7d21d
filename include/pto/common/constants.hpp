// Enumerations that PTO programs name. Source: PTO Tile Lib, scalar parameters and enums, and the instruction
// pages.
#pragma once
#include <cstddef>
#include <cstdint>

namespace pto {

inline constexpr int NUM_1 = 1, NUM_2 = 2, NUM_4 = 4, NUM_8 = 8, NUM_12 = 12, NUM_16 = 16, NUM_32 = 32,
                     NUM_64 = 64, NUM_77 = 77, NUM_96 = 96, NUM_128 = 128, NUM_256 = 256, NUM_512 = 512;

inline constexpr int DYNAMIC = -1;  ///< a dimension or valid extent known at run time

enum class RoundMode : uint8_t {
  CAST_NONE,
  CAST_RINT,
  CAST_FLOOR,
  CAST_CEIL,
  CAST_ROUND,
  CAST_TRUNC,
  CAST_ODD
};
enum class SaturationMode : uint8_t { OFF, ON };
enum class AtomicType : uint8_t { AtomicNone, AtomicAdd, AtomicMax, AtomicMin };
enum class ReluPreMode : uint8_t { NoRelu, NormalRelu };
enum class AccToVecMode : uint8_t { SingleModeVec0, SingleModeVec1, DualModeSplitM, DualModeSplitN };
enum class AccPhase : uint8_t { Unspecified, Partial, Final };
enum class STPhase : uint8_t { Unspecified, Partial, Final };
enum class TFillPadMode : uint8_t { Normal, InPlace, Expand };
enum class TInsertMode : uint8_t { NORMAL, SPLIT2, SPLIT4 };
enum class QuantType : uint8_t { INT8_SYM, INT8_ASYM, MXFP8, MXFP4_E2M1 };
enum class QuantScaleAlg : uint8_t { OCP, NV };
enum class MxQuantAlg : uint8_t { OcpMxFp8E4M3, NvMxFp8E4M3, OcpMxFp4E2M1, NvMxFp4E2M1 };
enum class VecStoreMode : uint8_t { ND, NZ };
enum class SetFmatrixMode : uint8_t { FMATRIX_A_AUTO, FMATRIX_B_AUTO, FMATRIX_A_MANUAL, FMATRIX_B_MANUAL };

/// What lies outside a tile's valid region where an instruction fills it: besides the four, a number of the
/// program's own (PadValueCustom) or the bits of a 16-bit element (PadValueCustom16).
enum class PadValue : uint64_t { Null, Zero, Max, Min };

namespace detail {
inline constexpr uint64_t kCustomFloat = uint64_t{1} << 32, kCustomBits16 = uint64_t{1} << 33;
}

constexpr PadValue PadValueCustom(float value) {
  return static_cast<PadValue>(detail::kCustomFloat | __builtin_bit_cast(uint32_t, value));
}
constexpr PadValue PadValueCustom16(uint16_t bits) {
  return static_cast<PadValue>(detail::kCustomBits16 | bits);
}
constexpr bool isCustomPadValue(PadValue pad) {
  return (static_cast<uint64_t>(pad) & (detail::kCustomFloat | detail::kCustomBits16)) != 0;
}
constexpr uint32_t getCustomPadBits(PadValue pad) {
  return static_cast<uint32_t>(static_cast<uint64_t>(pad));
}

/// Which algorithm a5 takes; every one here is the exact one.
enum class ExpAlgorithm : uint8_t { DEFAULT, HIGH_PRECISION };
enum class LogAlgorithm : uint8_t { DEFAULT, HIGH_PRECISION };
enum class DivAlgorithm : uint8_t { DEFAULT, HIGH_PRECISION };
enum class RecipAlgorithm : uint8_t { DEFAULT, HIGH_PRECISION };
enum class RemAlgorithm : uint8_t { DEFAULT, HIGH_PRECISION };
enum class RemSAlgorithm : uint8_t { DEFAULT, HIGH_PRECISION };
enum class FmodAlgorithm : uint8_t { DEFAULT, HIGH_PRECISION };
enum class FmodSAlgorithm : uint8_t { DEFAULT, HIGH_PRECISION };
enum class PowAlgorithm : uint8_t { DEFAULT, HIGH_PRECISION };

}  // namespace pto
