// Kernel launches from <<<>>> and ACLRT_LAUNCH_KERNEL.
#include "toprope/machine/launch.h"

#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/soc.h"
#include "machine/run.h"
#include "runtime/context.h"
#include "runtime/stream.h"

namespace toprope {
namespace {

/// numBlocks, "SIMD-BuiltIn关键字": [1, 65535].
constexpr uint32_t kMaxBlocks = 65535;

struct KernelKind {
  uint8_t cubes = 0, vectors = 1;
  bool automatic_sync = true;
};

/// Name → cores. Written when libraries load, read at every launch: a per-thread cache answers by the address
/// of the name (it has static storage) and is void after any new declaration.
class KernelKinds {
 public:
  /// `change` gets what is known of the kernel so far.
  template <class Change>
  void declare(std::string_view name, Change change) {
    std::lock_guard lock(mutex_);
    change(kinds_[std::string(name)]);
    generation_.fetch_add(1, std::memory_order_release);
  }

  KernelKind find(const char* callee) {
    struct Entry {
      const char* callee = nullptr;
      uint64_t generation = 0;
      KernelKind kind;
    };
    static thread_local std::array<Entry, 64> cache;
    const uint64_t generation = generation_.load(std::memory_order_acquire);
    Entry& entry = cache[(reinterpret_cast<uintptr_t>(callee) >> 3) % cache.size()];
    if (entry.callee != callee || entry.generation != generation) {
      std::lock_guard lock(mutex_);
      const auto found = kinds_.find(std::string(unqualified(callee)));
      entry = {callee, generation, found == kinds_.end() ? KernelKind{} : found->second};
    }
    return entry.kind;
  }

  /// "ns::add<float, 2>" → "add".
  static std::string_view unqualified(std::string_view callee) {
    callee = callee.substr(0, callee.find('<'));
    const size_t colon = callee.rfind(':');
    if (colon != std::string_view::npos) callee.remove_prefix(colon + 1);
    const size_t first = callee.find_first_not_of(" \t\n"), last = callee.find_last_not_of(" \t\n");
    return first == std::string_view::npos ? std::string_view{} : callee.substr(first, last - first + 1);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, KernelKind> kinds_;
  std::atomic<uint64_t> generation_{1};
};

KernelKinds& kernel_kinds() {
  static auto& kinds =
      *new KernelKinds;  // libraries may declare before and launch after our own static objects live
  return kinds;
}

void run_on(Stream& stream, const Launch& launch) {
  LaunchStatus status = run(launch);
  if (status.fault == Fault::None) [[likely]]
    return;
  stream.raise(status.fault == Fault::Deadlock ? ACL_ERROR_RT_AICORE_TIMEOUT : ACL_ERROR_RT_AICORE_EXCEPTION,
               std::move(status.report));
}

/// A launch that owns copies of its arguments.
struct HeldLaunch {
  HeldLaunch(const Launch& l, const CapturedCall& call) : launch(l), destroy(call.destroy) {
    launch.state = call.clone(call.state);
  }
  HeldLaunch(const HeldLaunch&) = delete;
  HeldLaunch& operator=(const HeldLaunch&) = delete;
  ~HeldLaunch() { destroy(launch.state); }
  Launch launch;
  void (*destroy)(void*);
};

std::string refused(const LaunchSite& site, const std::string& why) {
  return fmt::format("launch of {} refused: {}\n  at {}:{}", site.kernel, why, site.file, site.line);
}

/// Why the configuration cannot be launched; empty when it can.
std::string check(const LaunchConfig& config, KernelKind kind) {
  if (config.blocks == 0 || config.blocks > kMaxBlocks)
    return fmt::format("the number of blocks is {}; it must be 1 to {}", config.blocks, kMaxBlocks);
  if (kind.cubes && kind.vectors && config.blocks > soc().aic)
    return fmt::format(
        "{} blocks of a kernel that uses cube and vector cores; {} has {} such combinations (the number of "
        "blocks may "
        "not be more)",
        config.blocks, soc().name, soc().aic);
  if (config.threads[0]) return "it asks for threads in a block (SIMT), which Toprope does not run";
  if (config.dynamic_ub > soc().ub)
    return fmt::format("{} bytes of dynamic local memory; the unified buffer of {} has {}", config.dynamic_ub,
                       soc().name, soc().ub);
  return {};
}

aclError launch(const LaunchSite& site, const LaunchConfig& config, const CapturedCall& call, bool& carried) {
  constexpr const char* api = "<<<>>>";
  aclError error;
  Stream* stream = find_stream(api, config.stream, error);
  if (!stream) return error;
  carried = true;
  const KernelKind kind = kernel_kinds().find(site.kernel);
  const bool plain = config.blocks - 1 < kMaxBlocks && config.dynamic_ub == 0 && config.threads[0] == 0 &&
                     !(kind.cubes && kind.vectors);
  if (!plain) [[unlikely]] {
    if (std::string why = check(config, kind); !why.empty()) {
      stream->refuse_launch(ACL_ERROR_RT_PARAM_INVALID, refused(site, why));
      return fail_with(ACL_ERROR_RT_PARAM_INVALID, api, refused(site, why));
    }
  }
  Launch todo;
  todo.kernel = site.kernel;
  todo.file = site.file;
  todo.line = site.line;
  todo.blocks = config.blocks;
  todo.cubes = kind.cubes;
  todo.vectors = kind.vectors;
  todo.dynamic_ub = config.dynamic_ub;
  todo.automatic_sync = kind.automatic_sync;
  todo.saturate = stream->saturate;
  todo.call = call.call;
  todo.state = call.state;
  if (stream->immediate()) [[likely]]
    return stream->run_now(api, [&] { run_on(*stream, todo); });
  return stream->submit(api, {site.kernel, [held = std::make_shared<HeldLaunch>(todo, call)](Stream& on) {
                                run_on(on, held->launch);
                              }});
}

}  // namespace
}  // namespace toprope

using namespace toprope;

extern "C" {

uint32_t toprope_launch(const LaunchSite* site, const LaunchConfig* config, const CapturedCall* call) {
  bool carried = false;  // by a stream, whose next synchronisation answers it
  const aclError error = guarded("<<<>>>", [&] { return launch(*site, *config, *call, carried); });
  if (error && !carried)
    std::fprintf(stderr, "toprope: error: launch of %s at %s:%u refused: %s\n", site->kernel, site->file,
                 site->line, recent_message().c_str());
  return static_cast<uint32_t>(error);
}

int toprope_declare_kernel(const char* kernel, uint8_t cubes, uint8_t vectors) {
  return guarded("toprope_declare_kernel", [&]() -> aclError {
    if (!kernel || cubes > 1 || vectors > 2 || cubes + vectors == 0)
      return fail(ACL_ERROR_RT_PARAM_INVALID, "toprope_declare_kernel", "{} with {} cube and {} vector cores",
                  kernel ? kernel : "(null)", cubes, vectors);
    kernel_kinds().declare(KernelKinds::unqualified(kernel), [&](KernelKind& kind) {
      kind.cubes = cubes;
      kind.vectors = vectors;
    });
    return ACL_SUCCESS;
  });
}

int toprope_declare_manual_sync(const char* kernel) {
  return guarded("toprope_declare_manual_sync", [&]() -> aclError {
    kernel_kinds().declare(KernelKinds::unqualified(kernel),
                           [](KernelKind& kind) { kind.automatic_sync = false; });
    return ACL_SUCCESS;
  });
}

}  // extern "C"
