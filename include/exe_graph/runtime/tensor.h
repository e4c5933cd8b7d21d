// Operands as host code of operators sees them: what is known of every one (CompileTimeTensorDesc) and, where
// the values are there too, the tensor. Source: metadef API, CompileTimeTensorDesc, Tensor.
#pragma once
#include "exe_graph/runtime/storage_shape.h"
#include "graph/types.h"

namespace gert {

class CompileTimeTensorDesc {
 public:
  CompileTimeTensorDesc() = default;
  CompileTimeTensorDesc(ge::DataType type, ge::Format origin, ge::Format storage)
      : type_(type), origin_(origin), storage_(storage) {}

  ge::DataType GetDataType() const { return type_; }
  /// Of the tensor before any conversion, and of its memory.
  ge::Format GetOriginFormat() const { return origin_; }
  ge::Format GetStorageFormat() const { return storage_; }

 private:
  ge::DataType type_ = ge::DT_UNDEFINED;
  ge::Format origin_ = ge::FORMAT_ND, storage_ = ge::FORMAT_ND;
};

class Tensor {
 public:
  Tensor() = default;
  /// `data` null: the values are not there for the host.
  Tensor(const StorageShape& shape, const CompileTimeTensorDesc& desc, const void* data = nullptr)
      : shape_(shape), desc_(desc), data_(data) {}

  const StorageShape& GetShape() const { return shape_; }
  const Shape& GetOriginShape() const { return shape_.GetOriginShape(); }
  const Shape& GetStorageShape() const { return shape_.GetStorageShape(); }
  /// Elements of the memory.
  int64_t GetShapeSize() const { return shape_.GetStorageShape().GetShapeSize(); }
  ge::DataType GetDataType() const { return desc_.GetDataType(); }
  ge::Format GetOriginFormat() const { return desc_.GetOriginFormat(); }
  ge::Format GetStorageFormat() const { return desc_.GetStorageFormat(); }
  /// The values in host memory; null unless the operator declares with ValueDepend that it reads them, and
  /// they are there.
  template <class T>
  const T* GetData() const {
    return static_cast<const T*>(data_);
  }
  const void* GetAddr() const { return data_; }

 private:
  StorageShape shape_;
  CompileTimeTensorDesc desc_;
  const void* data_ = nullptr;
};

}  // namespace gert
