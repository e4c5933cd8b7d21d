// The sources of kernel libraries: the author's kernel with the macros of one combination, and a table of it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "nnopbase/definition.h"
#include "opbuild/generate.h"
#include "toprope/driver/entries.h"

namespace toprope::opbuild {
namespace {

using Declared = ops::OpParamDef::Declared;

std::string upper(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return name;
}

// DTYPE_X, ORIG_DTYPE_X and FORMAT_X. Source: Ascend C guide, kernel implementation.
std::string macros(const std::string& name, const operators::TypeAndFormat& what) {
  const std::string in_kernels = operators::kernel_type(what.type);
  return (in_kernels.empty() ? "" : fmt::format("#define DTYPE_{} {}\n", name, in_kernels)) +
         fmt::format("#define ORIG_DTYPE_{0} {1}\n#define FORMAT_{0} {2}\n", name,
                     operators::type_name(what.type), operators::format_name(what.format));
}

// The structs of the high-level functions' own tilings are there for every kernel.
const std::set<std::string> library_structs = {
#define TILING_STRUCT(name) #name,
#define TILING_FIELD(type, field)
#define TILING_ARRAY(type, size, field)
#define TILING_NESTED(type, field)
#define TILING_STRUCT_END(name)
#include "kernel_tiling/structs.list"
#undef TILING_STRUCT
#undef TILING_FIELD
#undef TILING_ARRAY
#undef TILING_NESTED
#undef TILING_STRUCT_END
};

void add_struct(const optiling::TilingDef& tiling, std::set<std::string>& known, std::string& text) {
  if (!known.insert(tiling.GetTilingClassName()).second) return;
  std::string body;
  for (const optiling::TilingDef::Member& member : tiling.members()) {
    if (member.nested) add_struct(*member.nested, known, text);
    body += fmt::format("  {} {}{};\n", member.nested ? member.nested->GetTilingClassName() : member.type,
                        member.name, member.count ? fmt::format("[{}]", member.count) : "");
  }
  text += fmt::format("struct {} {{\n{}}};\n", tiling.GetTilingClassName(), body);
}

// What BEGIN_TILING_DATA_DEF declared on the host, for the kernel.
std::string tiling_structs(const std::string& op_type) {
  std::set<std::string> known = library_structs;
  std::string text;
  const auto classes = operators::tiling_classes(op_type);
  for (const auto& one : classes)
    if (one) add_struct(*one, known, text);
  if (classes[0])
    text += fmt::format("#define TOPROPE_OPERATOR_TILING {}\n", classes[0]->GetTilingClassName());
  return text.empty() ? text : "#include \"kernel_tiling/kernel_tiling.h\"\n" + text;
}

}  // namespace

std::vector<std::string> kernel_sources(const ops::OpDef& def, const std::string& unit,
                                        const operators::Template* entry) {
  const std::string kernel = operators::snake_case(def.type());
  std::vector<std::string> functions{kernel};
  if (entry) {
    functions.clear();
    for (const operators::Instance& one : operators::instances(*entry))
      functions.push_back(fmt::format("{}<{}>", kernel, one.arguments));
  }
  std::string table;
  for (const std::string& function : functions)
    table +=
        fmt::format("  ::toprope::package_entry<&::{0}>({{\"{0}\", \"@KERNEL_FILE@\", 1}}),\n", function);

  const std::vector<Declared> inputs = operators::inputs_of(def, unit),
                              outputs = operators::outputs_of(def, unit);
  std::vector<std::string> all;
  for (const operators::Combination& one : operators::combinations(def, unit)) {
    std::string defined;
    for (size_t i = 0; i < inputs.size(); ++i) defined += macros(upper(inputs[i].name), one.inputs[i]);
    for (size_t i = 0; i < outputs.size(); ++i) {
      const bool ref = std::any_of(inputs.begin(), inputs.end(),
                                   [&](const Declared& d) { return d.name == outputs[i].name; });
      defined += macros(upper(outputs[i].name) + (ref ? "_REF" : ""), one.outputs[i]);
    }
    all.push_back(fmt::format(
        "// Made by opbuild: {}'s kernel for one combination of element types and formats.\n"
        "{}#include \"toprope/operators/kernel_types.h\"\n{}"
        "#include \"@KERNEL_FILE@\"\n#include \"toprope/driver/package_entries.h\"\n"
        "extern \"C\" __attribute__((visibility(\"default\"))) const ::toprope::KernelEntry {}[];\n"
        "extern \"C\" const ::toprope::KernelEntry {}[] = {{\n{}  {{}}}};\n",
        def.type(), tiling_structs(def.type()), defined, kernel_table_symbol, kernel_table_symbol, table));
  }
  return all;
}

}  // namespace toprope::opbuild
