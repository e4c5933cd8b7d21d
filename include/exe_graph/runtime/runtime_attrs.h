// The attributes of one call of an operator, by their place in the operator's definition. Source: metadef
// API, RuntimeAttrs.
#pragma once
#include <cstring>
#include <string>
#include <vector>

#include "exe_graph/runtime/continuous_vector.h"

namespace gert {

class RuntimeAttrs {
 public:
  size_t GetAttrNum() const { return values_.size(); }
  /// Null where there is no such attribute. T is what the definition says: bool, int64_t, float, char
  /// (a string), ContinuousVector for a list.
  template <class T>
  const T* GetAttrPointer(size_t index) const {
    return index < values_.size() ? reinterpret_cast<const T*>(values_[index].data()) : nullptr;
  }
  const bool* GetBool(size_t index) const { return GetAttrPointer<bool>(index); }
  const int64_t* GetInt(size_t index) const { return GetAttrPointer<int64_t>(index); }
  const float* GetFloat(size_t index) const { return GetAttrPointer<float>(index); }
  const char* GetStr(size_t index) const { return GetAttrPointer<char>(index); }
  const TypedContinuousVector<int64_t>* GetListInt(size_t index) const {
    return GetAttrPointer<TypedContinuousVector<int64_t>>(index);
  }
  const TypedContinuousVector<float>* GetListFloat(size_t index) const {
    return GetAttrPointer<TypedContinuousVector<float>>(index);
  }
  const ContinuousVectorVector* GetListListInt(size_t index) const {
    return GetAttrPointer<ContinuousVectorVector>(index);
  }

  /// How the framework adds the next attribute.
  template <class T>
  void append(const T& value) {
    put(&value, sizeof value);
  }
  void append(const std::string& text) { put(text.c_str(), text.size() + 1); }
  template <class T>
  void append_list(const T* items, size_t count) {
    std::vector<char> bytes = list_bytes(items, count);
    put(bytes.data(), bytes.size());
  }
  void append_lists(const std::vector<std::vector<int64_t>>& lists) {
    std::vector<size_t> head{lists.size()};
    std::vector<char> body;
    for (const auto& list : lists) {
      head.push_back((lists.size() + 1) * sizeof(size_t) + body.size());
      const std::vector<char> bytes = list_bytes(list.data(), list.size());
      body.insert(body.end(), bytes.begin(), bytes.end());
    }
    std::vector<char> all(reinterpret_cast<const char*>(head.data()),
                          reinterpret_cast<const char*>(head.data() + head.size()));
    all.insert(all.end(), body.begin(), body.end());
    put(all.data(), all.size());
  }

 private:
  template <class T>
  static std::vector<char> list_bytes(const T* items, size_t count) {
    const size_t head[] = {count, count};
    std::vector<char> bytes(sizeof head + count * sizeof(T));
    std::memcpy(bytes.data(), head, sizeof head);
    if (count) std::memcpy(bytes.data() + sizeof head, items, count * sizeof(T));
    return bytes;
  }
  // In 64-bit words, so that every type is aligned.
  void put(const void* from, size_t size) {
    std::vector<uint64_t> words((size + 7) / 8 + 1);
    std::memcpy(words.data(), from, size);
    values_.push_back(std::move(words));
  }

  std::vector<std::vector<uint64_t>> values_;
};

}  // namespace gert
