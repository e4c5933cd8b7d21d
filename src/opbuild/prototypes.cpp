// op_proto.h, which a graph engine would read.
#include <fmt/format.h>

#include "nnopbase/definition.h"
#include "opbuild/generate.h"

namespace toprope::opbuild {
namespace {

using Declared = ops::OpParamDef::Declared;
using Type = ops::OpAttrDef::Type;

std::string operand(const Declared& d, const char* side) {
  std::string types;
  for (const ge::DataType type : d.types)
    types += (types.empty() ? "ge::" : ", ge::") + operators::type_name(type);
  const char* kind = d.type == ops::DYNAMIC ? "DYNAMIC_" : d.type == ops::OPTIONAL ? "OPTIONAL_" : "";
  return fmt::format("    .{}{}({}, {})\n", kind, side, d.name,
                     types.empty() ? "ge::TensorType::ALL()" : fmt::format("ge::TensorType({{{}}})", types));
}

template <class List>
std::string braced(const List& list) {
  std::string text;
  for (const auto& item : list) text += (text.empty() ? "" : ", ") + fmt::format("{}", item);
  return "{" + text + "}";
}

std::string default_value(const ops::OpAttrDef& attr) {
  return std::visit(
      [](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return "";
        } else if constexpr (std::is_same_v<T, std::string>) {
          return "\"" + value + "\"";
        } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
          return braced(std::vector<int>(value.begin(), value.end()));
        } else if constexpr (std::is_same_v<T, std::vector<std::vector<int64_t>>>) {
          std::vector<std::string> parts;
          for (const auto& list : value) parts.push_back(braced(list));
          return braced(parts);
        } else if constexpr (std::is_same_v<T, std::vector<float>> ||
                             std::is_same_v<T, std::vector<int64_t>>) {
          return braced(value);
        } else {
          return fmt::format("{}", value);
        }
      },
      attr.value());
}

std::string attribute(const ops::OpAttrDef& attr) {
  constexpr const char* names[] = {"",         "Bool",      "Float",   "Int",        "String",
                                   "ListBool", "ListFloat", "ListInt", "ListListInt"};
  const char* type = names[static_cast<int>(attr.type())];
  const std::string value = default_value(attr);
  return attr.required() || value.empty()
             ? fmt::format("    .REQUIRED_ATTR({}, {})\n", attr.GetName().GetString(), type)
             : fmt::format("    .ATTR({}, {}, {})\n", attr.GetName().GetString(), type, value);
}

}  // namespace

std::string graph_prototypes(const std::vector<const ops::OpDef*>& defs) {
  std::string body;
  for (const ops::OpDef* def : defs) {
    body += "\n";
    for (const auto& [section, text] : def->comments()) body += "// " + text + "\n";
    body += fmt::format("REG_OP({})\n", def->type());
    for (const Declared& d : operators::inputs_of(*def, "")) body += operand(d, "INPUT");
    for (const Declared& d : operators::outputs_of(*def, "")) body += operand(d, "OUTPUT");
    for (const ops::OpAttrDef& attr : def->attrs()) body += attribute(attr);
    body += fmt::format("    .OP_END_FACTORY_REG({});\n", def->type());
  }
  return "// Made by opbuild: the operators as a graph engine declares them.\n#pragma once\n"
         "#include \"graph/operator_reg.h\"\n\nnamespace ge {\n" +
         body + "\n}  // namespace ge\n";
}

}  // namespace toprope::opbuild
