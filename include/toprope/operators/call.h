// What the generated aclnn functions call (libnnopbase). Both halves of a call of an operator that was
// defined with OP_ADD.
#pragma once
#include <cstddef>
#include <cstdint>
#include <variant>
#include <vector>

#include "aclnn/aclnn_base.h"

namespace toprope::operators {

/// One operand or attribute as C passed it; a null pointer is an absent one.
using Value = std::variant<const aclTensor*, const aclTensorList*, const aclIntArray*, const aclFloatArray*,
                           const aclBoolArray*, const aclScalar*, const aclScalarList*, bool, int64_t, double,
                           const char*>;

struct Call {
  const char* op_type;
  const char* api;            ///< the function that was called, for messages
  std::vector<Value> inputs;  ///< in the order of the definition; fewer when later ones have a higher Version
  std::vector<Value> attrs;   ///< the same
  std::vector<Value> outputs;  ///< the same
};

/// The first half: chooses the kernel, runs the tiling function. Answers an aclnnStatus.
aclnnStatus plan(const Call& call, uint64_t* workspace_size, aclOpExecutor** executor) noexcept;

/// The second half: launches the kernel on the stream.
aclnnStatus run(const char* api, void* workspace, uint64_t workspace_size, aclOpExecutor* executor,
                aclrtStream stream) noexcept;

}  // namespace toprope::operators

/// Makes a kernel's library known that is a part of the program (static and shared operator libraries); the
/// bytes have static storage. `name` is "ascend910b/AddCustom_0".
extern "C" int toprope_embed_kernel(const char* name, const void* data, size_t size);
