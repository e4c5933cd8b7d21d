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
class Feed {
 public:
  Feed(const Plan& plan, uint32_t element, const Bits& bits, SelectKernel kernel, const void* value)
      : plan_(plan), element_(element), bits_(bits), kernel_(kernel), value_(value) {}

  void operator()(uint8_t* const* at, size_t n) const {
    if (bits_.consecutive) {
      // What lies beyond the last bit was not checked: a whole repeat may be asked for, only its start takes
      // part.
      const size_t here = std::min(n, size_t{bits_.bytes} * 8 - position_);
      kernel_(at[0], bits_.at + position_ / 8, at[1], second(at, 0), here);
    } else {
      for (size_t i = 0; i < n; i += plan_.full) {
        const size_t here =
            std::min<size_t>({plan_.full, n - i, bits_.bytes ? size_t{bits_.bytes} * 8 : plan_.full});
        kernel_(at[0] + i * element_, bits_.at, at[1] + i * element_, second(at, i * element_), here);
      }
    }
    position_ += (n + plan_.full - 1) / plan_.full * plan_.full;
  }

  void operator()(uint8_t* const* at, const Apart& extent) const {
    if (bits_.consecutive) {
      kernel_(at[0], bits_.at + position_ / 8, at[1], second(at, 0), extent);
    } else {
      Apart repeat = extent;
      repeat.n = plan_.full;
      for (size_t i = 0; i < extent.n; i += plan_.full) {
        const size_t block = i * element_ / kBlockBytes;
        kernel_(at[0] + block * extent.stride[0], bits_.at, at[1] + block * extent.stride[1],
                second(at, block * extent.stride[2]), repeat);
      }
    }
    position_ += extent.n;
  }

 private:
  const void* second(uint8_t* const* at, size_t byte) const { return N == 3 ? at[N - 1] + byte : value_; }

  const Plan& plan_;
  uint32_t element_;
  const Bits& bits_;
  SelectKernel kernel_;
  const void* value_;
  mutable size_t position_ = 0;
};

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
         Scalar value) { walk(plan, rows, Feed<N>(plan, rows[0].element, bits, kernel, &value.bits)); },
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
