// Random operators on npu tensors: the npu generator's seed and offset choose a CPU generator for each call,
// so results depend on the npu generator alone, repeat after torch.npu.manual_seed, and leave the CPU's own
// generator untouched.
#pragma once
#include <ATen/core/Generator.h>
#include <c10/core/Device.h>

namespace toprope::torch_side {

/// A CPU generator for one call; advances `npu`.
at::Generator cpu_generator(const at::Generator& npu);

/// The default generator of an npu.
const at::Generator& default_generator(c10::Device device);

/// For operators that take no generator and draw from the CPU's default one: puts an npu-derived state there
/// for the time of the call.
class SeededDefault {
 public:
  explicit SeededDefault(c10::Device device);
  ~SeededDefault();
  SeededDefault(const SeededDefault&) = delete;
  SeededDefault& operator=(const SeededDefault&) = delete;

 private:
  c10::intrusive_ptr<c10::TensorImpl> saved_;
};

}  // namespace toprope::torch_side
