// What does a launch cost? An empty kernel of 8 blocks, submitted from C++ to a stream and done.
#include "toprope/machine/launch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "acl/acl.h"

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  using Clock = std::chrono::steady_clock;
  for (uint32_t blocks : {1u, 8u, 48u}) {
    const toprope::LaunchSite site{"empty", __FILE__, __LINE__};
    toprope::LaunchConfig config;
    config.blocks = blocks;
    config.stream = stream;
    std::vector<double> times;
    for (int i = 0; i < 20000; ++i) {
      const auto start = Clock::now();
      toprope::launch(site, config, [] {});
      times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    if (aclrtSynchronizeStream(stream) != ACL_SUCCESS) return 1;
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    std::printf("{\"case\": \"empty kernel, %u blocks\", \"value\": %.4f, \"unit\": \"us, median\"%s}\n",
                blocks, times[times.size() / 2],
                blocks == 8 ? ", \"target\": 1.0, \"better\": \"lower\"" : "");
  }
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
}
