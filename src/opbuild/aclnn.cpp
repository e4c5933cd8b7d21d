// The aclnn interface of an operator. Names and order of the parameters: Ascend C guide, single-operator
// calls.
#include <fmt/format.h>

#include <algorithm>

#include "nnopbase/definition.h"
#include "nnopbase/status.h"
#include "opbuild/generate.h"

namespace toprope::opbuild {
namespace {

using operators::Refused;
using Declared = ops::OpParamDef::Declared;

struct Parameter {
  std::string type, name;
};

std::string camel_case(const std::string& name) {
  std::string out;
  bool raise = false;
  for (const char c : name) {
    if (c == '_') {
      raise = !out.empty();
    } else {
      out += raise ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
      raise = false;
    }
  }
  return out;
}

/// The list type of an input whose values the host reads.
std::string list_type(const Declared& input, const std::string& op) {
  const auto all = [&](auto accepted) {
    return !input.types.empty() && std::all_of(input.types.begin(), input.types.end(), accepted);
  };
  if (all([](ge::DataType t) { return t == ge::DT_FLOAT; })) return "const aclFloatArray *";
  if (all([](ge::DataType t) { return t == ge::DT_BOOL; })) return "const aclBoolArray *";
  if (all([](ge::DataType t) {
        return t == ge::DT_INT64 || t == ge::DT_UINT64 || t == ge::DT_INT32 || t == ge::DT_UINT32 ||
               t == ge::DT_INT16 || t == ge::DT_UINT16 || t == ge::DT_INT8 || t == ge::DT_UINT8;
      }))
    return "const aclIntArray *";
  throw Refused(operators::kInner,
                op + ": " + input.name +
                    " has ValueDepend, so its types must all be DT_FLOAT, all DT_BOOL, or all "
                    "integers");
}

std::string attribute_type(const ops::OpAttrDef& attr, const std::string& op) {
  using Type = ops::OpAttrDef::Type;
  switch (attr.type()) {
    case Type::Bool:
      return "bool ";
    case Type::Int:
      return "int64_t ";
    case Type::Float:
      return "double ";
    case Type::String:
      return "char *";
    case Type::ListBool:
      return "const aclBoolArray *";
    case Type::ListFloat:
      return "const aclFloatArray *";
    case Type::ListInt:
      return "const aclIntArray *";
    default:
      throw Refused(operators::kInner,
                    fmt::format("{}: attribute {} {}", op, attr.GetName().GetString(),
                                attr.type() == Type::None
                                    ? "has no type; add Bool(), Int(), Float(), String() or a list of them"
                                    : "is ListListInt, for which an aclnn interface has no parameter"));
  }
}

/// One function pair: which parameters it has, and what it hands on for those it has not.
class Interface {
 public:
  Interface(const ops::OpDef& def, uint32_t version, bool tensors)
      : def_(def), version_(version), tensors_(tensors) {
    const auto inputs = operators::inputs_of(def, ""), outputs = operators::outputs_of(def, "");
    const auto is_output = [&](const Declared& input) {
      return std::any_of(outputs.begin(), outputs.end(),
                         [&](const Declared& o) { return o.name == input.name; });
    };
    for (const Declared& input : inputs) {
      if (input.version > version) {
        inputs_.push_back("static_cast<const aclTensor *>(nullptr)");
        continue;
      }
      const bool ref = is_output(input);
      const std::string name = camel_case(input.name) + (ref                           ? "Ref"
                                                         : input.type == ops::OPTIONAL ? "Optional"
                                                                                       : "");
      std::string type = input.scalar                     ? "const aclScalar *"
                         : input.scalar_list              ? "const aclScalarList *"
                         : input.value_depend && !tensors ? list_type(input, def.type())
                         : input.type == ops::DYNAMIC     ? "const aclTensorList *"
                                                          : "const aclTensor *";
      if (ref) type.erase(0, 6);
      parameters_.push_back({type, name});
      inputs_.push_back(ref ? fmt::format("static_cast<const {}>({})", type, name) : name);
    }
    for (const ops::OpAttrDef& attr : def.attrs()) {
      if (attr.version() > version) {
        attrs_.push_back("static_cast<const char *>(nullptr)");
        continue;
      }
      const std::string name = camel_case(attr.GetName().GetString());
      parameters_.push_back({attribute_type(attr, def.type()), name});
      attrs_.push_back(attr.type() == ops::OpAttrDef::Type::String
                           ? fmt::format("static_cast<const char *>({})", name)
                           : name);
    }
    for (const Declared& output : outputs) {
      const bool list = output.type == ops::DYNAMIC;
      const std::string type = list ? "const aclTensorList *" : "const aclTensor *";
      const bool ref =
          std::any_of(inputs.begin(), inputs.end(), [&](const Declared& i) { return i.name == output.name; });
      if (ref) {
        outputs_.push_back(fmt::format("static_cast<{}>({}Ref)", type, camel_case(output.name)));
        continue;
      }
      const std::string name = outputs.size() == 1 ? "out" : camel_case(output.name) + "Out";
      parameters_.push_back({type, name});
      outputs_.push_back(name);
    }
  }

