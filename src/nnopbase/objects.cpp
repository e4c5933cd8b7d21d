// aclCreate*, aclDestroy* and the getters. A creator answers null for a null argument or a data type without
// numbers; a list owns the tensors or scalars put into it, as the vendor documents.
#include "nnopbase/objects.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "aclnn/acl_meta.h"
#include "nnopbase/status.h"
#include "toprope/types/half.h"

#define TOPROPE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

using toprope::operators::kParamNull, toprope::operators::kSuccess;

template <class T>
T load(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// None for a type that holds no numbers.
std::optional<decltype(aclScalar::value)> read_number(const void* from, aclDataType type) {
  switch (type) {
    case ACL_BOOL:
      return load<uint8_t>(from) != 0;
    case ACL_INT8:
      return int64_t{load<int8_t>(from)};
    case ACL_INT16:
      return int64_t{load<int16_t>(from)};
    case ACL_INT32:
      return int64_t{load<int32_t>(from)};
    case ACL_INT64:
      return load<int64_t>(from);
    case ACL_UINT8:
      return int64_t{load<uint8_t>(from)};
    case ACL_UINT16:
      return int64_t{load<uint16_t>(from)};
    case ACL_UINT32:
      return int64_t{load<uint32_t>(from)};
    case ACL_UINT64:
      return static_cast<int64_t>(load<uint64_t>(from));
    case ACL_FLOAT16:
      return double{toprope::float_from_half(load<uint16_t>(from))};
    case ACL_BF16:
      return double{float(load<toprope::bfloat16>(from))};
    case ACL_FLOAT:
      return double{load<float>(from)};
    case ACL_DOUBLE:
      return load<double>(from);
    case ACL_COMPLEX64:
      return std::complex<double>(load<std::complex<float>>(from));
    case ACL_COMPLEX128:
      return load<std::complex<double>>(from);
    default:
      return std::nullopt;
  }
}

template <class List, class T>
List* make_list(const T* items, uint64_t count) {
  if (items == nullptr && count != 0) return nullptr;
  auto* list = new List;
  list->items.assign(items, items + count);
  return list;
}

template <class T>
int destroy(const T* object) {
  if (object == nullptr) return kParamNull;
  delete object;
  return kSuccess;
}

template <class List>
int destroy_with_items(const List* list) {
  if (list == nullptr) return kParamNull;
  for (const auto* item : list->items) delete item;
  delete list;
  return kSuccess;
}

template <class List>
int count_of(const List* list, uint64_t* count) {
  if (list == nullptr || count == nullptr) return kParamNull;
  *count = list->items.size();
  return kSuccess;
}

// The caller frees the array with delete[].
int copy_of(const std::vector<int64_t>& from, int64_t** items, uint64_t* count) {
  *items = new int64_t[from.size()];
  std::copy(from.begin(), from.end(), *items);
  *count = from.size();
  return kSuccess;
}

}  // namespace

TOPROPE_EXPORT aclTensor* aclCreateTensor(const int64_t* shape, uint64_t dims, aclDataType type,
                                          const int64_t* strides, int64_t offset, aclFormat format,
                                          const int64_t* storage, uint64_t storage_dims, void* data) {
  if ((shape == nullptr && dims != 0) || (storage == nullptr && storage_dims != 0)) return nullptr;
  auto* tensor =
      new aclTensor{{shape, shape + dims}, {}, {storage, storage + storage_dims}, offset, type, format, data};
  if (strides != nullptr) {
    tensor->strides.assign(strides, strides + dims);
  } else {
    tensor->strides.resize(dims);
    int64_t step = 1;
    for (uint64_t i = dims; i-- > 0; step *= shape[i]) tensor->strides[i] = step;
  }
  return tensor;
}

TOPROPE_EXPORT aclScalar* aclCreateScalar(void* value, aclDataType type) {
  if (value == nullptr) return nullptr;
  auto number = read_number(value, type);
  return number ? new aclScalar{*number, type} : nullptr;
}

