// DataCopyPad against the documents' examples and index arithmetic.
#include <random>

#include "support/kernel.h"

namespace {

using namespace toprope::test;
using namespace AscendC;

template <class T>
std::vector<T> count_up(size_t n, int first = 0) {
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<T>(static_cast<int>(i) + first);
  return v;
}

template <class T>
GlobalTensor<T> global(std::vector<T>& v) {
  GlobalTensor<T> g;
  g.SetGlobalBuffer(v.data(), v.size());
  return g;
}

/// What arrives in a UB tensor of `n` elements, all -1 before, when `call` copies into it.
template <class T, class Call>
std::vector<T> arrived(size_t n, Call call) {
  std::vector<T> got;
  const auto status = run_kernel([&] {
    auto t = tensor<T>(0, std::vector<T>(n, static_cast<T>(-1)));
    call(t);
    got = values(t);
  });
  EXPECT_EQ(status.report, "");
  return got;
}

TEST(CopyPad, NarrowRowsGetAPitchOf32Bytes) {  // facts/cases A02
  auto in = count_up<half>(27);
  const auto got = arrived<half>(48, [&](auto& t) {
    DataCopyPad(t, global(in), DataCopyExtParams(3, 18, 0, 0, 0),
                DataCopyPadExtParams<half>(false, 0, 0, half(0)));
  });
  for (int r = 0; r < 3; ++r)
    for (int i = 0; i < 16; ++i)
      EXPECT_EQ(float(got[r * 16 + i]), i < 9 ? r * 9 + i : r * 9) << r << ' ' << i;
  const auto flat = arrived<half>(32, [&](auto& t) {
    DataCopyPad(t, global(in), DataCopyExtParams(1, 54, 0, 0, 0), DataCopyPadExtParams<half>());
  });
  for (int i = 0; i < 27; ++i) EXPECT_EQ(float(flat[i]), i);
}

TEST(CopyPad, OutputAdvancesABlockARow) {  // facts/cases A03
  std::vector<float> out(5, -1);
  const auto status = run_kernel([&] {
    DataCopyPad(global(out), tensor<float>(0, count_up<float>(64)), DataCopyExtParams(4, 4, 0, 0, 0));
  });
  EXPECT_EQ(status.report, "");
  EXPECT_EQ(out, (std::vector<float>{0, 8, 16, 24, -1}));
}

TEST(CopyPad, SetPadValueFillsWhereTheCallBringsNone) {  // the document's first scenario: 20 halves to 32,
                                                         // filled with 1
  auto in = count_up<half>(20, 2);
  DataCopyPadExtParams<half> pad;
  pad.isPad = false;
  pad.rightPadding = 12;
  const auto got = arrived<half>(32, [&](auto& t) {
    SetPadValue(half(1));
    DataCopyPad(t, global(in), DataCopyExtParams(1, 40, 0, 0, 0), pad);
  });
  for (int i = 0; i < 32; ++i) EXPECT_EQ(float(got[i]), i < 20 ? i + 2 : 1) << i;
}

TEST(CopyPad, PadValueLastsForTheBlockOnly) {
  auto in = count_up<half>(9, 2);
  auto load = [&](auto& t) {
    DataCopyPad(t, global(in), DataCopyExtParams(1, 18, 0, 0, 0), DataCopyPadExtParams<half>());
  };
  arrived<half>(16, [&](auto& t) {
    SetPadValue<half, TPosition::VECIN>(half(5));
    load(t);
  });
  EXPECT_EQ(float(arrived<half>(16, load)[15]), 2);  // the row's first element again
}

TEST(CopyPad, RightPaddingOfTheDocument) {  // the second scenario: 32 rows of 59 floats to 64
  auto in = count_up<float>(32 * 59, 1);
  const auto got = arrived<float>(32 * 64, [&](auto& t) {
    DataCopyPad(t, global(in), DataCopyExtParams(32, 59 * 4, 0, 0, 0),
                DataCopyPadExtParams<float>(true, 0, 5, 0));
  });
  for (int r = 0; r < 32; ++r)
    for (int i = 0; i < 64; ++i) ASSERT_EQ(got[r * 64 + i], i < 59 ? r * 59 + i + 1 : 0);
}

TEST(
    CopyPad,
    GivenValueFillsTheDummyToo) {  // 40 bytes a row to 64, filled with -1 (data_copy_pad sample, Normal mode)
  auto in = count_up<int8_t>(80, 1);
  const auto got = arrived<int8_t>(128, [&](auto& t) {
    DataCopyPad(t, global(in), DataCopyExtParams(2, 40, 0, 0, 0),
                DataCopyPadExtParams<int8_t>(true, 0, 0, -1));
  });
  for (int r = 0; r < 2; ++r)
    for (int i = 0; i < 64; ++i) ASSERT_EQ(got[r * 64 + i], i < 40 ? r * 40 + i + 1 : -1);
}

TEST(CopyPad, StridesLeftAndRight) {
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    const uint32_t n = 1 + random() % 40, rows = 1 + random() % 5, gap = random() % 9, blocks = random() % 3;
    const uint8_t left = random() % 17, right = random() % 17;
    auto in = count_up<int16_t>(rows * (n + gap), 1);
    const uint32_t row = (left + n + right + 15) / 16 * 16, pitch = row + blocks * 16;
    std::vector<int16_t> want(pitch * rows + 64, -1);
    for (uint32_t r = 0; r < rows; ++r)
      for (uint32_t i = 0; i < row; ++i)
        want[r * pitch + i] =
            i >= left && i < left + n ? static_cast<int16_t>(1 + r * (n + gap) + i - left) : 77;
    const auto got = arrived<int16_t>(want.size(), [&](auto& t) {
      DataCopyPad(t, global(in), DataCopyExtParams(rows, n * 2, gap * 2, blocks, 0),
                  DataCopyPadExtParams<int16_t>(true, left, right, 77));
    });
    ASSERT_EQ(got, want) << "round " << round;
    // And back: the same rows, with the source's block gap and a gap of bytes in GM.
    std::vector<int16_t> out(rows * (n + gap), -1), back(out);
    for (uint32_t r = 0; r < rows; ++r)
      for (uint32_t i = 0; i < n; ++i)
        back[r * (n + gap) + i] = static_cast<int16_t>(r * ((n + 15) / 16 * 16 + blocks * 16) + i);
    const auto status = run_kernel([&] {
      DataCopyPad(global(out), tensor<int16_t>(0, count_up<int16_t>(1024)),
                  DataCopyExtParams(rows, n * 2, blocks, gap * 2, 0));
    });
    ASSERT_EQ(status.report, "");
    ASSERT_EQ(out, back) << "round " << round;
  }
}

