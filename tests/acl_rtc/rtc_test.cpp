// Kernels from strings: compiled, found, launched, kept. Names, error codes and the order of calls are those
// of Ascend C API, RTC; the two programs stand for its two forms, a plain kernel and a template.
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_rt_compile.h"
#include "support/acl_fixture.h"

namespace toprope::test {
namespace {

constexpr const char* scale_source = R"(
#include "kernel_operator.h"
#include "by.h"
extern "C" __global__ __vector__ void scale(__gm__ float* x, int8_t first, double more) {
  for (int i = 0; i < 4; ++i)
    x[AscendC::GetBlockIdx() * 4 + i] = x[AscendC::GetBlockIdx() * 4 + i] * BY + first + static_cast<float>(more);
}
namespace Kernel {
template <typename T>
__global__ __vector__ void fill(__gm__ T* x, T value) {
  x[AscendC::GetBlockIdx()] = value;
}
}
)";

class RtcTest : public Acl {
 protected:
  // A cache of the test's own, so that what it finds there it made.
  void SetUp() override {
    Acl::SetUp();
    cache = ::testing::TempDir() + "/toprope_rtc_cache-XXXXXX";  // tests may run side by side
    ASSERT_NE(mkdtemp(cache.data()), nullptr);
    setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    std::filesystem::remove_all(cache);
    Acl::TearDown();
  }

  aclrtcProg create(const char* source, const char* by = "#define BY 2") {
    const char* names[] = {"by.h"};
    aclrtcProg program = nullptr;
    EXPECT_EQ(aclrtcCreateProg(&program, source, "scale.asc", 1, &by, names), ACL_SUCCESS);
    return program;
  }
  aclError compile(aclrtcProg program, const char* option = "--npu-arch=dav-2201") {
    return aclrtcCompileProg(program, 1, &option);
  }
  aclrtBinHandle load(aclrtcProg program) {
    size_t size = 0;
    EXPECT_EQ(aclrtcGetBinDataSize(program, &size), ACL_SUCCESS);
    std::vector<char> data(size);
    EXPECT_EQ(aclrtcGetBinData(program, data.data()), ACL_SUCCESS);
    aclrtBinHandle binary = nullptr;
    EXPECT_EQ(aclrtBinaryLoadFromData(data.data(), size, nullptr, &binary), ACL_SUCCESS);
    return binary;
  }

