// Transpose and TransDataTo5HD.
#include <map>
#include <set>

#include "machine/observer.h"
#include "support/kernel.h"

namespace {

using namespace toprope::test;
using namespace AscendC;

template <class T>
std::vector<T> numbered(size_t n) {
  std::vector<T> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = static_cast<T>(static_cast<int>(i * 31 % 251));
  return v;
}

class TransposeTest : public BothTargets {
 protected:
  template <class T>
  void square(bool in_place) {
    const std::vector<T> in = numbered<T>(256);
    std::vector<T> got, want(256);
    for (int r = 0; r < 16; ++r)
      for (int c = 0; c < 16; ++c) want[c * 16 + r] = in[r * 16 + c];
    const auto status = run_kernel([&] {
      auto s = tensor<T>(1024, in);
      auto d = in_place ? s : tensor<T>(0, std::vector<T>(256));
      Transpose<T>(d, s);
      got = values(d);
    });
    ASSERT_EQ(status.report, "");
    expect_same(got, want, "square");
  }

  template <class T>
  void layout(int n, int c, int h, int w, TransposeType type) {
    const size_t all = static_cast<size_t>(n * c * h * w);
    const std::vector<T> in = numbered<T>(all);
    std::vector<T> got, want(all);
    const int rows = type == TransposeType::TRANSPOSE_NCHW2NHWC ? c : h * w, columns = c * h * w / rows;
    for (int i = 0; i < n; ++i)
      for (int r = 0; r < rows; ++r)
        for (int k = 0; k < columns; ++k)
          want[i * rows * columns + k * rows + r] = in[i * rows * columns + r * columns + k];
    const size_t work =
        32 * (sizeof(T) == 1 ? 32 : 16) * (type == TransposeType::TRANSPOSE_NCHW2NHWC ? c + 2 : 2 * c + 1);
    const auto status = run_kernel([&] {
      auto d = tensor<T>(0, std::vector<T>(all));
      Transpose(d, tensor<T>(49152, in), tensor<uint8_t>(98304, std::vector<uint8_t>(work)),
                TransposeParamsExt(static_cast<uint16_t>(n), static_cast<uint16_t>(c),
                                   static_cast<uint16_t>(h), static_cast<uint16_t>(w), type));
      got = values(d);
    });
    ASSERT_EQ(status.report, "");
    expect_same(
        got, want,
        std::to_string(n) + "x" + std::to_string(c) + "x" + std::to_string(h) + "x" + std::to_string(w));
  }

