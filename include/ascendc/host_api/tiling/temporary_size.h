// From a shape to the temporary memory of an element-wise high-level function.
#pragma once
#include "ascendc/host_api/tiling/tensor_shape.h"
#include "toprope/lib/elementwise.h"

namespace AscendC::detail {

/// Elements of a shape; a scalar has one.
inline uint64_t elements_of(const TensorShape& shape) {
  const int64_t size = shape.GetShapeSize();
  return size > 0 ? static_cast<uint64_t>(size) : 1;
}

/// `bytes` an element, for one step of `granule` elements and for all elements at once.
inline void temporary_size(uint64_t elements, uint32_t bytes, uint32_t granule, uint32_t& maxValue,
                           uint32_t& minValue) {
  minValue = bytes * granule;
  maxValue = static_cast<uint32_t>((elements + granule - 1) / granule * granule * bytes);
}

inline void temporary_size(toprope::lib::Elementwise function, const TensorShape& shape, uint32_t typeSize,
                           uint32_t& maxValue, uint32_t& minValue) {
  temporary_size(elements_of(shape), toprope::lib::temporary_bytes(function, typeSize), 64, maxValue,
                 minValue);
}

/// The same as a multiple of the elements' own size.
inline void temporary_factor(uint32_t bytes, uint32_t typeSize, uint32_t& maxLiveNodeCount,
                             uint32_t& extraBuf) {
  maxLiveNodeCount = (bytes + typeSize - 1) / typeSize;
  extraBuf = 0;
}

}  // namespace AscendC::detail
