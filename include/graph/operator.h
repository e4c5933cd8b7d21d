// A node of a graph with its attributes, as parsers of framework models set them. There is no graph engine
// here: the object carries attributes and nothing more. Source: metadef API, Operator. torch_npu brings a
// header of the same name; where it is on the path, it is the one.
#pragma once
#if __has_include_next("graph/operator.h")
#include_next "graph/operator.h"
#else
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/types.h"

namespace ge {

class Operator {
 public:
  using Value = std::variant<bool, int64_t, float, AscendString, std::vector<bool>, std::vector<int64_t>,
                             std::vector<float>, std::vector<AscendString> >;

  Operator() = default;
  Operator(const char* name, const char* type) : name_(name), type_(type) {}

  graphStatus GetName(AscendString& name) const {
    name = name_;
    return GRAPH_SUCCESS;
  }
  graphStatus GetOpType(AscendString& type) const {
    type = type_;
    return GRAPH_SUCCESS;
  }

  Operator& SetAttr(const char* name, bool value) { return set(name, value); }
  Operator& SetAttr(const char* name, int64_t value) { return set(name, value); }
  Operator& SetAttr(const char* name, int32_t value) { return set(name, int64_t{value}); }
  Operator& SetAttr(const char* name, uint32_t value) { return set(name, int64_t{value}); }
  Operator& SetAttr(const char* name, float value) { return set(name, value); }
  Operator& SetAttr(const char* name, const char* value) { return set(name, AscendString(value)); }
  Operator& SetAttr(const char* name, const AscendString& value) { return set(name, value); }
  Operator& SetAttr(const char* name, const std::vector<bool>& value) { return set(name, value); }
  Operator& SetAttr(const char* name, const std::vector<int64_t>& value) { return set(name, value); }
  Operator& SetAttr(const char* name, const std::vector<float>& value) { return set(name, value); }
  Operator& SetAttr(const char* name, const std::vector<AscendString>& value) { return set(name, value); }

  /// GRAPH_FAILED when there is no attribute of this name and type.
  template <class T>
  graphStatus GetAttr(const char* name, T& value) const {
    const auto found = attrs_.find(name);
    if (found == attrs_.end()) return GRAPH_FAILED;
    const T* held = std::get_if<T>(&found->second);
    if (!held) return GRAPH_FAILED;
    value = *held;
    return GRAPH_SUCCESS;
  }

 private:
  Operator& set(const char* name, Value value) {
    attrs_.insert_or_assign(name, std::move(value));
    return *this;
  }

  AscendString name_, type_;
  std::map<std::string, Value> attrs_;
};

}  // namespace ge

#endif
