// What the driver writes in place of `kernel<<<...>>>(...)`: the configuration in its documented forms, and
// the conversion of the arguments to the kernel's parameter types. Every file with a launch includes this;
// keep it thin.
#pragma once
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "toprope/machine/launch.h"

namespace toprope {

/// A block count as 32 bits. What does not fit becomes 0 or the largest value, which the runtime refuses with
/// the documented range (1..65535), rather than another count that it would accept.
template <class Count>
constexpr uint32_t block_count(Count count) {
  if constexpr (std::is_signed_v<Count>) {
    if (count < 0) {
      return 0;
    }
  }
  return static_cast<unsigned long long>(count) > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(count);
}

/// The second configuration value: bytes of dynamic UB when it is an integer; a null or an L2 control pointer
/// asks for none.
template <class Second>
constexpr uint64_t dynamic_ub_bytes(const Second& second) {
  if constexpr (std::is_integral_v<Second>) {
    if constexpr (std::is_signed_v<Second>) {
      if (second < 0) {
        return UINT64_MAX;
      }
    }
    return static_cast<uint64_t>(second);
  } else {
    static_assert(std::is_null_pointer_v<Second> || std::is_pointer_v<Second> || std::is_enum_v<Second>,
                  "the second launch value is the number of bytes of dynamic UB, or nullptr");
    return 0;
  }
}

/// The stream: aclrtStream, another pointer, nullptr or a literal 0.
template <class Stream>
void* stream_pointer(const Stream& stream) {
  if constexpr (std::is_null_pointer_v<Stream>) {
    return nullptr;
  } else if constexpr (std::is_pointer_v<Stream>) {
    return const_cast<void*>(static_cast<const volatile void*>(stream));
  } else if constexpr (std::is_convertible_v<const Stream&, void*>) {
    return stream;  // torch_npu's NPUStream
  } else {
    static_assert(std::is_integral_v<Stream>,
                  "the last launch value is the stream: an aclrtStream or nullptr");
    return reinterpret_cast<void*>(static_cast<uintptr_t>(stream));
  }
}

/// x, y, z of a dim3, or a count along x.
template <class Dim>
constexpr void fill_dim(uint32_t (&out)[3], const Dim& dim) {
  if constexpr (std::is_integral_v<Dim> || std::is_enum_v<Dim>) {
    out[0] = block_count(static_cast<long long>(dim));
    out[1] = out[2] = 1;
  } else {
    out[0] = dim.x;
    out[1] = dim.y;
    out[2] = dim.z;
  }
}

/// `<<<blocks, dynamic UB>>>` and `<<<blocks, dynamic UB, stream>>>`.
template <class Blocks, class Second, class Stream = std::nullptr_t>
LaunchConfig launch_config(const Blocks& blocks, const Second& second, const Stream& stream = {}) {
  LaunchConfig config;
  if constexpr (std::is_integral_v<Blocks>) {
    config.blocks = block_count(blocks);
  } else if constexpr (std::is_enum_v<Blocks>) {
    config.blocks = block_count(static_cast<std::underlying_type_t<Blocks>>(blocks));
  } else {
    static_assert(std::is_class_v<Blocks>,
                  "the first launch value is the number of blocks: an integer or a dim3");
    config.blocks = block_count(static_cast<unsigned long long>(blocks.x) * blocks.y * blocks.z);
  }
  config.dynamic_ub = dynamic_ub_bytes(second);
  config.stream = stream_pointer(stream);
  return config;
}

/// `<<<blocks, threads, dynamic UB, stream>>>`, the SIMT form; blocks and threads are dim3 or integers.
template <class Blocks, class Threads, class Dynamic, class Stream>
LaunchConfig launch_config(const Blocks& blocks, const Threads& threads, const Dynamic& dynamic_ub,
                           const Stream& stream) {
  LaunchConfig config;
  fill_dim(config.grid, blocks);
  fill_dim(config.threads, threads);
  const unsigned long long plane = static_cast<unsigned long long>(config.grid[0]) * config.grid[1];
  config.blocks = plane > UINT32_MAX ? UINT32_MAX : block_count(plane * config.grid[2]);
  config.dynamic_ub = dynamic_ub_bytes(dynamic_ub);
  config.stream = stream_pointer(stream);
  return config;
}

/// A pointer argument of aclrtlaunch_<kernel>, which takes the type of the kernel's parameter.
struct HostPointer {
  void* address;
  template <class T>
  operator T*() const {
    return static_cast<T*>(address);
  }
};

/// A kernel whose parameter types are known, waiting for its configuration and arguments; these convert at
/// the launch, as in a plain call.
template <class... Parameters>
struct KnownKernel {
  LaunchSite site;
  void (*function)(Parameters...);

  /// Returns what aclrtLaunchKernel would.
  uint32_t submit_status(const LaunchConfig& config, Parameters... args) const {
    return toprope::launch(
        site, config,
        [call = function](std::decay_t<Parameters>... copies) { call(static_cast<Parameters&&>(copies)...); },
        static_cast<Parameters&&>(args)...);
  }

  void launch(const LaunchConfig& config, Parameters... args) const {
    submit_status(config, static_cast<Parameters&&>(args)...);
  }
};

template <class Result, class... Parameters>
KnownKernel<Parameters...> known_kernel(const LaunchSite& site, Result (*function)(Parameters...)) {
  static_assert(std::is_void_v<Result>, "a kernel returns void");
  return {site, function};
}

/// Launches what is not one known function: an overloaded kernel, a template whose arguments are deduced, a
/// variable. `call` names the callee; the arguments are stored by value and reach every block as copies.
template <class Call, class... Args>
void launch_call(const LaunchSite& site, Call call, const LaunchConfig& config, Args&&... args) {
  launch(site, config, call, std::forward<Args>(args)...);
}

}  // namespace toprope
