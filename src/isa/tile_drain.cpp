#include "isa/tile_drain.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "isa/array/elementwise.h"

namespace toprope::isa {
namespace {

/// A parameter word: a float scale, a shift for int16_t results, a signed 9-bit offset.
struct Parameter {
  Parameter(uint64_t word, bool each)
      : scale(std::bit_cast<float>(static_cast<uint32_t>(word) & (each ? 0xffffe000u : 0xffffffffu))),
        shift(static_cast<int>(word >> 32 & 0xf) + 1),
        offset(static_cast<int>(word >> 37 & 0x1ff)) {}
  float scale;
  int shift, offset;
};

/// A value with its quantisation done, which the destination holds but for rounding to a floating-point type.
double quantised(double value, const Parameter& p, DType to) {
  switch (to) {
    case DType::Int8:
    case DType::UInt8: {
      const float scaled = static_cast<float>(value) * p.scale + static_cast<float>(p.offset);
      if (std::isnan(scaled)) return 0;
      return to == DType::Int8 ? std::clamp(std::nearbyint(scaled), -128.0f, 127.0f) : std::clamp(std::nearbyint(scaled), 0.0f, 255.0f);
    }
    case DType::Int16:
      return std::clamp<int64_t>(static_cast<int64_t>(value) >> p.shift, -32768, 32767);
    default:
      return static_cast<float>(value) * p.scale;
  }
}

}  // namespace

void drain(DType to, void* out, DType from, const void* in, const uint64_t* parameters, bool each, bool relu, size_t n) {
  // In float, or for integers that float cannot hold in double; then into the destination's type.
  constexpr size_t kAtOnce = 256;
  for (size_t done = 0; done < n; done += kAtOnce) {
    const size_t here = std::min(kAtOnce, n - done);
    const uint8_t* from_here = static_cast<const uint8_t*>(in) + done * size_of(from);
    uint8_t* to_here = static_cast<uint8_t*>(out) + done * size_of(to);
    if (!parameters && !relu) {
      array::cast(to, to_here, from, from_here, Round::Rint, here);
      continue;
    }
    if (!parameters && from == to) {
      const array::UnaryFunction kernel = array::unary(array::Unary::Relu, from);
      kernel(to_here, from_here, here);
      continue;
    }
    float wide[kAtOnce];
    int32_t whole[kAtOnce];
    const bool integers = from == DType::Int32;
    if (integers)
      std::memcpy(whole, from_here, here * sizeof(int32_t));
    else
      array::cast(DType::Float, wide, from, from_here, Round::None, here);
    for (size_t i = 0; i < here; ++i) {
      double value = integers ? whole[i] : static_cast<double>(wide[i]);
      if (parameters) value = quantised(value, Parameter(parameters[each ? done + i : 0], each), to);
      if (relu && value < 0) value = 0;
      wide[i] = static_cast<float>(value);
      if (integers && !parameters) whole[i] = static_cast<int32_t>(value);
    }
    if (integers && to == DType::Half && parameters)  // out of half's range an integer's quotient clamps
      for (size_t i = 0; i < here; ++i) wide[i] = std::clamp(wide[i], -65504.0f, 65504.0f);
    if (integers && !parameters)
      array::cast(to, to_here, DType::Int32, whole, Round::Rint, here);
    else if (to == DType::Float)
      std::memcpy(to_here, wide, here * sizeof(float));
    else
      array::cast(to, to_here, DType::Float, wide, Round::Rint, here);
  }
}

}  // namespace toprope::isa
