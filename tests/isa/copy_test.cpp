// DataCopy in all its forms, and Copy. Expected values are the documents' own examples or index arithmetic
// done here.
#include <algorithm>
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

// --- consecutive
// ------------------------------------------------------------------------------------------------------

template <class T>
void round_trip() {
  auto in = count_up<T>(512, 1);
  std::vector<T> out(512), inside;
  const auto status = run_kernel([&] {
    auto a = tensor<T>(0, std::vector<T>(512)), b = tensor<T>(8192, std::vector<T>(512));
    auto gi = global(in), go = global(out);
    DataCopy(a, gi, 512);
    DataCopy(b, a, 512);
    DataCopy(go, b, 512);
    inside = values(b);
  });
  EXPECT_EQ(status.report, "");
  EXPECT_EQ(std::memcmp(in.data(), out.data(), 512 * sizeof(T)), 0);
  EXPECT_EQ(std::memcmp(in.data(), inside.data(), 512 * sizeof(T)), 0);
}

TEST(Copy, EveryTypeEveryPath) {
  round_trip<int8_t>();
  round_trip<uint8_t>();
  round_trip<int16_t>();
  round_trip<uint16_t>();
  round_trip<half>();
  round_trip<bfloat16_t>();
  round_trip<int32_t>();
  round_trip<uint32_t>();
  round_trip<float>();
  round_trip<int64_t>();
  round_trip<uint64_t>();
  round_trip<double>();
}

TEST(Copy, AmountIsRoundedDownToDataBlocks) {  // facts/cases A01
  auto halves = count_up<half>(64, 1);
  auto ints = count_up<int32_t>(64, 1);
  std::vector<half> got_half;
  std::vector<int32_t> got_int, gm(64, -1);
  const auto status = run_kernel([&] {
    auto h = tensor<half>(0, std::vector<half>(32, half(-7)));
    auto i = tensor<int32_t>(256, std::vector<int32_t>(32, -7));
    DataCopy(h, global(halves), 20);  // 40 bytes: 32 of them
    DataCopy(i, global(ints), 7);     // 28 bytes: none
    DataCopy(global(gm), i, 15);      // 60 bytes: 8 elements
    got_half = values(h);
    got_int = values(i);
  });
  ASSERT_EQ(status.report, "");
  for (int i = 0; i < 32; ++i) EXPECT_EQ(float(got_half[i]), i < 16 ? i + 1 : -7) << i;
  EXPECT_EQ(got_int, std::vector<int32_t>(32, -7));
  for (int i = 0; i < 64; ++i) EXPECT_EQ(gm[i], i < 8 ? -7 : -1) << i;
}

TEST(Copy, GlobalTensorWithoutSizeHasNoBound) {
  auto in = count_up<float>(64);
  std::vector<float> got;
  const auto status = run_kernel([&] {
    GlobalTensor<float> g;
    g.SetGlobalBuffer(in.data());
    auto t = tensor<float>(0, std::vector<float>(32));
    DataCopy(t, g[16], 32);
    got = values(t);
  });
  EXPECT_EQ(status.report, "");
  EXPECT_EQ(got, count_up<float>(32, 16));
}

// --- blocks
// -----------------------------------------------------------------------------------------------------------

TEST(Copy,
     BlocksWithGaps) {  // the document's figure: 2 blocks of 3 DataBlocks, source gap 1, destination gap 2
  auto in = count_up<half>(112);
  std::vector<half> want(144, half(-1)), got, back(112, half(-1)), want_back(112, half(-1));
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 48; ++i) want[b * 80 + i] = in[b * 64 + i], want_back[b * 64 + i] = in[b * 64 + i];
  DataCopyParams p(2, 3, 1, 2), q;
  q.blockCount = 2;
  q.blockLen = 3;
  q.srcStride = 2;
  q.dstStride = 1;
  const auto status = run_kernel([&] {
    auto a = tensor<half>(0, std::vector<half>(144, half(-1))),
         b = tensor<half>(1024, std::vector<half>(144, half(-1)));
    auto flat = tensor<half>(4096, in);
    DataCopy(a, global(in), p);
    DataCopy(b, flat, p);
    EXPECT_EQ(std::memcmp(a.GetPhyAddr(), b.GetPhyAddr(), 288), 0);
    DataCopy(global(back), a, q);
    got = values(a);
  });
  ASSERT_EQ(status.report, "");
  expect_same(got, want, "GM to UB");
  expect_same(back, want_back, "UB to GM");
}

