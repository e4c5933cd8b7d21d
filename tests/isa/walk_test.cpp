// Every mask, repeat and stride of one instruction of each kind, against one element at a time in the order
// of the documentation: repeat after repeat, each reading all of its elements before it writes one.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "support/kernel.h"
#include "toprope/isa/binary.h"
#include "toprope/isa/cast.h"
#include "toprope/isa/compare.h"
#include "toprope/isa/copy.h"
#include "toprope/isa/fill.h"
#include "toprope/isa/mask.h"
#include "toprope/isa/scalar.h"
#include "toprope/isa/select.h"
#include "toprope/isa/ternary.h"
#include "toprope/isa/unary.h"

namespace {

using namespace toprope::test;
using namespace toprope::isa;
using toprope::DType;
using toprope::Mem;

constexpr uint32_t kRegion = 48 * 1024, kBits = kRegion;  // where operands lie, and the bits of Select
constexpr uint32_t kAll = kRegion + 4096;

using Operands = std::array<VecOperand, 3>;

struct Kind {
  const char* name;
  uint32_t elements[3];  ///< sizes of dst, src0, src1; 0: has none
  bool reads_dst, overlaps, counts;
  /// out = of(dst, src0, src1, place), all of them addresses of elements
  std::function<void(uint8_t*, const uint8_t*, const uint8_t*, const uint8_t*, uint32_t)> of;
  std::function<void(const Operands&, const VecShape&)> run;
};

template <class T>
T at(const uint8_t* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

template <class T>
void put(uint8_t* p, T v) {
  std::memcpy(p, &v, sizeof v);
}

template <class To, class From, class F>
auto of_one(F f) {
  return [f](uint8_t* out, const uint8_t*, const uint8_t* a, const uint8_t*, uint32_t) {
    put<To>(out, f(at<From>(a)));
  };
}

template <class To, class From, class F>
auto of_three(F f) {
  return [f](uint8_t* out, const uint8_t* d, const uint8_t* a, const uint8_t* b, uint32_t) {
    put<To>(out, f(at<To>(d), at<From>(a), at<From>(b)));
  };
}

half rounded(float v) { return half(v); }

auto cast_of(DType to, DType from, Round round = Round::None) {
  return [=](const Operands& o, const VecShape& s) { cast(to, o[0], from, o[1], round, s); };
}

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all = {
      {"Add int32_t",
       {4, 4, 4},
       false,
       true,
       true,
       of_three<uint32_t, uint32_t>([](uint32_t, uint32_t a, uint32_t b) { return a + b; }),
       [](const Operands& o, const VecShape& s) { binary(Binary::Add, DType::Int32, o[0], o[1], o[2], s); }},
      {"Add half",
       {2, 2, 2},
       false,
       true,
       true,
       of_three<half, half>([](half, half a, half b) { return rounded(float(a) + float(b)); }),
       [](const Operands& o, const VecShape& s) { binary(Binary::Add, DType::Half, o[0], o[1], o[2], s); }},
      {"Not int16_t",
       {2, 2, 0},
       false,
       true,
       true,
       of_one<uint16_t, uint16_t>([](uint16_t a) { return static_cast<uint16_t>(~a); }),
       [](const Operands& o, const VecShape& s) { unary(Unary::Not, DType::Int16, o[0], o[1], s); }},
      {"Adds int32_t",
       {4, 4, 0},
       false,
       true,
       true,
       of_one<uint32_t, uint32_t>([](uint32_t a) { return a + 77; }),
       [](const Operands& o, const VecShape& s) {
         vector_scalar(VectorScalar::Adds, DType::Int32, o[0], o[1], {77}, s);
       }},
      {"MulAddDst float",
       {4, 4, 4},
       true,
       true,
       true,
       of_three<float, float>([](float d, float a, float b) { return d + a * b; }),
       [](const Operands& o, const VecShape& s) {
         ternary(Ternary::MulAddDst, DType::Float, DType::Float, o[0], o[1], o[2], s);
       }},
      {"MulAddDst half to float",
       {4, 2, 2},
       true,
       false,
       true,
       of_three<float, half>([](float d, half a, half b) { return d + float(a) * float(b); }),
       [](const Operands& o, const VecShape& s) {
         ternary(Ternary::MulAddDst, DType::Float, DType::Half, o[0], o[1], o[2], s);
       }},
      {"Axpy half",
       {2, 2, 0},
       true,
       true,
       true,
       [](uint8_t* out, const uint8_t* d, const uint8_t* a, const uint8_t*, uint32_t) {
         put(out, rounded(float(at<half>(d)) + float(rounded(float(at<half>(a)) * 0.375f))));
       },
       [](const Operands& o, const VecShape& s) {
         axpy(DType::Half, DType::Half, o[0], o[1], scalar_of(half(0.375f)), s);
       }},
      {"Cast int32_t to int64_t",
       {8, 4, 0},
       false,
       true,
       true,
       of_one<int64_t, int32_t>([](int32_t a) { return int64_t{a}; }),
       cast_of(DType::Int64, DType::Int32)},
      {"Cast int64_t to int32_t",
       {4, 8, 0},
       false,
       true,
       true,
       of_one<int32_t, int64_t>(
           [](int64_t a) { return static_cast<int32_t>(std::clamp<int64_t>(a, INT32_MIN, INT32_MAX)); }),
       cast_of(DType::Int32, DType::Int64)},
      {"Cast int32_t to int16_t",
       {2, 4, 0},
       false,
       true,
       true,
       of_one<int16_t, int32_t>([](int32_t a) { return static_cast<int16_t>(std::clamp(a, -32768, 32767)); }),
       cast_of(DType::Int16, DType::Int32)},
      {"Cast half to float",
       {4, 2, 0},
       false,
       false,
       true,
       of_one<float, half>([](half a) { return float(a); }),
       cast_of(DType::Float, DType::Half)},
      {"Cast float to half",
       {2, 4, 0},
       false,
       false,
       true,
       of_one<half, float>(rounded),
       cast_of(DType::Half, DType::Float, Round::Rint)},
      {"Cast half to int8_t",
       {1, 2, 0},
       false,
       false,
       true,
       of_one<int8_t, half>([](half a) { return static_cast<int8_t>(std::nearbyint(float(a))); }),
       cast_of(DType::Int8, DType::Half, Round::Rint)},
      {"Select half",
       {2, 2, 2},
       false,
       true,
       true,
       [](uint8_t* out, const uint8_t*, const uint8_t* a, const uint8_t* b, uint32_t place) {
         std::memcpy(out, place % 3 ? a : b, 2);
       },
       [](const Operands& o, const VecShape& s) {
         select(DType::Half, o[0], {Selection::Consecutive, {kBits, kBits, kAll, Mem::UB}}, o[1], o[2], s);
       }},
      {"Duplicate float",
       {4, 0, 0},
       false,
       true,
       true,
       [](uint8_t* out, const uint8_t*, const uint8_t*, const uint8_t*, uint32_t) { put(out, 1.5f); },
       [](const Operands& o, const VecShape& s) { duplicate(DType::Float, o[0], scalar_of(1.5f), s); }},
      {"Duplicate int16_t",
       {2, 0, 0},
       false,
       true,
       true,
       [](uint8_t* out, const uint8_t*, const uint8_t*, const uint8_t*, uint32_t) {
         put(out, int16_t{0x1234});
       },
       [](const Operands& o, const VecShape& s) { duplicate(DType::Int16, o[0], Scalar{0x1234}, s); }},
      {"Copy int16_t",  // in counter mode it takes elements of each repeat
       {2, 2, 0},
       false,
       true,
       false,
       [](uint8_t* out, const uint8_t*, const uint8_t* a, const uint8_t*, uint32_t) {
         std::memcpy(out, a, 2);
       },
       [](const Operands& o, const VecShape& s) { copy_masked(DType::Int16, o[0], o[1], s); }},
  };
  return all;
}

/// Which elements of a repeat take part.
struct Chosen {
  VecShape shape;
  uint32_t repeats = 0;
  bool counter = false;
  std::function<bool(uint32_t repeat, uint32_t i)> on;
};

Chosen choose(std::mt19937& random, uint32_t full, bool may_count) {
  Chosen c;
  c.repeats = 1 + random() % 20;
  const auto r = static_cast<uint8_t>(c.repeats);
  const auto bits_form = [&](uint64_t low, uint64_t high) {
    const uint64_t bits[2] = {low, high};
    c.shape = VecShape::mask_bits(bits, r);
    c.on = [=](uint32_t, uint32_t i) { return ((i < 64 ? low : high) >> (i % 64) & 1) != 0; };
  };
  const auto any = [&] { return random() * 0x100000001ull ^ random() * 0x9e3779b97f4a7c15ull; };
  switch (random() % (may_count ? 8 : 7)) {
    case 0:
    case 1:
      c.shape = VecShape::mask_count(full, r);
      c.on = [](uint32_t, uint32_t) { return true; };
      break;
    case 2: {
      const uint32_t lanes = random() % (full + 1);
      c.shape = VecShape::mask_count(lanes, r);
      c.on = [=](uint32_t, uint32_t i) { return i < lanes; };
      break;
    }
    case 3:
      bits_form(0x5555555555555555, 0x5555555555555555);
      break;
    case 4:
      bits_form(any(), any());
      break;
    case 5:  // nothing in the last blocks
      bits_form(any() & 0x3e, 0);
      break;
    case 6:  // nothing in the blocks between
      bits_form(1 | uint64_t{1} << (full > 63 ? 63 : full - 1), 0);
      break;
    default: {
      const uint32_t total = random() % (full * 20);
      c.counter = true;
      c.repeats = (total + full - 1) / full;
      c.shape = VecShape::mask_count(total, 7);
      c.on = [=](uint32_t repeat, uint32_t i) { return repeat * full + i < total; };
    }
  }
  return c;
}

/// Blocks and repeats of one operand; a place at which all of it lies inside the region.
VecOperand place(std::mt19937& random, uint32_t element, uint32_t full, uint32_t repeats, uint32_t from,
                 uint32_t room) {
  const uint32_t blocks = full * element / kBlockBytes;
  for (;;) {
    VecOperand o;
    const uint16_t strides[] = {0, 1, 1, 1, 2, 2, 3, 7, static_cast<uint16_t>(random() % 256)};
    o.block_stride = strides[random() % std::size(strides)];
    const uint32_t even = o.block_stride * blocks;
    const uint32_t steps[] = {0, 1, 8, 8, even, even, even, even + 1, static_cast<uint32_t>(random() % 256)};
    o.repeat_stride = static_cast<uint16_t>(steps[random() % std::size(steps)]);
    const uint32_t reach =
        32 * ((repeats ? repeats - 1 : 0) * o.repeat_stride + (blocks - 1) * o.block_stride + 1);
    if (reach > room) continue;
    const uint32_t start = from + 32 * (random() % ((room - reach) / 32 + 1));
    o.slice = {start, start, from + room, Mem::UB};
    return o;
  }
}

uint32_t byte_of(const VecOperand& o, uint32_t element, uint32_t repeat, uint32_t i) {
  const uint32_t byte = i * element;
  return static_cast<uint32_t>(o.slice.at) + 32 * (repeat * o.repeat_stride + byte / 32 * o.block_stride) +
         byte % 32;
}

/// Halves between 0.5 and 2, pairs of which are small floats and, of those, integers of any size.
std::vector<uint8_t> memory(std::mt19937& random) {
  std::vector<uint8_t> m(kAll);
  for (uint32_t i = 0; i < kRegion; i += 2)
    put<uint16_t>(&m[i], static_cast<uint16_t>(0x3800 + random() % 0x800));
  for (uint32_t i = 0; i < (kAll - kBits) * 8; ++i)
    m[kBits + i / 8] = static_cast<uint8_t>(m[kBits + i / 8] | (i % 3 != 0) << (i % 8));
  return m;
}

class WalkTest : public BothTargets {};

TEST_P(WalkTest, EveryShapeOfOneInstructionOfEachKind) {
  std::mt19937 random(11);
  for (const Kind& kind : kinds())
    for (int round = 0; round < 400; ++round) {
      const uint32_t full = kRepeatBytes / *std::max_element(kind.elements, kind.elements + 3);
      const Chosen chosen = choose(random, full, kind.counts);
      const bool together = kind.overlaps && random() % 2;
      Operands o;
      for (uint32_t k = 0; k < 3; ++k)
        if (kind.elements[k])
          o[k] = place(random, kind.elements[k], full, chosen.repeats, together ? 0 : k * kRegion / 3,
                       kRegion / 3);
      for (uint32_t k = 1; k < 3; ++k)  // in place
        if (together && kind.elements[k] == kind.elements[0] && random() % 3 == 0) o[k] = o[0];
      const std::vector<uint8_t> before = memory(random);
      std::vector<uint8_t> want = before, got;
      for (uint32_t r = 0; r < chosen.repeats; ++r) {
        uint8_t results[256][8];
        const auto element = [&](uint32_t k, uint32_t i) {
          return kind.elements[k] ? &want[byte_of(o[k], kind.elements[k], r, i)] : nullptr;
        };
        for (uint32_t i = 0; i < full; ++i)
          if (chosen.on(r, i)) kind.of(results[i], element(0, i), element(1, i), element(2, i), r * full + i);
        for (uint32_t i = 0; i < full; ++i)
          if (chosen.on(r, i)) std::memcpy(element(0, i), results[i], kind.elements[0]);
      }
      const auto status = run_kernel([&] {
        uint8_t* ub = toprope::core().base[static_cast<int>(Mem::UB)];
        std::memcpy(ub, before.data(), before.size());
        set_counter_mode(chosen.counter);
        kind.run(o, chosen.shape);
        set_counter_mode(false);
        got.assign(ub, ub + kAll);
      });
      ASSERT_EQ(status.report, "");
      const auto [g, w] = std::mismatch(got.begin(), got.end(), want.begin());
      ASSERT_EQ(g, got.end()) << kind.name << ", round " << round << ": byte " << g - got.begin() << " is "
                              << int{*g} << ", not " << int{*w};
    }
}

/// A mask without elements in the last blocks: they may lie beyond the memory.
TEST_P(WalkTest, BlocksBeyondTheMemoryAreNotTouched) {
  for (const uint16_t gap : {1, 2}) {
    std::vector<float> got;
    const auto status = run_kernel([&] {
      const toprope::Core& core = toprope::core();
      const uint64_t end = core.capacity[static_cast<int>(Mem::UB)];
      auto* ub = core.base[static_cast<int>(Mem::UB)];
      const uint64_t size = gap == 1 ? 64 : 96;  // two blocks
      const VecOperand last{{end - size, end - size, end, Mem::UB}, gap, 0};
      for (uint32_t i = 0; i < size / 4; ++i) put<float>(ub + end - size + 4 * i, static_cast<float>(i));
      const uint64_t bits[2] = {0x0a05, 0};
      binary(Binary::Add, DType::Float, last, last, last, VecShape::mask_bits(bits, 1));
      for (uint32_t i = 0; i < size / 4; ++i) got.push_back(at<float>(ub + end - size + 4 * i));
    });
    ASSERT_EQ(status.report, "");
    for (uint32_t i = 0; i < got.size(); ++i) {
      const uint32_t lane = i < 8 ? i : i >= 8u * gap ? i - 8 * (gap - 1) : 63;
      EXPECT_EQ(got[i], static_cast<float>(lane < 12 && (0x0a05 >> lane & 1) ? 2 * i : i)) << i;
    }
  }
}

TEST_P(WalkTest, ComparesAcrossGaps) {
  std::mt19937 random(12);
  for (int round = 0; round < 300; ++round) {
    const uint32_t repeats = 1 + random() % 20, full = 64;
    Operands o;
    for (uint32_t k = 1; k < 3; ++k) o[k] = place(random, 4, full, repeats, 0, kRegion);
    const uint32_t to = 32 * (random() % ((kRegion - repeats * 8) / 32));
    std::vector<uint8_t> before(kAll), got;
    for (uint32_t i = 0; i < kAll; i += 4) put<float>(&before[i], static_cast<float>(random() % 3));
    std::vector<uint8_t> want = before;
    for (uint32_t r = 0; r < repeats; ++r) {
      uint8_t bits[8] = {};
      for (uint32_t i = 0; i < full; ++i) {
        const auto a = at<float>(&want[byte_of(o[1], 4, r, i)]), b = at<float>(&want[byte_of(o[2], 4, r, i)]);
        bits[i / 8] = static_cast<uint8_t>(bits[i / 8] | (a < b) << (i % 8));
      }
      std::memcpy(&want[to + r * 8], bits, 8);
    }
    const auto status = run_kernel([&] {
      uint8_t* ub = toprope::core().base[static_cast<int>(Mem::UB)];
      std::memcpy(ub, before.data(), before.size());
      compare(Compare::LT, DType::Float, {to, to, kRegion, Mem::UB}, o[1], o[2],
              VecShape::mask_count(full, static_cast<uint8_t>(repeats)));
      got.assign(ub, ub + kAll);
    });
    ASSERT_EQ(status.report, "");
    ASSERT_TRUE(got == want) << "round " << round;
  }
}

INSTANTIATE_TEST_SUITE_P(Simd, WalkTest, ::testing::Bool(), target_of);

}  // namespace
