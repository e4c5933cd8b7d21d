// The footprints of instructions that take operands from listed places, sort, or change the order of
// elements. See support/footprint.h.
#include <array>

#include "support/shapes.h"
#include "toprope/isa/cast.h"
#include "toprope/isa/fill.h"
#include "toprope/isa/gather.h"
#include "toprope/isa/sort.h"
#include "toprope/isa/transpose.h"

namespace {

using namespace toprope;
using namespace toprope::test;
using isa::VecOperand;

constexpr int kTrials = 60;
constexpr uint64_t kList = 5 * kRoom;  // the room of what names places

std::string of(DType type) { return std::string(" of ") + name_of(type); }

TEST(Footprint, OfGather) {
  for (const DType type : {DType::Half, DType::UInt16, DType::Float, DType::Int32}) {
    const uint32_t element = size_of(type);
    prove_footprint("Gather" + of(type), kTrials, 0.95, [=](Random& random) {
      const VecOperand dst{in_ub(32 * below(random, 20), kRoom - 1024), 1,
                           one_of<uint16_t>(random, {8, 8, 9, 16})};
      const Slice src = in_ub(kRoom, kRoom), offsets = in_ub(kList, kRoom);
      const auto base = static_cast<uint32_t>(element * below(random, 100));
      const Drawn d = draw_shape(random, element);
      const uint64_t seed = random();
      return Trial{.fill = type,
                   .prepare =
                       [=](Memory& memory) {
                         Random places(seed);
                         for (uint64_t i = 0; i < kRoom; i += 4)
                           memory.put(kList + i, static_cast<uint32_t>(element * below(places, 4000)));
                       },
                   .run =
                       [=](uint64_t) {
                         isa::gather(type, dst, src, offsets, base, d.set());
                         return uint64_t{0};
                       },
                   .fixed = {"srcOffset"}};
    });
  }
  for (const DType type : {DType::Half, DType::Float})
    prove_footprint("Gatherb" + of(type), kTrials, 0.95, [=](Random& random) {
      const VecOperand dst{in_ub(32 * below(random, 20), kRoom - 1024),
                           one_of<uint16_t>(random, {0, 1, 1, 2}), one_of<uint16_t>(random, {16, 17})};
      const auto repeats = static_cast<uint8_t>(below(random, 6));
      const uint64_t seed = random();
      return Trial{.fill = type,
                   .prepare =
                       [=](Memory& memory) {
                         Random places(seed);
                         for (uint64_t i = 0; i < 256; i += 4)
                           memory.put(kList + i, static_cast<uint32_t>(32 * below(places, 1000)));
                       },
                   .run =
                       [=](uint64_t) {
                         isa::gather_blocks(dst, in_ub(kRoom, kRoom), in_ub(kList, kRoom), repeats);
                         return uint64_t{0};
                       },
                   .fixed = {"offset"}};
    });
}

TEST(Footprint, OfBrcb) {
  for (const DType type : {DType::Half, DType::Int32})
    prove_footprint("Brcb" + of(type), kTrials, 0.95, [=](Random& random) {
      const VecOperand dst{in_ub(32 * below(random, 20), kRoom - 1024),
                           one_of<uint16_t>(random, {0, 1, 1, 3}),
                           one_of<uint16_t>(random, {8, 9, 24, 30, 2})};
      const Slice src = in_ub(kRoom + 32 * below(random, 20), kRoom / 2);
      const auto repeats = static_cast<uint8_t>(below(random, 6));
      return Trial{.fill = type,
                   .run =
                       [=](uint64_t) {
                         isa::brcb(type, dst, src, repeats);
                         return uint64_t{0};
                       },
                   .telling = dst.repeat_stride >= 8 * dst.block_stride && dst.repeat_stride >= 8};
    });
}

TEST(Footprint, OfSort) {
  for (const DType type : {DType::Half, DType::Float})
    prove_footprint("Sort32" + of(type), kTrials, 0.95, [=](Random& random) {
      const Slice dst = in_ub(32 * below(random, 20), kRoom / 2), scores = in_ub(kRoom, kRoom),
                  indices = in_ub(2 * kRoom, kRoom);
      const auto repeats = static_cast<int32_t>(below(random, 6));
      return Trial{.fill = type, .run = [=](uint64_t) {
                     isa::sort32(type, dst, scores, indices, repeats);
                     return uint64_t{0};
                   }};
    });
}

TEST(Footprint, OfMerge) {
  constexpr int kMost = 4;  // runs
  for (const DType type : {DType::Half, DType::Float})
    for (const bool until_exhausted : {false, true})
      prove_footprint("MrgSort" + of(type), kTrials, until_exhausted ? 0.2 : 0.9, [=](Random& random) {
        isa::MergeRuns runs{};
        const int count = 2 + static_cast<int>(below(random, 3));
        runs.valid = static_cast<uint16_t>((1 << count) - 1);
        runs.until_exhausted = until_exhausted;
        const bool repeated = count == kMost && below(random, 2);
        runs.repeats = static_cast<uint16_t>(repeated ? below(random, 4) : 1);
        const auto same = static_cast<uint16_t>(below(random, 20));
        uint64_t at = kRoom;
        for (int i = 0; i < kMost; ++i) {
          runs.lengths[i] = repeated ? same : static_cast<uint16_t>(below(random, 40));
          runs.run[i] = in_ub(at, kRoom);
          at += runs.lengths[i] * 8u + (repeated ? 0 : 8 * below(random, 5));
        }
        const Slice dst = in_ub(32 * below(random, 20), kRoom / 2);
        return Trial{.fill = type,
                     .prepare =
                         [=](Memory& memory) {  // records in descending order
                           for (uint64_t i = 0; i < kRoom; i += 8) {
                             const float score = 3000.0f - static_cast<float>(i / 8 % 500);
                             if (type == DType::Float) {
                               memory.put(kRoom + i, score);
                             } else {
                               memory.put(kRoom + i, half(score));
                               memory.put(kRoom + i + 2, uint16_t{0});
                             }
                           }
                         },
                     .run =
                         [=](uint64_t) {
                           isa::merge(type, dst, runs);
                           return uint64_t{0};
                         }};
      });
}

TEST(Footprint, OfTranspose) {
  prove_footprint("Transpose", kTrials, 0.95, [](Random& random) {
    const uint64_t at = 32 * below(random, 20);
    const bool in_place = below(random, 4) == 0;
    return Trial{.fill = DType::Int16, .run = [=](uint64_t) {
                   isa::transpose(in_ub(at, kRoom / 2), in_ub(in_place ? at : kRoom, kRoom));
                   return uint64_t{0};
                 }};
  });
  for (const auto kind : {isa::Transposition::NchwToNhwc, isa::Transposition::NhwcToNchw})
    for (const DType type : {DType::Int8, DType::Half, DType::Float})
      prove_footprint("Transpose between layouts" + of(type), kTrials, 0.95, [=](Random& random) {
        const auto small = [&](uint64_t n) { return static_cast<uint16_t>(below(random, n)); };
        const isa::Extents extents{small(3), small(7), small(4), static_cast<uint16_t>(32 * small(3))};
        const Slice work = in_ub(2 * kRoom, 3 * kRoom);
        return Trial{.fill = type, .run = [=](uint64_t) {
                       isa::transpose_layout(type, in_ub(0, kRoom), in_ub(kRoom, kRoom), work, extents, kind);
                       return uint64_t{0};
                     }};
      });
}

TEST(Footprint, OfTransDataTo5hd) {
  for (const DType type : {DType::Int8, DType::Half, DType::Float})
    for (const bool by_lists : {false, true})
      prove_footprint("TransDataTo5HD" + of(type), kTrials, 0.95, [=](Random& random) {
        const isa::To5hd to{below(random, 2) != 0, below(random, 2) != 0,
                            static_cast<uint8_t>(below(random, 4)), one_of<uint16_t>(random, {20, 0, 30}),
                            static_cast<uint16_t>(below(random, 30))};
        const bool once = to.repeats < 2 || to.dst_stride != 0;
        // Blocks in any order; those of dst once each.
        std::vector<uint64_t> order(16);
        for (uint64_t i = 0; i < 16; ++i) order[i] = i;
        std::shuffle(order.begin(), order.end(), random);
        std::array<uint64_t, 16> into, from;
        for (size_t i = 0; i < 16; ++i) {
          into[i] = order[i] * 32;
          from[i] = kRoom + 32 * below(random, 200);
        }
        return Trial{.fill = type,
                     .prepare =
                         [=](Memory& memory) {
                           const auto base = reinterpret_cast<uintptr_t>(host(core(), Mem::UB, 0));
                           for (size_t i = 0; i < 16; ++i) {
                             memory.put(kList + 8 * i, base + into[i]);
                             memory.put(kList + 128 + 8 * i, base + from[i]);
                           }
                         },
                     .run =
                         [=](uint64_t) {
                           Slice dst[16], src[16];
                           for (size_t i = 0; i < 16; ++i) {
                             dst[i] = in_ub(into[i], kRoom);
                             src[i] = in_ub(from[i], kRoom);
                           }
                           if (by_lists)
                             isa::trans_to_5hd(type, in_ub(kList, 128), in_ub(kList + 128, 128), to);
                           else
                             isa::trans_to_5hd(type, dst, src, to);
                           return uint64_t{0};
                         },
                     .fixed = {"dst", "src"},
                     .telling = once};
      });
}

TEST(Footprint, OfParameterWords) {
  prove_footprint("SetDeqScale", kTrials, 0, [](Random& random) {
    const Slice words = in_ub(32 * below(random, 100), kRoom);
    return Trial{.fill = DType::Int8, .run = [=](uint64_t) {
                   uint64_t values[16];
                   for (uint64_t i = 0; i < 16; ++i) values[i] = i * 0x0123456789abcdef;
                   isa::set_dequant_words(words, values);
                   return uint64_t{0};
                 }};
  });
}

}  // namespace