TEST(Copy, BlocksAgainstOneElementAtATime) {
  std::mt19937 random(3);
  auto in = count_up<int32_t>(40000);
  for (int round = 0; round < 60; ++round) {
    const DataCopyParams p(random() % 9, random() % 7, random() % 5, random() % 5);
    std::vector<int32_t> want(4096, -1), got, out(4096, -1);
    for (uint32_t b = 0; b < p.blockCount; ++b)
      for (uint32_t i = 0; i < p.blockLen * 8u; ++i)
        want[b * (p.blockLen + p.dstGap) * 8 + i] = in[b * (p.blockLen + p.srcGap) * 8 + i];
    const auto status = run_kernel([&] {
      auto t = tensor<int32_t>(0, std::vector<int32_t>(4096, -1));
      auto s = tensor<int32_t>(32768, std::vector<int32_t>(in.begin(), in.begin() + 4096));
      DataCopy(t, global(in), p);
      DataCopy(global(out), s, p);
      got = values(t);
    });
    ASSERT_EQ(status.report, "");
    ASSERT_EQ(got, want) << "round " << round;
    ASSERT_EQ(out, want) << "round " << round;
  }
}

TEST(Copy, TruncatedStrideLandsWhereTheDeviceLands) {  // facts/cases A05
  auto in = count_up<half>(32);
  std::vector<half> got;
  run_kernel([&] {
    auto t = tensor<half>(0, std::vector<half>(48, half(-1)));
    const int pitch = 24, valid = 16;
    DataCopy(t, global(in),
             DataCopyParams(2, 1, 0, static_cast<uint16_t>((pitch - valid) * sizeof(half) / 32)));
    got = values(t);
  });
  EXPECT_EQ(float(got[16]), 16);  // row 1 starts at byte 32, not at byte 48
  EXPECT_EQ(float(got[24]), 24);
}

TEST(Copy, NothingToDo) {
  auto in = count_up<float>(64);
  std::vector<float> got;
  const auto status = run_kernel([&] {
    auto t = tensor<float>(0, std::vector<float>(64, -1));
    DataCopy(t, global(in), 0);
    DataCopy(t, global(in), DataCopyParams(0, 8, 0, 0));
    DataCopy(t, global(in), DataCopyParams(2, 0, 0, 0));
    DataCopyPad(t, global(in), DataCopyExtParams(0, 8, 0, 0, 0), DataCopyPadExtParams<float>());
    DataCopyPad(t, global(in), DataCopyExtParams(1, 0, 0, 0, 0), DataCopyPadExtParams<float>());
    got = values(t);
  });
  EXPECT_EQ(status.report, "");
  EXPECT_EQ(got, std::vector<float>(64, -1));
}

// --- slices
// -----------------------------------------------------------------------------------------------------------

