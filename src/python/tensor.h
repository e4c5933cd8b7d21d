// pypto.Tensor: memory on a device.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>
#include <vector>

#include "pto/pto.h"

namespace pypto {

namespace nb = nanobind;

class Tensor {
 public:
  /// Takes the reference.
  explicit Tensor(pto_tensor* handle) : handle_(handle) {}
  Tensor(pto_dtype dtype, const std::vector<int64_t>& shape);
  Tensor(Tensor&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  ~Tensor() { pto_tensor_free(handle_); }
  Tensor& operator=(Tensor&&) = delete;

  pto_tensor* handle() const { return handle_; }
  pto_dtype dtype() const { return pto_tensor_dtype(handle_); }
  nb::tuple shape() const;
  void* data() const { return pto_tensor_data(handle_); }

 private:
  pto_tensor* handle_;
};

/// Registers the class, the element types and what makes tensors.
void bind_tensor(nb::module_& m);

}  // namespace pypto
