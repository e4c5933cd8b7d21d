// A string of the graph engine's interfaces. Source: metadef API, AscendString. The guard is that of
// torch_npu's header, which has the same class.
#pragma once
#ifndef INC_EXTERNAL_GRAPH_ASCEND_STRING_H_
#define INC_EXTERNAL_GRAPH_ASCEND_STRING_H_
#include <cstddef>
#include <functional>
#include <string>

namespace ge {

class AscendString {
 public:
  AscendString() = default;
  /// Null is the empty string.
  AscendString(const char* text) : text_(text ? text : "") {}
  AscendString(const char* text, size_t length) : text_(text ? std::string(text, length) : "") {}

  const char* GetString() const { return text_.c_str(); }
  size_t GetLength() const { return text_.size(); }
  size_t Hash() const { return std::hash<std::string>()(text_); }
  bool operator<(const AscendString& other) const { return text_ < other.text_; }
  bool operator>(const AscendString& other) const { return text_ > other.text_; }
  bool operator<=(const AscendString& other) const { return text_ <= other.text_; }
  bool operator>=(const AscendString& other) const { return text_ >= other.text_; }
  bool operator==(const AscendString& other) const { return text_ == other.text_; }
  bool operator!=(const AscendString& other) const { return text_ != other.text_; }

 private:
  std::string text_;
};

}  // namespace ge

#endif
