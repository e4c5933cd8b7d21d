#include "driver/options.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace toprope::driver {
namespace {

using Words = std::vector<std::string>;

std::string refusal(const Words& arguments) {
  try {
    parse(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Options, VendorCommandLine) {
  const Options options = parse({"-x", "asc", "--npu-arch=dav-3510", "-shared", "-fPIC", "-std=c++20",
                                 "-D_GLIBCXX_USE_CXX11_ABI=1", "-ltorch", "a.cpp", "-x", "none", "b.o", "-o",
                                 "out.so", "-I/inc", "-L", "/lib", "-O3"});
  EXPECT_EQ(options.arch, "dav-3510");
  EXPECT_TRUE(options.shared);
  EXPECT_EQ(options.standard, "c++20");
  EXPECT_EQ(options.optimisation, "-O3");
  EXPECT_EQ(options.output, "out.so");
  EXPECT_EQ(options.preprocessor, (Words{"-D_GLIBCXX_USE_CXX11_ABI=1", "-I/inc"}));
  EXPECT_EQ(options.link, (Words{"-shared", "-L", "/lib"}));
  ASSERT_EQ(options.inputs.size(), 3u);
  EXPECT_EQ(options.inputs[0].text, "-ltorch");
  EXPECT_EQ(options.inputs[1].language, Language::Asc);
  EXPECT_EQ(options.inputs[2].language, Language::None);
}

TEST(Options, SourcesByExtension) {
  const Options options = parse({"a.asc", "b.cpp", "c.cc", "d.c", "e.o", "f.s"});
  const std::vector<Language> expected = {Language::Asc, Language::Cxx,  Language::Cxx,
                                          Language::C,   Language::None, Language::Assembler};
  ASSERT_EQ(options.inputs.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(options.inputs[i].language, expected[i]) << options.inputs[i].text;
  }
}

TEST(Options, Stages) {
  EXPECT_EQ(parse({"a.asc"}).stage, Stage::Link);
  EXPECT_EQ(parse({"-c", "a.asc"}).stage, Stage::Object);
  EXPECT_EQ(parse({"-dc", "a.asc"}).stage, Stage::Object);
  EXPECT_EQ(parse({"-S", "a.asc"}).stage, Stage::Assembly);
  EXPECT_EQ(parse({"-E", "a.asc"}).stage, Stage::Preprocess);
  EXPECT_EQ(parse({"-lib", "a.asc", "-o", "l.a"}).stage, Stage::StaticLibrary);
  EXPECT_EQ(parse({"--cce-build-static-lib", "a.asc", "-o", "l.a"}).stage, Stage::StaticLibrary);
}

TEST(Options, FlagsWithoutMeaningHere) {
  const Options options =
      parse({"a.asc", "--cce-auto-sync", "--cce-auto-sync-log=x.log", "--cce-simd-vf-fusion=false",
             "--gcc-toolchain=/usr", "--sanitizer", "-mllvm", "-cce-aicore-jump-expand=true",
             "--cce-disable-asc-reserved-ubuf", "-forward-options-to-host-compiler"});
  EXPECT_EQ(options.inputs.size(), 1u);
  EXPECT_TRUE(options.common.empty());
  EXPECT_TRUE(options.preprocessor.empty());
  EXPECT_TRUE(options.link.empty());
}

TEST(Options, AutomaticSyncIsOnUnlessSwitchedOff) {
  EXPECT_TRUE(parse({"a.asc"}).automatic_sync);
  EXPECT_TRUE(parse({"a.asc", "--cce-auto-sync=on"}).automatic_sync);
  EXPECT_FALSE(parse({"a.asc", "--cce-auto-sync=off"}).automatic_sync);
  EXPECT_TRUE(parse({"a.asc", "--cce-auto-sync=off", "--cce-auto-sync"}).automatic_sync);
  EXPECT_THROW(parse({"a.asc", "--cce-auto-sync=maybe"}), UsageError);
}

TEST(Options, ChipChoosesTheArchitecture) {
  EXPECT_EQ(parse({"a.asc"}).arch, "dav-2201");
  EXPECT_EQ(parse({"a.asc", "--npu-soc=Ascend910B3"}).arch, "dav-2201");
  EXPECT_EQ(parse({"a.asc", "--npu-soc=Ascend950PR_9599"}).arch, "dav-3510");
  EXPECT_EQ(parse({"a.asc", "--npu-arch", "dav-2201", "--npu-soc=Ascend950PR_9599"}).arch, "dav-2201");
}

TEST(Options, ResponseFile) {
  const std::string path = testing::TempDir() + "driver_options_test.rsp";
  std::ofstream(path) << "-c a.asc -DX='a b'\n-o \"c d.o\"  -DY=\\\"q\\\"\n";
  const Options options = parse({"@" + path});
  std::remove(path.c_str());
  EXPECT_EQ(options.output, "c d.o");
  EXPECT_EQ(options.preprocessor, (Words{"-DX=a b", "-DY=\"q\""}));
}

TEST(Options, Refusals) {
  EXPECT_EQ(refusal({"a.asc", "--npu-arhc=dav-2201"}),
            "unknown option '--npu-arhc=dav-2201'; did you mean '--npu-arch'? (bisheng -help lists what is "
            "accepted)");
  EXPECT_EQ(refusal({"a.asc", "--frobnicate"}),
            "unknown option '--frobnicate' (bisheng -help lists what is accepted)");
  EXPECT_EQ(
      refusal({"a.asc", "-enable-simt"}),
      "unknown option '-enable-simt'; did you mean '--enable-simt'? (bisheng -help lists what is accepted)");
  EXPECT_EQ(refusal({"a.asc", "--npu-arch=dav-9999"}),
            "--npu-arch=dav-9999: no such architecture; known are dav-2201, dav-3510");
  EXPECT_EQ(refusal({"a.asc", "--run-mode=fast"}), "--run-mode=fast: it takes npu, cpu or sim");
  EXPECT_EQ(refusal({"-x", "cuda", "a.cu"}), "-x cuda: the languages are asc, c++, c and none");
  EXPECT_EQ(refusal({"a.aicpu"}), "'a.aicpu' is an AI CPU source; Toprope runs AI Core kernels (.asc) only");
  EXPECT_EQ(refusal({"-c", "a.asc", "b.asc", "-o", "c.o"}),
            "-o names one output, but there are several sources; compile them one by one");
  EXPECT_EQ(refusal({"-lib", "a.asc"}), "-lib needs the library's name: -o libkernels.a");
  EXPECT_EQ(refusal({"-c"}), "no input files");
  EXPECT_EQ(refusal({"a.asc", "-o"}), "'-o' needs a value after it");
  EXPECT_EQ(refusal({"-std=c++14", "a.asc"}), "-std=c++14: Ascend C needs C++17 or later");
  EXPECT_EQ(refusal({"@/no/such.rsp"}), "cannot read the response file '/no/such.rsp'");
  EXPECT_NE(refusal({"a.asc", "--npu-soc=Ascend910B33"}).find("Ascend910B3"), std::string::npos);
}

}  // namespace
}  // namespace toprope::driver
