#include "driver/launch_headers.h"

#include <gtest/gtest.h>

#include <string>

#include "driver/rewrite.h"

namespace toprope::driver {
namespace {

constexpr const char* kText =
    "extern \"C\" __global__ __aicore__ void add(GM_ADDR x, __gm__ float* y, uint32_t n, const Tiling& t) "
    "{}\n"
    "template <class T> __global__ void skipped(T* x) {}\n"
    "extern __global__ void elsewhere();\n"
    "namespace a { namespace b { __global__ __vector__ void mul(int) {} } }\n";

TEST(LaunchHeaders, DeclareWhatTheHostCalls) {
  const Rewritten out = rewrite(kText, "add.cpp");
  ASSERT_EQ(out.kernels.size(), 4u);
  EXPECT_TRUE(has_launch_function(out.kernels[0]));
  EXPECT_FALSE(has_launch_function(out.kernels[1]));
  EXPECT_FALSE(has_launch_function(out.kernels[2]));
  EXPECT_TRUE(has_launch_function(out.kernels[3]));
  const std::string header = launch_header(out.kernels[0], "add.cpp");
  EXPECT_NE(
      header.find("uint32_t aclrtlaunch_add(uint32_t toprope_blocks, void* toprope_stream, void* x, void* y, "
                  "uint32_t n, const Tiling t);"),
      std::string::npos)
      << header;
  EXPECT_NE(header.find("#define ACLRT_LAUNCH_KERNEL(kernel) aclrtlaunch_##kernel"), std::string::npos);
}

TEST(LaunchHeaders, FunctionsOnlyOnDemand) {
  EXPECT_EQ(rewrite(kText, "add.cpp").text.find("aclrtlaunch_"), std::string::npos);
  const std::string text = rewrite(kText, "add.cpp", true).text;
  EXPECT_NE(
      text.find("::toprope::known_kernel({\"add\", \"add.cpp\", 1}, &::add).submit_status("
                "::toprope::launch_config(toprope_blocks, 0, toprope_stream), ::toprope::HostPointer{x}, "
                "::toprope::HostPointer{y}, n, t);"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("&::a::b::mul)"), std::string::npos);
  EXPECT_EQ(text.find("aclrtlaunch_skipped"), std::string::npos);
}

}  // namespace
}  // namespace toprope::driver
