// One call of an operator: what the contexts of host functions look at. An operand of the definition may be
// absent (optional) or stand for several tensors (dynamic): `instances` says which ones are whose.
#pragma once
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "exe_graph/runtime/runtime_attrs.h"
#include "exe_graph/runtime/tensor.h"

namespace gert {

struct OperandInfo {
  StorageShape shape;
  CompileTimeTensorDesc desc;
  Tensor tensor;

  OperandInfo() = default;
  explicit OperandInfo(const Tensor& t)
      : shape(t.GetShape()), desc(t.GetDataType(), t.GetOriginFormat(), t.GetStorageFormat()), tensor(t) {}
};

/// The operands of one side in the order of the definition.
class OperandList {
 public:
  /// The next operand of the definition: no tensor, one, or several.
  void append(const std::vector<Tensor>& tensors) {
    instances_.emplace_back(operands_.size(), tensors.size());
    for (const Tensor& tensor : tensors) operands_.emplace_back(tensor);
  }

  size_t size() const { return operands_.size(); }
  /// The index-th tensor, absent operands not counted; null when there is none.
  const OperandInfo* at(size_t index) const { return index < operands_.size() ? &operands_[index] : nullptr; }
  OperandInfo* at(size_t index) { return index < operands_.size() ? &operands_[index] : nullptr; }
  /// The relative-th tensor of the ir-th operand of the definition; null when there is none.
  const OperandInfo* at(size_t ir, size_t relative) const {
    if (ir >= instances_.size() || relative >= instances_[ir].second) return nullptr;
    return &operands_[instances_[ir].first + relative];
  }
  size_t instances(size_t ir) const { return ir < instances_.size() ? instances_[ir].second : 0; }

 private:
  std::vector<OperandInfo> operands_;
  std::vector<std::pair<size_t, size_t>> instances_;  // first tensor, number of tensors
};

struct Node {
  std::string type, name;
  OperandList inputs, outputs;
  RuntimeAttrs attrs;
};

/// What every context answers.
class NodeContext {
 public:
  explicit NodeContext(Node& node) : node_(node) {}
  NodeContext(const NodeContext&) = delete;
  NodeContext& operator=(const NodeContext&) = delete;

  const char* GetNodeType() const { return node_.type.c_str(); }
  const char* GetNodeName() const { return node_.name.c_str(); }
  const RuntimeAttrs* GetAttrs() const { return &node_.attrs; }
  size_t GetComputeNodeInputNum() const { return node_.inputs.size(); }
  size_t GetComputeNodeOutputNum() const { return node_.outputs.size(); }
  /// Null where there is no such tensor, here and below.
  const CompileTimeTensorDesc* GetInputDesc(size_t index) const { return desc(node_.inputs.at(index)); }
  const CompileTimeTensorDesc* GetRequiredInputDesc(size_t ir_index) const {
    return desc(node_.inputs.at(ir_index, 0));
  }
  const CompileTimeTensorDesc* GetOptionalInputDesc(size_t ir_index) const {
    return desc(node_.inputs.at(ir_index, 0));
  }
  const CompileTimeTensorDesc* GetDynamicInputDesc(size_t ir_index, size_t relative_index) const {
    return desc(node_.inputs.at(ir_index, relative_index));
  }
  const CompileTimeTensorDesc* GetOutputDesc(size_t index) const { return desc(node_.outputs.at(index)); }
  const Tensor* GetInputTensor(size_t index) const { return tensor(node_.inputs.at(index)); }
  const Tensor* GetRequiredInputTensor(size_t ir_index) const { return tensor(node_.inputs.at(ir_index, 0)); }
  const Tensor* GetOptionalInputTensor(size_t ir_index) const { return tensor(node_.inputs.at(ir_index, 0)); }
  const Tensor* GetDynamicInputTensor(size_t ir_index, size_t relative_index) const {
    return tensor(node_.inputs.at(ir_index, relative_index));
  }

 protected:
  static const CompileTimeTensorDesc* desc(const OperandInfo* operand) {
    return operand ? &operand->desc : nullptr;
  }
  static const Tensor* tensor(const OperandInfo* operand) { return operand ? &operand->tensor : nullptr; }
  static const StorageShape* shape(const OperandInfo* operand) { return operand ? &operand->shape : nullptr; }

  Node& node_;
};

}  // namespace gert
