#include "toprope/isa/compare.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "isa/compare_table.h"
#include "isa/walk.h"
#include "machine/remark.h"

namespace toprope::isa {
namespace {

constexpr Instruction kCompare = {"Compare", Pipe::V};
constexpr Instruction kCompares = {"Compares", Pipe::V};
constexpr Instruction kGetCmpMask = {"GetCmpMask", Pipe::V};
constexpr Instruction kSetCmpMask = {"SetCmpMask", Pipe::V};
constexpr uint32_t kMaskBytes = sizeof(VectorRegisters::cmp_mask);
constexpr uint32_t kMaskAlignment = 16;

constexpr const char* kModes[] = {
#define TOPROPE_OP(name, types) #name,
#include "toprope/isa/compare.list"
#undef TOPROPE_OP
};

CompareKernel kernel_of(bool scalar, Compare op, DType type) {
  const auto* table = static_cast<const CompareTable*>(compare_table.get());
  return table->at[scalar][static_cast<int>(op)][static_cast<int>(type)];
}

/// The mode is known only when the instruction runs.
void check_mode(Core& core, const Instruction& instruction, Compare op, DType type, Site site) {
  if (op < Compare::kCount && contains(types_of(op), type)) [[likely]]
    return;
  refuse(core, instruction.name,
         std::string(name_of(type)) + " has no comparison " +
             (op < Compare::kCount ? kModes[static_cast<int>(op)] : "of this CMPMODE"),
         type == DType::Int32 ? "int32_t is compared with CMPMODE::EQ only; cast to float for the others"
                              : "use a CMPMODE of the page of Compare in the Ascend C API",
         site);
}

/// Whole repeats only.
Plan plan_of_whole(Core& core, const Instruction& instruction, const VecShape& shape, uint32_t element,
                   Site site) {
  Plan plan;
  plan.full = plan.lanes = plan.last = kRepeatBytes / element;
  if (shape.kind != VecShape::Count) {
    plan.repeats = shape.repeats;
    return plan;
  }
  const uint32_t count = shape.count > 0 ? static_cast<uint32_t>(shape.count) : 0;
  plan.consecutive = true;
  plan.count = count / plan.full * plan.full;
  plan.repeats = count / plan.full;
  if (plan.count != count) [[unlikely]]
    remark(core, site, [&] {
      return Remark{
          instruction.name, "constraints.rounded_down", false,
          "the last " + std::to_string(count - plan.count) + " of " + std::to_string(count) +
              " elements are not compared: only whole 256 bytes are, and dst gets no bits for the rest",
          "make count a multiple of " + std::to_string(plan.full) + " and dst and the sources as large"};
    });
  return plan;
}

uint8_t* resolve_bits(Core& core, const Instruction& instruction, const Slice& dst, uint64_t bytes,
                      Site site) {
  if (dst.at % kBlockBytes) [[unlikely]]
    refuse(core, instruction.name,
           "dst starts at byte " + std::to_string(dst.at) + " of UB, which is not 32-byte aligned",
           "start it at a multiple of 32 bytes (256 results)", site);
  if (dst.at + bytes > dst.end) [[unlikely]]
    refuse(core, instruction.name,
           "dst ends " + std::to_string(dst.at + bytes - dst.end) +
               " bytes past its tensor: " + std::to_string(bytes) + " bytes of results",
           "give dst a bit for each compared element", site);
  return host(core, dst.mem, dst.at);
}

/// Compares what lies in a row at once; else repeat by repeat, where the strides do not make one row of
/// blocks of all repeats. Where dst may lie in a source, a repeat is read before its bits are written.
void run(const Plan& plan, CompareKernel kernel, uint8_t* dst, const Row& src0, const Row* src1,
         const void* value) {
  auto strided = [&](Row row) {
    if (plan.consecutive) row.block_stride = kBlockBytes, row.repeat_stride = kRepeatBytes;
    return row;
  };
  const Row a = strided(src0), b = src1 ? strided(*src1) : a;
  const uint32_t bytes = plan.full / 8;
  auto apart = [&](const Row& s) {
    const uint64_t reach = uint64_t{plan.repeats - 1} * s.repeat_stride +
                           uint64_t{kBlocksPerRepeat - 1} * s.block_stride + kBlockBytes;
    return dst + uint64_t{plan.repeats} * bytes <= s.at || s.at + reach <= dst;
  };
  auto even = [](const Row& s) { return s.repeat_stride == kBlocksPerRepeat * s.block_stride; };
  const bool free = apart(a) && apart(b), at_once = free && even(a) && even(b);
  const bool in_row = a.block_stride == kBlockBytes && b.block_stride == kBlockBytes;
  Apart extent{plan.full, {0, a.block_stride, b.block_stride}};
  if (at_once) extent.n *= plan.repeats;
  for (uint32_t r = 0; r < (at_once ? 1 : plan.repeats); ++r) {
    const uint8_t* x = a.at + size_t{r} * a.repeat_stride;
    const void* y = src1 ? b.at + size_t{r} * b.repeat_stride : value;
    uint8_t* const to = dst + size_t{r} * bytes;
    uint8_t bits[16];
    if (in_row)
      kernel(free ? to : bits, x, y, extent.n);
    else
      kernel(free ? to : bits, x, y, extent);
    if (!free) std::memcpy(to, bits, bytes);
  }
}

}  // namespace

void compare(Compare op, DType type, const Slice& dst, const VecOperand& src0, const VecOperand& src1,
             const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const uint32_t element = size_of(type);
  check_mode(core, kCompare, op, type, site);
  const Plan plan = plan_of_whole(core, kCompare, shape, element, site);
  if (plan.repeats == 0) return;
  const uint32_t bytes = plan.repeats * plan.full / 8;
  uint8_t* out = resolve_bits(core, kCompare, dst, bytes, site);
  const Row a = resolve(core, kCompare, "src0", src0, plan, element, site);
  const Row b = resolve(core, kCompare, "src1", src1, plan, element, site);
  issue(
      core, kCompare, site,
      [&](Footprint& f) {
        f.add({.operand = "dst", .slice = dst, .run = bytes, .write = true});
        f.add(access_of("src0", src0, plan, element, false));
        f.add(access_of("src1", src1, plan, element, false));
      },
      [](const Plan& plan, CompareKernel kernel, uint8_t* out, const Row& a, const Row& b) {
        run(plan, kernel, out, a, &b, nullptr);
      },
      plan, kernel_of(false, op, type), out, a, b);
}

void compare_scalar(Compare op, DType type, const Slice& dst, const VecOperand& src0, Scalar value,
                    const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const uint32_t element = size_of(type);
  check_mode(core, kCompares, op, type, site);
  const Plan plan = plan_of_whole(core, kCompares, shape, element, site);
  if (plan.repeats == 0) return;
  const uint32_t bytes = plan.repeats * plan.full / 8;
  uint8_t* out = resolve_bits(core, kCompares, dst, bytes, site);
  const Row a = resolve(core, kCompares, "src0", src0, plan, element, site);
  issue(
      core, kCompares, site,
      [&](Footprint& f) {
        f.add({.operand = "dst", .slice = dst, .run = bytes, .write = true});
        f.add(access_of("src0", src0, plan, element, false));
      },
      [](const Plan& plan, CompareKernel kernel, uint8_t* out, const Row& a, Scalar value) {
        run(plan, kernel, out, a, nullptr, &value.bits);
      },
      plan, kernel_of(true, op, type), out, a, value);
}

void compare_to_register(Compare op, DType type, const VecOperand& src0, const VecOperand& src1,
                         const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const uint32_t element = size_of(type);
  check_mode(core, kCompare, op, type, site);
  Plan plan = plan_of(core, shape, element);
  if (plan.empty()) return;
  if (plan.repeats > 1) {  // counter mode with more than the one repeat that this form handles
    plan.repeats = 1;
    plan.last = plan.lanes;
  }
  const Row a = resolve(core, kCompare, "src0", src0, plan, element, site);
  const Row b = resolve(core, kCompare, "src1", src1, plan, element, site);
  issue(
      core, kCompare, site,
      [&](Footprint& f) {
        f.add(access_of("src0", src0, plan, element, false));
        f.add(access_of("src1", src1, plan, element, false));
      },
      [](Core* core, const Plan& plan, CompareKernel kernel, const Row& a, const Row& b, uint32_t element) {
        const Taking part = taking(plan, 0);
        // Only blocks that take part may be read; the kernel sees a whole repeat.
        alignas(64) uint8_t scratch[2][kRepeatBytes] = {};
        uint64_t result[2] = {0, 0};
        const Row* rows[2] = {&a, &b};
        for (int k = 0; k < 2; ++k)
          for (uint32_t i = 0; i < plan.full; ++i)
            if (part.test(i)) {
              const uint32_t byte = i * element;
              std::memcpy(
                  scratch[k] + byte,
                  rows[k]->at + size_t{byte / kBlockBytes} * rows[k]->block_stride + byte % kBlockBytes,
                  element);
            }
        kernel(reinterpret_cast<uint8_t*>(result), scratch[0], scratch[1], plan.full);
        uint64_t(&mask)[2] = core->vector.cmp_mask;
        for (int w = 0; w < 2; ++w) mask[w] = (mask[w] & ~part.bits[w]) | (result[w] & part.bits[w]);
      },
      &core, plan, kernel_of(false, op, type), a, b, element);
}

void get_cmp_mask(const Slice& dst) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  // The page asks for 128 bytes; the register has 16, and the sample that the page names gives it 32.
  if (dst.at % kMaskAlignment || dst.at + kMaskBytes > dst.end) [[unlikely]]
    refuse(core, kGetCmpMask.name,
           "dst starts at byte " + std::to_string(dst.at) + " of UB and has " +
               std::to_string(dst.end > dst.at ? dst.end - dst.at : 0) + " bytes",
           "give it a tensor of at least 16 bytes at a multiple of 16 bytes", site);
  issue(
      core, kGetCmpMask, site,
      [&](Footprint& f) { f.add({.operand = "dst", .slice = dst, .run = kMaskBytes, .write = true}); },
      [](Core* core, uint8_t* to) { std::memcpy(to, core->vector.cmp_mask, kMaskBytes); }, &core,
      host(core, dst.mem, dst.at));
}

void set_cmp_mask(const Slice& src) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  if (src.at % kMaskAlignment || src.at >= src.end) [[unlikely]]
    refuse(core, kSetCmpMask.name,
           "src starts at byte " + std::to_string(src.at) + " of UB" +
               (src.at >= src.end ? ", past its tensor" : ", which is not 16-byte aligned"),
           "start it at a multiple of 16 bytes inside its tensor", site);
  // Tensors of 8 bytes (64 float results, a scalar, an address) are documented; the rest of the register is
  // then 0.
  const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(kMaskBytes, src.end - src.at));
  issue(
      core, kSetCmpMask, site, [&](Footprint& f) { f.add({.operand = "src", .slice = src, .run = bytes}); },
      [](Core* core, const uint8_t* from, uint32_t bytes) {
        core->vector.cmp_mask[0] = core->vector.cmp_mask[1] = 0;
        std::memcpy(core->vector.cmp_mask, from, bytes);
      },
      &core, host(core, src.mem, src.at), bytes);
}

}  // namespace toprope::isa
