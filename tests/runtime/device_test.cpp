// Values of the described chip (Ascend910B3): 20 AIC, 40 AIV, UB 196608, L2 192 MiB, architecture 2201.
#include <thread>

#include "support/acl_fixture.h"

namespace toprope::test {
namespace {

TEST(Device, CountSetGet) {
  uint32_t count = 0;
  ASSERT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  EXPECT_EQ(count, 2u);
  for (int32_t want : {1, 0}) {
    ASSERT_EQ(aclrtSetDevice(want), ACL_SUCCESS);
    int32_t have = -1;
    ASSERT_EQ(aclrtGetDevice(&have), ACL_SUCCESS);
    EXPECT_EQ(have, want);
  }
  EXPECT_EQ(aclrtSetDevice(2), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtSetDevice(-1), ACL_ERROR_RT_INVALID_DEVICEID);
}

TEST(Device, EveryThreadHasItsOwn) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  std::thread([] {
    int32_t id;
    EXPECT_EQ(aclrtGetDevice(&id), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_TRUE(contains(message(), "call aclrtSetDevice first"));
    aclrtStream stream;
    EXPECT_EQ(aclrtCreateStream(&stream), ACL_ERROR_RT_CONTEXT_NULL);
    ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
    ASSERT_EQ(aclrtGetDevice(&id), ACL_SUCCESS);
    EXPECT_EQ(id, 1);
  }).join();
  int32_t id;
  ASSERT_EQ(aclrtGetDevice(&id), ACL_SUCCESS);
  EXPECT_EQ(id, 0);
}

TEST(Device, DescribesTheChip) {
  EXPECT_STREQ(aclrtGetSocName(), "Ascend910B3");
  const std::pair<aclrtDevAttr, int64_t> expected[] = {{ACL_DEV_ATTR_AICORE_CORE_NUM, 20},
                                                       {ACL_DEV_ATTR_CUBE_CORE_NUM, 20},
                                                       {ACL_DEV_ATTR_VECTOR_CORE_NUM, 40},
                                                       {ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE, 196608},
                                                       {ACL_DEV_ATTR_L2_CACHE_SIZE, 192ll << 20},
                                                       {ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, 256ll << 20},
                                                       {ACL_DEV_ATTR_NPU_ARCH, 2201},
                                                       {ACL_DEV_ATTR_MAX_BLOCK_PER_GRID, 65535}};
  for (auto [attr, value] : expected) {
    int64_t got = -1;
    ASSERT_EQ(aclrtGetDeviceInfo(0, attr, &got), ACL_SUCCESS);
    EXPECT_EQ(got, value) << attr;
  }
  int64_t got;
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_MAINBOARD_ID, &got), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtGetDeviceInfo(7, ACL_DEV_ATTR_NPU_ARCH, &got), ACL_ERROR_RT_INVALID_DEVICEID);
  ASSERT_EQ(aclGetDeviceCapability(0, ACL_DEVICE_INFO_VECTOR_CORE_NUM, &got), ACL_SUCCESS);
  EXPECT_EQ(got, 40);
}

TEST(Device, PeersAndIdentities) {
  int32_t can = -1;
  ASSERT_EQ(aclrtDeviceCanAccessPeer(&can, 0, 1), ACL_SUCCESS);
  EXPECT_EQ(can, 1);
  ASSERT_EQ(aclrtDeviceCanAccessPeer(&can, 1, 1), ACL_SUCCESS);
  EXPECT_EQ(can, 0);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(1, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtDeviceEnablePeerAccess(0, 0), ACL_ERROR_RT_PARAM_INVALID);
  aclrtUuid a, b;
  ASSERT_EQ(aclrtDeviceGetUuid(0, &a), ACL_SUCCESS);
  ASSERT_EQ(aclrtDeviceGetUuid(1, &b), ACL_SUCCESS);
  EXPECT_NE(std::string(a.bytes, 16), std::string(b.bytes, 16));
}

