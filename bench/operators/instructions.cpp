// Every vector instruction of the lists in include/toprope/isa, each element type it takes, in three forms:
// consecutive elements, repeats with gaps between their blocks, and repeats under a mask. For
// bench/instructions.py, through ctypes.
#include <functional>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "toprope/isa/binary.h"
#include "toprope/isa/cast.h"
#include "toprope/isa/compare.h"
#include "toprope/isa/copy.h"
#include "toprope/isa/fill.h"
#include "toprope/isa/reduce.h"
#include "toprope/isa/scalar.h"
#include "toprope/isa/select.h"
#include "toprope/isa/ternary.h"
#include "toprope/isa/unary.h"
#include "toprope/machine/launch.h"

namespace {

using namespace toprope;
using namespace toprope::isa;

constexpr int kElements = 2048;
constexpr uint64_t kRoom = 48 * 1024;
enum Form { Consecutive, Strided, Masked };

struct Shapes {
  VecOperand dst, src0, src1;
  VecShape shape;
};

/// `widest` bytes of an element decide how many repeats there are.
Shapes shapes(Form form, uint32_t widest, uint32_t to, uint32_t from) {
  // With gaps the second source lies in those of the first, or the cache lines of three operands would fill
  // the whole cache.
  const uint64_t second = form == Strided ? kRoom + kBlockBytes : 2 * kRoom;
  const auto operand = [&](uint64_t at, uint32_t element) {
    const auto blocks = static_cast<uint16_t>(8 * element / widest);
    const uint16_t gap = form == Strided ? 2 : 1;
    return VecOperand{{at, at, at + kRoom, Mem::UB}, gap, static_cast<uint16_t>(blocks * gap)};
  };
  const auto repeats = static_cast<uint8_t>(kElements * widest / kRepeatBytes);
  const uint64_t all[2] = {~uint64_t{0}, ~uint64_t{0}}, some[2] = {0x5555555555555555, 0x5555555555555555};
  return {operand(0, to), operand(kRoom, from), operand(second, from),
          form == Consecutive ? VecShape::elements(kElements)
                              : VecShape::mask_bits(form == Masked ? some : all, repeats)};
}

struct Case {
  std::string name;  ///< "Add half"
  std::function<void(Form)> run;
};

/// 1 in an element type, as its bits.
Scalar one_of(DType type) {
  return type == DType::Half ? scalar_of(half(1.0f)) : type == DType::Float ? scalar_of(1.0f) : Scalar{1};
}

/// Calls f(type) for each element type of a set.
template <class F>
void each(DTypeSet set, F f) {
  for (int t = 0; t < kDTypes; ++t)
    if (contains(set, static_cast<DType>(t))) f(static_cast<DType>(t));
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  const auto add = [&](const char* name, DType type, std::function<void(Form)> run) {
    cases.push_back({std::string(name) + " " + name_of(type), std::move(run)});
  };
  const auto plain = [](Form form, DType type) {
    return shapes(form, size_of(type), size_of(type), size_of(type));
  };
#define TOPROPE_OP(name, types)                                \
  each(types_of(Binary::name), [&](DType t) {                  \
    add(#name, t, [=](Form f) {                                \
      const Shapes s = plain(f, t);                            \
      binary(Binary::name, t, s.dst, s.src0, s.src1, s.shape); \
    });                                                        \
  });
#include "toprope/isa/binary.list"
#undef TOPROPE_OP
#define TOPROPE_OP(name, types)                      \
  each(types_of(Unary::name), [&](DType t) {         \
    add(#name, t, [=](Form f) {                      \
      const Shapes s = plain(f, t);                  \
      unary(Unary::name, t, s.dst, s.src0, s.shape); \
    });                                              \
  });
#include "toprope/isa/unary.list"
#undef TOPROPE_OP
#define TOPROPE_OP(name, page, types)                                          \
  each(types_of(VectorScalar::name), [&](DType t) {                            \
    add(#name, t, [=](Form f) {                                                \
      const Shapes s = plain(f, t);                                            \
      vector_scalar(VectorScalar::name, t, s.dst, s.src0, one_of(t), s.shape); \
    });                                                                        \
  });
#include "toprope/isa/scalar.list"
#undef TOPROPE_OP
#define TOPROPE_OP(name, same, half_sources)                          \
  for (DType t : {DType::Half, DType::Float})                         \
    if (takes(Ternary::name, t, t))                                   \
      add(#name, t, [=](Form f) {                                     \
        const Shapes s = plain(f, t);                                 \
        ternary(Ternary::name, t, t, s.dst, s.src0, s.src1, s.shape); \
      });
#include "toprope/isa/ternary.list"
#undef TOPROPE_OP
#define TOPROPE_OP(name, types)                                                  \
  each(types_of(Compare::name), [&](DType t) {                                   \
    add("Compare<" #name ">", t, [=](Form f) {                                   \
      const Shapes s = plain(f, t);                                              \
      compare(Compare::name, t, s.dst.slice, s.src0, s.src1, s.shape);           \
    });                                                                          \
    add("Compares<" #name ">", t, [=](Form f) {                                  \
      const Shapes s = plain(f, t);                                              \
      compare_scalar(Compare::name, t, s.dst.slice, s.src0, one_of(t), s.shape); \
    });                                                                          \
  });
