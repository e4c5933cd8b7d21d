// A list in one piece of memory, the length first: how list attributes are handed to host code of operators.
// Source: metadef API, ContinuousVector, ContinuousVectorVector.
#pragma once
#include <cstddef>
#include <cstdint>

namespace gert {

/// The elements follow the object.
class ContinuousVector {
 public:
  size_t GetSize() const { return size_; }
  size_t GetCapacity() const { return capacity_; }
  const void* GetData() const { return this + 1; }

 private:
  size_t capacity_, size_;
};

template <class T>
class TypedContinuousVector : public ContinuousVector {
 public:
  const T* GetData() const { return static_cast<const T*>(ContinuousVector::GetData()); }
};

/// Lists of a list: after the object the byte offset of each from the object's begin, then the lists.
class ContinuousVectorVector {
 public:
  size_t GetSize() const { return size_; }
  /// Null where there is no such list.
  const ContinuousVector* Get(size_t index) const {
    if (index >= size_) return nullptr;
    const size_t offset = reinterpret_cast<const size_t*>(this + 1)[index];
    return reinterpret_cast<const ContinuousVector*>(reinterpret_cast<const char*>(this) + offset);
  }

 private:
  size_t size_;
};

}  // namespace gert
