// AscendAntiQuant: integers and powers of two, whose sums and products are exact.
#include "support/arena.h"

namespace toprope::test {
namespace {

namespace memory = toprope::lib::memory;

class AntiQuant : public BothTargets {};

template <class T>
struct Parameters {
  std::vector<T> offset, scale;
};
template <class T>
Parameters<T> parameters(uint32_t count) {
  Parameters<T> p;
  for (uint32_t i = 0; i < count; ++i) {
    p.offset.push_back(T(static_cast<float>(i % 9) - 4));
    p.scale.push_back(T(std::ldexp(1.0f, static_cast<int>(i % 5) - 2)));
  }
  return p;
}

/// Bytes of `count` numbers of a type, and the numbers.
template <class In>
struct Numbers;
template <>
struct Numbers<int8_t> {
  static std::vector<int8_t> bytes(uint32_t count) {
    std::vector<int8_t> v(count);
    for (uint32_t i = 0; i < count; ++i) v[i] = static_cast<int8_t>(i * 37);
    return v;
  }
  static int at(const std::vector<int8_t>& bytes, uint32_t i) { return bytes[i]; }
};
template <>
struct Numbers<AscendC::int4b_t> {
  static std::vector<int8_t> bytes(uint32_t count) { return Numbers<int8_t>::bytes(count / 2); }
  static int at(const std::vector<int8_t>& bytes, uint32_t i) {
    const int four = bytes[i / 2] >> i % 2 * 4 & 15;
    return four < 8 ? four : four - 16;
  }
};

/// `index` tells which parameter an element has.
template <class In, class Out, class Index>
std::vector<Out> expected(const std::vector<int8_t>& bytes, uint32_t count, const Parameters<Out>& p,
                          bool has_offset, Index index) {
  std::vector<Out> want;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t g = index(i);
    const float offset = has_offset ? static_cast<float>(p.offset[g]) : 0;
    want.push_back(
        Out((static_cast<float>(Numbers<In>::at(bytes, i)) + offset) * static_cast<float>(p.scale[g])));
  }
  return want;
}

/// height x width elements in groups of parameters: [groups, width], or transposed [height, groups].
template <class In, class Out, bool transposed>
void check(uint32_t height, uint32_t width, uint32_t groups, bool one) {
  const uint32_t count = height * width, many = one ? 1 : transposed ? height * groups : groups * width;
  const auto bytes = Numbers<In>::bytes(count);
  const auto p = parameters<Out>(many);
  const auto index = [&](uint32_t i) {
    if (one) return 0u;
    return transposed ? i / (width / groups) : i / width / (height / groups) * width + i % width;
  };
  const uint64_t least =
      transposed && !one
          ? memory::antiquant_groups(sizeof(Out) == 2 && std::is_same_v<Out, half>, width / groups, 16)
          : memory::antiquant_rows(width, 1);
  run_clean([&] {
    Arena ub;
    auto dst = ub.zeros<Out>(count);
    auto raw = ub(bytes);
    AscendC::LocalTensor<In> src = raw.template ReinterpretCast<In>();
    src.SetSize(count);
    auto o = ub(p.offset), s = ub(p.scale);
    auto tmp = ub.zeros<uint8_t>(least);
    const uint32_t k = transposed ? width : height;
    AscendC::AntiQuantShapeInfo shape{groups, width, groups, width};
    if (transposed) shape = {height, groups, height, groups};
    if (one) {
      AscendC::AscendAntiQuant<In, Out, transposed>(dst, src, p.offset[0], p.scale[0], tmp, k);
      expect_same(values(dst), expected<In>(bytes, count, p, true, index), "one offset and scale");
      AscendC::AscendAntiQuant<In, Out, transposed>(dst, src, p.scale[0], tmp, k);
      expect_same(values(dst), expected<In>(bytes, count, p, false, index), "one scale");
    } else {
      AscendC::AscendAntiQuant<In, Out, transposed>(dst, src, o, s, tmp, k, shape);
      expect_same(values(dst), expected<In>(bytes, count, p, true, index), "offsets and scales");
      AscendC::AscendAntiQuant<In, Out, transposed>(dst, src, s, tmp, k, shape);
      expect_same(values(dst), expected<In>(bytes, count, p, false, index), "scales");
    }
    EXPECT_TRUE(ub.untouched());
    expect_same(values(raw), bytes, "the source");
  });
}

template <class In, class Out>
void check_all() {
  check<In, Out, false>(8, 64, 1, true);
  check<In, Out, false>(8, 64, 1, false);
  check<In, Out, false>(8, 64, 4, false);
  check<In, Out, false>(6, 192, 2, false);
  check<In, Out, true>(64, 64, 1, false);
  check<In, Out, true>(64, 128, 2, false);
  check<In, Out, true>(8, 128, 1, true);
}

TEST_P(AntiQuant, EveryTypeAndShape) {
  check_all<int8_t, half>();
  check_all<int8_t, bfloat16_t>();
  check_all<AscendC::int4b_t, half>();
  check_all<AscendC::int4b_t, bfloat16_t>();
}

INSTANTIATE_TEST_SUITE_P(Simd, AntiQuant, ::testing::Bool(), target_of);

}  // namespace
}  // namespace toprope::test
