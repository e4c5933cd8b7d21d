// GlobalTensor and LocalTensor: typed views of memory. Copies and views alias; nothing here owns anything.
// Source: Ascend C API, data structures, LocalTensor and GlobalTensor.
#pragma once
#include <type_traits>

#include "basic_api/kernel_common.h"
#include "toprope/machine/access.h"

namespace AscendC {

/// The element type behind T (T itself unless it is a TensorTrait).
template <class T, class = void>
struct PrimTypeOf {
  using type = T;
};
template <class T>
struct PrimTypeOf<T, std::void_t<typename T::LiteType>> {
  using type = typename T::LiteType;
};
template <class T>
using PrimT = typename PrimTypeOf<T>::type;

template <class T>
class LocalTensor;

/// `a + b` between tensors, until it is assigned: dst = src0 + src1 computes the whole of dst.
template <class T, class Compute>
struct TensorExpression {
  const LocalTensor<T>&src0, &src1;
};

template <class T>
class LocalTensor {
 public:
  using PrimType = PrimT<T>;

  LocalTensor() = default;
  /// Static tensor programming: `tileSize` elements from byte `addr` of the memory behind `pos`.
  LocalTensor(TPosition pos, uint32_t addr, uint32_t tileSize) : position_(pos), size_(tileSize) {
    slice_ = {addr, addr, addr + uint64_t{tileSize} * sizeof(PrimType), memory_of(pos)};
    toprope::check_tensor(slice_);
  }
  /// A tensor over `slice`, as the framework hands it out.
  LocalTensor(TPosition pos, const toprope::Slice& slice, uint32_t elements)
      : slice_(slice), position_(pos), size_(elements) {}

  template <class Compute>
  LocalTensor& operator=(const TensorExpression<T, Compute>& e) {
    Compute::apply(*this, e.src0, e.src1);
    return *this;
  }

  PrimType GetValue(uint32_t index) const {
    return *static_cast<PrimType*>(toprope::scalar_access(at(index), sizeof(PrimType), false));
  }
  template <class V>
  void SetValue(uint32_t index, V value) const {
    *static_cast<PrimType*>(toprope::scalar_access(at(index), sizeof(PrimType), true)) = static_cast<PrimType>(value);
  }
  PrimType& operator()(uint32_t offset) const {
    return *static_cast<PrimType*>(toprope::scalar_access(at(offset), sizeof(PrimType), true));
  }
  /// A view that starts `offset` elements further; it ends where this tensor ends.
  LocalTensor operator[](uint32_t offset) const {
    LocalTensor view = *this;
    view.slice_.at += uint64_t{offset} * sizeof(PrimType);
    view.size_ = offset < size_ ? size_ - offset : 0;
    return view;
  }
  template <class Cast>
  LocalTensor<Cast> ReinterpretCast() const {
    return LocalTensor<Cast>(position_, slice_,
                             static_cast<uint32_t>(uint64_t{size_} * sizeof(PrimType) / sizeof(PrimT<Cast>)));
  }
  /// Becomes the view of `src` that starts `offset` of src's elements further.
  template <class S>
  void SetAddrWithOffset(const LocalTensor<S>& src, uint32_t offset) {
    *this = src[offset].template ReinterpretCast<T>();
  }

  __ubuf__ PrimType* GetPhyAddr() const { return GetPhyAddr(0); }
  __ubuf__ PrimType* GetPhyAddr(uint32_t offset) const {
    return reinterpret_cast<PrimType*>(toprope::host(toprope::core(), slice_.mem, at(offset).at));
  }
  TPosition GetPosition() const { return position_; }
  uint32_t GetSize() const { return size_; }              ///< elements
  void SetSize(uint32_t elements) { size_ = elements; }
  uint32_t GetLength() const { return size_ * static_cast<uint32_t>(sizeof(PrimType)); }  ///< bytes
  void SetBufferLen(uint32_t elements) { size_ = elements; }
  void SetUserTag(uint32_t tag) { tag_ = tag; }
  uint32_t GetUserTag() const { return tag_; }

  const toprope::Slice& slice() const { return slice_; }

 private:
  toprope::Slice at(uint32_t index) const {
    toprope::Slice s = slice_;
    s.at += uint64_t{index} * sizeof(PrimType);
    return s;
  }
  toprope::Slice slice_;
  TPosition position_ = TPosition::VECIN;
  uint32_t size_ = 0;
  uint32_t tag_ = 0;
};

template <class T>
class GlobalTensor {
 public:
  using PrimType = PrimT<T>;

  GlobalTensor() = default;
  /// Views `size` elements at `address`; without a size the tensor's end is not known and only the allocation bounds it.
  void SetGlobalBuffer(__gm__ PrimType* address, uint64_t size) {
    const uint64_t at = reinterpret_cast<uintptr_t>(address);
    slice_ = {at, at, at + size * sizeof(PrimType), toprope::Mem::GM};
    size_ = size;
  }
  void SetGlobalBuffer(__gm__ PrimType* address) {
    slice_ = {reinterpret_cast<uintptr_t>(address), 0, 0, toprope::Mem::GM};
    size_ = 0;
  }
  const __gm__ PrimType* GetPhyAddr() const { return reinterpret_cast<PrimType*>(slice_.at); }
  __gm__ PrimType* GetPhyAddr(uint64_t offset) const { return reinterpret_cast<PrimType*>(at(offset).at); }
  PrimType GetValue(uint64_t index) const {
    return *static_cast<PrimType*>(toprope::scalar_access(at(index), sizeof(PrimType), false));
  }
  void SetValue(uint64_t index, PrimType value) {
    *static_cast<PrimType*>(toprope::scalar_access(at(index), sizeof(PrimType), true)) = value;
  }
  PrimType& operator()(uint64_t offset) const {
    return *static_cast<PrimType*>(toprope::scalar_access(at(offset), sizeof(PrimType), true));
  }
  GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor view = *this;
    view.slice_ = at(offset);
    view.size_ = offset < size_ ? size_ - offset : 0;
    return view;
  }
  uint64_t GetSize() const { return size_; }  ///< elements

  const toprope::Slice& slice() const { return slice_; }

 private:
  toprope::Slice at(uint64_t index) const {
    toprope::Slice s = slice_;
    s.at += index * sizeof(PrimType);
    return s;
  }
  toprope::Slice slice_;
  uint64_t size_ = 0;
};

}  // namespace AscendC
