// REGISTER_CUSTOM_OP: how a model of another framework becomes an operator. There is no model converter here:
// plugins compile and are packaged, and a test may call the functions they register. Source: CANN API,
// OpRegistrationData.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/operator.h"

namespace domi {

using std::string;
using Status = uint32_t;
constexpr Status SUCCESS = 0;
constexpr Status FAILED = 0xFFFFFFFF;
constexpr Status PARAM_INVALID = 50331649;

enum FrameworkType { CAFFE = 0, MINDSPORE = 1, TENSORFLOW = 3, ANDROID_NN = 4, ONNX = 5, FRAMEWORK_RESERVED };
enum class ImplyType : unsigned int { BUILDIN = 0, TVM, CUSTOM, AI_CPU, INVALID };

using ParseParamByOpFunc = std::function<Status(const ge::Operator&, ge::Operator&)>;

/// The operator has the attributes of the model's node: nothing to change.
inline Status AutoMappingByOpFn(const ge::Operator&, ge::Operator&) { return SUCCESS; }

class OpRegistrationData {
 public:
  explicit OpRegistrationData(const char* om_optype) : type_(om_optype) {}

  OpRegistrationData& FrameworkType(const domi::FrameworkType& fmk_type) {
    framework_ = fmk_type;
    return *this;
  }
  OpRegistrationData& OriginOpType(const std::vector<ge::AscendString>& ori_op_type_list) {
    origins_ = ori_op_type_list;
    return *this;
  }
  OpRegistrationData& OriginOpType(const char* ori_op_type) { return OriginOpType({{ori_op_type}}); }
  OpRegistrationData& ParseParamsByOperatorFn(const ParseParamByOpFunc& func) {
    parse_ = func;
    return *this;
  }
  OpRegistrationData& ImplyType(const domi::ImplyType& imply_type) {
    imply_ = imply_type;
    return *this;
  }

  const std::string& type() const { return type_; }
  domi::FrameworkType framework() const { return framework_; }
  const std::vector<ge::AscendString>& origins() const { return origins_; }
  const ParseParamByOpFunc& parse() const { return parse_; }

 private:
  std::string type_;
  domi::FrameworkType framework_ = FRAMEWORK_RESERVED;
  std::vector<ge::AscendString> origins_;
  ParseParamByOpFunc parse_;
  domi::ImplyType imply_ = domi::ImplyType::BUILDIN;
};

}  // namespace domi

#define TOPROPE_CUSTOM_OP(name, line) TOPROPE_CUSTOM_OP_AT(name, line)
#define TOPROPE_CUSTOM_OP_AT(name, line)                                              \
  [[maybe_unused]] static const ::domi::OpRegistrationData toprope_custom_op_##line = \
      ::domi::OpRegistrationData(name)
#define REGISTER_CUSTOM_OP(name) TOPROPE_CUSTOM_OP(name, __COUNTER__)
