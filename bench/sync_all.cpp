// What do ten SyncAll cost a kernel of 48 blocks? The same launch with and without them, in turn.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "toprope/machine/launch.h"
#include "toprope/machine/sync.h"

namespace {

constexpr uint32_t kBlocks = 48;

template <class Body>
double microseconds(aclrtStream stream, Body body) {
  const toprope::LaunchSite site{"sync_all", __FILE__, __LINE__};
  toprope::LaunchConfig config;
  config.blocks = kBlocks;
  config.stream = stream;
  const auto start = std::chrono::steady_clock::now();
  toprope::launch(site, config, body);
  if (aclrtSynchronizeStream(stream) != ACL_SUCCESS) std::exit(1);
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<long>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

}  // namespace

int main() {
  setenv("TOPROPE_SOC", "Ascend910B1", 1);  // the default chip has 40 vector cores
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  std::vector<double> with, without;
  for (int i = 0; i < 500; ++i) {
    without.push_back(microseconds(stream, [] {}));
    with.push_back(microseconds(stream, [] {
      for (int k = 0; k < 10; ++k) toprope::sync_all(true, toprope::Pipe::ALL);
    }));
  }
  std::printf(
      "{\"case\": \"48 blocks, 10 SyncAll more\", \"value\": %.2f, \"unit\": \"us\", \"target\": 20, "
      "\"better\": \"lower\"}\n",
      median(with) - median(without));
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
}
