// GlobalTensor and LocalTensor: typed views of memory. Copies and views alias; nothing here owns anything.
// Source: Ascend C API, data structures, LocalTensor and GlobalTensor.
#pragma once
#include <type_traits>

#include "basic_api/kernel_common.h"
#include "basic_api/kernel_struct_shape.h"
#include "toprope/machine/access.h"
#include "toprope/machine/local_array.h"  // what the driver makes of `__ubuf__ float x[256];`
#include "toprope/machine/print.h"

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

using TTagType = int32_t;

template <class T>
class LocalTensor {
 public:
  using PrimType = PrimT<T>;

  LocalTensor() = default;
  /// Static tensor programming: `tileSize` elements from byte `addr` of the memory behind `pos`.
  [[gnu::always_inline]] LocalTensor(TPosition pos, uint32_t addr, uint32_t tileSize)
      : position_(pos), size_(tileSize) {
    slice_ = {addr, addr, addr + detail::bytes_of<PrimType>(tileSize), memory_of(pos)};
    toprope::check_tensor(slice_);
  }
  /// A tensor over `slice`, as the framework hands it out.
  LocalTensor(TPosition pos, const toprope::Slice& slice, uint32_t elements)
      : slice_(slice), position_(pos), size_(elements) {}

  template <class S, class Compute>
  [[gnu::always_inline]] LocalTensor& operator=(const TensorExpression<S, Compute>& e) {
    Compute::apply(*this, e.src0, e.src1);
    return *this;
  }

  [[gnu::always_inline]] PrimType GetValue(uint32_t index) const {
    return *static_cast<PrimType*>(toprope::scalar_access(at(index), sizeof(PrimType), false));
  }
  template <class V>
  [[gnu::always_inline]] void SetValue(uint32_t index, V value) const {
    *static_cast<PrimType*>(toprope::scalar_access(at(index), sizeof(PrimType), true)) =
        static_cast<PrimType>(value);
  }
  [[gnu::always_inline]] PrimType& operator()(uint32_t offset) const {
    return *static_cast<PrimType*>(toprope::scalar_access(at(offset), sizeof(PrimType), true));
  }
  /// A view that starts `offset` elements further; it ends where this tensor ends.
  LocalTensor operator[](uint32_t offset) const {
    LocalTensor view = *this;
    view.slice_.at += detail::bytes_of<PrimType>(offset);
    view.size_ = offset < size_ ? size_ - offset : 0;
    return view;
  }
  template <class Cast>
  LocalTensor<Cast> ReinterpretCast() const {
    return LocalTensor<Cast>(
        position_, slice_,
        static_cast<uint32_t>(detail::elements_in<PrimT<Cast>>(detail::bytes_of<PrimType>(size_))));
  }
  /// Becomes the view of `src` that starts `offset` of src's elements further.
  template <class S>
  void SetAddrWithOffset(const LocalTensor<S>& src, uint32_t offset) {
    *this = src[offset].template ReinterpretCast<T>();
  }

  [[gnu::always_inline]] __ubuf__ PrimType* GetPhyAddr() const { return GetPhyAddr(0); }
  [[gnu::always_inline]] __ubuf__ PrimType* GetPhyAddr(uint32_t offset) const {
    return reinterpret_cast<PrimType*>(toprope::host(toprope::core(), slice_.mem, at(offset).at));
  }
  int32_t GetPosition() const { return static_cast<int32_t>(position_); }  ///< a TPosition
  uint32_t GetSize() const { return size_; }                               ///< elements
  void SetSize(uint32_t elements) { size_ = elements; }
  uint32_t GetLength() const { return static_cast<uint32_t>(detail::bytes_of<PrimType>(size_)); }  ///< bytes
  void SetBufferLen(uint32_t elements) { size_ = elements; }
  void SetUserTag(const TTagType tag) { tag_ = tag; }
  TTagType GetUserTag() const { return tag_; }
  [[gnu::always_inline]] void SetShapeInfo(const ShapeInfo& shapeInfo) {
    shape_ = toprope::keep(&shapeInfo, sizeof shapeInfo);
  }
  /// What SetShapeInfo gave; without dimensions before.
  ShapeInfo GetShapeInfo() const { return shape_ ? *static_cast<const ShapeInfo*>(shape_) : ShapeInfo(); }

  /// Prints the elements (the first `len`), a DataBlock of 32 bytes a line.
  [[gnu::always_inline]] void Print() const { Print(size_); }
  [[gnu::always_inline]] void Print(uint32_t len) const {
    toprope::print_rows(slice_, toprope::dtype_of<PrimType>, len);
  }
  /// Writes the elements' bytes to a file in the working directory; 0 when that worked.
  template <class Name>
  [[gnu::always_inline]] int32_t ToFile(const Name& fileName) const {
    if constexpr (std::is_convertible_v<Name, const char*>)
      return toprope::write_to_file(slice_, GetLength(), fileName);
    else
      return toprope::write_to_file(slice_, GetLength(), fileName.c_str());
  }