  template <class T>
  void both_layouts() {
    for (TransposeType type : {TransposeType::TRANSPOSE_NCHW2NHWC, TransposeType::TRANSPOSE_NHWC2NCHW}) {
      layout<T>(3, 3, 4, 8, type);
      layout<T>(1, 1, 1, 32, type);
      layout<T>(2, 33, 4, 16, type);
      layout<T>(1, 20, 32, 16, type);
    }
  }
};

TEST_P(TransposeTest, Square) {
  for (bool in_place : {false, true}) {
    square<half>(in_place);
    square<int16_t>(in_place);
    square<uint16_t>(in_place);
  }
}

TEST_P(TransposeTest, Layouts) {
  both_layouts<int8_t>();
  both_layouts<uint8_t>();
  both_layouts<int16_t>();
  both_layouts<uint16_t>();
  both_layouts<half>();
  both_layouts<int32_t>();
  both_layouts<uint32_t>();
  both_layouts<float>();
}

/// What the figures of the page say, element by element.
template <class T>
std::vector<T> five_hd(const std::vector<T>& in, std::vector<T> out, const int (&src)[16],
                       const int (&dst)[16], const TransDataTo5HDParams& p) {
  const int lanes = 32 / sizeof(T), used = sizeof(T) == 1 ? 16 : lanes;
  for (int r = 0; r < p.repeatTimes; ++r) {
    const int turn = p.repeatTimes == 1 ? 1 : r;
    for (int i = 0; i < 16; ++i)
      for (int k = 0; k < used; ++k) {
        const T value =
            in[(src[i] + turn * p.srcRepStride) * lanes + (p.srcHighHalf ? 16 : 0) * (lanes == 32) + k];
        // Element k of block i: to place i of "row" k, of which a block of 32-bit elements holds half.
        const int block = lanes == 8 ? 2 * k + i / 8 : k, place = lanes == 8 ? i % 8 : i;
        out[(dst[block] + turn * p.dstRepStride) * lanes + (p.dstHighHalf ? 16 : 0) * (lanes == 32) + place] =
            value;
      }
  }
  return out;
}

class To5hdTest : public BothTargets {
 protected:
  template <class T>
  void check(const TransDataTo5HDParams& p) {
    int src[16], dst[16];
    for (int i = 0; i < 16; ++i) {
      src[i] = (i * 5 % 16) * 3;  // blocks anywhere
      dst[i] = i * 2;
    }
    constexpr int lanes = 32 / sizeof(T);
    const std::vector<T> in = numbered<T>(200 * lanes), old(200 * lanes, T(77));
    const std::vector<T> want = five_hd(in, old, src, dst, p);
    for (int form = 0; form < 3; ++form) {
      std::vector<T> got;
      const auto status = run_kernel([&] {
        auto s = tensor<T>(0, in), d = tensor<T>(65536, old);
        uint64_t to[16], from[16];
        LocalTensor<T> to_list[16], from_list[16];
        auto to_tensor = tensor<uint64_t>(131072, std::vector<uint64_t>(16));
        auto from_tensor = tensor<uint64_t>(131072 + 128, std::vector<uint64_t>(16));
        for (int i = 0; i < 16; ++i) {
          to_list[i] = d[dst[i] * lanes];
          from_list[i] = s[src[i] * lanes];
          to[i] = (uint64_t)(to_list[i].GetPhyAddr());
          from[i] = (uint64_t)(from_list[i].GetPhyAddr());
          to_tensor.SetValue(i, to[i]);
          from_tensor.SetValue(i, from[i]);
        }
        if (form == 0)
          TransDataTo5HD<T>(to, from, p);
        else if (form == 1)
          TransDataTo5HD<T>(to_tensor, from_tensor, p);
        else
          TransDataTo5HD<T>(to_list, from_list, p);
        got = values(d);
      });
      ASSERT_EQ(status.report, "");
      expect_same(got, want, std::to_string(sizeof(T)) + " bytes, form " + std::to_string(form));
    }
  }

