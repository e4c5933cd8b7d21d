#include "toprope/isa/select.h"

#include <algorithm>
#include <string>

#include "isa/compare_table.h"
#include "isa/walk.h"

namespace toprope::isa {
namespace {

constexpr Instruction kSelect = {"Select", Pipe::V};

/// The bits of a selection, found and checked.
struct Bits {
  const uint8_t* at;
  bool consecutive;
  Slice slice;     ///< for the footprint
  uint32_t bytes;  ///< 0: the register
};

Bits resolve_bits(Core& core, const Selection& selection, const Plan& plan, Site site) {
  if (selection.kind == Selection::Register)
    return {reinterpret_cast<const uint8_t*>(core.vector.cmp_mask), false, {}, 0};
  Bits bits = {nullptr, selection.kind != Selection::SameEachRepeat, selection.bits, 0};
  if (selection.kind == Selection::AddressInRegister) {
    // The register holds what GetPhyAddr() gave, or its low 32 bits: both give the offset from UB's start.
    const auto ub = static_cast<int>(Mem::UB);
    const auto base = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(core.base[ub]));
    bits.slice = {static_cast<uint32_t>(core.vector.cmp_mask[0]) - base, 0, core.capacity[ub], Mem::UB};
  }
  // In the order of a plan whose repeats are whole, the last bit is the last element of the last repeat.
  const uint64_t last = plan.prefix ? plan.last : plan.full;
  const uint64_t elements = plan.consecutive ? plan.count : uint64_t{plan.repeats - 1} * plan.full + last;
  const uint64_t needed = bits.consecutive ? elements : std::min<uint64_t>(elements, plan.full);
  bits.bytes = static_cast<uint32_t>((needed + 7) / 8);
  const Slice& s = bits.slice;
  if (s.at % kBlockBytes) [[unlikely]]
    refuse(core, kSelect.name,
           "selMask starts at byte " + std::to_string(s.at) + " of UB, which is not 32-byte aligned",
           "start it at a multiple of 32 bytes", site);
  if (s.at + bits.bytes > s.end) [[unlikely]]
    refuse(core, kSelect.name,
           "selMask ends " + std::to_string(s.at + bits.bytes - s.end) +
               " bytes past its tensor: " + std::to_string(bits.bytes) + " bytes of bits are needed",
           "give it a bit for each element, or the first repeat's bits in VSEL_CMPMASK_SPR", site);
  bits.at = host(core, s.mem, s.at);
  return bits;
}

/// Feeds the kernel: walk() goes through the elements in order and takes whole repeats, which is how bits are
/// counted.
template <size_t N>
void run(const Plan& plan, const std::array<Row, N>& rows, const Bits& bits, SelectKernel kernel,
         const void* value) {
  const uint32_t element = rows[0].element;
  size_t position = 0;
  walk(plan, rows, [&](uint8_t* const* at, size_t n) {
    const uint8_t* src1 = N == 3 ? at[N - 1] : static_cast<const uint8_t*>(value);
    if (bits.consecutive) {
      // What lies beyond the last bit was not checked: a whole repeat may be asked for, only its start takes
      // part.
      const size_t here = std::min(n, size_t{bits.bytes} * 8 - position);
      kernel(at[0], bits.at + position / 8, at[1], src1, here);
    } else {
      for (size_t i = 0; i < n; i += plan.full) {
        const size_t here =
            std::min<size_t>({plan.full, n - i, bits.bytes ? size_t{bits.bytes} * 8 : plan.full});
        kernel(at[0] + i * element, bits.at, at[1] + i * element, N == 3 ? src1 + i * element : src1, here);
      }
    }
    position += (n + plan.full - 1) / plan.full * plan.full;
  });
}

template <size_t N>
void select(Core& core, DType type, const VecOperand* const (&operands)[N], const Selection& selection,
            Scalar value, const VecShape& shape, Site site) {
  static constexpr const char* names[] = {"dst", "src0", "src1"};
  const uint32_t element = size_of(type);
  const Plan plan = plan_of(core, shape, element);
  if (plan.empty()) return;
  std::array<Row, N> rows;
  for (size_t i = 0; i < N; ++i)
    rows[i] = resolve(core, kSelect, names[i], *operands[i], plan, element, site);
  const Bits bits = resolve_bits(core, selection, plan, site);
  const auto* table = static_cast<const CompareTable*>(compare_table.get());
  issue(
      core, kSelect, site,
      [&](Footprint& f) {
        for (size_t i = 0; i < N; ++i) f.add(access_of(names[i], *operands[i], plan, element, i == 0));
        if (bits.bytes) f.add({.operand = "selMask", .slice = bits.slice, .run = bits.bytes});
      },
      [](const Plan& plan, const std::array<Row, N>& rows, const Bits& bits, SelectKernel kernel,
         Scalar value) { run(plan, rows, bits, kernel, &value.bits); },
      plan, rows, bits, table->select[N == 2][element == 4], value);
}

}  // namespace

void select(DType type, const VecOperand& dst, const Selection& selection, const VecOperand& src0,
            const VecOperand& src1, const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  select(core, type, {&dst, &src0, &src1}, selection, Scalar{}, shape, site);
}

void select_scalar(DType type, const VecOperand& dst, const Selection& selection, const VecOperand& src0,
                   Scalar value, const VecShape& shape) {
  Core& core = toprope::core();
  const Site site = __builtin_return_address(0);
  select(core, type, {&dst, &src0}, selection, value, shape, site);
}

}  // namespace toprope::isa
