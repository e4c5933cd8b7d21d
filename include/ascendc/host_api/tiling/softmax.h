// Temporary memory and tilings of the softmax family. A kernel computes as many rows at once as the memory it
// is given has room for; the tiling says so. Source: Ascend C API, high-level API, activation, SoftMax and
// LogSoftMax.
#pragma once
#include "ascendc/host_api/tiling/temporary_size.h"
#include "ascendc/lib/activation/softmax_shape.h"
#include "tiling/tiling_data.h"

namespace AscendC {
namespace detail {

/// A shape as rows of its last axis.
struct RowsOfShape {
  uint32_t rows, columns;
};
inline RowsOfShape rows_of(const TensorShape& shape) {
  const size_t axes = shape.GetDimNum();
  const uint32_t columns = axes == 0 ? 1 : static_cast<uint32_t>(shape.GetDim(axes - 1));
  return {columns == 0 ? 1 : static_cast<uint32_t>(elements_of(shape) / columns), columns};
}

/// The minimum has room for this many rows, unless they are long.
inline constexpr uint32_t kRowsOfMinimum = 8, kLongRows = 32768;

template <class Bytes>
uint32_t least_bytes(const RowsOfShape& s, uint32_t at_least_rows, Bytes bytes) {
  const uint32_t wanted = s.rows < kRowsOfMinimum ? s.rows : kRowsOfMinimum;
  const uint32_t rows = rows_in(kLongRows, wanted, bytes);
  return static_cast<uint32_t>(bytes(rows < at_least_rows ? at_least_rows : rows));
}

inline auto softmax_need(const RowsOfShape& s, uint32_t matrices) {
  return [columns = s.columns, matrices](uint32_t rows) {
    return toprope::lib::softmax_bytes(rows, columns, matrices);
  };
}

template <class Tiling>
void fill_tiling(Tiling& tiling, const RowsOfShape& s, uint32_t block, uint64_t room, uint32_t matrices) {
  const uint32_t split = rows_in(room, s.rows, softmax_need(s, matrices));
  const auto t = softmax_tiling<tiling::SoftMaxTiling>(s.rows, s.columns, block, split);
  if constexpr (std::is_base_of_v<optiling::TilingDef, Tiling>) {
#define TOPROPE_FIELD(name) tiling.set_##name(t.name);
    TOPROPE_FIELD(srcM)
    TOPROPE_FIELD(srcK)
    TOPROPE_FIELD(srcSize)
    TOPROPE_FIELD(outMaxM)
    TOPROPE_FIELD(outMaxK)
    TOPROPE_FIELD(outMaxSize)
    TOPROPE_FIELD(splitM)
    TOPROPE_FIELD(splitK)
    TOPROPE_FIELD(splitSize)
    TOPROPE_FIELD(reduceM)
    TOPROPE_FIELD(reduceK)
    TOPROPE_FIELD(reduceSize)
    TOPROPE_FIELD(rangeM)
    TOPROPE_FIELD(tailM)
    TOPROPE_FIELD(tailSplitSize)
    TOPROPE_FIELD(tailReduceSize)
#undef TOPROPE_FIELD
  } else {
    __builtin_memcpy(static_cast<void*>(&tiling), &t, sizeof t);
  }
}

}  // namespace detail

#define TOPROPE_SIZES(Most, Least, matrices, ...)                                           \
  inline uint32_t Most(const TensorShape& srcShape, __VA_ARGS__) {                          \
    const detail::RowsOfShape s = detail::rows_of(srcShape);                                \
    return static_cast<uint32_t>(toprope::lib::softmax_bytes(s.rows, s.columns, matrices)); \
  }                                                                                         \
  inline uint32_t Least(const TensorShape& srcShape, __VA_ARGS__) {                         \
    const detail::RowsOfShape s = detail::rows_of(srcShape);                                \
    return detail::least_bytes(s, 1, detail::softmax_need(s, matrices));                    \
  }
TOPROPE_SIZES(GetSoftMaxMaxTmpSize, GetSoftMaxMinTmpSize, 1, const uint32_t, const bool)
TOPROPE_SIZES(GetLogSoftMaxMaxTmpSize, GetLogSoftMaxMinTmpSize, 1, const uint32_t, const bool)
TOPROPE_SIZES(GetSoftMaxFlashMaxTmpSize, GetSoftMaxFlashMinTmpSize, 1, const uint32_t, const bool, const bool)
TOPROPE_SIZES(GetSoftMaxGradMaxTmpSize, GetSoftMaxGradMinTmpSize, 2, const uint32_t, const bool, const bool)
#undef TOPROPE_SIZES

inline uint32_t GetSoftMaxFlashV2MaxTmpSize(const TensorShape& srcShape, const uint32_t, const uint32_t,
                                            const bool, const bool = false, const bool = false) {
  return GetSoftMaxMaxTmpSize(srcShape, 4, false);
}
/// isFlashOutputBrc: one element a row, so that groups of rows start at multiples of 32 bytes of those.
inline uint32_t GetSoftMaxFlashV2MinTmpSize(const TensorShape& srcShape, const uint32_t, const uint32_t,
                                            const bool, const bool = false,
                                            const bool isFlashOutputBrc = false) {
  const detail::RowsOfShape s = detail::rows_of(srcShape);
  return detail::least_bytes(s, isFlashOutputBrc ? (s.rows < 16 ? s.rows : 16) : 1,
                             detail::softmax_need(s, 1));
}

inline void GetSoftMaxFlashV3MaxMinTmpSize(const TensorShape& srcShape, const uint32_t, const uint32_t,
                                           uint32_t& maxValue, uint32_t& minValue, const bool,
                                           const bool = false) {
  const detail::RowsOfShape s = detail::rows_of(srcShape);
  const auto bytes = [&](uint32_t rows) { return toprope::lib::softmax_shifted_bytes(rows, s.columns); };
  maxValue = static_cast<uint32_t>(bytes(s.rows));
  minValue = detail::least_bytes(s, 1, bytes);
}

// For tilings of optiling and of AscendC::tiling. localWorkSpaceSize: bytes of temporary memory.
#define TOPROPE_TILINGS(Tiling)                                                                              \
  inline void SoftMaxTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize,                    \
                                const uint32_t localWorkSpaceSize, Tiling::SoftMaxTiling& softmaxTiling) {   \
    detail::fill_tiling(softmaxTiling, detail::rows_of(srcShape), 32 / dataTypeSize, localWorkSpaceSize, 1); \
  }                                                                                                          \
  inline void LogSoftMaxTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize,                 \
                                   const uint32_t localWorkSpaceSize,                                        \
                                   Tiling::LogSoftMaxTiling& softmaxTiling) {                                \
    detail::fill_tiling(softmaxTiling, detail::rows_of(srcShape), 32 / dataTypeSize, localWorkSpaceSize, 1); \
  }                                                                                                          \
  inline void SoftMaxFlashTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize,               \
                                     const uint32_t localWorkSpaceSize,                                      \
                                     Tiling::SoftMaxTiling& softmaxFlashTiling, const bool = false) {        \
    detail::fill_tiling(softmaxFlashTiling, detail::rows_of(srcShape), 32 / dataTypeSize,                    \
                        localWorkSpaceSize, 1);                                                              \
  }                                                                                                          \
  inline void SoftMaxGradTilingFunc(const TensorShape& srcShape, const uint32_t dataTypeSize,                \
                                    const uint32_t localWorkSpaceSize,                                       \
                                    Tiling::SoftMaxTiling& softmaxGradTiling, const bool = false) {          \
    detail::fill_tiling(softmaxGradTiling, detail::rows_of(srcShape), 32 / dataTypeSize, localWorkSpaceSize, \
                        2);                                                                                  \
  }                                                                                                          \
  inline void SoftMaxFlashV2TilingFunc(const TensorShape& srcShape, const uint32_t,                          \
                                       const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize,      \
                                       Tiling::SoftMaxTiling& softmaxFlashTiling, const bool,                \
                                       const bool = false, const bool isFlashOutputBrc = false) {            \
    detail::fill_tiling(softmaxFlashTiling, detail::rows_of(srcShape),                                       \
                        isFlashOutputBrc ? 1 : 32 / dataTypeSize2, localWorkSpaceSize, 1);                   \
  }                                                                                                          \
  inline void SoftMaxFlashV3TilingFunc(const TensorShape& srcShape, const uint32_t,                          \
                                       const uint32_t dataTypeSize2, const uint32_t localWorkSpaceSize,      \
                                       Tiling::SoftMaxTiling& softmaxFlashV3Tiling, const bool,              \
                                       const bool = false) {                                                 \
    detail::fill_tiling(softmaxFlashV3Tiling, detail::rows_of(srcShape), 32 / dataTypeSize2,                 \
                        localWorkSpaceSize, 1);                                                              \
  }
TOPROPE_TILINGS(::optiling)
TOPROPE_TILINGS(::AscendC::tiling)
#undef TOPROPE_TILINGS

namespace detail {
/// Rows of 64-element multiples below 2048 and of whole repeats, in eights.
constexpr bool is_basic_block(uint32_t rows, uint32_t split, uint32_t columns, uint32_t size) {
  return columns < 2048 && columns >= 256 / size && columns % 64 == 0 && rows % 8 == 0 && split % 8 == 0;
}
}  // namespace detail

inline bool IsBasicBlockInSoftMax(optiling::SoftMaxTiling& tiling, const uint32_t dataTypeSize = 2) {
  return detail::is_basic_block(tiling.get_srcM(), tiling.get_splitM(), tiling.get_srcK(), dataTypeSize);
}
inline bool IsBasicBlockInSoftMax(tiling::SoftMaxTiling& tiling, const uint32_t dataTypeSize = 2) {
  return detail::is_basic_block(tiling.srcM, tiling.splitM, tiling.srcK, dataTypeSize);
}

}  // namespace AscendC
