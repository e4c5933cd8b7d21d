#include "isa/tile_drain.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "isa/array/elementwise.h"

namespace toprope::isa {
namespace {

constexpr size_t kAtOnce = 256;

/// A parameter word: the bits of a float scale (of a vector's word the upper 19 count), the distance of a
/// right shift less one, a 9-bit offset.
struct Parameter {
  float scale;
  int shift, offset;
};

Parameter parameter_at(const DrainPlan& plan, size_t index) {
  uint64_t word = plan.scalar;
  if (plan.words && plan.word_bytes == sizeof(float)) {
    float scale;
    std::memcpy(&scale, plan.words + index * sizeof scale, sizeof scale);
    return {scale, 1, 0};
  }
  if (plan.words) std::memcpy(&word, plan.words + index * sizeof word, sizeof word);
  const uint32_t kept = plan.words ? 0xffffe000u : 0xffffffffu;
  return {std::bit_cast<float>(static_cast<uint32_t>(word) & kept), static_cast<int>(word >> 32 & 0xf) + 1,
          static_cast<int>(word >> 37 & 0x1ff)};
}

/// What the destination holds, but for the rounding to a floating-point type.
float quantised(float value, const Parameter& p, DType to) {
  switch (to) {
    case DType::Int8:
    case DType::UInt8: {
      const float whole = std::nearbyint(value * p.scale + static_cast<float>(p.offset));
      if (std::isnan(whole)) return 0;
      return to == DType::Int8 ? std::clamp(whole, -128.0f, 127.0f) : std::clamp(whole, 0.0f, 255.0f);
    }
    case DType::Half: {
      const float scaled = value * p.scale;
      return std::isfinite(scaled) ? std::clamp(scaled, -65504.0f, 65504.0f) : scaled;
    }
    default:
      return value * p.scale;
  }
}

/// int32_t to int16_t is a shift, of which float would lose bits.
int16_t shifted(int32_t value, const Parameter& p) {
  return static_cast<int16_t>(std::clamp(value >> p.shift, -32768, 32767));
}

}  // namespace

DrainPlan plan_of(Core& core, const Instruction& as, const Drain& drain, uint32_t n, TileOperand& operand,
                  Site site) {
  DrainPlan plan = {drain.relu, drain.scaled || drain.vector != nullptr, drain.scalar, nullptr, 0};
  if (drain.vector) {
    operand = find(core, as, "fp", *drain.vector, 1, n, false, site);
    plan.words = operand.at;
    plan.word_bytes = operand.element;
  }
  return plan;
}

void drain_line(const DrainPlan& plan, DType to, void* out, DType from, const void* in, uint32_t first,
                size_t n) {
  for (size_t done = 0; done < n; done += kAtOnce) {
    const size_t here = std::min(kAtOnce, n - done);
    const uint8_t* source = static_cast<const uint8_t*>(in) + done * size_of(from);
    uint8_t* result = static_cast<uint8_t*>(out) + done * size_of(to);
    if (!plan.scaled && !plan.relu) {
      array::cast(to, result, from, source, Round::Rint, here);
      continue;
    }
    if (!plan.scaled && array::unary(array::Unary::Relu, from)) {
      alignas(64) uint8_t positive[kAtOnce * sizeof(uint32_t)];
      array::unary(array::Unary::Relu, from)(positive, source, here);
      array::cast(to, result, from, positive, Round::Rint, here);
      continue;
    }
    if (from == DType::Int32 && to == DType::Int16) {
      for (size_t i = 0; i < here; ++i) {
        int32_t value;
        std::memcpy(&value, source + i * sizeof value, sizeof value);
        int16_t small = shifted(value, parameter_at(plan, first + done + i));
        if (plan.relu && small < 0) small = 0;
        std::memcpy(result + i * sizeof small, &small, sizeof small);
      }
      continue;
    }
    alignas(64) float wide[kAtOnce];
    if (from == DType::Float)
      std::memcpy(wide, source, here * sizeof(float));
    else
      array::cast(DType::Float, wide, from, source, Round::Rint, here);
    for (size_t i = 0; i < here; ++i) {
      wide[i] = quantised(wide[i], parameter_at(plan, first + done + i), to);
      if (plan.relu) wide[i] = std::fmax(wide[i], 0.0f);
    }
    if (to == DType::Float)
      std::memcpy(result, wide, here * sizeof(float));
    else
      array::cast(to, result, DType::Float, wide, Round::Rint, here);
  }
}

}  // namespace toprope::isa