  std::string first_name() const {
    return fmt::format("aclnn{}{}{}GetWorkspaceSize", def_.type(), suffix(), tensors_ ? "Tensor" : "");
  }
  std::string second_name() const { return fmt::format("aclnn{}{}", def_.type(), suffix()); }

  std::string first() const {
    std::string list;
    for (const Parameter& p : parameters_) list += fmt::format("\n    {}{},", p.type, p.name);
    return fmt::format("aclnnStatus {}({}\n    uint64_t *workspaceSize,\n    aclOpExecutor **executor)",
                       first_name(), list);
  }
  std::string second() const {
    return fmt::format(
        "aclnnStatus {}(\n    void *workspace,\n    uint64_t workspaceSize,\n    aclOpExecutor *executor,\n"
        "    aclrtStream stream)",
        second_name());
  }
  std::string first_body() const {
    return fmt::format(
        " {{\n  return toprope::operators::plan({{\"{}\", \"{}\",\n      {{{}}},\n      {{{}}},\n      "
        "{{{}}}}},\n"
        "      workspaceSize, executor);\n}}\n",
        def_.type(), first_name(), fmt::join(inputs_, ", "), fmt::join(attrs_, ", "),
        fmt::join(outputs_, ", "));
  }
  std::string second_body() const {
    return fmt::format(
        " {{\n  return toprope::operators::run(\"{}\", workspace, workspaceSize, executor, stream);\n}}\n",
        second_name());
  }
  bool only_first() const { return tensors_; }

 private:
  std::string suffix() const { return version_ ? fmt::format("V{}", version_) : ""; }

  const ops::OpDef& def_;
  const uint32_t version_;
  const bool tensors_;
  std::vector<Parameter> parameters_;
  std::vector<std::string> inputs_, attrs_, outputs_;
};

std::vector<Interface> interfaces(const ops::OpDef& def) {
  uint32_t versions = 0;
  bool value_depend = false;
  for (const ops::OpParamDef& input : def.inputs().all()) {
    versions = std::max(versions, input.declared().version);
    value_depend = value_depend || input.declared().value_depend;
  }
  for (const ops::OpAttrDef& attr : def.attrs()) versions = std::max(versions, attr.version());
  std::vector<Interface> all;
  for (uint32_t version = 0; version <= versions; ++version) {
    all.emplace_back(def, version, false);
    if (value_depend) all.emplace_back(def, version, true);
  }
  return all;
}

}  // namespace

std::string aclnn_header(const ops::OpDef& def) {
  std::string body;
  for (const Interface& one : interfaces(def)) {
    body += fmt::format("\n__attribute__((visibility(\"default\")))\n{};\n", one.first());
    if (!one.only_first())
      body += fmt::format("\n__attribute__((visibility(\"default\")))\n{};\n", one.second());
  }
  return fmt::format(
      "/* Made by opbuild from the definition of {}: the first function answers the bytes of workspace that "
      "the\n"
      " * call needs, the second runs it on the stream. */\n"
      "#pragma once\n#include \"aclnn/acl_meta.h\"\n#include \"aclnn/aclnn_base.h\"\n\n"
      "#ifdef __cplusplus\nextern \"C\" {{\n#endif\n{}\n#ifdef __cplusplus\n}}\n#endif\n",
      def.type(), body);
}

std::string aclnn_source(const ops::OpDef& def) {
  std::string body;
  for (const Interface& one : interfaces(def)) {
    body += fmt::format("\n{}{}", one.first(), one.first_body());
    if (!one.only_first()) body += fmt::format("\n{}{}", one.second(), one.second_body());
  }
  return fmt::format(
      "// Made by opbuild from the definition of {}.\n#include \"aclnn_{}.h\"\n\n"
      "#include \"toprope/operators/call.h\"\n\nextern \"C\" {{\n{}\n}}  // extern \"C\"\n",
      def.type(), operators::snake_case(def.type()), body);
}

}  // namespace toprope::opbuild