#include "toprope/isa/compare.list"
#undef TOPROPE_OP
#define TOPROPE_OP(name)                                                                                     \
  each(kReduceTypes, [&](DType t) {                                                                          \
    const auto steps = [=](Form f) {                                                                         \
      return ReduceSteps{static_cast<int32_t>(kElements * size_of(t) / kRepeatBytes), 1,                     \
                         f == Strided ? 2 : 1, f == Strided ? 16 : 8};                                       \
    };                                                                                                       \
    add("ReduceRepeat<" #name ">", t, [=](Form f) {                                                          \
      const Shapes s = plain(f, t);                                                                          \
      reduce_repeat(Reduce::name, t, s.dst.slice, s.src0.slice, s.shape, steps(f), ReduceOrder::ValueIndex); \
    });                                                                                                      \
    add("ReduceDataBlock<" #name ">", t, [=](Form f) {                                                       \
      const Shapes s = plain(f, t);                                                                          \
      reduce_block(Reduce::name, t, s.dst.slice, s.src0.slice, s.shape, steps(f));                           \
    });                                                                                                      \
  });
#include "toprope/isa/reduce.list"
#undef TOPROPE_OP
  // Int4 counts elements by pairs and has no type in torch.
#define TOPROPE_OP(source, destination, modes)                                        \
  if (DType::source != DType::Int4 && DType::destination != DType::Int4) {            \
    const Round round = (modes) & one(Round::Rint) ? Round::Rint : Round::None;       \
    add("Cast " #source " to", DType::destination, [=](Form f) {                      \
      const uint32_t to = size_of(DType::destination), from = size_of(DType::source); \
      const Shapes s = shapes(f, to > from ? to : from, to, from);                    \
      cast(DType::destination, s.dst, DType::source, s.src0, round, s.shape);         \
    });                                                                               \
  }
  using namespace rounds;
#include "toprope/isa/cast.list"
#undef TOPROPE_OP
  each(kFillTypes, [&](DType t) {
    add("Duplicate", t, [=](Form f) {
      const Shapes s = plain(f, t);
      duplicate(t, s.dst, one_of(t), s.shape);
    });
  });
  each(kSelectTypes, [&](DType t) {
    add("Select", t, [=](Form f) {
      const Shapes s = plain(f, t);
      const uint64_t bits = 3 * kRoom;
      select(t, s.dst, {Selection::Consecutive, {bits, bits, bits + 1024, Mem::UB}}, s.src0, s.src1, s.shape);
    });
    add("Axpy", t, [=](Form f) {
      const Shapes s = plain(f, t);
      axpy(t, t, s.dst, s.src0, one_of(t), s.shape);
    });
    add("ReduceSum", t, [=](Form f) {
      const Shapes s = plain(f, t);
      if (f == Consecutive) reduce_sum(t, s.dst.slice, s.src0.slice, s.shape);
    });
    for (const bool maximum : {true, false})
      add(maximum ? "ReduceMax" : "ReduceMin", t, [=](Form f) {
        const Shapes s = plain(f, t);
        if (f == Consecutive)
          reduce_first(maximum ? Reduce::Max : Reduce::Min, t, s.dst.slice, s.src0.slice, s.src1.slice,
                       kElements, false);
      });
    add("Copy", t == DType::Half ? DType::Int16 : DType::Int32, [=](Form f) {
      const Shapes s = plain(f, t);
      copy_masked(t, s.dst, s.src0, s.shape);
    });
  });
  return cases;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = all_cases();
  return all;
}

}  // namespace

extern "C" int bench_count() {
  aclrtSetDevice(0);
  return static_cast<int>(cases().size());
}

extern "C" const char* bench_name(int i) { return cases()[static_cast<size_t>(i)].name.c_str(); }

/// Runs instruction `i` `times` times in one block.
extern "C" int bench_run(int i, int form, int times) {
  const Case& c = cases()[static_cast<size_t>(i)];
  const LaunchSite site{"bench_instruction", __FILE__, __LINE__};
  LaunchConfig config;
  config.blocks = 1;
  launch(site, config, [&c, form, times] {
    if (times > 1) {
      // Ordinary numbers whatever the type: two halves of 1 are a float of about 0.0078.
      duplicate(DType::Half, {{0, 0, 4 * kRoom - 1024, Mem::UB}}, scalar_of(half(1.0f)),
                VecShape::elements(static_cast<int32_t>((4 * kRoom - 1024) / 2)));
      core().vector.deq_scale = half(1.0f).bits();
    }
    for (int k = 0; k < times; ++k) c.run(static_cast<Form>(form));
  });
  return aclrtSynchronizeStream(nullptr);
}
