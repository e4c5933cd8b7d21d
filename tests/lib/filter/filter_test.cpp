// Select by whole elements, DropOut, Arange.
#include "support/arena.h"

namespace toprope::test {
namespace {

namespace memory = toprope::lib::memory;

class Filter : public BothTargets {};

template <class T, class U>
void check_select(uint32_t rows, uint32_t columns, uint32_t mask_columns) {
  const auto x = noise<T>(size_t{rows} * columns, -4, 4, 1);
  std::vector<uint8_t> mask(size_t{rows} * mask_columns * sizeof(U));
  for (size_t i = 0; i < mask.size() / sizeof(U); ++i) {
    const U element = static_cast<U>(i * 7 % 3 == 0 ? 0 : i % 2 ? 1 : 255);
    std::memcpy(&mask[i * sizeof(U)], &element, sizeof(U));
  }
  std::vector<T> want, other;
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t c = 0; c < columns; ++c) {
      const bool zero = mask[(r * mask_columns + c) * sizeof(U)] == 0;  // 1 and 255 have a low byte
      const T element = x[r * columns + c], value = T(0.5f);
      want.push_back(zero ? element : value);
      other.push_back(zero ? value : element);
    }
  run_clean([&] {
    Arena ub;
    auto y = ub.zeros<T>(x.size()), in = ub(x);
    auto m = ub(mask).template ReinterpretCast<U>();
    auto tmp = ub.zeros<uint8_t>(memory::select(sizeof(U), 256));
    const AscendC::SelectWithBytesMaskShapeInfo info{rows, columns, mask_columns};
    AscendC::Select(y, in, T(0.5f), m, tmp, info);
    expect_same(values(y), want, "mask == 0 ? src : value");
    AscendC::Select(y, T(0.5f), in, m, tmp, info);
    expect_same(values(y), other, "mask == 0 ? value : src");
    EXPECT_TRUE(ub.untouched());
  });
}

TEST_P(Filter, SelectByElements) {
  for (const auto& [rows, columns, mask] :
       {std::tuple<uint32_t, uint32_t, uint32_t>{1, 32, 32}, {3, 480, 480}, {2, 32, 64}, {4, 352, 384}}) {
    check_select<half, bool>(rows, columns, mask);
    check_select<half, int8_t>(rows, columns, mask);
    check_select<float, uint8_t>(rows, columns, mask);
    check_select<float, int16_t>(rows, columns, mask);
    check_select<half, uint16_t>(rows, columns, mask);
    check_select<float, int32_t>(rows, columns, mask);
    check_select<half, uint32_t>(rows, columns, mask);
  }
}

template <class T, uint32_t mode>
void check_drop_out(uint32_t rows, uint32_t columns, uint32_t mask_columns, bool bits) {
  const auto x = noise<T>(size_t{rows} * columns, -4, 4, 1);
  std::vector<uint8_t> mask(size_t{rows} * mask_columns);
  for (size_t i = 0; i < mask.size(); ++i) mask[i] = static_cast<uint8_t>(bits ? i * 73 : i * 5 % 3 % 2);
  const float keep = 0.5f;
  std::vector<T> want;
  for (uint32_t r = 0; r < rows; ++r)
    for (uint32_t c = 0; c < columns; ++c) {
      const bool kept = bits ? mask[r * mask_columns + c / 8] >> c % 8 & 1 : mask[r * mask_columns + c];
      want.push_back(kept ? T(static_cast<float>(x[r * columns + c]) / keep) : T(0.0f));
    }
  run_clean([&] {
    Arena ub;
    auto y = ub.zeros<T>(x.size()), in = ub(x);
    auto m = ub(mask);
    auto tmp = ub.zeros<uint8_t>(memory::select(1, 256));
    AscendC::DropOut<T, false, mode>(y, in, m, tmp, keep, {rows, columns, mask_columns});
    std::vector<T> got = values(y);
    for (T& v : got)
      if (v == T(0.0f)) v = T(0.0f);  // the sign of a dropped element does not matter
    expect_same(got, want, "mode " + std::to_string(mode));
    EXPECT_TRUE(ub.untouched());
  });
}

TEST_P(Filter, DropOut) {
  check_drop_out<float, 1>(3, 480, 480, false);
  check_drop_out<half, 1>(3, 480, 480, false);
  check_drop_out<float, 2>(4, 352, 384, false);
  check_drop_out<half, 2>(2, 32, 64, false);
  check_drop_out<float, 3>(2, 512, 64, true);
  check_drop_out<half, 3>(1, 256, 32, true);
  check_drop_out<float, 4>(3, 64, 32, true);
  check_drop_out<half, 4>(2, 272, 64, true);
  check_drop_out<half, 0>(3, 480, 480, false);
  check_drop_out<float, 0>(2, 64, 32, true);
}

template <class T>
void check_arange(T first, T step) {
  for (const int32_t count : {1, 8, 15, 16, 100, 511})
    run_clean([&] {
      Arena ub;
      auto y = ub.zeros<T>(512);
      AscendC::Arange(y, first, step, count);
      std::vector<T> want(512);
      for (int32_t i = 0; i < count; ++i)
        want[i] =
            static_cast<T>(static_cast<float>(first) + static_cast<float>(step) * static_cast<float>(i));
      expect_same(values(y), want, "Arange");
      AscendC::ArithProgression(y, first, step, count);
      expect_same(values(y), want, "ArithProgression");
    });
}

TEST_P(Filter, Arange) {
  check_arange<int16_t>(-5, 3);
  check_arange<int32_t>(7, -2);
  check_arange<half>(half(2.0f), half(0.5f));
  check_arange<float>(-1.0f, 0.25f);
}

INSTANTIATE_TEST_SUITE_P(Simd, Filter, ::testing::Bool(), target_of);

}  // namespace
}  // namespace toprope::test
