// ListTensorDesc: a dynamic input in GM, which is a list of tensors with their shapes. In 64-bit words: the
// byte offset of the data pointers; for each tensor its dimension count (lower half) and index (upper half),
// then its extents; the data pointers. Source: Ascend C API, auxiliary data structures, ListTensorDesc and
// TensorDesc.
#pragma once
#include "basic_api/kernel_tensor.h"
#include "toprope/machine/access.h"

namespace AscendC {

/// What ListTensorDesc says of one tensor.
template <class T>
class TensorDesc {
 public:
  /// Room for as many extents as the tensor has dimensions; given before ListTensorDesc::GetDesc.
  void SetShapeAddr(uint64_t* shapePtr) { shape_ = shapePtr; }
  uint64_t GetDim() { return dim_; }
  uint64_t GetIndex() { return index_; }
  uint64_t GetShape(uint32_t offset) { return shape_[offset]; }
  T* GetDataPtr() { return data_; }
  GlobalTensor<T> GetDataObj() {
    GlobalTensor<T> tensor;
    tensor.SetGlobalBuffer(data_);
    return tensor;
  }

 private:
  friend class ListTensorDesc;
  uint64_t* shape_ = nullptr;
  uint64_t dim_ = 0, index_ = 0;
  T* data_ = nullptr;
};

class ListTensorDesc {
 public:
  ListTensorDesc() = default;
  /// length (bytes) and shapeSize (tensors) are not needed to read the list.
  [[gnu::always_inline]] ListTensorDesc(__gm__ void* data, uint32_t length = 0xffffffff,
                                        uint32_t shapeSize = 0xffffffff) {
    Init(data, length, shapeSize);
  }
  [[gnu::always_inline]] void Init(__gm__ void* data, uint32_t length = 0xffffffff,
                                   uint32_t shapeSize = 0xffffffff) {
    (void)length, (void)shapeSize;
    words_ = static_cast<__gm__ uint64_t*>(data);
    pointers_ = word(0) / sizeof(uint64_t);
    size_ = 0;
    for (uint64_t at = 1; at < pointers_; at += 1 + static_cast<uint32_t>(word(at))) ++size_;
  }

  template <class T>
  [[gnu::always_inline]] void GetDesc(TensorDesc<T>& desc, uint32_t index) {
    uint64_t at = 1;
    for (uint32_t i = 0; i < index; ++i) at += 1 + static_cast<uint32_t>(word(at));
    const uint64_t head = word(at);
    desc.dim_ = static_cast<uint32_t>(head);
    desc.index_ = head >> 32;
    for (uint64_t i = 0; i < desc.dim_; ++i) desc.shape_[i] = word(at + 1 + i);
    desc.data_ = GetDataPtr<T>(index);
  }
  template <class T>
  [[gnu::always_inline]] T* GetDataPtr(uint32_t index) {
    return reinterpret_cast<T*>(word(pointers_ + index));
  }
  uint32_t GetSize() { return size_; }  ///< tensors

 private:
  [[gnu::always_inline]] uint64_t word(uint64_t number) const {
    const toprope::Slice place{reinterpret_cast<uintptr_t>(words_ + number), 0, 0, toprope::Mem::GM};
    return *static_cast<const uint64_t*>(toprope::scalar_access(place, sizeof(uint64_t), false));
  }
  __gm__ uint64_t* words_ = nullptr;
  uint64_t pointers_ = 0;
  uint32_t size_ = 0;
};

}  // namespace AscendC
