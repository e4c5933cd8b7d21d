#include "opapi/tensors.h"

#include <ATen/Functions.h>

#include "opapi/formats.h"
#include "opapi/number.h"

namespace toprope::opapi {
namespace {

Layout plain_of(const aclTensor& tensor) { return *layout_of(ACL_FORMAT_ND, tensor.shape, {}); }

Layout formatted_of(const aclTensor& tensor) {
  const auto layout = layout_of(tensor.format, tensor.shape, tensor.storage);
  TORCH_CHECK(layout, "a tensor of shape ", at::IntArrayRef(tensor.shape), " cannot lie in ",
              format_name(tensor.format), " memory of shape ", at::IntArrayRef(tensor.storage));
  return *layout;
}

}  // namespace

bool needs_write_back(const aclTensor& tensor) { return !is_plain(tensor.format); }

at::Tensor tensor_over(const aclTensor& tensor) {
  const auto type = scalar_type(tensor.type);
  TORCH_CHECK(type, "no CPU operator takes data of the type ", type_name(tensor.type));
  const at::TensorOptions options(*type);
  int64_t elements = 1;
  for (int64_t size : tensor.shape) elements *= size;
  TORCH_CHECK(tensor.data != nullptr || elements == 0, "the address of a tensor of shape ",
              at::IntArrayRef(tensor.shape), " is null");
  if (needs_write_back(tensor)) {
    at::Tensor plain = at::empty(tensor.shape, options);
    convert(tensor.data, formatted_of(tensor), plain.mutable_data_ptr(), plain_of(tensor),
            static_cast<int64_t>(plain.itemsize()));
    return plain;
  }
  char* first =
      static_cast<char*>(tensor.data) + tensor.offset * static_cast<int64_t>(c10::elementSize(*type));
  return at::from_blob(first, tensor.shape, tensor.strides, options);
}

void write_formatted(const aclTensor& tensor, const at::Tensor& plain) {
  const at::Tensor rows = plain.contiguous();
  convert(rows.const_data_ptr(), plain_of(tensor), tensor.data, formatted_of(tensor),
          static_cast<int64_t>(rows.itemsize()));
}

}  // namespace toprope::opapi
