#include "toprope/isa/ternary.h"

#include <algorithm>
#include <string>
#include <vector>

#include "isa/ternary_table.h"
#include "isa/walk.h"

namespace toprope::isa {
namespace {

constexpr Instruction instructions[] = {
#define TOPROPE_OP(name, same, half_sources) {#name, Pipe::V},
#include "toprope/isa/ternary.list"
#undef TOPROPE_OP
};
constexpr Instruction kAxpy{"Axpy", Pipe::V};

/// The DataBlocks that hold an element which takes part, in ascending order.
std::vector<uint64_t> blocks_of(const Plan& plan, const VecOperand& where, uint32_t element) {
  std::vector<uint64_t> blocks;
  if (plan.consecutive) {
    for (uint64_t at = 0; at < plan.count * element; at += kBlockBytes) blocks.push_back(where.slice.at + at);
    return blocks;
  }
  const uint32_t per_block = kBlockBytes / element;
  for (uint32_t r = 0; r < plan.repeats; ++r) {
    const uint32_t lanes = r + 1 == plan.repeats ? plan.last : plan.lanes;
    for (uint32_t first = 0; first < plan.full; first += per_block) {
      const bool used = plan.prefix
                            ? first < lanes
                            : (plan.bits[first / 64] >> (first % 64) & ((uint64_t{1} << per_block) - 1)) != 0;
      const uint32_t block = first / per_block;
      if (used)
        blocks.push_back(where.slice.at +
                         kBlockBytes * (uint64_t{r} * where.repeat_stride + block * where.block_stride));
    }
  }
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

/// Bytes from the operand's start that it can reach at most.
uint64_t reach_of(const Plan& plan, const VecOperand& where, uint32_t element) {
  if (plan.consecutive) return plan.count * element;
  const uint64_t blocks = plan.full * element / kBlockBytes;
  return kBlockBytes *
         (uint64_t{plan.repeats - 1} * where.repeat_stride + (blocks - 1) * where.block_stride + 1);
}

void check_apart(Core& core, const Instruction& instruction, const char* name, const VecOperand& dst,
                 const VecOperand& src, const Plan& plan, DType to, DType from, Site site) {
  if (to == from) return;
  const uint32_t wide = size_of(to), narrow = size_of(from);
  if (dst.slice.at + reach_of(plan, dst, wide) <= src.slice.at ||
      src.slice.at + reach_of(plan, src, narrow) <= dst.slice.at)
    return;
  const std::vector<uint64_t> written = blocks_of(plan, dst, wide);
  for (const uint64_t at : blocks_of(plan, src, narrow))
    if (std::binary_search(written.begin(), written.end(), at))
      refuse(core, instruction.name,
             "dst and " + std::string(name) + " share bytes of UB from byte " + std::to_string(at) + " on",
             "give dst a buffer of its own: its elements are wider than those of the source", site);
}

}  // namespace

void ternary(Ternary op, DType to, DType from, const VecOperand& dst, const VecOperand& src0,
             const VecOperand& src1, const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const Instruction& instruction = instructions[static_cast<int>(op)];
  const uint32_t wide = size_of(to), narrow = size_of(from);
  const Plan plan = plan_of(core, shape, wide);
  if (plan.empty()) return;
  const std::array<Row, 3> rows = {resolve(core, instruction, "dst", dst, plan, wide, site),
                                   resolve(core, instruction, "src0", src0, plan, narrow, site),
                                   resolve(core, instruction, "src1", src1, plan, narrow, site)};
  check_apart(core, instruction, "src0", dst, src0, plan, to, from, site);
  check_apart(core, instruction, "src1", dst, src1, plan, to, from, site);
  const auto* table = static_cast<const TernaryTable*>(ternary_table.get());
  const TernaryKernel kernel =
      table->at[core.saturate][static_cast<int>(op)][static_cast<int>(pair_of(to, from))];
  issue(
      core, instruction, site,
      [&](Footprint& f) {
        f.add(access_of("dst", dst, plan, wide, true));
        f.add(access_of("dst", dst, plan, wide, false));
        f.add(access_of("src0", src0, plan, narrow, false));
        f.add(access_of("src1", src1, plan, narrow, false));
      },
      [](const Plan& plan, const std::array<Row, 3>& rows, TernaryKernel kernel) {
        walk(
            plan, rows, [&](uint8_t* const* at, auto n) { kernel(at[0], at[1], at[2], n); },
            Destination::ReadToo);
      },
      plan, rows, kernel);
}

void axpy(DType to, DType from, const VecOperand& dst, const VecOperand& src, Scalar scalar,
          const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  const uint32_t wide = size_of(to), narrow = size_of(from);
  const Plan plan = plan_of(core, shape, wide);
  if (plan.empty()) return;
  const std::array<Row, 2> rows = {resolve(core, kAxpy, "dst", dst, plan, wide, site),
                                   resolve(core, kAxpy, "src", src, plan, narrow, site)};
  check_apart(core, kAxpy, "src", dst, src, plan, to, from, site);
  const auto* table = static_cast<const TernaryTable*>(ternary_table.get());
  const AxpyKernel kernel = table->axpy[core.saturate][static_cast<int>(pair_of(to, from))];
  issue(
      core, kAxpy, site,
      [&](Footprint& f) {
        f.add(access_of("dst", dst, plan, wide, true));
        f.add(access_of("dst", dst, plan, wide, false));
        f.add(access_of("src", src, plan, narrow, false));
      },
      [](const Plan& plan, const std::array<Row, 2>& rows, AxpyKernel kernel, Scalar scalar) {
        walk(
            plan, rows, [&](uint8_t* const* at, auto n) { kernel(at[0], at[1], scalar, n); },
            Destination::ReadToo);
      },
      plan, rows, kernel, scalar);
}

}  // namespace toprope::isa
