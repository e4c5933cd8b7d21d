// One argument of an aclnn call as C passed it. The generated entry points build these; no torch header is
// needed here, so hundreds of entry points compile in a second.
#pragma once
#include <cstdint>
#include <variant>

struct aclTensor;
struct aclScalar;
struct aclIntArray;
struct aclFloatArray;
struct aclBoolArray;
struct aclTensorList;
struct aclScalarList;
struct aclOpExecutor;

namespace toprope::opapi {

using Operand = std::variant<const aclTensor*, const aclScalar*, const aclIntArray*, const aclFloatArray*,
                             const aclBoolArray*, const aclTensorList*, const aclScalarList*, bool, int64_t,
                             double, const char*>;

/// One row of the operator table.
struct Row {
  const char* name;       ///< "aclnnAdd"
  const char* operands;   ///< as in the table: "self other alpha:scalar >out"
  const char* target;     ///< the dispatcher operator: "aten::add.Tensor"
  const char* constants;  ///< arguments that every call has: "rounding_mode=floor"; empty for none
};

/// The first half of an aclnn call: keeps the operands in a new executor. Answers an aclnnStatus.
int plan(const Row& row, const Operand* operands, uint64_t count, uint64_t* workspace,
         aclOpExecutor** executor) noexcept;

/// The second half: runs the executor as the stream's next task and ends it.
int run(aclOpExecutor* executor, void* stream) noexcept;

/// Both halves of a call of an operator that no table serves: names it, its operands, and how to add it.
int refuse_unserved(const char* name, const char* operands) noexcept;

/// The table, as generated.
extern const Row kRows[];
extern const uint64_t kRowCount;

}  // namespace toprope::opapi
