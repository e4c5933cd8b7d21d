// Calls a template for every element type that arrays have. Per-target include (Highway foreach_target).
#if defined(TOPROPE_SIMD_TYPES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOPROPE_SIMD_TYPES_INL_H_
#undef TOPROPE_SIMD_TYPES_INL_H_
#else
#define TOPROPE_SIMD_TYPES_INL_H_
#endif

#include <hwy/highway.h>

#include "isa/simd/map-inl.h"
#include "toprope/types/dtype.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {

/// f.template operator()<DType, storage type>() for each type of `set`.
template <DTypeSet set, class F>
void for_each_element_type(F&& f) {
  if constexpr (contains(set, DType::Half)) f.template operator()<DType::Half, Half>();
  if constexpr (contains(set, DType::BFloat16)) f.template operator()<DType::BFloat16, BFloat>();
  if constexpr (contains(set, DType::Float)) f.template operator()<DType::Float, float>();
  if constexpr (contains(set, DType::Int8)) f.template operator()<DType::Int8, int8_t>();
  if constexpr (contains(set, DType::UInt8)) f.template operator()<DType::UInt8, uint8_t>();
  if constexpr (contains(set, DType::Int16)) f.template operator()<DType::Int16, int16_t>();
  if constexpr (contains(set, DType::UInt16)) f.template operator()<DType::UInt16, uint16_t>();
  if constexpr (contains(set, DType::Int32)) f.template operator()<DType::Int32, int32_t>();
  if constexpr (contains(set, DType::UInt32)) f.template operator()<DType::UInt32, uint32_t>();
  if constexpr (contains(set, DType::Int64)) f.template operator()<DType::Int64, int64_t>();
  if constexpr (contains(set, DType::UInt64)) f.template operator()<DType::UInt64, uint64_t>();
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
