// An operator's definition, understood: its names, and which combinations of element types and formats it
// has. Every combination is a kernel of its own, known by its place in the list.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "register/op_def.h"

namespace toprope::operators {

/// "AddCustom" → "add_custom": the kernel's name and the default name of its file. Rules: Ascend C guide,
/// table of name conversions.
std::string snake_case(const std::string& op_type);

/// The inputs or outputs for a chip's family: the family's own declarations in place of the general ones.
std::vector<ops::OpParamDef::Declared> inputs_of(const ops::OpDef& def, const std::string& unit);
std::vector<ops::OpParamDef::Declared> outputs_of(const ops::OpDef& def, const std::string& unit);

struct TypeAndFormat {
  ge::DataType type;
  ge::Format format;
};

struct Combination {
  std::vector<TypeAndFormat> inputs, outputs;  ///< in the order of the definition
};

/// Throws Refused where the declarations do not fit together.
std::vector<Combination> combinations(const ops::OpDef& def, const std::string& unit);

/// The families that AddConfig names; empty when the operator does not restrict them.
std::vector<std::string> units_of(const ops::OpDef& def);

/// "half" for DT_FLOAT16; empty for a type without a name in kernels.
std::string kernel_type(ge::DataType type);
/// "DT_FLOAT16", "FORMAT_ND".
std::string type_name(ge::DataType type);
std::string format_name(ge::Format format);
/// Bytes of a value; 0 for types smaller than a byte and those without values.
size_t type_size(ge::DataType type);

}  // namespace toprope::operators
