// The objects that aclnn calls take: a description of a tensor in device memory, a number, lists of those.
// The C types of the operator library are these structures.
#pragma once
#include <acl/acl_base.h>

#include <complex>
#include <cstdint>
#include <variant>
#include <vector>

struct aclTensor {
  std::vector<int64_t> shape;    ///< of the view
  std::vector<int64_t> strides;  ///< of the view, in elements
  std::vector<int64_t> storage;  ///< shape of the memory in its format
  int64_t offset;                ///< of the view's first element, in elements
  aclDataType type;
  aclFormat format;
  void* data;  ///< first byte of the storage
};

struct aclScalar {
  std::variant<bool, int64_t, double, std::complex<double>> value;
  aclDataType type;
};

template <class T>
struct ListOf {
  std::vector<T> items;
};

struct aclIntArray : ListOf<int64_t> {};
struct aclFloatArray : ListOf<float> {};
struct aclBoolArray : ListOf<char> {};  // a vector<bool> gives no pointers to its items
struct aclTensorList : ListOf<const aclTensor*> {};
struct aclScalarList : ListOf<const aclScalar*> {};
