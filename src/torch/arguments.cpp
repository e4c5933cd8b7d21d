#include "torch/arguments.h"

#include <algorithm>
#include <array>

namespace toprope::torch_side {

bool may_stay_on_cpu(std::string_view argument) {
  static constexpr std::array<std::string_view, 7> kNames{
      "lengths", "batch_sizes", "input_lengths", "target_lengths", "indices", "tensor_indices_or_sections",
      "repeats"};
  return std::find(kNames.begin(), kNames.end(), argument) != kNames.end();
}

void DeviceCheck::refuse(const c10::OperatorHandle& op) const {
  TORCH_CHECK(false, "Expected all tensors to be on the same device, but found at least two devices, ", *npu_,
              " and ", *other_, "! (argument '", op.schema().arguments().at(position_).name(), "' of ",
              c10::toString(op.operator_name()), " is on ", *other_, "; move it with .to('", *npu_, "'))");
}

}  // namespace toprope::torch_side
