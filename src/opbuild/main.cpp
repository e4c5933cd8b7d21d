// opbuild LIBRARY --out DIR [--unit NAME]...: writes the sources of an operator package from the definitions
// that a host library registers (OP_ADD). npu_op_code_gen runs it.
//
//   DIR/aclnn_<op>.h .cpp        the aclnn interface
//   DIR/op_proto.h .cc           the operators for a graph engine
//   DIR/kernels/<unit>/<OpType>_<i>.asc   a kernel library's source for every combination
//   DIR/operators.txt            one line for each operator and unit: type, name, unit, combinations,
//   declared
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "nnopbase/definition.h"
#include "opbuild/generate.h"

namespace fs = std::filesystem;

namespace toprope::opbuild {
namespace {

constexpr const char* usage = "usage: opbuild LIBRARY --out DIR [--unit NAME]...";

// A file that already says the same keeps its time, so that nothing is built again.
void write(const fs::path& path, const std::string& text) {
  {
    std::ifstream in(path, std::ios::binary);
    if (in && std::string(std::istreambuf_iterator<char>(in), {}) == text) return;
  }
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

int run(const std::vector<std::string>& arguments) {
  std::string library, out;
  std::vector<std::string> units;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const bool has_value = i + 1 < arguments.size();
    if (arguments[i] == "--out" && has_value)
      out = arguments[++i];
    else if (arguments[i] == "--unit" && has_value)
      units.push_back(arguments[++i]);
    else if (arguments[i].rfind("-", 0) != 0 && library.empty())
      library = arguments[i];
    else
      throw std::runtime_error(fmt::format("{} is not understood; {}", arguments[i], usage));
  }
  if (library.empty() || out.empty()) throw std::runtime_error(usage);

  operators::Registered found;
  {
    const operators::Collect collect(found);
    if (!dlopen(fs::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL)) throw std::runtime_error(dlerror());
  }
  if (found.operators.empty())
    throw std::runtime_error(library +
                             " registers no operator; define one (ops::OpDef) and add OP_ADD(Type)");

  std::string index;
  std::vector<const ops::OpDef*> defs;
  for (const auto& [type, def] : found.operators) {
    defs.push_back(def.get());
    const std::string name = operators::snake_case(type);
    write(fs::path(out) / fmt::format("aclnn_{}.h", name), aclnn_header(*def));
    write(fs::path(out) / fmt::format("aclnn_{}.cpp", name), aclnn_source(*def));
    const auto entry = found.templates.find(type);
    const auto declared = operators::units_of(*def);
    for (const std::string& unit : units) {
      const auto sources =
          kernel_sources(*def, unit, entry == found.templates.end() ? nullptr : &entry->second);
      for (size_t i = 0; i < sources.size(); ++i)
        write(fs::path(out) / "kernels" / (operators::kernel_name(unit, type, i) + ".asc"), sources[i]);
      const bool names_it = std::find(declared.begin(), declared.end(), unit) != declared.end();
      index += fmt::format("{} {} {} {} {}\n", type, name, unit, sources.size(), names_it ? 1 : 0);
    }
  }
  write(fs::path(out) / "op_proto.h", graph_prototypes(defs));
  write(fs::path(out) / "op_proto.cc",
        "// Made by opbuild. OP_ADD registers the operators' functions; a graph engine would read "
        "op_proto.h.\n");
  write(fs::path(out) / "operators.txt", index);
  return 0;
}

}  // namespace
}  // namespace toprope::opbuild

int main(int argc, char** argv) {
  try {
    return toprope::opbuild::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "opbuild: error: %s\n", error.what());
    return 1;
  }
}
