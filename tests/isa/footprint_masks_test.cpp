// The footprints of instructions that make bits, choose by bits, or make one result of many elements. See
// support/footprint.h.
#include "support/shapes.h"
#include "toprope/isa/compare.h"
#include "toprope/isa/gather.h"
#include "toprope/isa/reduce.h"
#include "toprope/isa/select.h"

namespace {

using namespace toprope;
using namespace toprope::test;
using isa::VecOperand;

constexpr int kTrials = 60;
constexpr uint64_t kLast = 5 * kRoom;  // a room for bits, words or temporary memory

std::string of(DType type) { return std::string(" of ") + name_of(type); }

TEST(Footprint, OfComparisons) {
  for (const DType type : {DType::Half, DType::Float, DType::Int32})
    for (const bool scalar : {false, true})
      for (const auto op : {isa::Compare::EQ, isa::Compare::LT, isa::Compare::GE}) {
        if (!contains(isa::types_of(op), type)) continue;
        const bool tells = op != isa::Compare::EQ;
        const isa::Scalar value = type == DType::Half ? isa::scalar_of(half(2.25f)) : isa::scalar_of(2.25f);
        prove_footprint(
            (scalar ? "Compares" : "Compare") + of(type), kTrials, tells ? 0.15 : 0, [=](Random& random) {
              const VecOperand a = draw_operand(random, 1, false), b = draw_operand(random, 2, false);
              const Slice dst = in_ub(32 * below(random, 20), kRoom / 2);
              const Drawn d = draw_shape(random, size_of(type));
              return Trial{.fill = type, .run = [=](uint64_t) {
                             if (scalar)
                               isa::compare_scalar(op, type, dst, a, value, d.set());
                             else
                               isa::compare(op, type, dst, a, b, d.set());
                             return uint64_t{0};
                           }};
            });
      }
}

TEST(Footprint, OfTheCompareRegister) {
  for (const DType type : {DType::Half, DType::Float})
    prove_footprint("Compare into the register" + of(type), kTrials, 0.15, [=](Random& random) {
      const VecOperand a = draw_operand(random, 1, false), b = draw_operand(random, 2, false);
      const Drawn d = draw_shape(random, size_of(type));
      return Trial{.fill = type, .run = [=](uint64_t) {
                     if (d.shape.kind != isa::VecShape::Count)
                       isa::compare_to_register(isa::Compare::LT, type, a, b, d.set());
                     return uint64_t{0};
                   }};
    });
  prove_footprint("GetCmpMask, SetCmpMask", kTrials, 0.95, [](Random& random) {
    const Slice place = in_ub(16 * below(random, 64), one_of<uint64_t>(random, {16, 32, 128}));
    const Slice short_place = in_ub(place.at, one_of<uint64_t>(random, {4, 8, 16, 32}));
    const bool get = below(random, 3) == 0;
    return Trial{.fill = DType::Int32, .run = [=](uint64_t) {
                   if (get)
                     isa::get_cmp_mask(place);
                   else
                     isa::set_cmp_mask(short_place);
                   return uint64_t{0};
                 }};
  });
}

TEST(Footprint, OfSelect) {
  using Kind = isa::Selection::Kind;
  for (const DType type : {DType::Half, DType::Float})
    for (const Kind kind : {Kind::SameEachRepeat, Kind::Consecutive, Kind::Register, Kind::AddressInRegister})
      for (const bool scalar : {false, true})
        prove_footprint(
            "Select in form " + std::to_string(kind) + of(type), kTrials, 0.25, [=](Random& random) {
              const VecOperand dst = draw_operand(random, 0, true), a = draw_operand(random, 1, false),
                               b = draw_operand(random, 2, false);
              const uint64_t bits_at = kLast + 32 * below(random, 20);
              const Drawn d = draw_shape(random, size_of(type));
              return Trial{.fill = type,
                           .run =
                               [=](uint64_t) {
                                 isa::Selection selection{kind, in_ub(bits_at, kRoom / 2)};
                                 if (kind == Kind::AddressInRegister)
                                   core().vector.cmp_mask[0] =
                                       reinterpret_cast<uintptr_t>(host(core(), Mem::UB, bits_at));
                                 if (scalar)
                                   isa::select_scalar(type, dst, selection, a, isa::Scalar{0}, d.set());
                                 else
                                   isa::select(type, dst, selection, a, b, d.set());
                                 core().vector.cmp_mask[0] = 0;
                                 return uint64_t{0};
                               },
                           .telling = writes_once(dst)};
            });
}

TEST(Footprint, OfGatherMask) {
  for (const DType type : {DType::Half, DType::Float, DType::UInt16, DType::Int32})
    for (const bool built_in : {false, true})
      prove_footprint("GatherMask" + of(type), kTrials, 0.3, [=](Random& random) {
        VecOperand src = draw_operand(random, 1, false);
        const uint32_t lanes = one_of<uint32_t>(
            random, {0, static_cast<uint32_t>(below(random, 200)), 256 / size_of(type), 1, 700});
        const auto repeats = static_cast<uint32_t>(below(random, 4));
        const Slice dst = in_ub(32 * below(random, 20), kRoom / 2);
        isa::KeptElements kept;
        if (built_in)
          kept.pattern = static_cast<uint8_t>(1 + below(random, 7));
        else
          kept.bits = in_ub(kLast, kRoom / 2),
          kept.bits_repeat_stride = static_cast<uint32_t>(below(random, 10));
        return Trial{.fill = type,
                     .run = [=](uint64_t) { return isa::gather_mask(type, dst, src, kept, lanes, repeats); }};
      });
}

isa::ReduceSteps draw_steps(Random& random, int32_t most_repeats) {
  isa::ReduceSteps steps;
  steps.repeats = static_cast<int32_t>(below(random, static_cast<uint64_t>(most_repeats) + 1));
  steps.dst_repeat = one_of(random, {1, 1, 1, 0, 2, 5});
  steps.src_block = one_of(random, {1, 1, 1, 0, 2, 3});
  steps.src_repeat = one_of(random, {8, 8, 0, 1, 7, 16});
  return steps;
}

/// Shapes of the forms with repeats.
Drawn draw_mask(Random& random, uint32_t element) {
  Drawn d;
  do d = draw_shape(random, element);
  while (d.shape.kind == isa::VecShape::Count);
  return d;
}

TEST(Footprint, OfReductionsOfRepeats) {
  enum Form { Repeat, Block, Pair };
  for (const DType type : {DType::Half, DType::Float})
    for (const auto op : {isa::Reduce::Sum, isa::Reduce::Max, isa::Reduce::Min})
      for (const Form form : {Repeat, Block, Pair}) {
        if (form == Pair && op != isa::Reduce::Sum) continue;
        const bool sum = op == isa::Reduce::Sum;
        prove_footprint("reduction " + std::to_string(form) + of(type), kTrials, sum ? 0.7 : 0.01,
                        [=](Random& random) {
                          const isa::ReduceSteps steps = draw_steps(random, kMostRepeats);
                          const Drawn d = draw_mask(random, size_of(type));
                          const auto order = static_cast<isa::ReduceOrder>(below(random, 4));
                          const Slice dst = in_ub(32 * below(random, 20), kRoom / 2),
                                      src = in_ub(kRoom + 32 * below(random, 20), kRoom - 1024);
                          return Trial{.fill = type,
                                       .run =
                                           [=](uint64_t) {
                                             const isa::VecShape& mask = d.set();
                                             if (form == Repeat)
                                               isa::reduce_repeat(op, type, dst, src, mask, steps, order);
                                             else if (form == Block)
                                               isa::reduce_block(op, type, dst, src, mask, steps);
                                             else
                                               isa::reduce_pair(type, dst, src, mask, steps);
                                             return uint64_t{0};
                                           },
                                       .telling = steps.dst_repeat != 0 && steps.src_block != 0};
                        });
      }
}

TEST(Footprint, OfReductionsToOne) {
  for (const DType type : {DType::Half, DType::Float})
    for (const auto op : {isa::Reduce::Sum, isa::Reduce::Max, isa::Reduce::Min})
      for (const bool of_count : {false, true}) {
        const bool sum = op == isa::Reduce::Sum;
        prove_footprint((of_count ? "reduction of a count" : "reduction of repeats") + of(type), kTrials,
                        sum ? 0.2 : 0, [=](Random& random) {
                          const isa::ReduceSteps steps = draw_steps(random, 40);
                          const Drawn d = draw_mask(random, size_of(type));
                          const bool index = !sum && below(random, 2);
                          const auto count = static_cast<int32_t>(below(random, 2000));
                          const Slice dst = in_ub(32 * below(random, 20), kRoom / 2),
                                      src = in_ub(kRoom + 32 * below(random, 20), 2 * kRoom),
                                      work = in_ub(kLast, kRoom);
                          return Trial{.fill = type, .run = [=](uint64_t) {
                                         if (of_count && sum)
                                           isa::reduce_sum(type, dst, src, isa::VecShape::elements(count));
                                         else if (of_count)
                                           isa::reduce_first(op, type, dst, src, work, count, index);
                                         else
                                           isa::reduce_all(op, type, dst, src, work, d.set(), steps, index);
                                         return uint64_t{0};
                                       }};
                        });
      }
}

}  // namespace
