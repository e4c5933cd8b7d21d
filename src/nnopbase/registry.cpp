#include "nnopbase/registry.h"

#include <set>
#include <stdexcept>

#include "nnopbase/definition.h"
#include "toprope/operators/call.h"
#include "toprope/operators/registry.h"

namespace toprope::operators {
namespace {

thread_local Registered* collecting = nullptr;

/// Configurations of other files may come before the operator that they belong to.
struct PendingConfiguration {
  std::string type, unit;
  ops::OpAICoreConfig config;
};
std::vector<PendingConfiguration>& pending() {
  static auto& all = *new std::vector<PendingConfiguration>;
  return all;
}

void apply_pending(ops::OpDef& def) {
  // AddConfig of the definition counts more.
  for (PendingConfiguration& p : pending())
    if (p.type == def.type() && !def.aicore().configs().count(p.unit))
      def.AICore().AddConfig(p.unit.c_str(), p.config);
}

std::string argument_text(const AscendC::ParamStruct& param, uint64_t value) {
  if (param.paramType != TOPROPE_TPL_DATATYPE) return std::to_string(value);
  std::string name = kernel_type(static_cast<ge::DataType>(value));
  if (name.empty())
    throw std::invalid_argument(std::string("template parameter ") + param.name +
                                ": kernels have no type for C_DT " + std::to_string(value));
  return name;
}

}  // namespace

Registered& program_operators() {
  static auto& program = *new Registered;
  return program;
}

Registered& registered() { return collecting ? *collecting : program_operators(); }

Collect::Collect(Registered& into) : before_(collecting) { collecting = &into; }
Collect::~Collect() { collecting = before_; }

bool add_operator(const char* type, ops::OpDef* (*make)()) {
  std::unique_ptr<ops::OpDef> def(make());
  apply_pending(*def);
  registered().operators[type] = std::move(def);
  return true;
}

bool add_configuration(const char* type, const char* unit, ops::OpAICoreConfig (*make)()) {
  pending().push_back({type, unit, make()});
  const auto found = registered().operators.find(type);
  if (found != registered().operators.end()) apply_pending(*found->second);
  return true;
}

std::string kernel_name(const std::string& unit, const std::string& op_type, size_t combination) {
  return unit + "/" + op_type + "_" + std::to_string(combination);
}

// Here, since the classes are registered in one place of the process only through a shared library.
std::vector<std::shared_ptr<optiling::TilingDef>> tiling_classes(const std::string& op_type) {
  using Factory = optiling::CTilingDataClassFactory;
  std::vector<std::shared_ptr<optiling::TilingDef>> all{Factory::CreateTilingDataInstance(op_type)};
  for (const std::string& name : Factory::Registered())
    if (name.rfind(op_type + "_", 0) == 0) all.push_back(Factory::CreateTilingDataInstance(name));
  return all;
}

std::vector<Instance> instances(const Template& of) {
  std::vector<Instance> all;
  std::set<uint64_t> seen;
  for (const auto& selected : *of.selected) {
    std::vector<const AscendC::ParamStruct*> params;
    std::vector<std::vector<uint64_t>> lists;
    for (const AscendC::ParamStruct& param : selected) {
      if (!AscendC::IsTemplateParameter(param)) continue;
      params.push_back(&param);
      lists.push_back(AscendC::ListTemplateValues(param));
    }
    size_t product = 1;
    for (const auto& list : lists) product *= list.size();
    for (size_t choice = 0; choice < product; ++choice) {
      std::vector<uint64_t> values;
      std::string text;
      size_t rest = choice;
      for (size_t i = 0; i < lists.size(); ++i) {
        values.push_back(lists[i][rest % lists[i].size()]);
        rest /= lists[i].size();
        if (values.back() >> 32)
          throw std::invalid_argument(
              std::string("ASCENDC_TPL_INPUT and ASCENDC_TPL_OUTPUT in the selection of ") + params[i]->name +
              " are not served; list the types there");
        // How the declaration calls the parameter decides what the kernel takes.
        text += (i ? ", " : "") + argument_text((*of.declared).at(i), values.back());
      }
      const uint64_t key = AscendC::EncodeTilingKey(*of.declared, *of.selected, values);
      if (seen.insert(key).second) all.push_back({key, text});
    }
  }
  return all;
}

}  // namespace toprope::operators

extern "C" __attribute__((visibility("default"))) int toprope_add_template(
    const char* op_type, const AscendC::TilingDeclareParams* declared,
    const AscendC::TilingSelectParams* selected) {
  toprope::operators::registered().templates[op_type] = {declared, selected};
  return 1;
}

int toprope_embed_kernel(const char* name, const void* data, size_t size) {
  toprope::operators::registered().kernels[name] = {data, size};
  return 1;
}
