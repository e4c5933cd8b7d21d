// The definition of an operator: its operands, its attributes, its host functions, where it runs. Source:
// Ascend C API, OpDef, OpAICoreDef, OpAICoreConfig.
#pragma once
#include <list>
#include <map>
#include <string>
#include <utility>

#include "register/op_impl_registry.h"
#include "register/op_param_def.h"

namespace ge {
class Operator;
}

namespace optiling {
using OP_CHECK_FUNC = ge::graphStatus (*)(const ge::Operator& op, ge::AscendString& result);
using PARAM_GENERALIZE_FUNC = ge::graphStatus (*)(const ge::Operator& op,
                                                  const ge::AscendString& generalize_config,
                                                  ge::AscendString& generalized_op_params);
}  // namespace optiling

namespace ops {

enum class FormatCheckOption { DEFAULT, STRICT };
enum class CommentSection { BRIEF, CONSTRAINTS, RESTRICTIONS, SEE, THIRDPARTYFWKCOMPAT, CATEGORY };

/// Operands by name, in the order of their first declaration.
class OpParamList {
 public:
  OpParamDef& get(const char* name) {
    for (OpParamDef& param : params_)
      if (param.declared().name == name) return param;
    return params_.emplace_back(name);
  }
  const std::list<OpParamDef>& all() const { return params_; }

 private:
  std::list<OpParamDef> params_;  // references stay valid
};

/// What one chip does otherwise than the operator's own declaration.
class OpAICoreConfig {
 public:
  OpAICoreConfig() = default;
  explicit OpAICoreConfig(const char* soc) : soc_(soc) {
    for (const char* key : {"dynamicCompileStatic.flag", "dynamicFormat.flag", "dynamicRankSupport.flag",
                            "dynamicShapeSupport.flag", "precision_reduce.flag"})
      settings_[key] = "true";
    settings_["needCheckSupport.flag"] = "false";
  }

  OpParamDef& Input(const char* name) { return inputs_.get(name); }
  OpParamDef& Output(const char* name) { return outputs_.get(name); }
  OpAICoreConfig& DynamicCompileStaticFlag(bool flag) { return set("dynamicCompileStatic.flag", flag); }
  OpAICoreConfig& DynamicFormatFlag(bool flag) { return set("dynamicFormat.flag", flag); }
  OpAICoreConfig& DynamicRankSupportFlag(bool flag) { return set("dynamicRankSupport.flag", flag); }
  OpAICoreConfig& DynamicShapeSupportFlag(bool flag) { return set("dynamicShapeSupport.flag", flag); }
  OpAICoreConfig& NeedCheckSupportFlag(bool flag) { return set("needCheckSupport.flag", flag); }
  OpAICoreConfig& PrecisionReduceFlag(bool flag) { return set("precision_reduce.flag", flag); }
  OpAICoreConfig& ExtendCfgInfo(const char* key, const char* value) {
    settings_[key] = value;
    return *this;
  }

  const OpParamList& inputs() const { return inputs_; }
  const OpParamList& outputs() const { return outputs_; }
  const std::map<std::string, std::string>& settings() const { return settings_; }

 private:
  OpAICoreConfig& set(const char* key, bool flag) {
    settings_[key] = flag ? "true" : "false";
    return *this;
  }

