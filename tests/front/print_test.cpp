// Text from kernels. Expected output: the examples of the pages printf, ascendc_assert, assert, DumpTensor
// and Print.
#include "utils/debug/asc_printf.h"
// The rest must live with the word printf being a macro.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "front/launch.h"
#include "utils/debug/asc_dump.h"

namespace {

using namespace AscendC;
using toprope::test::expect_clean;
using toprope::test::expect_refused;
using toprope::test::launch;

template <class Body>
std::string output_of(Body body) {
  testing::internal::CaptureStdout();
  body();
  std::fflush(stdout);
  return testing::internal::GetCapturedStdout();
}

template <class Body>
std::string output_of_kernel(Body body) {
  return output_of([&] { expect_clean(launch(body)); });
}

TEST(Printf, TheExampleOfThePage) {
  const std::string text = output_of_kernel([] {
    printf("hello world device\n");
    printf("fmt string int: %d\n", 0x123);
    float b = 3.14f;
    printf("fmt string float: %f\n", b);
  });
  EXPECT_EQ(text,
            "[AIV Block 0/1] hello world device\n[AIV Block 0/1] fmt string int: 291\n"
            "[AIV Block 0/1] fmt string float: 3.140000\n");
}

TEST(Printf, CoresOfAMixedKernelHaveTheirOwnNumbers) {
  const std::string text = output_of([] { expect_clean(launch(2, 1, 2, [] { AscendC::printf("x\n"); })); });
  std::set<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.insert(line);
  EXPECT_EQ(lines, (std::set<std::string>{"[AIC Block 0/2] x", "[AIC Block 1/2] x", "[AIV Block 0/4] x",
                                          "[AIV Block 1/4] x", "[AIV Block 2/4] x", "[AIV Block 3/4] x"}));
}

TEST(Printf, EveryDocumentedTypeInEveryConversion) {
  const std::string text = output_of_kernel([] {
    printf("%d %i %ld %lld\n", int8_t{-8}, int16_t{-16}, int32_t{-32}, int64_t{-64});
    printf("%u %lu %llu %u\n", uint8_t{200}, uint16_t{60000}, uint32_t{4000000000u},
           uint64_t{18446744073709551615u});
    printf("%x %lx %llx\n", uint8_t{0xab}, int32_t{0x12ab}, uint64_t{0xfedcba9876543210u});
    printf("%f %F %f\n", half(0.5f), bfloat16_t(-2.0f), 1.25f);
    printf("%s|%s\n", "text", static_cast<const char*>("more"));
    printf("%p\n", reinterpret_cast<void*>(0x12ff));
    printf("%5d|%-5d|%05d|%.2f|%8.3f|%+d|%%\n", 42, 42, 42, 3.14159, 2.5, 7);
    printf("%*d|%.*f\n", 6, 1, 1, 2.55f);
    printf("block %u of %u\n", GetBlockIdx(), GetBlockNum());
    printf("%d\n", static_cast<int>(block_idx + 5));
  });
  std::string plain;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    plain += line.substr(std::string("[AIV Block 0/1] ").size()) + "\n";
  EXPECT_EQ(
      plain,
      "-8 -16 -32 -64\n200 60000 4000000000 18446744073709551615\nab 12ab fedcba9876543210\n"
      "0.500000 -2.000000 1.250000\ntext|more\n0x12ff\n   42|42   |00042|3.14|   2.500|+7|%\n     1|2.5\n"
      "block 0 of 1\n5\n");
}

TEST(Printf, HexadecimalIs64BitsWide) {  // documented: 64 bits on the device
  EXPECT_EQ(output_of_kernel([] { printf("%x\n", int32_t{-1}); }), "[AIV Block 0/1] ffffffffffffffff\n");
  EXPECT_EQ(output_of_kernel([] { printf("%u\n", int32_t{-1}); }), "[AIV Block 0/1] 4294967295\n");
}

TEST(Printf, MisfitsAreShown) {
  EXPECT_EQ(output_of_kernel([] { printf("%f %d %s %d %q\n", 1, 2.0f, 3); }),
            "[AIV Block 0/1] <%f got an integer> <%d got a floating-point number> <%s got an integer> "
            "<%d has no argument> <%\n has no argument>");
}

TEST(Printf, LinesOfParallelBlocksStayWhole) {  // facts/cases G13: 48 blocks printing 100 lines
  const std::string text = output_of([] {
    expect_clean(launch(48, 0, 1, [] {
      for (int i = 0; i < 100; ++i)
        printf("line %d of block %d, %s\n", i, static_cast<int>(GetBlockIdx()), "to the end");
    }));
  });
  std::set<std::string> lines;
  std::istringstream in(text);
  int count = 0;
  for (std::string line; std::getline(in, line); ++count) lines.insert(line);
  EXPECT_EQ(count, 4800);
  std::set<std::string> expected;
  for (int b = 0; b < 48; ++b)
    for (int i = 0; i < 100; ++i)
      expected.insert("[AIV Block " + std::to_string(b) + "/48] line " + std::to_string(i) + " of block " +
                      std::to_string(b) + ", to the end");
  EXPECT_EQ(lines, expected);
}

TEST(Printf, MoreThan30KbIsNotPrintedAndSaidSo) {
  const std::string large(30 * 1024 + 1, 'x');
  testing::internal::CaptureStderr();
  EXPECT_EQ(output_of_kernel([&] { printf("%s", large.c_str()); }), "");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("printf of 30721 bytes is not printed"),
            std::string::npos);
  EXPECT_EQ(output_of_kernel([&] { printf("%s", large.c_str() + 1); }).size(),
            30 * 1024 + std::string("[AIV Block 0/1] ").size());
}