TEST(Device, CoreLimits) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  uint32_t cores = 0;
  ASSERT_EQ(aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, &cores), ACL_SUCCESS);
  EXPECT_EQ(cores, 40u);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, 41), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, 0), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, 8), ACL_SUCCESS);
  aclrtStream stream;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetStreamResLimit(stream, ACL_RT_DEV_RES_VECTOR_CORE, &cores), ACL_SUCCESS);
  EXPECT_EQ(cores, 8u) << "the device's, until the stream has its own";
  ASSERT_EQ(aclrtSetStreamResLimit(stream, ACL_RT_DEV_RES_VECTOR_CORE, 4), ACL_SUCCESS);
  ASSERT_EQ(aclrtUseStreamResInCurrentThread(stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_VECTOR_CORE, &cores), ACL_SUCCESS);
  EXPECT_EQ(cores, 4u);
  ASSERT_EQ(aclrtUnuseStreamResInCurrentThread(stream), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_VECTOR_CORE, &cores), ACL_SUCCESS);
  EXPECT_EQ(cores, 8u);
  ASSERT_EQ(aclrtResetDeviceResLimit(0), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetResInCurrentThread(ACL_RT_DEV_RES_CUBE_CORE, &cores), ACL_SUCCESS);
  EXPECT_EQ(cores, 20u);
  ASSERT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
}

TEST(Device, ResetNeedsAsManyCallsAsSet) {
  std::thread([] {
    ASSERT_EQ(aclrtResetDeviceForce(1), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
    ASSERT_EQ(aclrtSetDevice(1), ACL_SUCCESS);
    int32_t active = -1, id = -1;
    ASSERT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
    ASSERT_EQ(aclrtGetPrimaryCtxState(1, nullptr, &active), ACL_SUCCESS);
    EXPECT_EQ(active, 1);
    ASSERT_EQ(aclrtResetDevice(1), ACL_SUCCESS);
    ASSERT_EQ(aclrtGetPrimaryCtxState(1, nullptr, &active), ACL_SUCCESS);
    EXPECT_EQ(active, 0);
    EXPECT_EQ(aclrtGetDevice(&id), ACL_ERROR_RT_CONTEXT_NULL);
  }).join();
}

TEST(Device, HasAWordForTheRegistersBetweenCores) {
  void* address = nullptr;
  ASSERT_EQ(aclrtGetHardwareSyncAddr(&address), ACL_SUCCESS);
  ASSERT_NE(address, nullptr);
  EXPECT_NE(*static_cast<const uint64_t*>(address), 0u);
  EXPECT_EQ(*static_cast<const uint64_t*>(address) >> 48, 0u);
  EXPECT_EQ(aclrtGetHardwareSyncAddr(nullptr), ACL_ERROR_INVALID_PARAM);
}

TEST(Context, CreatedOnesBecomeCurrentAndGoAway) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtContext primary, own, now;
  ASSERT_EQ(aclrtGetCurrentContext(&primary), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateContext(&own, 1), ACL_SUCCESS);
  ASSERT_EQ(aclrtGetCurrentContext(&now), ACL_SUCCESS);
  EXPECT_EQ(now, own);
  int32_t id;
  ASSERT_EQ(aclrtGetDevice(&id), ACL_SUCCESS);
  EXPECT_EQ(id, 1);
  aclrtStream first, second;
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&first), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetCurrentContext(primary), ACL_SUCCESS);
  ASSERT_EQ(aclrtCtxGetCurrentDefaultStream(&second), ACL_SUCCESS);
  EXPECT_NE(first, second);
  EXPECT_EQ(aclrtDestroyContext(own), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(own), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtSetCurrentContext(own), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDestroyContext(primary), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_TRUE(contains(message(), "aclrtResetDevice ends it"));
}

TEST(Context, SystemOptions) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  int64_t value = -1;
  ASSERT_EQ(aclrtGetSysParamOpt(ACL_OPT_ENABLE_DEBUG_KERNEL, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 0) << "the process starts with 0";
  aclrtContext own;
  ASSERT_EQ(aclrtCreateContext(&own, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_ERROR_RT_SYSPARAMOPT_NOT_SET);
  ASSERT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 2), ACL_SUCCESS);
  ASSERT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), ACL_SUCCESS);
  EXPECT_EQ(value, 2);
  EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_STRONG_CONSISTENCY, 2), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtDestroyContext(own), ACL_SUCCESS);
}

}  // namespace
}  // namespace toprope::test