  std::string cache;
};

TEST_F(RtcTest, APlainKernelIsFoundByItsNameAndLaunchedBothWays) {
  aclrtcProg program = create(scale_source);
  ASSERT_EQ(compile(program), ACL_SUCCESS) << aclGetRecentErrMsg();
  aclrtBinHandle binary = load(program);
  aclrtFuncHandle scale = nullptr;
  ASSERT_EQ(aclrtBinaryGetFunction(binary, "scale", &scale), ACL_SUCCESS);
  float host[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  void* x = nullptr;
  ASSERT_EQ(aclrtMalloc(&x, sizeof host, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(x, sizeof host, host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE), ACL_SUCCESS);

  int8_t first = 1;
  double more = 0.5;
  void* arguments[] = {&x, &first, &more};
  ASSERT_EQ(aclrtLaunchKernelWithArgsArray(scale, 2, stream, nullptr, arguments), ACL_SUCCESS);
  struct {
    void* x;
    int8_t first;
    double more;
  } packed{x, 1, 0.5};
  ASSERT_EQ(aclrtLaunchKernel(scale, 2, &packed, sizeof packed, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtLaunchKernel(scale, 2, &packed, sizeof packed - 1, stream), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);

  ASSERT_EQ(aclrtMemcpy(host, sizeof host, x, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  for (int i = 0; i < 8; ++i) EXPECT_EQ(host[i], (i * 2 + 1.5f) * 2 + 1.5f) << i;
  EXPECT_EQ(aclrtBinaryUnLoad(binary), ACL_SUCCESS);
  EXPECT_EQ(aclrtBinaryUnLoad(binary), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtFree(x), ACL_SUCCESS);
  EXPECT_EQ(aclrtcDestroyProg(&program), ACL_SUCCESS);
  EXPECT_EQ(program, nullptr);
}

TEST_F(RtcTest, ATemplateIsAskedForAndHasAMangledName) {
  aclrtcProg program = create(scale_source);
  const char* lowered = nullptr;
  ASSERT_EQ(aclrtcAddNameExpr(program, "Kernel::fill<int32_t>"), ACL_SUCCESS);
  EXPECT_EQ(aclrtcGetLoweredName(program, "Kernel::fill<int32_t>", &lowered),
            ACL_ERROR_RTC_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  ASSERT_EQ(compile(program), ACL_SUCCESS) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtcAddNameExpr(program, "scale"), ACL_ERROR_RTC_NO_NAME_EXPR_AFTER_COMPILATION);
  ASSERT_EQ(aclrtcGetLoweredName(program, "Kernel::fill<int32_t>", &lowered), ACL_SUCCESS);
  EXPECT_STREQ(lowered,
               "_ZN6Kernel4fillIiEEvPT_S1_");  // the C++ ABI's name of void Kernel::fill<int>(int*, int)
  const char* other = nullptr;
  EXPECT_EQ(aclrtcGetLoweredName(program, "Kernel::fill<float>", &other), ACL_ERROR_RTC_NAME_EXPR_NOT_VALID);

  aclrtBinHandle binary = load(program);
  aclrtFuncHandle fill = nullptr;
  ASSERT_EQ(aclrtBinaryGetFunction(binary, lowered, &fill), ACL_SUCCESS);
  EXPECT_EQ(aclrtBinaryGetFunction(binary, "nobody", &fill), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_TRUE(contains(aclGetRecentErrMsg(), "scale, Kernel::fill<int32_t>"));
  int32_t host[3] = {};
  void* x = nullptr;
  ASSERT_EQ(aclrtMalloc(&x, sizeof host, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  int32_t value = 42;
  void* arguments[] = {&x, &value};
  ASSERT_EQ(aclrtLaunchKernelWithArgsArray(fill, 3, stream, nullptr, arguments), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtMemcpy(host, sizeof host, x, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST), ACL_SUCCESS);
  EXPECT_EQ(host[0] + host[1] + host[2], 3 * 42);
  EXPECT_EQ(aclrtFree(x), ACL_SUCCESS);
  EXPECT_EQ(aclrtcDestroyProg(&program), ACL_SUCCESS);
}

TEST_F(RtcTest, TheSameContentIsCompiledOnce) {
  aclrtcProg first = create(scale_source), same = create(scale_source),
             other = create(scale_source, "#define BY 3");
  ASSERT_EQ(compile(first), ACL_SUCCESS) << aclGetRecentErrMsg();
  // From here on nothing can compile: g++ is not on the path.
  const std::string path = getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  EXPECT_EQ(compile(same), ACL_SUCCESS) << aclGetRecentErrMsg();
  EXPECT_EQ(compile(other), ACL_ERROR_RTC_COMPILATION);
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(compile(other), ACL_SUCCESS) << "a failure is not kept";
  for (aclrtcProg* program : {&first, &same, &other}) EXPECT_EQ(aclrtcDestroyProg(program), ACL_SUCCESS);
}

TEST_F(RtcTest, TheLogSaysWhatIsWrongWhere) {
  aclrtcProg program = create("#include \"by.h\"\nint broken = BY +;\n");
  EXPECT_EQ(compile(program), ACL_ERROR_RTC_COMPILATION);
  size_t size = 0;
  ASSERT_EQ(aclrtcGetCompileLogSize(program, &size), ACL_SUCCESS);
  std::vector<char> log(size);
  ASSERT_EQ(aclrtcGetCompileLog(program, log.data()), ACL_SUCCESS);
  EXPECT_EQ(log.back(), '\0');
  EXPECT_TRUE(contains(log.data(), "scale.asc:2:")) << log.data();
  EXPECT_EQ(aclrtcGetBinDataSize(program, &size), ACL_ERROR_RTC_INVALID_PROG);
  EXPECT_EQ(compile(program, "--npu-arch=dav-1"), ACL_ERROR_RTC_INVALID_OPTION);
  EXPECT_EQ(aclrtcDestroyProg(&program), ACL_SUCCESS);

  program = create("void nowhere();\n__global__ __vector__ void k() { nowhere(); }\n");
  EXPECT_EQ(compile(program, "-Wl,-z,defs"), ACL_ERROR_RTC_LINKING) << aclGetRecentErrMsg();
  EXPECT_EQ(aclrtcDestroyProg(&program), ACL_SUCCESS);
}

TEST_F(RtcTest, WhatIsNoProgramOrNoBinaryIsRefused) {
  aclrtcProg none = &none;
  EXPECT_EQ(aclrtcCompileProg(none, 0, nullptr), ACL_ERROR_RTC_INVALID_PROG);
  EXPECT_EQ(aclrtcDestroyProg(&none), ACL_ERROR_RTC_INVALID_PROG);
  EXPECT_EQ(aclrtcCreateProg(&none, nullptr, "x", 0, nullptr, nullptr), ACL_ERROR_RTC_INVALID_INPUT);
  EXPECT_EQ(aclrtcCreateProg(&none, "", "x", 1, nullptr, nullptr), ACL_ERROR_RTC_INVALID_INPUT);
  aclrtBinHandle binary = nullptr;
  EXPECT_EQ(aclrtBinaryLoadFromData("text", 4, nullptr, &binary), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtBinaryLoadFromData("\177ELF of a device", 16, nullptr, &binary),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_TRUE(contains(aclGetRecentErrMsg(), "device binaries cannot run here"));
  EXPECT_EQ(aclrtBinaryLoadFromFile("/nowhere/k.o", nullptr, &binary), ACL_ERROR_RT_PARAM_INVALID);
  aclrtFuncHandle function = &binary;
  EXPECT_EQ(aclrtLaunchKernelWithArgsArray(function, 1, stream, nullptr, nullptr),
            ACL_ERROR_RT_PARAM_INVALID);
}

}  // namespace
}  // namespace toprope::test
