// aclTensor as torch tensor: a CPU tensor over the same bytes. Memory in a permuted format is copied to plain
// order for the call and, for what the call writes, back.
#pragma once
#include <ATen/core/Tensor.h>

#include "nnopbase/objects.h"

namespace toprope::opapi {

/// Throws c10::Error for a null address under a tensor that has elements, or for a type that torch has not.
at::Tensor tensor_over(const aclTensor& tensor);

/// Whether tensor_over() had to copy, so that write_formatted() is due after writing.
bool needs_write_back(const aclTensor& tensor);

/// Puts the elements of `plain`, from tensor_over(tensor), back into the tensor's format.
void write_formatted(const aclTensor& tensor, const at::Tensor& plain);

}  // namespace toprope::opapi
