// Operator packages: directories as their installation leaves them (vendors/<vendor>/), found through
// ASCEND_CUSTOM_OPP_PATH and ASCEND_OPP_PATH.
#pragma once
#include <filesystem>
#include <string>

#include "acl/acl_rt.h"
#include "nnopbase/registry.h"

namespace toprope::operators {

/// An operator, and where its kernels are.
struct Found {
  const ops::OpDef* def = nullptr;  ///< null: nobody defines it
  const Registered* by = nullptr;
  std::filesystem::path package;  ///< empty: part of the program
};

/// Looks in the program first, then in the packages: those of ASCEND_CUSTOM_OPP_PATH in its order, those
/// under ASCEND_OPP_PATH/vendors in the order of load_priority in its config.ini, the rest by name.
Found find_operator(const std::string& op_type);

/// Where find_operator looked, for messages.
std::string searched_places();

/// The family of the described chip as packages name it: "ascend910b".
std::string this_unit();

/// The kernel of one combination; loaded once. `function` is the kernel's name with template arguments.
/// Throws Refused (kFindKernel) naming what is missing.
aclrtFuncHandle find_kernel(const Found& found, const std::string& unit, size_t combination,
                            const std::string& function);

}  // namespace toprope::operators