TOPROPE_EXPORT aclIntArray* aclCreateIntArray(const int64_t* items, uint64_t count) {
  return make_list<aclIntArray>(items, count);
}
TOPROPE_EXPORT aclFloatArray* aclCreateFloatArray(const float* items, uint64_t count) {
  return make_list<aclFloatArray>(items, count);
}
TOPROPE_EXPORT aclBoolArray* aclCreateBoolArray(const bool* items, uint64_t count) {
  return make_list<aclBoolArray>(items, count);
}
TOPROPE_EXPORT aclTensorList* aclCreateTensorList(const aclTensor* const* items, uint64_t count) {
  return make_list<aclTensorList>(items, count);
}
TOPROPE_EXPORT aclScalarList* aclCreateScalarList(const aclScalar* const* items, uint64_t count) {
  return make_list<aclScalarList>(items, count);
}

TOPROPE_EXPORT int aclDestroyTensor(const aclTensor* tensor) { return destroy(tensor); }
TOPROPE_EXPORT int aclDestroyScalar(const aclScalar* scalar) { return destroy(scalar); }
TOPROPE_EXPORT int aclDestroyIntArray(const aclIntArray* list) { return destroy(list); }
TOPROPE_EXPORT int aclDestroyFloatArray(const aclFloatArray* list) { return destroy(list); }
TOPROPE_EXPORT int aclDestroyBoolArray(const aclBoolArray* list) { return destroy(list); }
TOPROPE_EXPORT int aclDestroyTensorList(const aclTensorList* list) { return destroy_with_items(list); }
TOPROPE_EXPORT int aclDestroyScalarList(const aclScalarList* list) { return destroy_with_items(list); }

TOPROPE_EXPORT int aclGetViewShape(const aclTensor* tensor, int64_t** shape, uint64_t* dims) {
  return tensor == nullptr || shape == nullptr || dims == nullptr ? kParamNull
                                                                  : copy_of(tensor->shape, shape, dims);
}
TOPROPE_EXPORT int aclGetViewStrides(const aclTensor* tensor, int64_t** strides, uint64_t* dims) {
  return tensor == nullptr || strides == nullptr || dims == nullptr ? kParamNull
                                                                    : copy_of(tensor->strides, strides, dims);
}
TOPROPE_EXPORT int aclGetStorageShape(const aclTensor* tensor, int64_t** shape, uint64_t* dims) {
  return tensor == nullptr || shape == nullptr || dims == nullptr ? kParamNull
                                                                  : copy_of(tensor->storage, shape, dims);
}
TOPROPE_EXPORT int aclGetViewOffset(const aclTensor* tensor, int64_t* offset) {
  if (tensor == nullptr || offset == nullptr) return kParamNull;
  *offset = tensor->offset;
  return kSuccess;
}
TOPROPE_EXPORT int aclGetFormat(const aclTensor* tensor, aclFormat* format) {
  if (tensor == nullptr || format == nullptr) return kParamNull;
  *format = tensor->format;
  return kSuccess;
}
TOPROPE_EXPORT int aclGetDataType(const aclTensor* tensor, aclDataType* type) {
  if (tensor == nullptr || type == nullptr) return kParamNull;
  *type = tensor->type;
  return kSuccess;
}
TOPROPE_EXPORT int aclGetRawTensorAddr(const aclTensor* tensor, void** data) {
  if (tensor == nullptr || data == nullptr) return kParamNull;
  *data = tensor->data;
  return kSuccess;
}
TOPROPE_EXPORT int aclSetRawTensorAddr(aclTensor* tensor, void* data) {
  if (tensor == nullptr) return kParamNull;
  tensor->data = data;
  return kSuccess;
}
TOPROPE_EXPORT int aclGetIntArraySize(const aclIntArray* list, uint64_t* count) {
  return count_of(list, count);
}
TOPROPE_EXPORT int aclGetFloatArraySize(const aclFloatArray* list, uint64_t* count) {
  return count_of(list, count);
}
TOPROPE_EXPORT int aclGetBoolArraySize(const aclBoolArray* list, uint64_t* count) {
  return count_of(list, count);
}
TOPROPE_EXPORT int aclGetTensorListSize(const aclTensorList* list, uint64_t* count) {
  return count_of(list, count);
}
TOPROPE_EXPORT int aclGetScalarListSize(const aclScalarList* list, uint64_t* count) {
  return count_of(list, count);
}
