// Tensors: what the C API's handle is. Counted references, so that an instruction keeps what is bound to it.
#pragma once
#include <atomic>
#include <string>

#include "pto/pto.h"

struct pto_tensor {
  std::atomic<int> references{1};
  pto_dtype dtype;
  int rank;
  int64_t shape[PTO_MAX_RANK];
  int64_t elements;
  size_t bytes;
  void* data;
  int device;  ///< PTO_HOST for wrapped memory
  bool owned, read_only;
};

namespace pto {

inline pto_tensor* retain(pto_tensor* t) {
  t->references.fetch_add(1, std::memory_order_relaxed);
  return t;
}
void release(pto_tensor* t) noexcept;

/// "[2, 3]".
std::string text_of(int rank, const int64_t* shape);

}  // namespace pto
