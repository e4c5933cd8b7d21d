// The footprints of instructions that walk over masks, repeats and strides. See support/footprint.h.
#include "support/shapes.h"
#include "toprope/isa/binary.h"
#include "toprope/isa/cast.h"
#include "toprope/isa/compound.h"
#include "toprope/isa/copy.h"
#include "toprope/isa/fill.h"
#include "toprope/isa/scalar.h"
#include "toprope/isa/ternary.h"
#include "toprope/isa/unary.h"

namespace {

using namespace toprope;
using namespace toprope::test;
using isa::VecOperand;

constexpr int kTrials = 40;

template <class F>
void for_each_type(DTypeSet set, F&& f) {
  for (int t = 0; t < kDTypes; ++t)
    if (contains(set, static_cast<DType>(t))) f(static_cast<DType>(t));
}

/// An instruction with a destination and N sources.
template <size_t N>
struct Operands {
  VecOperand dst, src[N];
  Drawn drawn;
  bool telling;
};

/// Sometimes the first source is the destination; where `same` is false they have different elements.
template <size_t N>
Operands<N> draw(Random& random, uint32_t widest, bool same, bool even = false) {
  Operands<N> o;
  o.dst = draw_operand(random, 0, true);
  for (size_t i = 0; i < N; ++i) o.src[i] = draw_operand(random, static_cast<int>(i) + 1, false);
  o.telling = writes_once(o.dst);
  if (same && o.telling && below(random, 6) == 0) o.src[0] = o.dst;
  o.drawn = draw_shape(random, widest, even);
  return o;
}

template <size_t N, class F>
Trial trial_of(DType fill, const Operands<N>& o, F f) {
  return {.fill = fill,
          .run =
              [o, f](uint64_t) {
                const isa::VecShape& shape = o.drawn.set();
                f(o, shape);
                return uint64_t{0};
              },
          .telling = o.telling};
}

struct Named {
  const char* name;
  DTypeSet types;
};

// What share of the changed words must show: nearly all where the operation keeps what it reads apart.
double floor_of(std::string_view name) {
  for (const char* one : {"Add", "Sub", "Mul", "Adds", "Subs", "Muls", "Exp", "Ln", "Not", "Axpy"})
    if (name == one) return 0.9;
  return 0.15;
}

TEST(Footprint, OfTwoSources) {
  using namespace types;
  constexpr Named ops[] = {
#define TOPROPE_OP(name, set) {#name, set},
#include "toprope/isa/binary.list"
#undef TOPROPE_OP
  };
  for (int op = 0; op < static_cast<int>(isa::Binary::kCount); ++op)
    for_each_type(ops[op].types, [&](DType type) {
      prove_footprint(std::string(ops[op].name) + " of " + name_of(type), kTrials, floor_of(ops[op].name),
                      [&](Random& random) {
                        return trial_of(type, draw<2>(random, size_of(type), true),
                                        [=](const Operands<2>& o, const isa::VecShape& shape) {
                                          isa::binary(static_cast<isa::Binary>(op), type, o.dst, o.src[0],
                                                      o.src[1], shape);
                                        });
                      });
    });
}

TEST(Footprint, OfOneSource) {
  using namespace types;
  constexpr Named ops[] = {
#define TOPROPE_OP(name, set) {#name, set},
#include "toprope/isa/unary.list"
#undef TOPROPE_OP
  };
  for (int op = 0; op < static_cast<int>(isa::Unary::kCount); ++op)
    for_each_type(ops[op].types, [&](DType type) {
      prove_footprint(std::string(ops[op].name) + " of " + name_of(type), kTrials, floor_of(ops[op].name),
                      [&](Random& random) {
                        return trial_of(type, draw<1>(random, size_of(type), true),
                                        [=](const Operands<1>& o, const isa::VecShape& shape) {
                                          isa::unary(static_cast<isa::Unary>(op), type, o.dst, o.src[0],
                                                     shape);
                                        });
                      });
    });
}

/// 3, which every operation takes.
isa::Scalar three(DType type) {
  if (type == DType::Half) return isa::scalar_of(half(3.0f));
  if (type == DType::Float) return isa::scalar_of(3.0f);
  return {3};
}

TEST(Footprint, OfASourceAndAScalar) {
  using namespace types;
  constexpr Named ops[] = {
#define TOPROPE_OP(name, page, set) {#name, set},
#include "toprope/isa/scalar.list"
#undef TOPROPE_OP
  };
  for (int op = 0; op < static_cast<int>(isa::VectorScalar::kCount); ++op)
    for_each_type(ops[op].types, [&](DType type) {
      prove_footprint(std::string(ops[op].name) + " of " + name_of(type), kTrials, floor_of(ops[op].name),
                      [&](Random& random) {
                        return trial_of(type, draw<1>(random, size_of(type), true),
                                        [=](const Operands<1>& o, const isa::VecShape& shape) {
                                          isa::vector_scalar(static_cast<isa::VectorScalar>(op), type, o.dst,
                                                             o.src[0], three(type), shape);
                                        });
                      });
    });
}

TEST(Footprint, OfThoseThatReadTheirDestination) {
  constexpr const char* names[] = {
#define TOPROPE_OP(name, same, half_sources) #name,
#include "toprope/isa/ternary.list"
#undef TOPROPE_OP
  };
  constexpr std::pair<DType, DType> pairs[] = {
      {DType::Half, DType::Half}, {DType::Float, DType::Float}, {DType::Float, DType::Half}};
  for (const auto& [to, from] : pairs) {
    const std::string of = std::string(" of ") + name_of(to) + " from " + name_of(from);
    for (int op = 0; op < static_cast<int>(isa::Ternary::kCount); ++op) {
      if (!isa::takes(static_cast<isa::Ternary>(op), to, from)) continue;
      prove_footprint(names[op] + of, kTrials, 0.9, [=](Random& random) {
        return trial_of(
            from, draw<2>(random, size_of(to), false), [=](const Operands<2>& o, const isa::VecShape& shape) {
              isa::ternary(static_cast<isa::Ternary>(op), to, from, o.dst, o.src[0], o.src[1], shape);
            });
      });
    }
    prove_footprint("Axpy" + of, kTrials, 0.9, [=](Random& random) {
      return trial_of(from, draw<1>(random, size_of(to), false),
                      [=](const Operands<1>& o, const isa::VecShape& shape) {
                        isa::axpy(to, from, o.dst, o.src[0], three(from), shape);
                      });
    });
  }
}

TEST(Footprint, OfConversions) {
  using namespace isa::rounds;
  constexpr struct {
    DType from, to;
    isa::RoundSet rounds;
  } pairs[] = {
#define TOPROPE_OP(source, destination, modes) {DType::source, DType::destination, modes},
#include "toprope/isa/cast.list"
#undef TOPROPE_OP
  };
  for (const auto& pair : pairs) {
    const auto round = static_cast<isa::Round>(std::countr_zero(pair.rounds));
    const bool packed = pair.from == DType::Int4 || pair.to == DType::Int4;
    const uint32_t widest = std::max(size_of(pair.from), size_of(pair.to));
    prove_footprint(std::string("Cast from ") + name_of(pair.from) + " to " + name_of(pair.to), kTrials, 0.15,
                    [=](Random& random) {
                      return trial_of(pair.from, draw<1>(random, widest, false, packed),
                                      [=](const Operands<1>& o, const isa::VecShape& shape) {
                                        core().vector.deq_scale = half(0.001f).bits();
                                        isa::cast(pair.to, o.dst, pair.from, o.src[0], round, shape);
                                      });
                    });
  }
}

TEST(Footprint, OfConversionsAfterAnOperation) {
  constexpr std::pair<DType, DType> pairs[] = {
      {DType::Int8, DType::Half}, {DType::Int8, DType::Int16}, {DType::Half, DType::Float}};
  for (const auto& [to, from] : pairs)
    for (const bool subtract : {false, true})
      prove_footprint(std::string(subtract ? "SubReluCast" : "AddReluCast") + " to " + name_of(to), kTrials,
                      0.15, [=](Random& random) {
                        return trial_of(from, draw<2>(random, size_of(from), false),
                                        [=](const Operands<2>& o, const isa::VecShape& shape) {
                                          isa::add_relu_cast(subtract, to, o.dst, from, o.src[0], o.src[1],
                                                             shape);
                                        });
                      });
  for (const DType to : {DType::Int8, DType::UInt8})
    prove_footprint(std::string("MulCast to ") + name_of(to), kTrials, 0.3, [=](Random& random) {
      return trial_of(DType::Half, draw<2>(random, 2, false),
                      [=](const Operands<2>& o, const isa::VecShape& shape) {
                        isa::mul_cast(to, o.dst, o.src[0], o.src[1], shape);
                      });
    });
  prove_footprint("AddDeqRelu", kTrials, 0.3, [](Random& random) {
    return trial_of(DType::Int32, draw<2>(random, 4, false),
                    [](const Operands<2>& o, const isa::VecShape& shape) {
                      core().vector.deq_scale = half(0.00001f).bits();
                      isa::add_deq_relu(o.dst, o.src[0], o.src[1], shape);
                    });
  });
}

TEST(Footprint, OfCastDequant) {
  constexpr uint64_t kWordsAt = 5 * kRoom;
  for (const bool upper : {false, true})
    for (const bool each_lane : {false, true})
      prove_footprint("CastDequant", kTrials, 0.3, [=](Random& random) {
        const bool is_signed = below(random, 2);
        Trial trial = trial_of(
            DType::Int16, draw<1>(random, 2, false), [=](const Operands<1>& o, const isa::VecShape& shape) {
              core().vector.deq_scale = each_lane ? kWordsAt / 32 : isa::dequant_word(0.002f, 3, is_signed);
              isa::cast_dequant(is_signed ? DType::Int8 : DType::UInt8, o.dst, o.src[0], each_lane, upper,
                                shape);
            });
        trial.fixed = {"vdeq"};
        trial.prepare = [=](Memory& memory) {
          for (int i = 0; i < 16; ++i)
            memory.put(kWordsAt + static_cast<size_t>(i) * 8,
                       isa::dequant_word(0.002f, static_cast<int16_t>(i), is_signed));
        };
        return trial;
      });
}

TEST(Footprint, OfFills) {
  for_each_type(isa::kFillTypes, [](DType type) {
    prove_footprint(std::string("Duplicate of ") + name_of(type), kTrials, 0, [=](Random& random) {
      return trial_of(type, draw<1>(random, size_of(type), false),
                      [=](const Operands<1>& o, const isa::VecShape& shape) {
                        isa::duplicate(type, o.dst, {0x4321}, shape);
                      });
    });
  });
  for_each_type(isa::kIndexTypes, [](DType type) {
    prove_footprint(std::string("CreateVecIndex of ") + name_of(type), kTrials, 0, [=](Random& random) {
      return trial_of(type, draw<1>(random, size_of(type), false),
                      [=](const Operands<1>& o, const isa::VecShape& shape) {
                        isa::create_index(type, o.dst, three(type), shape);
                      });
    });
  });
}

TEST(Footprint, OfMaskedCopies) {
  for (const DType type : {DType::Int16, DType::Int32})
    prove_footprint(std::string("Copy of ") + name_of(type), 2 * kTrials, 0.95, [=](Random& random) {
      Operands<1> o = draw<1>(random, size_of(type), false);
      // In counter mode each repeat has as many elements as the mask says, also more than one usually holds.
      if (o.drawn.mask.counter) {
        o.dst.repeat_stride = static_cast<uint16_t>(8 * kMostRepeats * o.dst.block_stride);
        o.telling = o.dst.block_stride != 0;
      }
      return trial_of(type, o, [=](const Operands<1>& o, const isa::VecShape& shape) {
        isa::copy_masked(type, o.dst, o.src[0], shape);
      });
    });
}

}  // namespace