  template <class T>
  void every_way() {
    check<T>({false, false, 1, 0, 0});
    check<T>({false, false, 1, 3, 2});  // a single repeat starts a stride further
    check<T>({false, false, 4, 33, 1});
    check<T>({false, false, 0, 1, 1});
  }
};

TEST_P(To5hdTest, EveryType) {
  every_way<half>();
  every_way<int16_t>();
  every_way<uint16_t>();
  every_way<int32_t>();
  every_way<uint32_t>();
  every_way<float>();
  every_way<int8_t>();
  every_way<uint8_t>();
  for (bool dst_high : {false, true})
    for (bool src_high : {false, true}) check<int8_t>({dst_high, src_high, 2, 33, 1});
}

TEST_P(To5hdTest, NchwToFiveDimensions) {  // the example of the page: [2, 32, 16, 16] with c0 = 16
  const std::vector<half> in = [] {
    std::vector<half> v(16384);
    for (size_t i = 0; i < v.size(); ++i) v[i] = half(static_cast<float>(i % 2048));
    return v;
  }();
  std::vector<half> got, want(16384);
  for (int n = 0; n < 2; ++n)
    for (int c = 0; c < 32; ++c)
      for (int hw = 0; hw < 256; ++hw)
        want[((n * 2 + c / 16) * 256 + hw) * 16 + c % 16] = in[(n * 32 + c) * 256 + hw];
  const auto status = run_kernel([&] {
    auto s = tensor<half>(0, in), d = tensor<half>(65536, std::vector<half>(16384));
    for (int j = 0; j < 4; ++j) {
      uint64_t to[16], from[16];
      for (int i = 0; i < 16; ++i) {
        to[i] = (uint64_t)(d[j * 4096 + 16 * i].GetPhyAddr());
        from[i] = (uint64_t)(s[j * 4096 + 256 * i].GetPhyAddr());
      }
      TransDataTo5HD<half>(to, from, {false, false, 16, 16, 1});
    }
    got = values(d);
  });
  ASSERT_EQ(status.report, "");
  expect_same(got, want, "NC1HWC0");
}

TEST_P(TransposeTest, Refusals) {
  const auto with = [](uint16_t c, uint16_t w, uint32_t work, TransposeType type, uint32_t at = 0) {
    return run_kernel([&] {
             Transpose(tensor<half>(at, std::vector<half>(1024)), tensor<half>(4096, std::vector<half>(1024)),
                       tensor<uint8_t>(16384, std::vector<uint8_t>(work)),
                       TransposeParamsExt(1, c, 1, w, type));
           })
        .report;
  };
  constexpr auto to_last = TransposeType::TRANSPOSE_NCHW2NHWC;
  EXPECT_EQ(with(4, 32, 3072, to_last), "");
  EXPECT_EQ(with(0, 32, 0, to_last), "");  // an extent of 0: nothing happens
  EXPECT_EQ(with(4, 32, 0, TransposeType::TRANSPOSE_TYPE_NONE), "");
  const std::string work = with(4, 32, 3040, to_last);
  EXPECT_NE(work.find("Transpose: sharedTmpBuffer ends 32 bytes past its tensor"), std::string::npos) << work;
  const std::string area = with(4, 24, 3072, to_last);
  EXPECT_NE(area.find("hSize * wSize is 24 elements of 2 bytes"), std::string::npos) << area;
  const std::string kind = with(4, 32, 3072, TransposeType::TRANSPOSE_ND2ND_ONLY);
  EXPECT_NE(kind.find("transposeType 7 is not served on this chip"), std::string::npos) << kind;
  const std::string same = with(4, 32, 3072, to_last, 4096);
  EXPECT_NE(same.find("Transpose: dst and src share bytes of UB from byte 4096 on"), std::string::npos)
      << same;
  const auto stray = run_kernel([] {
    uint64_t list[16] = {};
    TransDataTo5HD<half>(list, list, {false, false, 1, 0, 0});
  });
  EXPECT_NE(stray.report.find("address 0 of dstList is 0, which is not in UB"), std::string::npos)
      << stray.report;
  const auto over = run_kernel([] {
    LocalTensor<half> list[16];
    for (auto& t : list) t = tensor<half>(0, std::vector<half>(32));
    TransDataTo5HD<half>(list, list, {false, false, 3, 1, 1});
  });
  EXPECT_NE(over.report.find("TransDataTo5HD: dstList ends 32 bytes past its tensor"), std::string::npos)
      << over.report;
}

class Recorder : public toprope::Observer {
 public:
  Recorder() { toprope::install(this); }
  ~Recorder() override { toprope::uninstall(this); }
  void on_instruction(toprope::Core&, const toprope::Instruction&, std::span<const toprope::Access> accesses,
                      toprope::Site) override {
    for (const toprope::Access& a : accesses)
      for (uint32_t r = 0; r < a.repeats; ++r)
        for (uint32_t b = 0; b < a.blocks; ++b)
          for (uint32_t i = 0; i < a.run; ++i)
            bytes[a.operand].insert(a.slice.at + r * a.repeat_stride + a.places[b] + i);
  }
  std::map<std::string, std::set<uint64_t>> bytes;
};

TEST(To5hdFootprint, IsTheListedBlocks) {
  Recorder recorder;
  const auto status = run_kernel([] {
    auto t = tensor<int8_t>(0, std::vector<int8_t>(4096));
    LocalTensor<int8_t> to[16], from[16];
    for (int i = 0; i < 16; ++i) {
      to[i] = t[2048 + 32 * i];
      from[i] = t[64 * (15 - i)];
    }
    TransDataTo5HD<int8_t>(to, from, {true, false, 1, 2, 1});
  });
  ASSERT_EQ(status.report, "");
  std::set<uint64_t> to, from;
  for (uint64_t i = 0; i < 16; ++i)
    for (uint64_t k = 0; k < 16; ++k) {
      to.insert(2048 + 64 + 32 * i + 16 + k);  // the upper half, two blocks further
      from.insert(32 + 64 * i + k);
    }
  EXPECT_EQ(recorder.bytes["dstList"], to);
  EXPECT_EQ(recorder.bytes["srcList"], from);
}

INSTANTIATE_TEST_SUITE_P(Simd, TransposeTest, ::testing::Bool(), target_of);
INSTANTIATE_TEST_SUITE_P(Simd, To5hdTest, ::testing::Bool(), target_of);

}  // namespace
