// What functions that derive the outputs' element types read and answer. Source: metadef API,
// InferDataTypeContext.
#pragma once
#include <vector>

#include "exe_graph/runtime/node.h"

namespace gert {

class InferDataTypeContext : public NodeContext {
 public:
  explicit InferDataTypeContext(Node& node)
      : NodeContext(node), outputs_(node.outputs.size(), ge::DT_UNDEFINED) {}

  /// DT_UNDEFINED where there is no such tensor.
  ge::DataType GetInputDataType(size_t index) const { return type(node_.inputs.at(index)); }
  ge::DataType GetRequiredInputDataType(size_t ir_index) const { return type(node_.inputs.at(ir_index, 0)); }
  ge::DataType GetOptionalInputDataType(size_t ir_index) const { return type(node_.inputs.at(ir_index, 0)); }
  ge::DataType GetDynamicInputDataType(size_t ir_index, size_t relative_index) const {
    return type(node_.inputs.at(ir_index, relative_index));
  }
  ge::DataType GetOutputDataType(size_t index) const {
    return index < outputs_.size() ? outputs_[index] : ge::DT_UNDEFINED;
  }
  ge::graphStatus SetOutputDataType(size_t index, ge::DataType type) {
    if (index >= outputs_.size()) return ge::GRAPH_FAILED;
    outputs_[index] = type;
    return ge::GRAPH_SUCCESS;
  }

 private:
  static ge::DataType type(const OperandInfo* operand) {
    return operand ? operand->desc.GetDataType() : ge::DT_UNDEFINED;
  }
  std::vector<ge::DataType> outputs_;
};

}  // namespace gert
