// A call between its halves: the operands as they were given, what the tiling function answered.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exe_graph/runtime/node.h"
#include "nnopbase/definition.h"
#include "nnopbase/objects.h"
#include "nnopbase/packages.h"
#include "toprope/operators/call.h"

namespace toprope::operators {

/// One tensor: where it lies on the device, or its values in host memory to be brought there.
struct GivenTensor {
  gert::Tensor tensor;
  void* device = nullptr;
  std::shared_ptr<std::vector<char>> host;
};

/// One operand of the definition.
struct GivenOperand {
  std::vector<GivenTensor> tensors;  ///< none: absent
  bool list = false;
};

struct PlannedCall {
  Found found;
  std::string api;
  std::vector<ops::OpParamDef::Declared> input_defs, output_defs;
  std::vector<GivenOperand> inputs, outputs;
  std::vector<TypeAndFormat> output_types;  ///< of the chosen combination
  aclrtFuncHandle kernel = nullptr;
  std::string function;
  uint64_t key = 0, workspace = 0;
  uint32_t blocks = 0;
  bool fill_outputs = false, nothing_to_do = false;
  std::vector<char> tiling;
  bool repeatable = false;
};

/// The operands and attributes of a call, checked against the definition. Throws Refused.
void take_operands(const Call& call, PlannedCall& planned);
gert::RuntimeAttrs attributes_of(const Call& call, const ops::OpDef& def);

/// Which combination the operands have; throws Refused listing the definition's.
size_t choose_combination(const PlannedCall& planned, const std::string& unit);

/// Launches a planned call.
aclnnStatus launch(const PlannedCall& planned, void* workspace, aclrtStream stream);

}  // namespace toprope::operators