TEST(Printf, HostCodeGetsCsPrintf) {
  const std::string text = output_of([] {
    EXPECT_EQ(printf("%d %5.1f %s %02x\n", 7, 2.25, "s", -1), 19);
    EXPECT_EQ(std::printf("plain\n"), 6);
    printf("%zu %c %e\n", sizeof(int), 'c', 1.0);
    AscendC::PRINTF("%f\n", half(1.5f));
  });
  EXPECT_EQ(text, "7   2.2 s ffffffff\nplain\n4 c 1.000000e+00\n1.500000\n");
}

TEST(Assert, TheExampleOfThePage) {
  const int line = __LINE__ + 4;
  toprope::LaunchStatus status;
  const std::string text = output_of([&] {
    status = launch([] {
      int assertFlag = 10;  // keep the condition on this line
      ascendc_assert(assertFlag != 10, "The assertFlag value is %d.\n", assertFlag);
    });
  });
  const std::string where = std::string(__FILE__) + ":" + std::to_string(line + 1) + ": ";
  EXPECT_EQ(text, "[ASSERT] " + where + "Assertion `assertFlag != 10' The assertFlag value is 10.\n");
  expect_refused(status, "Assertion `assertFlag != 10' The assertFlag value is 10.",
                 "in kernel test_kernel, block 0");
}

TEST(Assert, EndsOnlyWhatBreaksIt) {
  expect_clean(launch([] {
    ascendc_assert(block_num == 1);
    ascendc_assert(true, "never %d", 1);
  }));
  std::string text = output_of([] {
    expect_refused(launch([] { ascendc_assert(GetBlockIdx() == 7); }),
                   "Assertion `GetBlockIdx() == 7' failed.");
  });
  EXPECT_NE(text.find("[ASSERT] "), std::string::npos);
}

TEST(Assert, WithALogStatement) {
  toprope::LaunchStatus status;
  const std::string text = output_of([&] {
    status =
        launch([] { ASCENDC_ASSERT(GetBlockNum() != 1, { KERNEL_LOG(KERNEL_ERROR, "blocks: %d", 1); }); });
  });
  EXPECT_EQ(text.find("[AIV Block 0/1] [KERNEL_ERROR] blocks: 1\n[ASSERT] "), 0u) << text;
  expect_refused(status, "Assertion `GetBlockNum() != 1' failed.");
}

TEST(Assert, TrapEndsTheBlock) {
  bool after = false;
  expect_refused(launch([&] {
                   AscendC::Trap();
                   after = true;
                 }),
                 "trap: the kernel ended itself", "print_test.cpp");
  EXPECT_FALSE(after);
  expect_refused(launch([] { trap(); }), "trap");
  expect_refused(launch([] { __trap(); }), "trap");
}

