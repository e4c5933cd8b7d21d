// Every definition that was registered, and the template kernels' combinations, by who registered them.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ascendc/host_api/tiling/template_argument.h"
#include "register/op_def.h"
#include "register/tilingdata_base.h"

namespace toprope::operators {

/// The selected combinations of a kernel template.
struct Template {
  const AscendC::TilingDeclareParams* declared;
  const AscendC::TilingSelectParams* selected;
};

/// A kernel that is part of the program: a library's bytes.
struct EmbeddedKernel {
  const void* data;
  size_t size;
};

/// What one library, or the program itself, registered.
struct Registered {
  std::map<std::string, std::unique_ptr<ops::OpDef>> operators;
  std::map<std::string, Template> templates;
  std::map<std::string, EmbeddedKernel> kernels;  ///< by kernel_name()
};

/// Where registrations of this thread go: to the program's own, unless a Collect lives.
Registered& registered();

class Collect {
 public:
  explicit Collect(Registered& into);
  Collect(const Collect&) = delete;
  Collect& operator=(const Collect&) = delete;
  ~Collect();

 private:
  Registered* before_;
};

/// The program's own.
Registered& program_operators();

/// "ascend910b/AddCustom_0".
std::string kernel_name(const std::string& unit, const std::string& op_type, size_t combination);

/// The tiling classes (REGISTER_TILING_DATA_CLASS) of an operator: the one for every key first, then those of
/// single keys ("AddCustom_1"). Null first where there is none.
std::vector<std::shared_ptr<optiling::TilingDef>> tiling_classes(const std::string& op_type);

/// One instance of a kernel template.
struct Instance {
  uint64_t key;
  std::string arguments;  ///< "half, half, 8, 1"
};

/// Every instance that the selections name, in order, each once.
std::vector<Instance> instances(const Template& of);

}  // namespace toprope::operators
