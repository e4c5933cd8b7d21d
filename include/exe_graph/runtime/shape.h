// Extents of a tensor as host code of operators sees them: gert::Shape. Source: metadef API, Shape.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace gert {

/// Up to 25 extents; none is a scalar, which has one element.
class Shape {
 public:
  static constexpr size_t kMaxDimNum = 25;
  static constexpr int64_t kInvalidDimValue = INT64_MIN;

  Shape() = default;
  /// More than kMaxDimNum extents give a shape without extents.
  Shape(std::initializer_list<int64_t> dims) {
    if (dims.size() > kMaxDimNum) return;
    for (const int64_t dim : dims) dims_[dim_num_++] = dim;
  }

  size_t GetDimNum() const { return dim_num_; }
  /// New extents are 0.
  void SetDimNum(size_t dim_num) {
    if (dim_num > kMaxDimNum) return;
    for (size_t i = dim_num_; i < dim_num; ++i) dims_[i] = 0;
    dim_num_ = dim_num;
  }
  /// kInvalidDimValue where there is no such axis.
  int64_t GetDim(size_t idx) const { return idx < dim_num_ ? dims_[idx] : kInvalidDimValue; }
  int64_t operator[](size_t idx) const { return GetDim(idx); }
  void SetDim(size_t idx, int64_t value) {
    if (idx < kMaxDimNum) dims_[idx] = value;
  }
  /// Nothing is added beyond kMaxDimNum.
  Shape& AppendDim(int64_t dim) {
    if (dim_num_ < kMaxDimNum) dims_[dim_num_++] = dim;
    return *this;
  }
  bool IsScalar() const { return dim_num_ == 0; }
  void SetScalar() { dim_num_ = 0; }
  /// The product of the extents; -1 when one of them is negative, so not known yet.
  int64_t GetShapeSize() const {
    int64_t size = 1;
    for (size_t i = 0; i < dim_num_; ++i) {
      if (dims_[i] < 0) return -1;
      size *= dims_[i];
    }
    return size;
  }
  bool operator==(const Shape& other) const {
    if (dim_num_ != other.dim_num_) return false;
    for (size_t i = 0; i < dim_num_; ++i)
      if (dims_[i] != other.dims_[i]) return false;
    return true;
  }
  bool operator!=(const Shape& other) const { return !(*this == other); }

 private:
  size_t dim_num_ = 0;
  int64_t dims_[kMaxDimNum] = {};
};

}  // namespace gert
