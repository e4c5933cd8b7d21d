#include "driver/launch_headers.h"

#include <fmt/format.h>

#include "driver/rewrite.h"

namespace toprope::driver {
namespace {

// The host sees every pointer as void*, and takes by value what the kernel takes by reference.
std::string host_type(const Parameter& parameter) {
  if (parameter.pointer) {
    return "void*";
  }
  std::string type = parameter.type;
  while (!type.empty() && (type.back() == '&' || type.back() == ' ')) {
    type.pop_back();
  }
  return type;
}

std::string signature(const Kernel& kernel) {
  std::string out =
      fmt::format("uint32_t aclrtlaunch_{}(uint32_t toprope_blocks, void* toprope_stream", kernel.name);
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const Parameter& parameter = kernel.parameters[i];
    out += fmt::format(", {} {}", host_type(parameter),
                       parameter.name.empty() ? fmt::format("toprope_arg{}", i) : parameter.name);
  }
  return out + ")";
}

}  // namespace

bool has_launch_function(const Kernel& kernel) {
  return kernel.defined && kernel.template_parameters == 0 && !kernel.aicpu && !kernel.variadic_template;
}

std::string launch_functions(const std::vector<Kernel>& kernels, const Source& source) {
  std::string out;
  for (const Kernel& kernel : kernels) {
    if (!has_launch_function(kernel)) {
      continue;
    }
    const Position at = source.position(kernel.offset);
    const std::string callee = kernel.scope.empty() ? kernel.name : kernel.scope + "::" + kernel.name;
    out += fmt::format(
        "extern \"C\" __attribute__((visibility(\"default\"))) {} {{\n"
        "  return ::toprope::known_kernel({{{}, {}, {}}}, "
        "&::{}).submit_status(::toprope::launch_config(toprope_blocks, "
        "0, "
        "toprope_stream)",
        signature(kernel), string_literal(kernel.name), string_literal(at.file), at.line, callee);
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
      const Parameter& parameter = kernel.parameters[i];
      const std::string name = parameter.name.empty() ? fmt::format("toprope_arg{}", i) : parameter.name;
      out += parameter.pointer ? fmt::format(", ::toprope::HostPointer{{{}}}", name) : ", " + name;
    }
    out += ");\n}\n";
  }
  return out;
}

std::string launch_header(const Kernel& kernel, const std::string& source_name) {
  return fmt::format(
      "// Made by bisheng from {0}: launches {1} on `toprope_blocks` blocks of the stream `toprope_stream`.\n"
      "// Returns 0 or the aclError of the launch. Structures in the signature must be declared before this "
      "file.\n"
      "#pragma once\n"
      "#include <stdint.h>\n"
      "\n"
      "#ifndef ACLRT_LAUNCH_KERNEL\n"
      "#define ACLRT_LAUNCH_KERNEL(kernel) aclrtlaunch_##kernel\n"
      "#endif\n"
      "\n"
      "#ifdef __cplusplus\n"
      "extern \"C\"\n"
      "#endif\n"
      "{2};\n",
      source_name, kernel.name, signature(kernel));
}

}  // namespace toprope::driver
