// Transpose, TransData, Pad, UnPad and Broadcast: where each element must be, by the documented shapes.
#include "support/arena.h"

namespace toprope::test {
namespace {

namespace memory = toprope::lib::memory;
using AscendC::DataFormat;
using AscendC::TransposeType;

class Transform : public BothTargets {};

/// Numbers that are all different (as bits).
template <class T>
std::vector<T> counted(size_t count) {
  std::vector<T> v(count);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t n = static_cast<uint32_t>(i + 1);
    std::memcpy(static_cast<void*>(&v[i]), &n, sizeof(T));
  }
  return v;
}

uint32_t sixteens(uint32_t n) { return (n + 15) / 16; }

/// The place of (row, column) of a matrix of `rows` rows in NZ, and in ND with rows of whole sixteens.
uint64_t nz(uint32_t row, uint32_t column, uint32_t rows) {
  return (uint64_t{column / 16} * rows + row) * 16 + column % 16;
}
uint64_t nd(uint32_t row, uint32_t column, uint32_t columns) {
  return uint64_t{row} * sixteens(columns) * 16 + column;
}

/// Where element (b, n, s, w) is before and after a scene.
struct Places {
  uint64_t from, to;
};
Places places(int scene, uint32_t heads, uint32_t rows, uint32_t width, uint32_t b, uint32_t n, uint32_t s,
              uint32_t w) {
  const uint32_t chunks = sixteens(width), all = heads * width, column = n * width + w;
  const uint64_t split = (uint64_t{b} * heads + n) * rows * chunks * 16;  // [B, N, S, W]
  const uint64_t joined = uint64_t{b} * rows * sixteens(all) * 16;        // [B, S, H]
  const uint64_t swapped = uint64_t{b} * rows + s;                        // [B, S, N, W]
  switch (scene) {
    case 1:
      return {split + nz(s, w, rows), swapped * heads * width + n * width + w};
    case 2:
      return {split + nz(s, w, rows), swapped * heads * width + nz(n, w, heads)};
    case 3:
      return {joined + nz(s, column, rows), split + nz(s, w, rows)};
    case 4:
      return {joined + nz(s, column, rows), split + nd(s, w, width)};
    case 5:
      return {split + nz(s, w, rows), joined + nd(s, column, all)};
    default:
      return {split + nz(s, w, rows), joined + nz(s, column, rows)};
  }
}

template <class T>
void check_transpose(int scene, uint32_t batch, uint32_t heads, uint32_t rows, uint32_t width) {
  const size_t split = size_t{batch} * heads * rows * sixteens(width) * 16,
               joined = size_t{batch} * rows * sixteens(heads * width) * 16;
  const auto src = counted<T>(scene == 3 || scene == 4 ? joined : split);
  run_clean([&] {
    Arena ub;
    auto in = ub(src), out = ub.zeros<T>(scene >= 5 ? joined : split);
    auto tmp = ub.zeros<uint8_t>(memory::transpose(static_cast<uint32_t>(scene), sizeof(T), rows));
    AscendC::tiling::ConfusionTransposeTiling tiling;
    tiling.batch = batch, tiling.heads = heads, tiling.rows = rows, tiling.headWidth = width;
    AscendC::Transpose(out, in, tmp, static_cast<TransposeType>(scene), tiling);
    EXPECT_TRUE(ub.untouched());
    const std::vector<T> got = values(out);
    for (uint32_t b = 0; b < batch; ++b)
      for (uint32_t n = 0; n < heads; ++n)
        for (uint32_t s = 0; s < rows; ++s)
          for (uint32_t w = 0; w < width; ++w) {
            const Places p = places(scene, heads, rows, width, b, n, s, w);
            ASSERT_TRUE(same(got[p.to], src[p.from]))
                << "scene " << scene << ": (" << b << ", " << n << ", " << s << ", " << w << ")";
          }
  });
}

TEST_P(Transform, TransposeOfHeads) {
  for (const int scene : {1, 2}) {
    check_transpose<half>(scene, 2, 16, 32, 32);
    check_transpose<float>(scene, 1, 16, 16, 16);
  }
  for (const int scene : {3, 4, 5, 6}) {
    check_transpose<half>(scene, 2, 2, 64, 32);
    check_transpose<int16_t>(scene, 1, 8, 32, 4);
    check_transpose<uint16_t>(scene, 1, 2, 32, 24);
    check_transpose<float>(scene, 1, 2, 16, 32);
    check_transpose<int32_t>(scene, 2, 4, 32, 20);
  }
}

template <class T>
void check_plane(uint32_t height, uint32_t width) {
  const auto src = counted<T>(size_t{height} * width);
  run_clean([&] {
    Arena ub;
    auto in = ub(src), out = ub.zeros<T>(src.size());
    AscendC::tiling::ConfusionTransposeTiling tiling;
    tiling.height = height, tiling.width = width;
    auto tmp = ub.zeros<uint8_t>(32);
    AscendC::ConfusionTranspose(out, in, tmp, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling);
    for (uint32_t h = 0; h < height; ++h)
      for (uint32_t w = 0; w < width; ++w)
        ASSERT_TRUE(same(out.GetValue(w * height + h), src[h * width + w])) << h << ", " << w;
    EXPECT_TRUE(ub.untouched());
  });
}

TEST_P(Transform, TransposeOfAPlane) {
  check_plane<half>(16, 16);
  check_plane<uint16_t>(32, 48);
  check_plane<float>(16, 32);
  check_plane<uint32_t>(64, 16);
}

constexpr AscendC::TransDataConfig kToSixteens{DataFormat::NCDHW, DataFormat::NDC1HWC0};
constexpr AscendC::TransDataConfig kFromSixteens{DataFormat::NDC1HWC0, DataFormat::NCDHW};
constexpr AscendC::TransDataConfig kToFractal{DataFormat::NCDHW, DataFormat::FRACTAL_Z_3D};
constexpr AscendC::TransDataConfig kFromFractal{DataFormat::FRACTAL_Z_3D, DataFormat::NCDHW};

template <class T, bool fractal>
void check_trans_data(uint32_t n, uint32_t c, uint32_t d, uint32_t h, uint32_t w) {
  const uint32_t plane = h * w, padded = sixteens(plane) * 16, c1 = sixteens(c), n1 = sixteens(n);
  const auto src = counted<T>(size_t{n} * c * d * padded);
  const size_t there = fractal ? size_t{d} * c1 * plane * n1 * 256 : size_t{n} * d * c1 * plane * 16;
  run_clean([&] {
    Arena ub;
    auto in = ub(src), out = ub(std::vector<T>(there, T(1))), back = ub.zeros<T>(src.size());
    auto tmp = ub.zeros<uint8_t>(memory::trans_data(plane));
    const auto volume = AscendC::MakeLayout(AscendC::MakeShape(n, c, d, h, w), AscendC::MakeStride());
    const auto run = [&](const auto& other) {
      if constexpr (fractal) {
        AscendC::TransDataParams<decltype(volume), decltype(other)> to{volume, other};
        AscendC::TransData<kToFractal>(out, in, tmp, to);
        AscendC::TransDataParams<decltype(other), decltype(volume)> from{other, volume};
        AscendC::TransData<kFromFractal>(back, out, tmp, from);
      } else {
        AscendC::TransDataParams<decltype(volume), decltype(other)> to{volume, other};
        AscendC::TransData<kToSixteens>(out, in, tmp, to);
        AscendC::TransDataParams<decltype(other), decltype(volume)> from{other, volume};
        AscendC::TransData<kFromSixteens>(back, out, tmp, from);
      }
    };
    if constexpr (fractal)
      run(AscendC::MakeLayout(AscendC::MakeShape(d, c1, h, w, n1, 16, 16), AscendC::MakeStride()));
    else
      run(AscendC::MakeLayout(AscendC::MakeShape(n, d, c1, h, w, 16), AscendC::MakeStride()));
    EXPECT_TRUE(ub.untouched());
    std::vector<T> want(there);  // zeros where C and N are padded
    const std::vector<T> returned = values(back);
    for (uint32_t in_n = 0; in_n < n; ++in_n)
      for (uint32_t in_c = 0; in_c < c; ++in_c)
        for (uint32_t in_d = 0; in_d < d; ++in_d)
          for (uint32_t p = 0; p < plane; ++p) {
            const size_t from = ((size_t{in_n} * c + in_c) * d + in_d) * padded + p;
            const size_t to =
                fractal ? ((size_t{in_d} * c1 + in_c / 16) * plane + p) * n1 * 256 + in_n * 16 + in_c % 16
                        : (((size_t{in_n} * d + in_d) * c1 + in_c / 16) * plane + p) * 16 + in_c % 16;
            want[to] = src[from];
            ASSERT_TRUE(same(returned[from], src[from])) << "there and back, element " << from;
          }
    expect_same(values(out), want, fractal ? "FRACTAL_Z_3D" : "NDC1HWC0");
  });
}

TEST_P(Transform, TransData) {
  check_trans_data<half, false>(1, 32, 2, 2, 8);
  check_trans_data<int16_t, false>(2, 20, 2, 3, 5);
  check_trans_data<bfloat16_t, false>(1, 7, 1, 5, 7);
  check_trans_data<half, true>(16, 16, 2, 4, 4);
  check_trans_data<uint16_t, true>(18, 20, 1, 3, 5);
  check_trans_data<bfloat16_t, true>(3, 5, 2, 1, 1);
}

template <class T>
void check_pad(uint32_t height, uint32_t width, uint32_t valid, uint16_t left, uint16_t right) {
  constexpr uint32_t unit = 32 / sizeof(T);
  const uint32_t stride = (width + unit - 1) / unit * unit;
  std::vector<T> src((size_t{height} * width + unit - 1) / unit * unit);
  for (size_t i = 0; i < src.size(); ++i) src[i] = T(static_cast<float>(i % 1000));
  run_clean([&] {
    Arena ub;
    auto in = ub(src), out = ub.zeros<T>(size_t{height} * stride);
    auto tmp = ub.zeros<uint8_t>(memory::pad(sizeof(T), width));
    AscendC::PadParams params{left, right, 321};
    AscendC::tiling::PadTiling tiling;
    tiling.srcHeight = height, tiling.srcWidth = width, tiling.srcOriWidth = valid;
    AscendC::Pad(out, in, params, tmp, tiling);
    EXPECT_TRUE(ub.untouched());
    const uint32_t numbers = stride == width ? valid : width;
    for (uint32_t r = 0; r < height; ++r)
      for (uint32_t c = 0; c < left + numbers + right; ++c) {
        const bool number = c >= left && c < left + numbers;
        ASSERT_TRUE(same(out.GetValue(r * stride + c), number ? src[r * width + c - left] : T(321.0f)))
            << "row " << r << ", column " << c;
      }
  });
}

TEST_P(Transform, Pad) {
  check_pad<half>(16, 15, 15, 0, 1);
  check_pad<half>(20, 63, 63, 1, 0);
  check_pad<int16_t>(5, 35, 35, 4, 9);
  check_pad<float>(9, 13, 13, 2, 1);
  check_pad<uint32_t>(300, 5, 5, 0, 3);
  check_pad<half>(16, 16, 14, 0, 2);
  check_pad<int32_t>(7, 24, 17, 0, 7);
}

template <class T>
void check_unpad(uint32_t height, uint32_t width, uint16_t right) {
  const auto src = counted<T>(size_t{height} * width);
  const uint32_t kept = width - right;
  std::vector<T> want;
  for (uint32_t r = 0; r < height; ++r)
    want.insert(want.end(), src.begin() + r * width, src.begin() + r * width + kept);
  run_clean([&] {
    Arena ub;
    auto in = ub(src), out = ub.zeros<T>(want.size());
    auto tmp = ub.zeros<uint8_t>(32);
    AscendC::UnPadParams params{0, right};
    AscendC::tiling::UnPadTiling tiling;
    tiling.srcHeight = height, tiling.srcWidth = width;
    AscendC::UnPad(out, in, params, tmp, tiling);
    expect_same(values(out), want, "UnPad");
    EXPECT_TRUE(ub.untouched());
  });
}

TEST_P(Transform, UnPad) {
  check_unpad<half>(16, 16, 1);
  check_unpad<uint16_t>(33, 144, 15);
  check_unpad<float>(20, 8, 3);
  check_unpad<int32_t>(300, 72, 7);
}

template <class T>
void check_broadcast(uint32_t rows, uint32_t width) {
  std::vector<T> column(rows);
  for (uint32_t i = 0; i < rows; ++i) column[i] = T(static_cast<float>(i % 120) - 50);
  std::vector<T> want;
  for (const T x : column) want.insert(want.end(), width, x);
  const uint32_t from[2] = {rows, 1}, to[2] = {rows, width}, one[1] = {1}, many[1] = {width};
  for (const bool plenty : {false, true})
    run_clean([&] {
      Arena ub;
      auto in = ub(column), out = ub.zeros<T>(want.size()), line = ub.zeros<T>(width);
      const uint32_t granule = memory::broadcast_granule(sizeof(T));
      auto tmp = ub.zeros<uint8_t>(
          memory::broadcast(sizeof(T), width, plenty ? (rows + granule - 1) / granule * granule : granule));
      AscendC::Broadcast<T, 2, 1>(out, in, to, from, tmp);
      expect_same(values(out), want, "columns: " + std::to_string(rows) + " x " + std::to_string(width));
      AscendC::Broadcast<T, 1, 0>(line, in, many, one, tmp);
      expect_same(values(line), std::vector<T>(width, column[0]), "a number");
      EXPECT_TRUE(ub.untouched());
    });
}

TEST_P(Transform, BroadcastOfAColumn) {
  for (const uint32_t rows : {1u, 16u, 45u})
    for (const uint32_t width : {3u, 16u, 64u, 75u}) {
      check_broadcast<float>(rows, width);
      check_broadcast<half>(rows, width);
      check_broadcast<int8_t>(rows, width);
    }
  check_broadcast<uint8_t>(40, 50);
  check_broadcast<int16_t>(40, 50);
  check_broadcast<bfloat16_t>(40, 64);
  check_broadcast<int32_t>(300, 40);
}

template <class T>
void check_broadcast_row(uint32_t rows, uint32_t width) {
  const auto row = counted<T>(width);
  std::vector<T> want;
  for (uint32_t r = 0; r < rows; ++r) want.insert(want.end(), row.begin(), row.end());
  const uint32_t from[2] = {1, width}, to[2] = {rows, width};
  run_clean([&] {
    Arena ub;
    auto in = ub(row), out = ub.zeros<T>(want.size());
    auto tmp = ub.zeros<uint8_t>(32);
    AscendC::Broadcast<T, 2, 0>(out, in, to, from, tmp);
    expect_same(values(out), want, "rows");
    EXPECT_TRUE(ub.untouched());
  });
}

TEST_P(Transform, BroadcastOfARow) {
  check_broadcast_row<float>(300, 24);
  check_broadcast_row<half>(9, 336);
  check_broadcast_row<uint8_t>(5, 96);
}

INSTANTIATE_TEST_SUITE_P(Simd, Transform, ::testing::Bool(), target_of);

}  // namespace
}  // namespace toprope::test
