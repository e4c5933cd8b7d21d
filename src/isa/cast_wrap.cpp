#include "isa/cast_wrap.h"

#include <cmath>
#include <cstring>

namespace toprope::isa {
namespace {

template <DType type>
struct Stored;
template <>
struct Stored<DType::Half> {
  using Type = half;
};
template <>
struct Stored<DType::BFloat16> {
  using Type = bfloat16;
};
template <>
struct Stored<DType::Float> {
  using Type = float;
};
template <>
struct Stored<DType::Int4> {
  using Type = uint8_t;
};
template <>
struct Stored<DType::Int8> {
  using Type = int8_t;
};
template <>
struct Stored<DType::UInt8> {
  using Type = uint8_t;
};
template <>
struct Stored<DType::Int16> {
  using Type = int16_t;
};
template <>
struct Stored<DType::Int32> {
  using Type = int32_t;
};
template <>
struct Stored<DType::Int64> {
  using Type = int64_t;
};

template <Round round>
double whole(double v) {
  switch (round) {
    case Round::Floor:
      return std::floor(v);
    case Round::Ceil:
      return std::ceil(v);
    case Round::Round:
      return std::round(v);
    case Round::Trunc:
      return std::trunc(v);
    default:
      return std::nearbyint(v);
  }
}

/// The low 64 bits of a whole number; 0 for what is none (the documents leave inf and NaN open).
uint64_t low_bits(double v) {
  if (!std::isfinite(v)) return 0;
  const auto magnitude = static_cast<uint64_t>(std::fmod(std::fabs(v), 0x1p64));
  return v < 0 ? 0 - magnitude : magnitude;
}

template <DType to, DType from, Round round>
void wrap(void* dst, const void* src, size_t n, const CastMode&) {
  using Out = typename Stored<to>::Type;
  using In = typename Stored<from>::Type;
  for (size_t i = 0; i < n; ++i) {
    In in;
    std::memcpy(static_cast<void*>(&in), static_cast<const In*>(src) + i, sizeof in);
    uint64_t bits;
    if constexpr (std::is_integral_v<In>)
      bits = static_cast<uint64_t>(static_cast<int64_t>(in));
    else
      bits = low_bits(whole<round>(static_cast<double>(static_cast<float>(in))));
    if constexpr (to == DType::Int4) {
      uint8_t& pair = static_cast<uint8_t*>(dst)[i / 2];
      pair = static_cast<uint8_t>(i % 2 ? (pair & 0xf) | bits << 4 : bits & 0xf);
    } else {
      const auto out = static_cast<Out>(bits);
      std::memcpy(static_cast<Out*>(dst) + i, &out, sizeof out);
    }
  }
}

template <DType to, DType from>
CastKernel kernel_of(Round round) {
  switch (round) {
    case Round::Floor:
      return &wrap<to, from, Round::Floor>;
    case Round::Ceil:
      return &wrap<to, from, Round::Ceil>;
    case Round::Round:
      return &wrap<to, from, Round::Round>;
    case Round::Trunc:
      return &wrap<to, from, Round::Trunc>;
    default:
      return &wrap<to, from, Round::Rint>;
  }
}

}  // namespace

CastKernel wrapping_cast(DType to, DType from, Round round) {
#define TOPROPE_OP(source, destination)                  \
  if (from == DType::source && to == DType::destination) \
    return kernel_of<DType::destination, DType::source>(round);
  TOPROPE_OP(Half, Int4)
  TOPROPE_OP(Half, Int8)
  TOPROPE_OP(Half, UInt8)
  TOPROPE_OP(Half, Int16)
  TOPROPE_OP(Int32, Int16)
  TOPROPE_OP(BFloat16, Int32)
  TOPROPE_OP(Float, Int16)
  TOPROPE_OP(Float, Int32)
  TOPROPE_OP(Float, Int64)
  TOPROPE_OP(Int64, Int32)
#undef TOPROPE_OP
  return nullptr;
}

}  // namespace toprope::isa
