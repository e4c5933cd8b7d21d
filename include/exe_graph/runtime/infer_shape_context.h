// What functions that derive the outputs' shapes read and answer. Source: metadef API, InferShapeContext.
#pragma once
#include <vector>

#include "exe_graph/runtime/node.h"

namespace gert {

class InferShapeContext : public NodeContext {
 public:
  explicit InferShapeContext(Node& node) : NodeContext(node), outputs_(node.outputs.size()) {}

  /// The tensor's own shape; null where there is no such tensor.
  const Shape* GetInputShape(size_t index) const { return origin(node_.inputs.at(index)); }
  const Shape* GetRequiredInputShape(size_t ir_index) const { return origin(node_.inputs.at(ir_index, 0)); }
  const Shape* GetOptionalInputShape(size_t ir_index) const { return origin(node_.inputs.at(ir_index, 0)); }
  const Shape* GetDynamicInputShape(size_t ir_index, size_t relative_index) const {
    return origin(node_.inputs.at(ir_index, relative_index));
  }
  /// For the function to set.
  Shape* GetOutputShape(size_t index) { return index < outputs_.size() ? &outputs_[index] : nullptr; }

 private:
  static const Shape* origin(const OperandInfo* operand) {
    return operand ? &operand->shape.GetOriginShape() : nullptr;
  }
  std::vector<Shape> outputs_;
};

/// Ranges of shapes belong to a graph's compilation, which is not here.
class InferShapeRangeContext;

}  // namespace gert
