// CastDequant and the parameter words it reads. Source: Ascend C API, CastDequant and SetDeqScale.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "isa/walk.h"
#include "toprope/isa/cast.h"

namespace toprope::isa {
namespace {

constexpr Instruction kDequant = {"CastDequant", Pipe::V};
constexpr Instruction kSetDeqScale = {"SetDeqScale", Pipe::S};
constexpr uint32_t kLanes = 16;  // elements of a source block, results of half a destination block
constexpr uint32_t kWordsBytes = kLanes * 8;
constexpr uint32_t kRepeatLanes = kLanes * kBlocksPerRepeat;

struct Parameters {
  double scale;
  int32_t offset, low, high;
  bool is_signed;
};

Parameters decode(uint64_t word) {
  const bool is_signed = word >> 46 & 1;
  const auto offset = static_cast<int32_t>(word >> 37 & 0x1ff);
  return {std::bit_cast<float>(static_cast<uint32_t>(word) & ~0x1fffu), offset >= 256 ? offset - 512 : offset,
          is_signed ? -128 : 0, is_signed ? 127 : 255, is_signed};
}

uint8_t dequantised(int16_t value, const Parameters& p) {
  const double exact = value * p.scale + p.offset;  // 16 by 11 bits, and 9: exact
  if (exact != exact) return 0;
  const double whole = std::nearbyint(std::clamp<double>(exact, p.low, p.high));
  return static_cast<uint8_t>(static_cast<int32_t>(whole));
}

}  // namespace

uint64_t dequant_word(float scale, int16_t offset, bool is_signed) {
  return std::bit_cast<uint32_t>(scale) | static_cast<uint64_t>(offset & 0x1ff) << 37 |
         static_cast<uint64_t>(is_signed) << 46;
}

void set_dequant_words(const Slice& words, const uint64_t (&values)[16]) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  if (words.at % kBlockBytes || words.at + kWordsBytes > words.end)
    refuse(core, kSetDeqScale.name,
           "vdeq starts at byte " + std::to_string(words.at) + " of UB and has " +
               std::to_string(words.end > words.at ? words.end - words.at : 0) + " bytes",
           "give it a 32-byte aligned tensor of 128 bytes (16 of uint64_t)", site);
  issue_scalar(
      core, kSetDeqScale, site,
      [&](Footprint& f) { f.add({.operand = "vdeq", .slice = words, .run = kWordsBytes, .write = true}); },
      [&] { std::memcpy(host(core, words.mem, words.at), values, kWordsBytes); });
  core.vector.deq_scale = words.at / kBlockBytes;
}

void cast_dequant(DType dst_type, const VecOperand& dst, const VecOperand& src, bool each_lane, bool upper,
                  const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  Plan plan = plan_of(core, shape, sizeof(int16_t));
  if (plan.empty()) return;
  VecOperand to = dst, from = src;
  if (plan.consecutive) {  // block by block, like the repeats of the other form
    to.block_stride = from.block_stride = 1;
    to.repeat_stride = from.repeat_stride = kBlocksPerRepeat;
    plan.consecutive = false;
    plan.lanes = plan.full;
    plan.repeats = static_cast<uint32_t>((plan.count + plan.full - 1) / plan.full);
    plan.last = static_cast<uint32_t>(plan.count - uint64_t{plan.repeats - 1} * plan.full);
  }
  // A destination block takes as many elements as a source block, so both walk alike: an int16_t wide.
  VecOperand room = to;
  const Row out = resolve(core, kDequant, "dst", room, plan, sizeof(int16_t), site);
  const Row in = resolve(core, kDequant, "src", from, plan, sizeof(int16_t), site);
  std::array<Parameters, kLanes> parameters;
  Slice words = {core.vector.deq_scale * kBlockBytes, 0, core.capacity[static_cast<int>(Mem::UB)], Mem::UB};
  if (each_lane && words.at + kWordsBytes > words.end)
    refuse(core, kDequant.name, "DEQSCALE does not hold the place of 16 parameter words",
           "call SetDeqScale with a tensor and a VdeqInfo before it", site);
  for (uint32_t i = 0; i < kLanes; ++i) {
    uint64_t word = core.vector.deq_scale;
    if (each_lane) std::memcpy(&word, host(core, words.mem, words.at) + i * 8, 8);
    parameters[i] = decode(word);
    if (parameters[i].is_signed != (dst_type == DType::Int8))
      refuse(core, kDequant.name,
             std::string("dst is ") + name_of(dst_type) + ", but SetDeqScale's signMode is " +
                 (parameters[i].is_signed ? "true" : "false"),
             "signMode true goes with int8_t, false with uint8_t", site);
  }
  issue(
      core, kDequant, site,
      [&](Footprint& f) {
        Access a = access_of("dst", to, plan, sizeof(int16_t), true);
        a.run = kLanes;
        a.slice.at += upper ? kLanes : 0;
        if (a.element) a.element = 1;
        f.add(a);
        f.add(access_of("src", from, plan, sizeof(int16_t), false));
        if (each_lane) f.add({.operand = "vdeq", .slice = words, .run = kWordsBytes});
      },
      [](const Plan& plan, const Row& out, const Row& in, const std::array<Parameters, kLanes>& parameters,
         bool upper) {
        for (uint32_t r = 0; r < plan.repeats; ++r) {
          const uint32_t lanes = r + 1 == plan.repeats ? plan.last : plan.lanes;
          for (uint32_t i = 0; i < kRepeatLanes; ++i) {
            if (plan.prefix ? i >= lanes : !(plan.bits[i / 64] >> (i % 64) & 1)) continue;
            const uint32_t block = i / kLanes, lane = i % kLanes;
            int16_t value;
            std::memcpy(&value,
                        in.at + size_t{r} * in.repeat_stride + size_t{block} * in.block_stride + lane * 2, 2);
            out.at[size_t{r} * out.repeat_stride + size_t{block} * out.block_stride + (upper ? kLanes : 0) +
                   lane] = dequantised(value, parameters[lane]);
          }
        }
      },
      plan, out, in, parameters, upper);
}

}  // namespace toprope::isa