  const toprope::Slice& slice() const { return slice_; }
  const void* shape() const { return shape_; }
  /// What a queue kept with the tensor.
  void attach(TTagType tag, const void* shape) {
    tag_ = tag;
    shape_ = shape;
  }

 private:
  toprope::Slice at(uint32_t index) const {
    toprope::Slice s = slice_;
    s.at += detail::bytes_of<PrimType>(index);
    return s;
  }
  toprope::Slice slice_;
  TPosition position_ = TPosition::VECIN;
  uint32_t size_ = 0;
  TTagType tag_ = 0;
  const void* shape_ = nullptr;  // a ShapeInfo that lives until the block ends
};

enum class CacheMode : uint8_t { CACHE_MODE_DISABLE = 0, CACHE_MODE_NORMAL = 1, CACHE_MODE_PERSISTENT = 4 };
enum CacheRwMode { READ = 1, WRITE = 2, RW = 3 };

template <class T>
class GlobalTensor {
 public:
  using PrimType = PrimT<T>;

  GlobalTensor() = default;
  /// Views `size` elements at `address`; without a size the tensor's end is not known and only the allocation
  /// bounds it.
  void SetGlobalBuffer(__gm__ PrimType* address, uint64_t size) {
    const uint64_t at = reinterpret_cast<uintptr_t>(address);
    slice_ = {at, at, at + size * sizeof(PrimType), toprope::Mem::GM, past_l2()};
    size_ = size;
  }
  void SetGlobalBuffer(__gm__ PrimType* address) {
    slice_ = {reinterpret_cast<uintptr_t>(address), 0, 0, toprope::Mem::GM, past_l2()};
    size_ = 0;
  }
  const __gm__ PrimType* GetPhyAddr() const { return reinterpret_cast<PrimType*>(slice_.at); }
  __gm__ PrimType* GetPhyAddr(uint64_t offset) const { return reinterpret_cast<PrimType*>(at(offset).at); }
  [[gnu::always_inline]] PrimType GetValue(uint64_t index) const {
    return *static_cast<PrimType*>(toprope::scalar_access(at(index), sizeof(PrimType), false));
  }
  [[gnu::always_inline]] void SetValue(uint64_t index, PrimType value) {
    *static_cast<PrimType*>(toprope::scalar_access(at(index), sizeof(PrimType), true)) = value;
  }
  [[gnu::always_inline]] PrimType& operator()(uint64_t offset) const {
    return *static_cast<PrimType*>(toprope::scalar_access(at(offset), sizeof(PrimType), true));
  }
  GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor view = *this;
    view.slice_ = at(offset);
    view.size_ = offset < size_ ? size_ - offset : 0;
    return view;
  }
  uint64_t GetSize() const { return size_; }  ///< elements
  template <class Cast>
  GlobalTensor<Cast> ReinterpretCast() const {
    GlobalTensor<Cast> view;
    view.slice_ = slice_;
    view.size_ = size_ * sizeof(PrimType) / sizeof(PrimT<Cast>);
    view.shape_ = shape_;
    view.cache_ = cache_;
    return view;
  }
  [[gnu::always_inline]] void SetShapeInfo(const ShapeInfo& shapeInfo) {
    shape_ = toprope::keep(&shapeInfo, sizeof shapeInfo);
  }
  /// What SetShapeInfo gave; without dimensions before.
  ShapeInfo GetShapeInfo() const { return shape_ ? *static_cast<const ShapeInfo*>(shape_) : ShapeInfo(); }
  /// Whether copies of this tensor go through the L2 cache: a matter of time only, results are the same.
  template <CacheRwMode rwMode = CacheRwMode::RW>
  void SetL2CacheHint(CacheMode mode) {
    cache_ = mode;
    slice_.past_l2 = past_l2();
  }

  const toprope::Slice& slice() const { return slice_; }
  CacheMode cache_mode() const { return cache_; }

 private:
  template <class>
  friend class GlobalTensor;
  bool past_l2() const { return cache_ == CacheMode::CACHE_MODE_DISABLE; }
  toprope::Slice at(uint64_t index) const {
    toprope::Slice s = slice_;
    s.at += index * sizeof(PrimType);
    return s;
  }
  toprope::Slice slice_{0, 0, 0, toprope::Mem::GM};
  uint64_t size_ = 0;
  const void* shape_ = nullptr;  // a ShapeInfo that lives until the block ends
  CacheMode cache_ = CacheMode::CACHE_MODE_NORMAL;
};

}  // namespace AscendC

#include "basic_api/kernel_local_mem_allocator.h"
