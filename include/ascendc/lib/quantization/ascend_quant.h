// AscendQuant, AscendDequant and AscendAntiQuant. The forms without sharedTmpBuffer work in what no
// InitBuffer has taken of UB. Source: Ascend C API, high-level API, quantisation.
#pragma once
#include "lib/temporary.h"
#include "toprope/lib/quantization.h"

namespace AscendC {

/// Counts that are known when a kernel is compiled; they repeat what the call says.
struct AscendQuantConfig {
  uint32_t calcCount = 0, offsetCount = 0, scaleCount = 0, workLocalSize = 0;
};
inline constexpr AscendQuantConfig ASCEND_QUANT_DEFAULT_CFG{0, 0, 0, 0};

enum class DeQuantMode { DEQUANT_WITH_SINGLE_ROW = 0, DEQUANT_WITH_MULTI_ROW };

/// m rows of n elements (a multiple of 32 bytes), of which the first calCount are scaled.
struct DequantParams {
  uint32_t m, n, calCount;
};

/// Shapes of offset and scale; zeros: the tensors' own ShapeInfo tells them.
struct AntiQuantShapeInfo {
  uint32_t offsetHeight{0}, offsetWidth{0}, scaleHeight{0}, scaleWidth{0};
};

namespace detail {

[[gnu::always_inline]] inline toprope::lib::QuantParameter quant_value(float value) {
  return {{}, value, false};
}
template <class T>
[[gnu::always_inline]] inline toprope::lib::QuantParameter quant_values(const LocalTensor<T>& values) {
  return {values.slice(), 0, true};
}

template <class T>
[[gnu::always_inline]] inline void ascend_quant(const LocalTensor<int8_t>& dst, const LocalTensor<T>& src,
                                                const toprope::lib::QuantParameter& scale,
                                                const toprope::lib::QuantParameter& offset, uint32_t columns,
                                                uint32_t count, const toprope::lib::Temporary& memory) {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>;
  static_assert(type == toprope::DType::Half || type == toprope::DType::Float,
                "AscendQuant takes half or float on this chip");
  toprope::lib::ascend_quant(type, dst.slice(), src.slice(), scale, offset, columns, count, memory);
}

}  // namespace detail

// dst = int8_t of src * scale + offset, rounded to even in half. Scales and offsets are one value, or
// scaleCount (a multiple of 32) values that repeat.
#define TOPROPE_FORMS(memory, ...)                                                                           \
  template <class T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG> \
  [[gnu::always_inline]] inline void AscendQuant(                                                            \
      const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor, __VA_ARGS__ const float scale,  \
      const float offset, const uint32_t calCount) {                                                         \
    detail::ascend_quant(dstTensor, srcTensor, detail::quant_value(scale), detail::quant_value(offset),      \
                         calCount, calCount, memory);                                                        \
  }                                                                                                          \
  template <class T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG> \
  [[gnu::always_inline]] inline void AscendQuant(const LocalTensor<int8_t>& dstTensor,                       \
                                                 const LocalTensor<T>& srcTensor,                            \
                                                 __VA_ARGS__ const float scale, const float offset) {        \
    detail::ascend_quant(dstTensor, srcTensor, detail::quant_value(scale), detail::quant_value(offset),      \
                         srcTensor.GetSize(), srcTensor.GetSize(), memory);                                  \
  }                                                                                                          \
  template <class T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG> \
  [[gnu::always_inline]] inline void AscendQuant(                                                            \
      const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,                                 \
      __VA_ARGS__ const LocalTensor<T>& scaleTensor, const PrimT<T> offset, const uint32_t scaleCount,       \
      const uint32_t calCount) {                                                                             \
    detail::ascend_quant(dstTensor, srcTensor, detail::quant_values(scaleTensor),                            \
                         detail::quant_value(offset), scaleCount, calCount, memory);                         \
  }                                                                                                          \
  template <class T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG> \
  [[gnu::always_inline]] inline void AscendQuant(                                                            \
      const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,                                 \
      __VA_ARGS__ const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor,                     \
      const uint32_t scaleCount, const uint32_t offsetCount, const uint32_t calCount) {                      \
    (void)offsetCount;                                                                                       \
    detail::ascend_quant(dstTensor, srcTensor, detail::quant_values(scaleTensor),                            \
                         detail::quant_values(offsetTensor), scaleCount, calCount, memory);                  \
  }                                                                                                          \
  template <class T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG> \
  [[gnu::always_inline]] inline void AscendQuant(                                                            \
      const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,                                 \
      __VA_ARGS__ const LocalTensor<T>& scaleTensor, const PrimT<T> offset) {                                \
    detail::ascend_quant(dstTensor, srcTensor, detail::quant_values(scaleTensor),                            \
                         detail::quant_value(offset), scaleTensor.GetSize(), srcTensor.GetSize(), memory);   \
  }                                                                                                          \
  template <class T, bool isReuseSource = false, const AscendQuantConfig& config = ASCEND_QUANT_DEFAULT_CFG> \
  [[gnu::always_inline]] inline void AscendQuant(                                                            \
      const LocalTensor<int8_t>& dstTensor, const LocalTensor<T>& srcTensor,                                 \
      __VA_ARGS__ const LocalTensor<T>& scaleTensor, const LocalTensor<T>& offsetTensor) {                   \
    detail::ascend_quant(dstTensor, srcTensor, detail::quant_values(scaleTensor),                            \
                         detail::quant_values(offsetTensor), scaleTensor.GetSize(), srcTensor.GetSize(),     \
                         memory);                                                                            \
  }
TOPROPE_FORMS(detail::temporary(sharedTmpBuffer), const LocalTensor<uint8_t>& sharedTmpBuffer, )
TOPROPE_FORMS(toprope::lib::Temporary(), )
#undef TOPROPE_FORMS

namespace detail {

/// The table of combinations on the page of AscendDequant.
template <class T, class S>
constexpr bool dequant_takes(bool scalar) {
  using toprope::DType;
  constexpr DType dst = toprope::dtype_of<PrimT<T>>, scale = toprope::dtype_of<PrimT<S>>;
  if (dst == DType::Half) return scale == DType::UInt64 && !scalar;
  return (dst == DType::Float || dst == DType::BFloat16) &&
         (scale == DType::Float || scale == DType::BFloat16);
}

template <DeQuantMode mode, class T, class S>
[[gnu::always_inline]] inline void ascend_dequant(const LocalTensor<T>& dst, const LocalTensor<int32_t>& src,
                                                  const toprope::lib::QuantParameter& scale,
                                                  const DequantParams& p,
                                                  const toprope::lib::Temporary& memory) {
  toprope::lib::DequantShape shape{p.m, p.n, p.calCount};
  if (mode == DeQuantMode::DEQUANT_WITH_SINGLE_ROW && p.m == 1 && p.calCount != 0 &&
      p.calCount % (ONE_BLK_SIZE / sizeof(PrimT<T>)) == 0 && p.n % p.calCount == 0)
    shape = {p.n / p.calCount, p.calCount, p.calCount};
  toprope::lib::ascend_dequant(toprope::dtype_of<PrimT<T>>, dst.slice(), src.slice(),
                               toprope::dtype_of<PrimT<S>>, scale, shape, memory);
}

}  // namespace detail

#define TOPROPE_CHECK_TYPES(scalar)                \
  static_assert(                                   \
      detail::dequant_takes<dstT, scaleT>(scalar), \
      "AscendDequant does not take these element types on this chip; see its page in the Ascend C API")
// dst = src * deqScale. The forms with calCount alone, or without any count, are not for new code: they take
// src as one row.
#define TOPROPE_FORMS(memory, ...)                                                                           \
  template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>               \
  [[gnu::always_inline]] inline void AscendDequant(                                                          \
      const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,                             \
      const LocalTensor<scaleT>& deqScale __VA_ARGS__, DequantParams params) {                               \
    TOPROPE_CHECK_TYPES(false);                                                                              \
    detail::ascend_dequant<mode, dstT, scaleT>(dstTensor, srcTensor, detail::quant_values(deqScale), params, \
                                               memory);                                                      \
  }                                                                                                          \
  template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>               \
  [[gnu::always_inline]] inline void AscendDequant(                                                          \
      const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,                             \
      const scaleT deqScale __VA_ARGS__, DequantParams params) {                                             \
    TOPROPE_CHECK_TYPES(true);                                                                               \
    detail::ascend_dequant<mode, dstT, scaleT>(                                                              \
        dstTensor, srcTensor, detail::quant_value(static_cast<float>(deqScale)), params, memory);            \
  }                                                                                                          \
  template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>               \
  [[gnu::always_inline]] inline void AscendDequant(                                                          \
      const LocalTensor<dstT>& dstTensor, const LocalTensor<int32_t>& srcTensor,                             \
      const LocalTensor<scaleT>& deqScale __VA_ARGS__, const uint32_t calCount) {                            \
    TOPROPE_CHECK_TYPES(false);                                                                              \
    detail::ascend_dequant<mode, dstT, scaleT>(dstTensor, srcTensor, detail::quant_values(deqScale),         \
                                               DequantParams{1, srcTensor.GetSize(), calCount}, memory);     \
  }                                                                                                          \
  template <class dstT, class scaleT, DeQuantMode mode = DeQuantMode::DEQUANT_WITH_SINGLE_ROW>               \
  [[gnu::always_inline]] inline void AscendDequant(const LocalTensor<dstT>& dstTensor,                       \
                                                   const LocalTensor<int32_t>& srcTensor,                    \
                                                   const LocalTensor<scaleT>& deqScale __VA_ARGS__) {        \
    TOPROPE_CHECK_TYPES(false);                                                                              \
    detail::ascend_dequant<mode, dstT, scaleT>(dstTensor, srcTensor, detail::quant_values(deqScale),         \
                                               DequantParams{1, srcTensor.GetSize(), deqScale.GetSize()},    \
                                               memory);                                                      \
  }
TOPROPE_FORMS(detail::temporary(sharedTmpBuffer), , const LocalTensor<uint8_t>& sharedTmpBuffer)
TOPROPE_FORMS(toprope::lib::Temporary(), )
#undef TOPROPE_FORMS
#undef TOPROPE_CHECK_TYPES

namespace detail {

/// Rows and columns of a parameter: as given, or from its ShapeInfo (one dimension is a row).
struct ParameterShape {
  uint32_t height, width;
};
template <class T>
[[gnu::always_inline]] inline ParameterShape parameter_shape(uint32_t height, uint32_t width,
                                                             const LocalTensor<T>& tensor) {
  if (height != 0 && width != 0) return {height, width};
  if (tensor.shape() == nullptr) return {0, 0};
  const ShapeInfo info = tensor.GetShapeInfo();
  if (info.shapeDim == 1) return {1, info.shape[0]};
  return {info.shape[0], info.shape[1]};
}

template <bool isTranspose, class In, class Out>
[[gnu::always_inline]] inline void ascend_antiquant(const LocalTensor<Out>& dst, const LocalTensor<In>& src,
                                                    const toprope::lib::QuantParameter* offset,
                                                    const toprope::lib::QuantParameter& scale, uint32_t k,
                                                    ParameterShape shape,
                                                    const toprope::lib::Temporary& memory) {
  constexpr toprope::DType in = toprope::dtype_of<PrimT<In>>, out = toprope::dtype_of<PrimT<Out>>;
  static_assert((in == toprope::DType::Int8 || in == toprope::DType::Int4) &&
                    (out == toprope::DType::Half || out == toprope::DType::BFloat16),
                "AscendAntiQuant converts int8_t or int4b_t to half or bfloat16_t on this chip");
  const uint32_t count = src.GetSize(), width = isTranspose ? k : k != 0 ? count / k : count;
  toprope::lib::ascend_antiquant(
      out, in, dst.slice(), src.slice(), offset, scale,
      {count, width, shape.height != 0 ? shape.height : 1, shape.width != 0 ? shape.width : 1, isTranspose},
      memory);
}

}  // namespace detail

// dst = (src + offset) * scale; src is [K, N], or [N, K] when it is transposed.
#define TOPROPE_FORMS(memory, ...)                                                                           \
  template <class InputDataType, class OutputDataType, bool isTranspose>                                     \
  [[gnu::always_inline]] inline void AscendAntiQuant(                                                        \
      const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,                         \
      const LocalTensor<OutputDataType>& offset, const LocalTensor<OutputDataType>& scale,                   \
      __VA_ARGS__ const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {}) {                              \
    detail::ParameterShape shape =                                                                           \
        detail::parameter_shape(shapeInfo.offsetHeight, shapeInfo.offsetWidth, offset);                      \
    if (shape.width == 0)                                                                                    \
      shape = detail::parameter_shape(shapeInfo.scaleHeight, shapeInfo.scaleWidth, scale);                   \
    const toprope::lib::QuantParameter offsets = detail::quant_values(offset);                               \
    detail::ascend_antiquant<isTranspose>(dst, src, &offsets, detail::quant_values(scale), k, shape,         \
                                          memory);                                                           \
  }                                                                                                          \
  template <class InputDataType, class OutputDataType, bool isTranspose>                                     \
  [[gnu::always_inline]] inline void AscendAntiQuant(                                                        \
      const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,                         \
      const LocalTensor<OutputDataType>& scale, __VA_ARGS__ const uint32_t k,                                \
      const AntiQuantShapeInfo& shapeInfo = {}) {                                                            \
    detail::ascend_antiquant<isTranspose>(                                                                   \
        dst, src, nullptr, detail::quant_values(scale), k,                                                   \
        detail::parameter_shape(shapeInfo.scaleHeight, shapeInfo.scaleWidth, scale), memory);                \
  }                                                                                                          \
  template <class InputDataType, class OutputDataType, bool isTranspose>                                     \
  [[gnu::always_inline]] inline void AscendAntiQuant(                                                        \
      const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,                         \
      const OutputDataType offset, const OutputDataType scale, __VA_ARGS__ const uint32_t k,                 \
      const AntiQuantShapeInfo& shapeInfo = {}) {                                                            \
    (void)shapeInfo;                                                                                         \
    const toprope::lib::QuantParameter offsets = detail::quant_value(static_cast<float>(offset));            \
    detail::ascend_antiquant<isTranspose>(                                                                   \
        dst, src, &offsets, detail::quant_value(static_cast<float>(scale)), k, {1, 1}, memory);              \
  }                                                                                                          \
  template <class InputDataType, class OutputDataType, bool isTranspose>                                     \
  [[gnu::always_inline]] inline void AscendAntiQuant(                                                        \
      const LocalTensor<OutputDataType>& dst, const LocalTensor<InputDataType>& src,                         \
      const OutputDataType scale, __VA_ARGS__ const uint32_t k, const AntiQuantShapeInfo& shapeInfo = {}) {  \
    (void)shapeInfo;                                                                                         \
    detail::ascend_antiquant<isTranspose>(dst, src, nullptr, detail::quant_value(static_cast<float>(scale)), \
                                          k, {1, 1}, memory);                                                \
  }
TOPROPE_FORMS(detail::temporary(sharedTmpBuffer), const LocalTensor<uint8_t>& sharedTmpBuffer, )
TOPROPE_FORMS(toprope::lib::Temporary(), )
#undef TOPROPE_FORMS

}  // namespace AscendC
