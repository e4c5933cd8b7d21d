#include "isa/cast_wrap.h"

#include <cmath>
#include <cstring>

#include "isa/whole.h"

namespace toprope::isa {
namespace {

/// The low 64 bits of a whole number; 0 for what is none (the documents leave inf and NaN open).
uint64_t low_bits(double v) {
  if (!std::isfinite(v)) return 0;
  const auto magnitude = static_cast<uint64_t>(std::fmod(std::fabs(v), 0x1p64));
  return v < 0 ? 0 - magnitude : magnitude;
}

/// Int4: `Out` holds two of them.
template <DType to, class Out, class In, Round round>
void wrap(void* dst, const void* src, size_t n, const CastMode&) {
  for (size_t i = 0; i < n; ++i) {
    In in;
    std::memcpy(static_cast<void*>(&in), static_cast<const In*>(src) + i, sizeof in);
    uint64_t bits;
    if constexpr (std::is_integral_v<In>)
      bits = static_cast<uint64_t>(static_cast<int64_t>(in));
    else
      bits = low_bits(whole(static_cast<double>(static_cast<float>(in)), round));
    if constexpr (to == DType::Int4) {
      uint8_t& pair = static_cast<uint8_t*>(dst)[i / 2];
      pair = static_cast<uint8_t>(i % 2 ? (pair & 0xf) | bits << 4 : bits & 0xf);
    } else {
      const auto out = static_cast<Out>(bits);
      std::memcpy(static_cast<Out*>(dst) + i, &out, sizeof out);
    }
  }
}

template <DType to, class Out, class In>
CastKernel kernel_of(Round round) {
  switch (round) {
    case Round::Floor:
      return &wrap<to, Out, In, Round::Floor>;
    case Round::Ceil:
      return &wrap<to, Out, In, Round::Ceil>;
    case Round::Round:
      return &wrap<to, Out, In, Round::Round>;
    case Round::Trunc:
      return &wrap<to, Out, In, Round::Trunc>;
    default:
      return &wrap<to, Out, In, Round::Rint>;
  }
}

}  // namespace

CastKernel wrapping_cast(DType to, DType from, Round round) {
#define TOPROPE_OP(source, In, destination, Out) \
  if (from == DType::source && to == DType::destination) return kernel_of<DType::destination, Out, In>(round);
  TOPROPE_OP(Half, half, Int4, uint8_t)
  TOPROPE_OP(Half, half, Int8, int8_t)
  TOPROPE_OP(Half, half, UInt8, uint8_t)
  TOPROPE_OP(Half, half, Int16, int16_t)
  TOPROPE_OP(Int32, int32_t, Int16, int16_t)
  TOPROPE_OP(BFloat16, bfloat16, Int32, int32_t)
  TOPROPE_OP(Float, float, Int16, int16_t)
  TOPROPE_OP(Float, float, Int32, int32_t)
  TOPROPE_OP(Float, float, Int64, int64_t)
  TOPROPE_OP(Int64, int64_t, Int32, int32_t)
#undef TOPROPE_OP
  return nullptr;
}

}  // namespace toprope::isa
