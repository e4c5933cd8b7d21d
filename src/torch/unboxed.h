// The short way for operators that are called often: the same steps as the boxed kernel, with the argument
// types known at compile time. `Unboxed<at::_ops::add_out>::call` is the kernel of that operator. The
// operator may take tensors, numbers, sizes and flags; no tensor lists, generators or devices.
#pragma once
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <tuple>
#include <type_traits>
#include <utility>

#include "torch/alias.h"
#include "torch/arguments.h"
#include "torch/device_memory.h"
#include "torch/stream_order.h"

namespace toprope::torch_side {

template <class Op, class Schema = typename Op::schema>
struct Unboxed;

template <class Op, class Result, class... Args>
struct Unboxed<Op, Result(Args...)> {
  static Result call(Args... args) {
    DeviceCheck devices;
    size_t position = 0;
    (see(devices, args, position++), ...);
    devices.require(handle());
    const c10::Device device = *devices.npu();
    in_stream_order(device);
    Aliases aliases;
    return run(device, aliases, std::index_sequence_for<Args...>{}, args...);
  }

  static const c10::OperatorHandle& handle() {
    static const c10::OperatorHandle op =
        c10::Dispatcher::singleton().findSchemaOrThrow(Op::name, Op::overload_name);
    return op;
  }

 private:
  template <class T>
  using Stored = std::remove_cv_t<std::remove_reference_t<T>>;

  template <class T>
  static void see(DeviceCheck& devices, const T& value, size_t position) {
    if constexpr (std::is_same_v<T, at::Tensor>) {
      devices.see(value, false, position);
    } else if constexpr (std::is_same_v<T, std::optional<at::Tensor>>) {
      if (value) devices.see(*value, false, position);
    }
  }

  // What stands for an argument while the CPU kernel runs. A non-const Tensor& is what the kernel writes to.
  template <class Declared, class T>
  static Stored<Declared> replace(Aliases& aliases, T& value) {
    if constexpr (std::is_same_v<Stored<Declared>, at::Tensor>) {
      constexpr bool written = std::is_same_v<Declared, at::Tensor&>;
      return is_npu(value) ? aliases.of(value, written) : value;
    } else if constexpr (std::is_same_v<Stored<Declared>, std::optional<at::Tensor>>) {
      return value && is_npu(*value) ? std::optional<at::Tensor>(aliases.of(*value, false)) : value;
    } else {
      return value;
    }
  }

  template <size_t... I>
  static Result run(c10::Device device, Aliases& aliases, std::index_sequence<I...>, Args&... args) {
    std::tuple<Stored<Args>...> on_cpu{replace<Args>(aliases, args)...};
    const DeviceMemoryScope memory(device);
    const at::AutoDispatchBelowADInplaceOrView below;
    constexpr c10::DispatchKeySet cpu(c10::DispatchKey::CPU);
    if constexpr (std::is_same_v<Result, at::Tensor&>) {
      const at::Tensor& written = Op::redispatch(cpu, std::get<I>(on_cpu)...);
      aliases.write_back();
      return argument_behind(written, std::forward_as_tuple(std::get<I>(on_cpu)...), args...);
    } else {
      return to_npu(aliases, device, Op::redispatch(cpu, std::get<I>(on_cpu)...));
    }
  }

  static at::Tensor to_npu(Aliases& aliases, c10::Device device, at::Tensor&& result) {
    return aliases.npu_of(std::move(result), device);
  }
  template <class... T>
  static std::tuple<T...> to_npu(Aliases& aliases, c10::Device device, std::tuple<T...>&& results) {
    return std::apply([&](auto&... r) { return std::tuple<T...>{aliases.npu_of(std::move(r), device)...}; },
                      results);
  }

  // The caller's own variable for the alias that the kernel returned.
  template <class Tuple>
  static at::Tensor& argument_behind(const at::Tensor& written, const Tuple& on_cpu, Args&... args) {
    at::Tensor* found = nullptr;
    auto match = [&]<class Declared, class T, class C>(T& arg, const C& alias) {
      if constexpr (std::is_same_v<Declared, at::Tensor&>) {
        if (alias.is_same(written)) found = &arg;
      }
    };
    [&]<size_t... I>(std::index_sequence<I...>) {
      (match.template operator()<Args>(args, std::get<I>(on_cpu)), ...);
    }(std::index_sequence_for<Args...>{});
    return *found;
  }
};

}  // namespace toprope::torch_side