  std::string soc_;
  OpParamList inputs_, outputs_;
  std::map<std::string, std::string> settings_;
};

class OpAICoreDef {
 public:
  OpAICoreDef& SetTiling(gert::OpImplRegisterV2::TilingKernelFunc func) {
    tiling_ = func;
    return *this;
  }
  /// These serve a graph's compilation, which is not here: they are kept and never called.
  OpAICoreDef& SetCheckSupport(optiling::OP_CHECK_FUNC func) { return keep(func); }
  OpAICoreDef& SetOpSelectFormat(optiling::OP_CHECK_FUNC func) { return keep(func); }
  OpAICoreDef& SetOpSupportInfo(optiling::OP_CHECK_FUNC func) { return keep(func); }
  OpAICoreDef& SetOpSpecInfo(optiling::OP_CHECK_FUNC func) { return keep(func); }
  OpAICoreDef& SetParamGeneralize(optiling::PARAM_GENERALIZE_FUNC func) {
    (void)func;
    return *this;
  }
  /// Whether the kernel runs although every output is empty.
  OpAICoreDef& LaunchWithZeroEleOutputTensors(bool launchFlag) {
    launch_without_elements_ = launchFlag;
    return *this;
  }
  /// `soc` is a family as ASCEND_COMPUTE_UNIT names it: ascend910b, ascend910_93, ascend950.
  OpAICoreDef& AddConfig(const char* soc) {
    configs_.insert_or_assign(soc, OpAICoreConfig(soc));
    return *this;
  }
  OpAICoreDef& AddConfig(const char* soc, OpAICoreConfig& aicore_config) {
    configs_.insert_or_assign(soc, aicore_config);
    return *this;
  }

  gert::OpImplRegisterV2::TilingKernelFunc tiling() const { return tiling_; }
  bool launch_without_elements() const { return launch_without_elements_; }
  const std::map<std::string, OpAICoreConfig>& configs() const { return configs_; }

 private:
  OpAICoreDef& keep(optiling::OP_CHECK_FUNC func) {
    (void)func;
    return *this;
  }

  gert::OpImplRegisterV2::TilingKernelFunc tiling_ = nullptr;
  bool launch_without_elements_ = false;
  std::map<std::string, OpAICoreConfig> configs_;
};

class OpDef {
 public:
  explicit OpDef(const char* type) : type_(type) {}
  virtual ~OpDef() = default;

  OpParamDef& Input(const char* name) { return inputs_.get(name); }
  OpParamDef& Output(const char* name) { return outputs_.get(name); }
  OpAttrDef& Attr(const char* name) {
    for (OpAttrDef& attr : attrs_)
      if (attr.GetName() == name) return attr;
    return attrs_.emplace_back(name);
  }
  OpDef& SetInferShape(gert::OpImplRegisterV2::InferShapeKernelFunc func) {
    infer_shape_ = func;
    return *this;
  }
  OpDef& SetInferDataType(gert::OpImplRegisterV2::InferDataTypeKernelFunc func) {
    infer_data_type_ = func;
    return *this;
  }
  /// Serves a graph's compilation, which is not here: never called.
  OpDef& SetInferShapeRange(gert::OpImplRegisterV2::InferShapeRangeKernelFunc func) {
    (void)func;
    return *this;
  }
  /// For a graph's run, which is not here.
  OpDef& EnableFallBack() { return *this; }
  OpDef& FormatMatchMode(FormatCheckOption option) {
    strict_formats_ = option == FormatCheckOption::STRICT;
    return *this;
  }
  OpDef& Comment(CommentSection section, const char* comment) {
    comments_.emplace_back(section, comment);
    return *this;
  }
  OpAICoreDef& AICore() { return aicore_; }

  const std::string& type() const { return type_; }
  const OpParamList& inputs() const { return inputs_; }
  const OpParamList& outputs() const { return outputs_; }
  const std::list<OpAttrDef>& attrs() const { return attrs_; }
  const OpAICoreDef& aicore() const { return aicore_; }
  gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape() const { return infer_shape_; }
  gert::OpImplRegisterV2::InferDataTypeKernelFunc infer_data_type() const { return infer_data_type_; }
  bool strict_formats() const { return strict_formats_; }
  const std::list<std::pair<CommentSection, std::string>>& comments() const { return comments_; }

 private:
  std::string type_;
  OpParamList inputs_, outputs_;
  std::list<OpAttrDef> attrs_;
  OpAICoreDef aicore_;
  gert::OpImplRegisterV2::InferShapeKernelFunc infer_shape_ = nullptr;
  gert::OpImplRegisterV2::InferDataTypeKernelFunc infer_data_type_ = nullptr;
  bool strict_formats_ = false;
  std::list<std::pair<CommentSection, std::string>> comments_;
};

}  // namespace ops
