// aclTensorDesc and aclDataBuffer.
#include <cstring>
#include <new>

#include "runtime/error.h"
#include "runtime/operator.h"
#include "toprope/types/half.h"

using namespace toprope;

namespace {

size_t elements(const aclTensorDesc& desc) {
  size_t count = 1;
  for (int64_t dim : desc.shape) {
    if (dim < 0) return 0;
    count *= static_cast<size_t>(dim);
  }
  return count;
}

/// Bits of an element; 0 when it has no size.
size_t bits(aclDataType type) {
  switch (type) {
    case ACL_UINT1:
      return 1;
    case ACL_INT4:
    case ACL_FLOAT4_E2M1:
    case ACL_FLOAT4_E1M2:
      return 4;
    case ACL_FLOAT6_E3M2:
    case ACL_FLOAT6_E2M3:
      return 6;
    default:
      return aclDataTypeSize(type) * 8;
  }
}

template <class Change>
aclError change(const char* api, aclTensorDesc* desc, Change&& apply) {
  if (!desc) return fail(ACL_ERROR_INVALID_PARAM, api, "desc is null");
  return guarded(api, [&]() -> aclError { return apply(*desc); });
}

aclError set_shape(const char* api, std::vector<int64_t>& shape, int count, const int64_t* dims) {
  if (count < 0 || (count > 0 && !dims))
    return fail(ACL_ERROR_INVALID_PARAM, api, "numDims is {} and dims is {}", count, fmt::ptr(dims));
  shape.assign(dims, dims + count);
  return ACL_SUCCESS;
}

}  // namespace

extern "C" {

size_t aclDataTypeSize(aclDataType type) {
  switch (type) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
    case ACL_HIFLOAT8:
    case ACL_FLOAT8_E5M2:
    case ACL_FLOAT8_E4M3FN:
    case ACL_FLOAT8_E8M0:
      return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
    case ACL_COMPLEX32:
      return 4;
    case ACL_DOUBLE:
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_COMPLEX64:
      return 8;
    case ACL_COMPLEX128:
      return 16;
    default:
      return 0;
  }
}

float aclFloat16ToFloat(aclFloat16 value) { return float_from_half(value); }
aclFloat16 aclFloatToFloat16(float value) { return half_from_float(value); }

aclTensorDesc* aclCreateTensorDesc(aclDataType type, int count, const int64_t* dims, aclFormat format) {
  auto* desc = new (std::nothrow) aclTensorDesc;
  if (!desc) return nullptr;
  desc->type = type;
  desc->format = format;
  const aclError error = guarded("aclCreateTensorDesc",
                                 [&] { return set_shape("aclCreateTensorDesc", desc->shape, count, dims); });
  if (error) {
    delete desc;
    return nullptr;
  }
  return desc;
}

void aclDestroyTensorDesc(const aclTensorDesc* desc) { delete desc; }

aclDataType aclGetTensorDescType(const aclTensorDesc* desc) { return desc ? desc->type : ACL_DT_UNDEFINED; }
aclFormat aclGetTensorDescFormat(const aclTensorDesc* desc) {
  return desc ? desc->format : ACL_FORMAT_UNDEFINED;
}
size_t aclGetTensorDescElementCount(const aclTensorDesc* desc) { return desc ? elements(*desc) : 0; }
size_t aclGetTensorDescSize(const aclTensorDesc* desc) {
  return desc ? (elements(*desc) * bits(desc->type) + 7) / 8 : 0;
}
size_t aclGetTensorDescNumDims(const aclTensorDesc* desc) { return desc ? desc->shape.size() : 0; }

int64_t aclGetTensorDescDim(const aclTensorDesc* desc, size_t index) {
  int64_t dim = -1;
  return aclGetTensorDescDimV2(desc, index, &dim) ? -1 : dim;
}

