// at_npu::native::FormatHelper, which torch_npu's headers declare and its library keeps to itself: extensions
// that ask for a tensor's format link and load because this library defines it and is loaded before them.
#include <algorithm>

#include "opapi/formats.h"
#include "torch_npu/csrc/framework/FormatHelper.h"

namespace at_npu::native {
namespace {

using toprope::opapi::default_c0;
using toprope::opapi::storage_shape;

FormatShape shape_in(aclFormat format, c10::IntArrayRef dims, int64_t c0) {
  const auto storage = storage_shape(format, dims.vec(), c0);
  TORCH_CHECK(storage, "a tensor of shape ", dims, " has no form in ", toprope::opapi::format_name(format));
  return FormatShape(storage->begin(), storage->end());
}

// The cube's row of 32 bytes decides C0 for FRACTAL_NZ; convolution formats always take 16 channels.
template <aclFormat format>
FormatShape nz(c10::IntArrayRef dims, size_t item) {
  return shape_in(format, dims, default_c0(static_cast<int64_t>(item)));
}
template <aclFormat format, int64_t c0 = 16>
FormatShape with_c0(c10::IntArrayRef dims, size_t) {
  return shape_in(format, dims, c0);
}

const torch_npu::NPUStorageDesc& desc_of(const at::Tensor& tensor) {
  const auto* storage = tensor.storage().unsafeGetStorageImpl();
  return static_cast<const torch_npu::NPUStorageImpl*>(storage)->npu_desc_;
}

template <class Range>
bool all_base(const Range& tensors) {
  return std::all_of(tensors.begin(), tensors.end(),
                     [](const auto& tensor) { return FormatHelper::IsOpInputBaseFormat(tensor); });
}

}  // namespace

std::unordered_map<aclFormat, FormatHelper::FormatInfo> FormatHelper::InitializeInfo() {
  return {
      {ACL_FORMAT_ND, {ACL_FORMAT_ND, ACL_FORMAT_ND, with_c0<ACL_FORMAT_ND>, "ND", false}},
      {ACL_FORMAT_NCHW, {ACL_FORMAT_NCHW, ACL_FORMAT_NCHW, with_c0<ACL_FORMAT_NCHW>, "NCHW", false}},
      {ACL_FORMAT_NHWC, {ACL_FORMAT_NHWC, ACL_FORMAT_NHWC, with_c0<ACL_FORMAT_ND>, "NHWC", false}},
      {ACL_FORMAT_NCDHW, {ACL_FORMAT_NCDHW, ACL_FORMAT_NCDHW, with_c0<ACL_FORMAT_NCDHW>, "NCDHW", false}},
      {ACL_FORMAT_NDHWC, {ACL_FORMAT_NDHWC, ACL_FORMAT_NCDHW, with_c0<ACL_FORMAT_NDHWC>, "NDHWC", false}},
      {ACL_FORMAT_NC1HWC0,
       {ACL_FORMAT_NC1HWC0, ACL_FORMAT_NCHW, with_c0<ACL_FORMAT_NC1HWC0>, "NC1HWC0", true}},
      {ACL_FORMAT_FRACTAL_Z,
       {ACL_FORMAT_FRACTAL_Z, ACL_FORMAT_NCHW, with_c0<ACL_FORMAT_FRACTAL_Z>, "FRACTAL_Z", true}},
      {ACL_FORMAT_NDC1HWC0,
       {ACL_FORMAT_NDC1HWC0, ACL_FORMAT_NCDHW, with_c0<ACL_FORMAT_NDC1HWC0>, "NDC1HWC0", true}},
      {ACL_FRACTAL_Z_3D,
       {ACL_FRACTAL_Z_3D, ACL_FORMAT_NCDHW, with_c0<ACL_FRACTAL_Z_3D>, "FRACTAL_Z_3D", true}},
      {ACL_FORMAT_FRACTAL_NZ,
       {ACL_FORMAT_FRACTAL_NZ, ACL_FORMAT_ND, nz<ACL_FORMAT_FRACTAL_NZ>, "FRACTAL_NZ", true}},
      {ACL_FORMAT_FRACTAL_NZ_C0_16,
       {ACL_FORMAT_FRACTAL_NZ_C0_16, ACL_FORMAT_ND, with_c0<ACL_FORMAT_FRACTAL_NZ_C0_16>, "FRACTAL_NZ_C0_16",
        true}},
      {ACL_FORMAT_FRACTAL_NZ_C0_32,
       {ACL_FORMAT_FRACTAL_NZ_C0_32, ACL_FORMAT_ND, with_c0<ACL_FORMAT_FRACTAL_NZ_C0_32, 32>,
        "FRACTAL_NZ_C0_32", true}},
      {ACL_FORMAT_FRACTAL_NZ_C0_2,
       {ACL_FORMAT_FRACTAL_NZ_C0_2, ACL_FORMAT_ND, with_c0<ACL_FORMAT_FRACTAL_NZ_C0_2, 2>, "FRACTAL_NZ_C0_2",
        true}},
      {ACL_FORMAT_FRACTAL_NZ_C0_4,
       {ACL_FORMAT_FRACTAL_NZ_C0_4, ACL_FORMAT_ND, with_c0<ACL_FORMAT_FRACTAL_NZ_C0_4, 4>, "FRACTAL_NZ_C0_4",
        true}},
      {ACL_FORMAT_FRACTAL_NZ_C0_8,
       {ACL_FORMAT_FRACTAL_NZ_C0_8, ACL_FORMAT_ND, with_c0<ACL_FORMAT_FRACTAL_NZ_C0_8, 8>, "FRACTAL_NZ_C0_8",
        true}},
  };
}

std::unordered_map<aclFormat, FormatHelper::FormatInfo> FormatHelper::info = FormatHelper::InitializeInfo();

char* FormatHelper::GetFormatName(aclFormat format) {
  const auto found = info.find(format);
  TORCH_CHECK(found != info.end(), "unknown format ", static_cast<int>(format));
  return found->second.formatName;
}

aclFormat FormatHelper::GetBaseFormat(aclFormat format) {
  const auto found = info.find(format);
  TORCH_CHECK(found != info.end(), "unknown format ", static_cast<int>(format));
  return found->second.baseFormat;
}

bool FormatHelper::IsPadded(aclFormat format) {
  const auto found = info.find(format);
  TORCH_CHECK(found != info.end(), "unknown format ", static_cast<int>(format));
  return found->second.isPadded;
}

aclFormat FormatHelper::GetFormat(const at::Tensor& tensor) { return desc_of(tensor).npu_format_; }
aclFormat FormatHelper::GetBaseFormat(const at::Tensor& tensor) { return GetBaseFormat(GetFormat(tensor)); }
char* FormatHelper::GetFormatName(const at::Tensor& tensor) { return GetFormatName(GetFormat(tensor)); }
bool FormatHelper::IsPadded(const at::Tensor* tensor) { return IsPadded(GetFormat(*tensor)); }
bool FormatHelper::IsBaseFormatType(aclFormat format) { return GetBaseFormat(format) == format; }
bool FormatHelper::IsBaseFormatType(const at::Tensor& tensor) { return IsBaseFormatType(GetFormat(tensor)); }

FormatShape FormatHelper::GetStorageSizes(const torch_npu::NPUStorageDesc& desc) {
  return GetStorageSizes(desc.npu_format_, desc.base_sizes_, desc.data_type_);
}

// Changes what the description says, not the memory.
at::Tensor& FormatHelper::unsafe_format_cast(at::Tensor& self, int64_t self_format, int64_t result_format) {
  auto* storage = static_cast<torch_npu::NPUStorageImpl*>(self.storage().unsafeGetStorageImpl());
  torch_npu::NPUStorageDesc& desc = storage->npu_desc_;
  if (self_format != result_format) {
    desc.npu_format_ = static_cast<aclFormat>(result_format);
    desc.storage_sizes_ = GetStorageSizes(desc);
  }
  return self;
}

bool FormatHelper::IsOpInputBaseFormat(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.device().type() != c10::DeviceType::PrivateUse1) return true;
  switch (GetFormat(tensor)) {
    case ACL_FORMAT_ND:
    case ACL_FORMAT_NCHW:
    case ACL_FORMAT_NHWC:
    case ACL_FORMAT_NCDHW:
      return true;
    default:
      return false;
  }
}
bool FormatHelper::IsOpInputBaseFormat(const c10::optional<at::Tensor>& tensor) {
  return !tensor || IsOpInputBaseFormat(*tensor);
}
bool FormatHelper::IsOpInputBaseFormat(const c10::optional<at::TensorList>& tensors) {
  return !tensors || IsOpInputBaseFormat(*tensors);
}
bool FormatHelper::IsOpInputBaseFormat(const c10::List<c10::optional<at::Tensor>>& tensors) {
  return std::all_of(tensors.begin(), tensors.end(), [](const c10::optional<at::Tensor>& tensor) {
    return !tensor || IsOpInputBaseFormat(*tensor);
  });
}
bool FormatHelper::IsOpInputBaseFormat(const at::TensorList& tensors) { return all_base(tensors); }
bool FormatHelper::IsOpInputBaseFormat(const at::ITensorListRef& tensors) {
  for (const at::Tensor& tensor : tensors) {
    if (!IsOpInputBaseFormat(tensor)) return false;
  }
  return true;
}

}  // namespace at_npu::native