TEST(CopyPad,
     GmNeedsNoAlignmentAndBytesOfOddLength) {  // the documents' figure: rows of 47 bytes, strides of 1
  std::vector<uint8_t> in = count_up<uint8_t>(96), out(98, 0xee);
  const auto got = arrived<uint8_t>(192, [&](auto& t) {
    DataCopyPad(t, global(in), DataCopyExtParams(2, 47, 1, 1, 0),
                DataCopyPadExtParams<uint8_t>(false, 0, 0, 0));
    DataCopyPad(global(out)[1], t, DataCopyExtParams(2, 47, 1, 1, 0));
  });
  for (int r = 0; r < 2; ++r)
    for (int i = 0; i < 96; ++i)
      EXPECT_EQ(got[r * 96 + i], i < 47 ? r * 48 + i : i < 64 ? r * 48 : 0xff) << r << ' ' << i;
  for (int i = 0; i < 98; ++i) {
    const int k = i - 1;
    EXPECT_EQ(out[i], k >= 0 && k < 95 && k != 47 ? k : 0xee) << i;
  }
}

TEST(CopyPad, OlderParameters) {
  auto in = count_up<half>(60, 1);
  std::vector<half> out(60, half(-1));
  DataCopyParams p;
  p.blockCount = 3;
  p.blockLen = 20 * sizeof(half);
  const auto got = arrived<half>(96, [&](auto& t) {
    DataCopyPadParams pad;
    pad.isPad = true;
    pad.rightPadding = 4;
    pad.paddingValue = 0x4200;  // 3.0
    DataCopyPad(t, global(in), p, pad);
    DataCopyPad(global(out), t, p);
  });
  for (int r = 0; r < 3; ++r)
    for (int i = 0; i < 32; ++i) EXPECT_EQ(float(got[r * 32 + i]), i < 20 ? r * 20 + i + 1 : 3);
  expect_same(out, in, "back");
}

