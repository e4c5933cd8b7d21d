// A row of the table, understood: which operand becomes which argument of the dispatcher's operator.
#pragma once
#include <ATen/core/dispatch/Dispatcher.h>

#include <string>
#include <vector>

#include "opapi/operand.h"

namespace toprope::opapi {

enum class Role : uint8_t {
  Argument,     ///< handed to the operator
  Output,       ///< takes a result
  SizedOutput,  ///< takes a result, whose size becomes the tensor's (the caller asks with aclGetViewShape)
  Unused,       ///< steers the device only (cube math type, ...)
};

struct BoundOperand {
  std::string name;
  Role role;
  int argument = -1;  ///< index into the schema's arguments
};

struct Binding {
  c10::OperatorHandle op;
  std::vector<BoundOperand> operands;
  std::vector<c10::IValue>
      defaults;  ///< of every schema argument: the row's constant, or the schema's default
};

/// The binding of a row. Throws c10::Error where the row and the operator's schema do not fit, saying how.
const Binding& binding_of(const Row& row);

}  // namespace toprope::opapi