TEST(Dump, OneLine) {
  EXPECT_EQ(output_of_kernel([] {
              LocalTensor<half> t(TPosition::VECCALC, 64, 16);
              for (uint32_t i = 0; i < 16; ++i) t.SetValue(i, half(i * 0.5f));
              DumpTensor(t, 5, 4);
              DumpAccChkPoint(t, 56, 8, 2);
            }),
            "[AIV Block 0/1] DumpTensor: desc=5, addr=0x40, data_type=float16, position=UB, dump_size=4\n"
            "[0.000000, 0.500000, 1.000000, 1.500000]\n"
            "[AIV Block 0/1] DumpTensor: desc=56, addr=0x50, data_type=float16, position=UB, dump_size=2\n"
            "[4.000000, 4.500000]\n");
}

TEST(Dump, WithAShape) {  // the three cases of the page, smaller
  const auto dump = [](uint32_t rows) {
    return output_of_kernel([rows] {
      LocalTensor<int32_t> t(TPosition::VECCALC, 0, 8);
      for (uint32_t i = 0; i < 8; ++i) t.SetValue(i, static_cast<int32_t>(i));
      const uint32_t dims[] = {rows, 4};
      DumpTensor(t, 2, 8, ShapeInfo(2, dims));
    });
  };
  const std::string head =
      "[AIV Block 0/1] DumpTensor: desc=2, addr=0x0, data_type=int32, position=UB, dump_size=8\n";
  EXPECT_EQ(dump(2), head + "[[0,1,2,3],\n[4,5,6,7]]\n");
  EXPECT_EQ(dump(1),
            head + "shape is [1, 4], dumpSize is 8, dumpSize is greater than shapeSize.\n[[0,1,2,3]]\n");
  EXPECT_EQ(
      dump(3),
      head + "shape is [3, 4], dumpSize is 8, data is not enough.\n[[0,1,2,3],\n[4,5,6,7],\n[-,-,-,-]]\n");
}

TEST(Dump, GlobalTensorsAndPointers) {
  std::vector<float> gm = {1.5f, -2.0f};
  char address[32];
  std::snprintf(address, sizeof address, "0x%llx",
                static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(gm.data())));
  EXPECT_EQ(
      output_of_kernel([&] {
        GlobalTensor<float> t;
        t.SetGlobalBuffer(gm.data(), 2);
        DumpTensor(t, 1, 2);
        LocalTensor<int32_t> local(TPosition::VECCALC, 96, 8);
        local.SetValue(0, -7);
        asc_dump(local.GetPhyAddr(), 3, 1);
      }),
      std::string("[AIV Block 0/1] DumpTensor: desc=1, addr=") + address +
          ", data_type=float32, position=GM, dump_size=2\n[1.500000, -2.000000]\n"
          "[AIV Block 0/1] DumpTensor: desc=3, addr=0x60, data_type=int32, position=UB, dump_size=1\n[-7]\n");
  expect_refused(launch([&] {
                   GlobalTensor<float> t;
                   t.SetGlobalBuffer(gm.data(), 2);
                   DumpTensor(t, 1, 3);
                 }),
                 "DumpTensor: 3 elements are 4 bytes more than the tensor has");
}

TEST(Dump, PrintHasADataBlockALine) {
  EXPECT_EQ(output_of_kernel([] {
              LocalTensor<int32_t> t(TPosition::VECCALC, 0, 16);
              for (uint32_t i = 0; i < 16; ++i) t.SetValue(i, static_cast<int32_t>(i));
              t.Print();
              t.Print(3);
            }),
            "0000: 0 1 2 3 4 5 6 7\n0008: 8 9 10 11 12 13 14 15\n0000: 0 1 2\n");
}

TEST(Dump, ToFile) {
  const std::string path = testing::TempDir() + "toprope_to_file.bin";
  expect_clean(launch([&] {
    LocalTensor<int16_t> t(TPosition::VECCALC, 0, 16);
    for (uint32_t i = 0; i < 16; ++i) t.SetValue(i, static_cast<int16_t>(i * 257));
    EXPECT_EQ(t.ToFile(path), 0);
    EXPECT_EQ(t.ToFile("a/directory/that/is/not/there"), -1);
  }));
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), {});
  ASSERT_EQ(bytes.size(), 32u);
  for (size_t i = 0; i < 32; ++i) EXPECT_EQ(static_cast<uint8_t>(bytes[i]), i / 2);
  std::remove(path.c_str());
}

}  // namespace