TEST(Copy, SliceOfTheDocument) {  // 3 x 87 floats, rows 0 and 2, two pieces of 24 each
  auto in = count_up<float>(3 * 87);
  std::vector<float> got, out(96, -1);
  SliceInfo src[] = {{16, 70, 7, 3, 87}, {0, 2, 1, 1, 3}}, dst[] = {{0, 47, 0, 3, 48}, {0, 1, 0, 1, 2}};
  const auto status = run_kernel([&] {
    auto t = tensor<float>(0, std::vector<float>(96, -1));
    DataCopy(t, global(in), dst, src, 2);
    DataCopy(global(out), t, dst, dst, 2);
    got = values(t);
  });
  ASSERT_EQ(status.report, "");
  std::vector<float> want;
  for (int row : {0, 2})
    for (int first : {16, 47})
      for (int i = 0; i < 24; ++i) want.push_back(static_cast<float>(row * 87 + first + i));
  EXPECT_EQ(got, want);
  EXPECT_EQ(out, want);
}

TEST(Copy, SliceOfThreeDimensions) {
  auto in = count_up<int16_t>(5 * 4 * 64);
  std::vector<int16_t> got;
  // columns 16 … 31, rows 1 and 3, planes 0, 2 and 4
  SliceInfo src[] = {{16, 31, 0, 1, 64}, {1, 3, 1, 1, 4}, {0, 4, 1, 1, 5}};
  SliceInfo dst[] = {{0, 15, 0, 1, 16}, {0, 1, 0, 1, 2}, {0, 2, 0, 1, 3}};
  const auto status = run_kernel([&] {
    auto t = tensor<int16_t>(0, std::vector<int16_t>(96, -1));
    DataCopy(t, global(in), dst, src, 3);
    got = values(t);
  });
  ASSERT_EQ(status.report, "");
  std::vector<int16_t> want;
  for (int plane : {0, 2, 4})
    for (int row : {1, 3})
      for (int i = 16; i < 32; ++i) want.push_back(static_cast<int16_t>((plane * 4 + row) * 64 + i));
  EXPECT_EQ(got, want);
}

TEST(Copy, SliceMustAddUp) {
  auto in = count_up<float>(87 * 3);
  SliceInfo src[] = {{16, 71, 7, 3, 87}}, dst[] = {{0, 47, 0, 3, 48}};
  const auto status = run_kernel([&] {
    auto t = tensor<float>(0, std::vector<float>(96));
    DataCopy(t, global(in), dst, src, 1);
  });
  EXPECT_NE(status.report.find(
                "DataCopy: srcSliceInfo[0]: 56 elements do not hold whole pieces of 24 elements with 7"),
            std::string::npos)
      << status.report;
}

// --- layouts
// ----------------------------------------------------------------------------------------------------------

TEST(Copy, Nd2NzOfTheDocument) {
  auto in = count_up<half>(1024, 1);
  std::vector<half> got;
  const auto status = run_kernel([&] {
    auto t = tensor<half>(0, std::vector<half>(1024));
    DataCopy(t, global(in), Nd2NzParams{1, 32, 32, 0, 32, 32, 1, 0});
    got = values(t);
  });
  ASSERT_EQ(status.report, "");
  for (int c = 0; c < 2; ++c)
    for (int r = 0; r < 32; ++r)
      for (int i = 0; i < 16; ++i) ASSERT_EQ(float(got[c * 512 + r * 16 + i]), r * 32 + c * 16 + i + 1);
}

TEST(Copy, Nd2NzTwoMatricesWithPadding) {  // the document's figure: 2 matrices of 2 x 24
  auto in = count_up<half>(288, 1);
  std::vector<half> got, want(600, half(-1));
  for (int m = 0; m < 2; ++m)
    for (int r = 0; r < 2; ++r)
      for (int c = 0; c < 32; ++c)
        want[m * 96 + c / 16 * 11 * 16 + r * 2 * 16 + c % 16] = half(c < 24 ? 1 + m * 144 + r * 48 + c : 0);
  const auto status = run_kernel([&] {
    auto t = tensor<half>(0, std::vector<half>(600, half(-1)));
    DataCopy(t, global(in), Nd2NzParams{2, 2, 24, 144, 48, 11, 2, 96});
    got = values(t);
  });
  ASSERT_EQ(status.report, "");
  expect_same(got, want, "Nd2Nz");
}

