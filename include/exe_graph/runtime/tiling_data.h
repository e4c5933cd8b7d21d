// Where a tiling function puts what the kernel reads. Source: metadef API, TilingData.
#pragma once
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "graph/ge_error_codes.h"

namespace gert {

class TilingData {
 public:
  explicit TilingData(size_t capacity) : words_((capacity + 7) / 8), capacity_(capacity) {}

  /// Bytes.
  size_t GetCapacity() const { return capacity_; }
  size_t GetDataSize() const { return size_; }
  void SetDataSize(size_t size) { size_ = size; }
  void* GetData() { return words_.data(); }
  const void* GetData() const { return words_.data(); }
  /// Fails when it does not fit.
  template <class T>
  ge::graphStatus Append(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "tiling data are bytes");
    if (size_ + sizeof value > capacity_) return ge::GRAPH_FAILED;
    std::memcpy(static_cast<char*>(GetData()) + size_, &value, sizeof value);
    size_ += sizeof value;
    return ge::GRAPH_SUCCESS;
  }

 private:
  std::vector<uint64_t> words_;
  size_t capacity_, size_ = 0;
};

}  // namespace gert