TEST(CopyPad, WideTypes) {
  auto in = count_up<int64_t>(3, 1);
  const auto got = arrived<int64_t>(8, [&](auto& t) {
    DataCopyPad(t, global(in), DataCopyExtParams(1, 24, 0, 0, 0),
                DataCopyPadExtParams<int64_t>(true, 1, 2, 0));
  });
  EXPECT_EQ(got, (std::vector<int64_t>{0, 1, 2, 3, 0, 0, 0, 0}));
}

TEST(CopyPad, PaddingMayReachTheEndOfTheLastDataBlock) {
  auto in = count_up<half>(20);
  const auto status = run_kernel([&] {
    LocalTensor<half> t(TPosition::VECIN, 0, 20);
    DataCopyPad(t, global(in), DataCopyExtParams(1, 40, 0, 0, 0), DataCopyPadExtParams<half>());
  });
  EXPECT_EQ(status.report, "");
}

TEST(CopyPad, Refusals) {
  std::vector<float> gm(64);
  std::vector<int64_t> wide(8);
  auto refused = [](auto body, const char* text) {
    const auto status = run_kernel(body);
    EXPECT_EQ(status.fault, toprope::Fault::Exception);
    EXPECT_NE(status.report.find(text), std::string::npos) << "expected: " << text << "\n" << status.report;
    EXPECT_NE(status.report.find("copy_pad_test.cpp"), std::string::npos) << status.report;
  };
  const DataCopyPadExtParams<float> none;
  auto t = [] { return tensor<float>(0, std::vector<float>(64)); };
  refused([&] { DataCopyPad(t(), global(gm), DataCopyExtParams(4096, 4, 0, 0, 0), none); },
          "DataCopyPad: blockCount is 4096; it takes 0 to 4095");
  refused([&] { DataCopyPad(t(), global(gm), DataCopyExtParams(1, 2097152, 0, 0, 0), none); },
          "DataCopyPad: blockLen is 2097152; it takes 0 to 2097151");
  refused([&] { DataCopyPad(t(), global(gm), DataCopyExtParams(1, 18, 0, 0, 0), none); },
          "blockLen is 18 bytes, which is no multiple of the element's 4");
  refused([&] { DataCopyPad(t(), global(gm), DataCopyExtParams(1, 16, 0, 0, 0), {true, 9, 0, 0}); },
          "leftPadding is 9; it takes 0 to 8");
  refused([&] { DataCopyPad(t(), global(gm), DataCopyExtParams(1, 16, 0, 0, 0), {true, 0, 9, 0}); },
          "rightPadding is 9; it takes 0 to 8");
  refused([&] { DataCopyPad(t()[1], global(gm), DataCopyExtParams(1, 16, 0, 0, 0), none); },
          "dst starts at byte 4 of UB, which is not 32-byte aligned");
  refused([&] { DataCopyPad(t(), global(gm), DataCopyExtParams(9, 4, 0, 0, 0), none); },
          "dst ends 32 bytes past its tensor in UB");
  refused([&] { DataCopyPad(t(), global(gm), DataCopyExtParams(2, 4, 252, 0, 0), none); },
          "src ends 4 bytes past its tensor in GM");
  refused([&] { DataCopyPad(global(gm), t(), DataCopyExtParams(2, 4, 0, 0xffffffffu, 0)); }, "dst ends");
  refused(
      [&] {
        DataCopyPad(tensor<int64_t>(0, std::vector<int64_t>(8)), global(wide),
                    DataCopyExtParams(1, 24, 0, 0, 0), DataCopyPadExtParams<int64_t>(true, 0, 1, 7));
      },
      "paddingValue of a 64-bit type must be 0");
}

}  // namespace