TEST(Copy, Nz2NdOfTheDocument) {
  const auto in = count_up<half>(1024, 1);
  std::vector<half> out(1024);
  const auto status = run_kernel(
      [&] { DataCopy(global(out), tensor<half>(0, in), Nz2NdParamsFull{1, 32, 32, 1, 32, 32, 1}); });
  ASSERT_EQ(status.report, "");
  for (int r = 0; r < 32; ++r)
    for (int c = 0; c < 32; ++c) ASSERT_EQ(float(out[r * 32 + c]), c / 16 * 512 + r * 16 + c % 16 + 1);
  EXPECT_EQ(float(out[16]), 513);
  EXPECT_EQ(float(out[32]), 17);
}

TEST(
    Copy,
    Nz2NdTwoMatricesOfFloat) {  // the document's figure: row 0 and row 1 lie 144 elements apart, A1 and C1 40
  const auto in = count_up<float>(512);
  std::vector<float> out(600, -1), want(600, -1);
  for (int m = 0; m < 2; ++m)
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 32; ++c)
        want[m * 40 + r * 144 + c] = static_cast<float>(m * 256 + c / 16 * 64 + r * 16 + c % 16);
  const auto status = run_kernel(
      [&] { DataCopy(global(out), tensor<float>(0, in), Nz2NdParamsFull{2, 4, 32, 1, 4, 144, 40}); });
  ASSERT_EQ(status.report, "");
  EXPECT_EQ(out, want);
}

// --- Copy
// -------------------------------------------------------------------------------------------------------------

TEST(Copy, MaskedOfTheDocument) {
  const auto in = count_up<int32_t>(18 * 64);
  std::vector<int32_t> whole, narrow, want;
  for (int r = 0; r < 18; ++r)
    for (int i = 0; i < 8; ++i) want.push_back(r * 64 + i);
  const auto status = run_kernel([&] {
    auto s = tensor<int32_t>(0, in), d = tensor<int32_t>(8192, std::vector<int32_t>(512, -1));
    Copy(d, s, uint64_t{64}, 8, {1, 1, 8, 8});
    whole = values(d);
    auto n = tensor<int32_t>(16384, std::vector<int32_t>(144, -1));
    Copy(n, s, uint64_t{8}, 18, {1, 1, 1, 8});
    narrow = values(n);
  });
  ASSERT_EQ(status.report, "");
  EXPECT_EQ(whole, count_up<int32_t>(512));
  EXPECT_EQ(narrow, want);
}

TEST(Copy, MaskBitsLeaveTheOthers) {
  const auto in = count_up<half>(128);
  std::vector<half> got;
  const auto status = run_kernel([&] {
    auto s = tensor<half>(0, in), d = tensor<half>(512, std::vector<half>(128, half(-1)));
    uint64_t mask[2] = {0x69A569A569A569A5, 1};
    Copy(d, s, mask, 1, CopyRepeatParams());
    got = values(d);
  });
  ASSERT_EQ(status.report, "");
  const uint64_t mask[2] = {0x69A569A569A569A5, 1};
  for (int i = 0; i < 128; ++i) EXPECT_EQ(float(got[i]), mask[i / 64] >> (i % 64) & 1 ? i : -1) << i;
}

TEST(Copy, CounterModeCountsElementsOfARepeat) {  // third scenario of the document, and a mask that ends
                                                  // inside a block
  const auto in = count_up<int32_t>(18 * 64);
  std::vector<int32_t> got, odd, want;
  for (int r = 0; r < 18; ++r)
    for (int i = 0; i < 8; ++i) want.push_back(r * 64 + i);
  const auto status = run_kernel([&] {
    auto s = tensor<int32_t>(0, in), d = tensor<int32_t>(8192, std::vector<int32_t>(144, -1));
    toprope::core().mask.counter = true;
    toprope::core().mask.bits[0] = 144;
    Copy<int32_t, false>(d, s, MASK_PLACEHOLDER, 1, {1, 8, 8, 8});
    got = values(d);
    auto e = tensor<int32_t>(16384, std::vector<int32_t>(32, -1));
    Copy(e, s, uint64_t{11}, 2, {1, 1, 2, 8});
    odd = values(e);
  });
  ASSERT_EQ(status.report, "");
  EXPECT_EQ(got, want);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(odd[i], i % 16 < 11 ? i / 16 * 64 + i % 16 : -1) << i;
}

