// What the driver turns `kernel<<<blocks, second, stream>>>(args...)` into. The arguments are evaluated at
// the launch, captured by value, and handed to every block as fresh copies, as the device does.
#pragma once
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace toprope {

/// Where a launch stands in the user's source. The strings have static storage.
struct LaunchSite {
  const char* kernel;  ///< callee as written, template arguments included
  const char* file;
  uint32_t line;
};

/// The configuration between `<<<` and `>>>`.
struct LaunchConfig {
  uint32_t blocks = 0;      ///< number of logical blocks, 1..65535
  uint64_t dynamic_ub = 0;  ///< bytes of dynamically sized local memory; 0 when none was asked for
  void* stream = nullptr;   ///< aclrtStream; null is the context's default stream
  uint32_t grid[3] = {};  ///< SIMT launch (four values between <<< and >>>): blocks = x*y*z; zeros otherwise
  uint32_t threads[3] = {};  ///< SIMT launch: threads a block; zeros otherwise
};

/// A captured kernel call. `call` runs one block's worth of it; `clone` and `destroy` let a stream keep it.
struct CapturedCall {
  void* state;
  void (*call)(void* state);
  void* (*clone)(const void* state);
  void (*destroy)(void* state);
};

}  // namespace toprope

/// Submits the launch to its stream (libascendcl). Never throws; errors go where aclrtLaunchKernel's would.
/// Returns what aclrtLaunchKernel would: 0, or the aclError; `ACLRT_LAUNCH_KERNEL(k)(...)` hands it on.
extern "C" uint32_t toprope_launch(const toprope::LaunchSite* site, const toprope::LaunchConfig* config,
                                   const toprope::CapturedCall* call);

/// Declares which cores a kernel runs on, by its unqualified name (`cubes` AICs and `vectors` AIVs a block;
/// 0,1 is a pure vector kernel). Emitted by the driver next to a definition; the last declaration wins.
extern "C" int toprope_declare_kernel(const char* kernel, uint8_t cubes, uint8_t vectors);

/// Declares that a kernel was compiled with --cce-auto-sync=off: the compiler put no synchronisation into it.
extern "C" int toprope_declare_manual_sync(const char* kernel);

namespace toprope {

template <class Body, class... Args>
uint32_t launch(const LaunchSite& site, const LaunchConfig& config, Body body, Args&&... args) {
  auto bound = [body, pack = std::tuple<std::decay_t<Args>...>(std::forward<Args>(args)...)] {
    std::apply(body, pack);
  };
  using Bound = decltype(bound);
  const CapturedCall call{&bound, [](void* s) { (*static_cast<Bound*>(s))(); },
                          [](const void* s) -> void* { return new Bound(*static_cast<const Bound*>(s)); },
                          [](void* s) { delete static_cast<Bound*>(s); }};
  return toprope_launch(&site, &config, &call);
}

}  // namespace toprope
