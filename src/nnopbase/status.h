// How a single-operator call ends: the vendor's aclnnStatus numbers. The text of a failure is what
// aclGetRecentErrMsg gives.
#pragma once
#include <stdexcept>
#include <string>

namespace toprope::operators {

inline constexpr int kSuccess = 0;
inline constexpr int kParamNull = 161001;     ///< ACLNN_ERR_PARAM_NULLPTR
inline constexpr int kParamInvalid = 161002;  ///< ACLNN_ERR_PARAM_INVALID
inline constexpr int kInner = 561000;         ///< ACLNN_ERR_INNER
inline constexpr int kTiling = 561002;        ///< ACLNN_ERR_INNER_TILING_ERROR
inline constexpr int kFindKernel = 561003;    ///< ACLNN_ERR_INNER_FIND_KERNEL_ERROR
inline constexpr int kNoPackage = 561107;     ///< ACLNN_ERR_INNER_OPP_PATH_NOT_FOUND

/// A call that cannot go on.
struct Refused : std::runtime_error {
  Refused(int s, const std::string& text) : std::runtime_error(text), status(s) {}
  int status;
};

}  // namespace toprope::operators