aclError aclGetTensorDescDimV2(const aclTensorDesc* desc, size_t index, int64_t* dim) {
  if (!desc || !dim || index >= desc->shape.size())
    return fail(ACL_ERROR_INVALID_PARAM, "aclGetTensorDescDimV2",
                "a pointer is null or dimension {} does not exist", index);
  *dim = desc->shape[index];
  return ACL_SUCCESS;
}

void aclSetTensorDescName(aclTensorDesc* desc, const char* name) {
  change("aclSetTensorDescName", desc, [&](aclTensorDesc& d) -> aclError {
    d.name = name ? name : "";
    return ACL_SUCCESS;
  });
}
const char* aclGetTensorDescName(aclTensorDesc* desc) { return desc ? desc->name.c_str() : ""; }

aclError aclSetTensorFormat(aclTensorDesc* desc, aclFormat format) {
  return change("aclSetTensorFormat", desc, [&](aclTensorDesc& d) -> aclError {
    d.storage_format = format;
    return ACL_SUCCESS;
  });
}
aclError aclSetTensorStorageFormat(aclTensorDesc* desc, aclFormat format) {
  return aclSetTensorFormat(desc, format);
}

aclError aclSetTensorShape(aclTensorDesc* desc, int count, const int64_t* dims) {
  return change("aclSetTensorShape", desc, [&](aclTensorDesc& d) {
    return set_shape("aclSetTensorShape", d.storage_shape, count, dims);
  });
}
aclError aclSetTensorStorageShape(aclTensorDesc* desc, int count, const int64_t* dims) {
  return aclSetTensorShape(desc, count, dims);
}

aclError aclSetTensorOriginFormat(aclTensorDesc* desc, aclFormat format) {
  return change("aclSetTensorOriginFormat", desc, [&](aclTensorDesc& d) -> aclError {
    d.origin_format = format;
    return ACL_SUCCESS;
  });
}

aclError aclSetTensorOriginShape(aclTensorDesc* desc, int count, const int64_t* dims) {
  return change("aclSetTensorOriginShape", desc, [&](aclTensorDesc& d) {
    return set_shape("aclSetTensorOriginShape", d.origin_shape, count, dims);
  });
}

aclError aclSetTensorConst(aclTensorDesc* desc, void* data, size_t length) {
  return change("aclSetTensorConst", desc, [&](aclTensorDesc& d) -> aclError {
    if (!data || length == 0) return fail(ACL_ERROR_INVALID_PARAM, "aclSetTensorConst", "there is no data");
    const auto* bytes = static_cast<const std::byte*>(data);
    d.constant.assign(bytes, bytes + length);
    return ACL_SUCCESS;
  });
}

aclError aclSetTensorPlaceMent(aclTensorDesc* desc, aclMemType type) {
  return change("aclSetTensorPlaceMent", desc, [&](aclTensorDesc& d) -> aclError {
    d.placement = type;
    return ACL_SUCCESS;
  });
}

aclDataBuffer* aclCreateDataBuffer(void* data, size_t size) {
  return new (std::nothrow) aclDataBuffer{data, size};
}

aclError aclDestroyDataBuffer(const aclDataBuffer* buffer) {
  if (!buffer) return fail(ACL_ERROR_INVALID_PARAM, "aclDestroyDataBuffer", "dataBuffer is null");
  delete buffer;
  return ACL_SUCCESS;
}

aclError aclUpdateDataBuffer(aclDataBuffer* buffer, void* data, size_t size) {
  if (!buffer) return fail(ACL_ERROR_INVALID_PARAM, "aclUpdateDataBuffer", "dataBuffer is null");
  *buffer = {data, size};
  return ACL_SUCCESS;
}

void* aclGetDataBufferAddr(const aclDataBuffer* buffer) { return buffer ? buffer->data : nullptr; }
uint32_t aclGetDataBufferSize(const aclDataBuffer* buffer) {
  return static_cast<uint32_t>(aclGetDataBufferSizeV2(buffer));
}
size_t aclGetDataBufferSizeV2(const aclDataBuffer* buffer) { return buffer ? buffer->size : 0; }

}  // extern "C"
