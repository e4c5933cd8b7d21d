// What the runtime's tests share: two small devices, the current message, kernels as lambdas.
#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>
#include <vector>

#include "acl/acl.h"
#include "toprope/machine/launch.h"

namespace toprope::test {

/// 2 devices of 256 MiB each, whatever the shell says. The environment is read once, so it is set before
/// main.
inline const bool environment_set = [] {
  setenv("TOPROPE_DEVICES", "2", 1);
  setenv("TOPROPE_DEVICE_MEMORY", "256M", 1);
  unsetenv("TOPROPE_SOC");
  return true;
}();

/// What the last failure on this thread said; taking it clears it.
inline std::string message() { return aclGetRecentErrMsg(); }

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Launches a lambda as a kernel.
template <class Body, class... Args>
uint32_t launch_on(aclrtStream stream, uint32_t blocks, Body body, Args... args) {
  static const LaunchSite site{"test_kernel", "test.asc", 7};
  LaunchConfig config;
  config.blocks = blocks;
  config.stream = stream;
  return launch(site, config, body, args...);
}

/// Device 0, and a stream that is destroyed in the end.
class Acl : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    message();
    aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }
  void TearDown() override { EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS) << message(); }

  template <class T>
  T* device_array(size_t count) {
    void* address = nullptr;
    EXPECT_EQ(aclrtMalloc(&address, count * sizeof(T), ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS) << message();
    return static_cast<T*>(address);
  }

  aclrtStream stream = nullptr;
};

}  // namespace toprope::test
