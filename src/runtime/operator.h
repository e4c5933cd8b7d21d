// The objects behind aclTensorDesc, aclDataBuffer and aclopAttr, and who executes operators by name.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "acl/acl_op_compiler.h"

struct aclTensorDesc {
  aclDataType type = ACL_DT_UNDEFINED;
  std::vector<int64_t> shape;  ///< as created
  aclFormat format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> storage_shape;  ///< as the bytes lie; empty: as `shape`
  aclFormat storage_format = ACL_FORMAT_UNDEFINED;
  std::vector<int64_t> origin_shape;  ///< empty: as `shape`
  aclFormat origin_format = ACL_FORMAT_UNDEFINED;
  aclMemType placement = ACL_MEMTYPE_DEVICE;
  std::string name;
  std::vector<std::byte> constant;  ///< the operand's value, when it is constant
};

struct aclDataBuffer {
  void* data;
  size_t size;
};

namespace toprope {

/// The values an attribute can have. Booleans and element types are distinct from integers.
using AttrValue = std::variant<bool, int64_t, float, std::string, aclDataType, std::vector<bool>,
                               std::vector<int64_t>, std::vector<float>, std::vector<std::string>,
                               std::vector<aclDataType>, std::vector<std::vector<int64_t>>>;

/// Executes one operator. The function checks its operands, submits its work to `stream` (toprope_submit) and
/// answers a status code whose text it has recorded (toprope_fail); ACL_ERROR_OP_NOT_FOUND when it does not
/// know `type`.
using AclopHook = aclError (*)(const char* type, int num_inputs, const aclTensorDesc* const* input_descs,
                               const aclDataBuffer* const* inputs, int num_outputs,
                               aclTensorDesc* const* output_descs, aclDataBuffer* const* outputs,
                               const aclopAttr* attr, aclrtStream stream);

}  // namespace toprope

struct aclopAttr {
  std::map<std::string, toprope::AttrValue> values;
};

/// Installs the executor of operators by name (libopapi does); null removes it. Answers the one before.
extern "C" toprope::AclopHook toprope_set_aclop_hook(toprope::AclopHook hook);