// --- refusals
// ---------------------------------------------------------------------------------------------------------

template <class Body>
std::string report_of(Body body) {
  const auto status = run_kernel(body);
  EXPECT_EQ(status.fault, toprope::Fault::Exception);
  return status.report;
}

TEST(Copy, Refusals) {
  std::vector<float> gm(64);
  auto has = [](const std::string& report, const char* text) {
    EXPECT_NE(report.find(text), std::string::npos) << "expected: " << text << "\n" << report;
    EXPECT_NE(report.find("copy_test.cpp"), std::string::npos) << report;
    EXPECT_NE(report.find("cure: "), std::string::npos) << report;
  };
  has(report_of([&] {
        DataCopy(tensor<float>(0, std::vector<float>(128))[1], global(gm), 64);
      }),  // facts/cases A06
      "DataCopy: dst starts at byte 4 of UB, which is not 32-byte aligned");
  has(report_of([&] { DataCopy(tensor<float>(0, std::vector<float>(32)), global(gm), 40); }),
      "DataCopy: dst ends 32 bytes past its tensor in UB");
  has(report_of([&] { DataCopy(tensor<float>(0, std::vector<float>(128)), global(gm), 72); }),
      "DataCopy: src ends 32 bytes past its tensor in GM: 288 bytes from byte 0 of a tensor of 256 bytes");
  has(report_of([&] { DataCopy(global(gm)[8], tensor<float>(0, std::vector<float>(128)), 64); }),
      "DataCopy: dst ends 32 bytes past its tensor in GM");
  has(report_of([&] { DataCopy(tensor<float>(0, std::vector<float>(128)), GlobalTensor<float>(), 64); }),
      "DataCopy: src is a GlobalTensor without an address");
  has(report_of([&] {
        GlobalTensor<float> odd;
        odd.SetGlobalBuffer(reinterpret_cast<float*>(reinterpret_cast<char*>(gm.data()) + 2), 32);
        DataCopy(tensor<float>(0, std::vector<float>(128)), odd, 32);
      }),
      "is not 4-byte aligned");
  has(report_of([&] {
        DataCopy(tensor<float>(0, std::vector<float>(64)), global(gm), DataCopyParams(4096, 1, 0, 0));
      }),
      "DataCopy: blockCount is 4096; it takes 0 to 4095");
  has(report_of([&] {
        DataCopy(tensor<float>(0, std::vector<float>(64)), global(gm), DataCopyParams(3, 2, 2, 0));
      }),
      "DataCopy: src ends 64 bytes past its tensor in GM");
  has(report_of([&] {
        LocalTensor<float> l1(TPosition::A1, 0, 64);
        DataCopy(l1, tensor<float>(0, std::vector<float>(64)), 64);
      }),
      "DataCopy: there is no path from UB to L1");
  has(report_of([&] {
        auto t = tensor<float>(0, std::vector<float>(64));
        Copy(t, t, uint64_t{64}, 1, {1, 1, 4096, 8});
      }),
      "Copy: dstRepeatSize is 4096; it takes 0 to 4095");
  has(report_of([&] {
        DataCopy(global(gm), tensor<float>(0, std::vector<float>(64)),
                 Nz2NdParamsFull{1, 1, 24, 1, 1, 24, 1});
      }),
      "DataCopy: dValue is 24, which is no multiple of 16");
}

}  // namespace
