#include "toprope/isa/cast.h"

#include <algorithm>
#include <string>

#include "isa/cast_table.h"
#include "isa/cast_wrap.h"
#include "isa/walk.h"
#include "machine/remark.h"

namespace toprope::isa {
namespace {

constexpr const char* kRoundNames[kRounds] = {"CAST_NONE",  "CAST_RINT",  "CAST_FLOOR", "CAST_CEIL",
                                              "CAST_ROUND", "CAST_TRUNC", "CAST_ODD"};
constexpr Instruction kCast = {"Cast", Pipe::V};
constexpr Instruction kReluCast[] = {{"AddReluCast", Pipe::V}, {"SubReluCast", Pipe::V}};

[[noreturn]] void refuse_pair(Core& core, DType dst, DType src, Round round, RoundSet allowed, Site site) {
  const std::string pair = std::string(name_of(src)) + " to " + name_of(dst);
  if (allowed == 0)
    refuse(core, kCast.name, "this chip has no conversion from " + pair,
           "convert through float or half; the page of Cast in the Ascend C API lists the combinations",
           site);
  std::string names;
  for (int r = 0; r < kRounds; ++r)
    if (allowed >> r & 1) names += (names.empty() ? "" : ", ") + std::string(kRoundNames[r]);
  const auto index = static_cast<unsigned>(round);
  refuse(core, kCast.name,
         pair + " has no rounding mode " +
             (index < kRounds ? std::string(kRoundNames[index]) : "number " + std::to_string(index)),
         "use one of: " + names, site);
}

/// int4b_t packs two elements in a byte, so its conversions walk over pairs: a byte here, two elements there.
void to_pairs(Core& core, Plan& plan, Site site) {
  constexpr const char* cure = "process an even number of elements; mask bits 2i and 2i + 1 must be equal";
  uint64_t half_bits[2] = {0, 0};
  if (!plan.prefix)
    for (int i = 0; i < 64; ++i) {
      const uint64_t pair = plan.bits[i / 32] >> (2 * (i % 32)) & 3;
      if (pair == 1 || pair == 2)
        refuse(core, kCast.name,
               "the mask separates elements " + std::to_string(2 * i) + " and " + std::to_string(2 * i + 1) +
                   ", which share a byte of int4b_t",
               cure, site);
      half_bits[0] |= (pair & 1) << i;
    }
  if (plan.count % 2 || plan.lanes % 2 || plan.last % 2)
    refuse(core, kCast.name,
           "the number of elements (" +
               std::to_string(plan.consecutive ? plan.count
                              : plan.last % 2  ? plan.last
                                               : plan.lanes) +
               ") is odd, but int4b_t packs two in a byte",
           cure, site);
  plan.count /= 2;
  plan.full /= 2;
  plan.lanes /= 2;
  plan.last /= 2;
  plan.bits[0] = half_bits[0];
  plan.bits[1] = 0;
}

/// Whether a kernel that goes forward may run at once although the operands share bytes: it writes behind
/// what it reads.
bool writes_behind(const Plan& plan, const Row& dst, const Row& src) {
  return plan.consecutive && dst.element <= src.element && dst.at <= src.at;
}

/// A conversion in the forms that it has.
struct Forms {
  CastKernel row;
  CastBlocksKernel blocks;  ///< may be null
};

Forms forms_of(const Core& core, DType to, DType from, Round round) {
  if (core.wrap_casts) [[unlikely]]
    if (const CastKernel wrapping = wrapping_cast(to, from, round)) return {wrapping, nullptr};
  const auto* table = static_cast<const CastTable*>(cast_table.get());
  const int t = static_cast<int>(to), f = static_cast<int>(from), r = static_cast<int>(round);
  return {table->at[t][f][r], table->blocks[t][f][r]};
}

/// Calls the kernel in the form that the extent asks for.
struct Convert {
  void operator()(uint8_t* const* at, size_t n) const { forms.row(at[0], at[1], n, mode); }
  void operator()(uint8_t* const* at, const Apart& extent) const { forms.blocks(at[0], at[1], extent, mode); }
  const Forms& forms;
  const CastMode& mode;
};

}  // namespace

void cast(DType dst_type, const VecOperand& dst, DType src_type, const VecOperand& src, Round round,
          const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const RoundSet allowed = rounds_of(dst_type, src_type);
  if (static_cast<unsigned>(round) >= kRounds || !(allowed & one(round))) [[unlikely]]
    refuse_pair(core, dst_type, src_type, round, allowed, site);
  uint32_t to = size_of(dst_type), from = size_of(src_type), in_one = 1;
  Plan plan = plan_of(core, shape, std::max(to, from));
  if (dst_type == DType::Int4 || src_type == DType::Int4) {
    to_pairs(core, plan, site);
    in_one = 2;
    if (dst_type != DType::Int4) to *= 2;
    if (src_type != DType::Int4) from *= 2;
  }
  if (plan.empty()) return;
  const std::array<Row, 2> rows = {resolve(core, kCast, "dst", dst, plan, to, site),
                                   resolve(core, kCast, "src", src, plan, from, site)};
  if (dst_type == DType::Half && src_type == DType::Int32 && core.vector.deq_scale == 0) [[unlikely]]
    remark(core, site, [] {
      return Remark{
          kCast.name, "constraints.deq_scale", false,
          "int32_t to half multiplies by the scale of SetDeqScale, which is 0: every result of dst is 0",
          "call SetDeqScale(half(1.0)) before"};
    });
  const Forms forms = forms_of(core, dst_type, src_type, round);
  const CastMode mode = {core.saturate, float_from_half(static_cast<uint16_t>(core.vector.deq_scale))};
  issue(
      core, kCast, site,
      [&](Footprint& f) {
        f.add(access_of("dst", dst, plan, to, true));
        f.add(access_of("src", src, plan, from, false));
      },
      [](const Plan& plan, const std::array<Row, 2>& rows, const Forms& forms, uint32_t in_one,
         CastMode mode) {
        if (writes_behind(plan, rows[0], rows[1]))
          forms.row(rows[0].at, rows[1].at, plan.count * in_one, mode);
        else if (forms.blocks)
          walk(plan, rows, Convert{forms, mode});
        else
          walk(plan, rows, [&](uint8_t* const* at, size_t n) { forms.row(at[0], at[1], n * in_one, mode); });
      },
      plan, rows, forms, in_one, mode);
}

Scalar cast_scalar(DType dst_type, DType src_type, Scalar value, Round round) {
  const Core& core = toprope::core();
  Scalar result;
  forms_of(core, dst_type, src_type, round).row(&result.bits, &value.bits, 1, {core.saturate, 1.0f});
  return result;
}

void add_relu_cast(bool subtract, DType dst_type, const VecOperand& dst, DType src_type,
                   const VecOperand& src0, const VecOperand& src1, const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const Instruction& instruction = kReluCast[subtract];
  const uint32_t to = size_of(dst_type), from = size_of(src_type);
  const Plan plan = plan_of(core, shape, from);
  if (plan.empty()) return;
  const std::array<Row, 3> rows = {resolve(core, instruction, "dst", dst, plan, to, site),
                                   resolve(core, instruction, "src0", src0, plan, from, site),
                                   resolve(core, instruction, "src1", src1, plan, from, site)};
  const auto* table = static_cast<const CastTable*>(cast_table.get());
  const ReluCastKernel kernel = table->relu[static_cast<int>(dst_type)][static_cast<int>(src_type)][subtract];
  issue(
      core, instruction, site,
      [&](Footprint& f) {
        f.add(access_of("dst", dst, plan, to, true));
        f.add(access_of("src0", src0, plan, from, false));
        f.add(access_of("src1", src1, plan, from, false));
      },
      [](const Plan& plan, const std::array<Row, 3>& rows, ReluCastKernel kernel, bool saturate) {
        walk(plan, rows, [&](uint8_t* const* at, size_t n) { kernel(at[0], at[1], at[2], n, saturate); });
      },
      plan, rows, kernel, core.saturate);
}

}  // namespace toprope::isa
