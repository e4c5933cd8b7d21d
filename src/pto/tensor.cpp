#include "pto/tensor.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "pto/context.h"
#include "pto/dtype.h"
#include "pto/status.h"

namespace pto {

void release(pto_tensor* t) noexcept {
  if (!t || t->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (t->owned) std::free(t->data);
  delete t;
}

std::string text_of(int rank, const int64_t* shape) {
  std::string text = "[";
  for (int i = 0; i < rank; ++i) text += fmt::format("{}{}", i ? ", " : "", shape[i]);
  return text + "]";
}

namespace {

pto_tensor* make(pto_dtype dtype, int rank, const int64_t* shape) {
  if (!known(dtype))
    throw Error(PTO_INVALID_ARGUMENT, fmt::format("{} is no element type", static_cast<int>(dtype)));
  if (rank < 0 || rank > PTO_MAX_RANK)
    throw Error(PTO_INVALID_ARGUMENT,
                fmt::format("rank {}: a tensor has 0 to {} dimensions", rank, PTO_MAX_RANK));
  if (rank && !shape) throw Error(PTO_INVALID_ARGUMENT, "shape is null");
  auto* t = new pto_tensor;
  t->dtype = dtype;
  t->rank = rank;
  int64_t bytes = static_cast<int64_t>(size_of(dtype)), elements = 1;
  bool negative = false, huge = false;
  for (int i = 0; i < rank; ++i) {
    t->shape[i] = shape[i];
    negative |= shape[i] < 0;
    huge |= __builtin_mul_overflow(bytes, shape[i] ? shape[i] : 1, &bytes);
    elements = shape[i] && !huge ? elements * shape[i] : elements;
  }
  for (int i = 0; i < rank; ++i)
    if (shape[i] == 0) elements = 0;
  if (negative || huge) {
    delete t;
    const std::string text = text_of(rank, shape);
    throw negative ? Error(PTO_INVALID_ARGUMENT, "shape " + text + " has a negative size")
                   : Error(PTO_OUT_OF_MEMORY, "shape " + text + " is larger than the address space");
  }
  t->elements = elements;
  t->bytes = static_cast<size_t>(elements) * size_of(dtype);
  t->read_only = false;
  return t;
}

void require(const void* pointer, const char* name) {
  if (!pointer) throw Error(PTO_INVALID_ARGUMENT, std::string(name) + " is null");
}

void same_bytes(const pto_tensor* t, size_t bytes) {
  if (bytes != t->bytes)
    throw Error(PTO_SHAPE_MISMATCH,
                fmt::format("{} bytes were given for a {} tensor of shape {}, which has {}", bytes,
                            pto_dtype_name(t->dtype), text_of(t->rank, t->shape), t->bytes));
}

}  // namespace
}  // namespace pto

using namespace pto;

pto_status pto_tensor_create(pto_dtype dtype, int rank, const int64_t* shape, pto_tensor** tensor) {
  return guarded([&] {
    require(tensor, "tensor");
    *tensor = nullptr;
    pto_tensor* t = make(dtype, rank, shape);
    const size_t room = (t->bytes + 63) / 64 * 64 + 64;
    t->data = std::aligned_alloc(64, room);
    if (!t->data) {
      const std::string text = fmt::format("no memory for {} bytes, a {} tensor of shape {}", t->bytes,
                                           pto_dtype_name(dtype), text_of(rank, shape));
      delete t;
      throw Error(PTO_OUT_OF_MEMORY, text);
    }
    std::memset(t->data, 0, t->bytes);
    t->device = current_device();
    t->owned = true;
    *tensor = t;
  });
}

pto_status pto_tensor_wrap(pto_dtype dtype, int rank, const int64_t* shape, void* data, int read_only,
                           pto_tensor** tensor) {
  return guarded([&] {
    require(tensor, "tensor");
    *tensor = nullptr;
    pto_tensor* t = make(dtype, rank, shape);
    if (!data && t->elements) {
      delete t;
      throw Error(PTO_INVALID_ARGUMENT, "data is null");
    }
    t->data = data;
    t->device = PTO_HOST;
    t->owned = false;
    t->read_only = read_only != 0;
    *tensor = t;
  });
}

void pto_tensor_free(pto_tensor* tensor) { release(tensor); }

pto_status pto_tensor_write(pto_tensor* tensor, const void* source, size_t bytes) {
  return guarded([&] {
    require(tensor, "tensor");
    same_bytes(tensor, bytes);
    if (tensor->read_only) throw Error(PTO_READ_ONLY, "the tensor is read-only");
    if (bytes) {
      require(source, "source");
      std::memmove(tensor->data, source, bytes);
    }
  });
}

pto_status pto_tensor_read(const pto_tensor* tensor, void* destination, size_t bytes) {
  return guarded([&] {
    require(tensor, "tensor");
    same_bytes(tensor, bytes);
    if (bytes) {
      require(destination, "destination");
      std::memmove(destination, tensor->data, bytes);
    }
  });
}

pto_status pto_tensor_copy(pto_tensor* destination, const pto_tensor* source) {
  return guarded([&] {
    require(destination, "destination");
    require(source, "source");
    if (destination->dtype != source->dtype)
      throw Error(PTO_TYPE_MISMATCH,
                  fmt::format("a {} tensor cannot be copied to a {} one; cvt converts",
                              pto_dtype_name(source->dtype), pto_dtype_name(destination->dtype)));
    const std::string from = text_of(source->rank, source->shape),
                      to = text_of(destination->rank, destination->shape);
    if (from != to)
      throw Error(PTO_SHAPE_MISMATCH,
                  "a tensor of shape " + from + " cannot be copied to one of shape " + to);
    if (destination->read_only) throw Error(PTO_READ_ONLY, "the destination is read-only");
    if (source->bytes) std::memmove(destination->data, source->data, source->bytes);
  });
}

pto_dtype pto_tensor_dtype(const pto_tensor* t) { return t->dtype; }
int pto_tensor_rank(const pto_tensor* t) { return t->rank; }
const int64_t* pto_tensor_shape(const pto_tensor* t) { return t->shape; }
size_t pto_tensor_bytes(const pto_tensor* t) { return t->bytes; }
int pto_tensor_device(const pto_tensor* t) { return t->device; }
void* pto_tensor_data(const pto_tensor* t) { return t->data; }
