// Inputs, outputs and attributes in an operator's definition. Source: Ascend C API, OpParamDef, OpAttrDef.
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/types.h"

namespace ops {

enum Option { IGNORE = 0, OPTIONAL = 1, REQUIRED = 2, DYNAMIC = 3, VIRTUAL = 4 };
enum class FollowType { ALL = 0, DTYPE = 1, FORMAT = 2, SHAPE = 3, INVALID_TYPE };
/// When the values of an input are needed: ALL, or TILING only.
enum class DependScope { ALL = 0, TILING = 1, INVALID_SCOPE };

enum class ScalarType : uint32_t {
  UINT64 = 0,
  INT64 = 1,
  UINT32 = 2,
  INT32 = 3,
  UINT16 = 4,
  INT16 = 5,
  UINT8 = 6,
  INT8 = 7,
  FLOAT32 = 8,
  FLOAT16 = 9,
  INVALID_DTYPE = static_cast<uint32_t>(-1),
};

union ScalarNum {
  uint64_t value_u64;
  int64_t value_i64;
  float value_f32;
  ScalarNum() : value_u64(0) {}
  explicit ScalarNum(uint64_t value) : value_u64(value) {}
  explicit ScalarNum(int64_t value) : value_i64(value) {}
  explicit ScalarNum(float value) : value_f32(value) {}
};

/// A value and the type it is written in.
struct ScalarVar {
  ScalarType scalar_type = ScalarType::INVALID_DTYPE;
  ScalarNum scalar_num;

  ScalarVar() = default;
  ScalarVar(ScalarType type, uint64_t num) : ScalarVar(type, static_cast<double>(num), num) {}
  ScalarVar(ScalarType type, int64_t num) : ScalarVar(type, static_cast<double>(num), num) {}
  ScalarVar(ScalarType type, int num) : ScalarVar(type, static_cast<int64_t>(num)) {}
  ScalarVar(ScalarType type, unsigned int num) : ScalarVar(type, static_cast<uint64_t>(num)) {}
  ScalarVar(ScalarType type, float num) : ScalarVar(type, static_cast<double>(num)) {}
  ScalarVar(ScalarType type, double num) : ScalarVar(type, num, static_cast<int64_t>(num)) {}
  bool operator==(const ScalarVar& other) const {
    return scalar_type == other.scalar_type && scalar_num.value_u64 == other.scalar_num.value_u64;
  }

 private:
  template <class Whole>
  ScalarVar(ScalarType type, double real, Whole whole) : scalar_type(type) {
    if (type == ScalarType::FLOAT32 || type == ScalarType::FLOAT16)
      scalar_num.value_f32 = static_cast<float>(real);
    else
      scalar_num.value_i64 = static_cast<int64_t>(whole);
  }
};

class OpParamDef {
 public:
  /// What was declared, for the framework to read.
  struct Declared {
    std::string name, comment, follow, to_name;
    Option type = OPTIONAL;
    std::vector<ge::DataType> types, types_for_query;
    std::vector<ge::Format> formats, formats_for_query;
    /// DataTypeList, FormatList: each combines with every row of the others.
    bool type_list = false, format_list = false;
    FollowType follow_type = FollowType::INVALID_TYPE;
    ge::DataType to_type = ge::DT_UNDEFINED;
    bool value_depend = false, shape_depends_on_compute = false, scalar = false, scalar_list = false;
    bool auto_contiguous = false, ignore_contiguous = false, zero_first = false;
    Option value_depend_option = IGNORE;
    DependScope value_depend_scope = DependScope::ALL;
    std::vector<ScalarVar> first_values;
    uint32_t version = 0;
  };

  explicit OpParamDef(const char* name) { declared_.name = name; }

  OpParamDef& ParamType(Option param_type) { return set(declared_.type, param_type); }
  /// The i-th type belongs to the i-th format, and to the i-th of every other operand.
  OpParamDef& DataType(std::vector<ge::DataType> types) {
    declared_.type_list = false;
    return set(declared_.types, std::move(types));
  }
  OpParamDef& DataTypeList(std::vector<ge::DataType> types) {
    declared_.type_list = true;
    return set(declared_.types, std::move(types));
  }
  OpParamDef& DataTypeForBinQuery(std::vector<ge::DataType> types) {
    return set(declared_.types_for_query, std::move(types));
  }
  OpParamDef& Format(std::vector<ge::Format> formats) {
    declared_.format_list = false;
    return set(declared_.formats, std::move(formats));
  }
  OpParamDef& FormatList(std::vector<ge::Format> formats) {
    declared_.format_list = true;
    return set(declared_.formats, std::move(formats));
  }
  OpParamDef& FormatForBinQuery(std::vector<ge::Format> formats) {
    return set(declared_.formats_for_query, std::move(formats));
  }
  /// Obsolete; without effect.
  OpParamDef& UnknownShapeFormat(std::vector<ge::Format>) { return *this; }
  OpParamDef& Follow(const char* paramName) { return Follow(paramName, FollowType::ALL); }
  OpParamDef& Follow(const char* paramName, FollowType ftype) {
    declared_.follow = paramName;
    return set(declared_.follow_type, ftype);
  }
  OpParamDef& To(const ge::DataType type) { return set(declared_.to_type, type); }
  OpParamDef& To(const char* name) { return set(declared_.to_name, std::string(name)); }
  OpParamDef& ValueDepend(Option value_depend) { return ValueDepend(value_depend, DependScope::ALL); }
  OpParamDef& ValueDepend(Option value_depend, DependScope scope) {
    declared_.value_depend = true;
    declared_.value_depend_option = value_depend;
    return set(declared_.value_depend_scope, scope);
  }
  OpParamDef& OutputShapeDependOnCompute() { return set(declared_.shape_depends_on_compute, true); }
  OpParamDef& Scalar() { return set(declared_.scalar, true); }
  OpParamDef& ScalarList() { return set(declared_.scalar_list, true); }
  OpParamDef& AutoContiguous() { return set(declared_.auto_contiguous, true); }
  OpParamDef& IgnoreContiguous() { return set(declared_.ignore_contiguous, true); }
  /// Only 0 is documented.
  OpParamDef& InitValue(uint64_t) { return set(declared_.zero_first, true); }
  OpParamDef& InitValue(const ScalarVar& value) { return set(declared_.first_values, {value}); }
  OpParamDef& InitValue(const std::vector<ScalarVar>& value) { return set(declared_.first_values, value); }
  OpParamDef& Version(uint32_t version) { return set(declared_.version, version); }
  OpParamDef& Comment(const char* comment) { return set(declared_.comment, std::string(comment)); }

  const Declared& declared() const { return declared_; }

 private:
  template <class T>
  OpParamDef& set(T& member, T value) {
    member = std::move(value);
    return *this;
  }

  Declared declared_;
};

class OpAttrDef {
 public:
  enum class Type { None, Bool, Float, Int, String, ListBool, ListFloat, ListInt, ListListInt };
  using Value = std::variant<std::monostate, bool, float, int64_t, std::string, std::vector<bool>,
                             std::vector<float>, std::vector<int64_t>, std::vector<std::vector<int64_t>>>;

  explicit OpAttrDef(const char* name) : name_(name) {}

  OpAttrDef& AttrType(Option attr_type) {
    required_ = attr_type == REQUIRED;
    return *this;
  }
  OpAttrDef& Bool() { return set(Type::Bool, {}); }
  OpAttrDef& Bool(bool value) { return set(Type::Bool, value); }
  OpAttrDef& Float() { return set(Type::Float, {}); }
  OpAttrDef& Float(float value) { return set(Type::Float, value); }
  OpAttrDef& Int() { return set(Type::Int, {}); }
  OpAttrDef& Int(int64_t value) { return set(Type::Int, value); }
  OpAttrDef& String() { return set(Type::String, {}); }
  OpAttrDef& String(const char* value) { return set(Type::String, std::string(value)); }
  OpAttrDef& ListBool() { return set(Type::ListBool, {}); }
  OpAttrDef& ListBool(std::vector<bool> value) { return set(Type::ListBool, std::move(value)); }
  OpAttrDef& ListFloat() { return set(Type::ListFloat, {}); }
  OpAttrDef& ListFloat(std::vector<float> value) { return set(Type::ListFloat, std::move(value)); }
  OpAttrDef& ListInt() { return set(Type::ListInt, {}); }
  OpAttrDef& ListInt(std::vector<int64_t> value) { return set(Type::ListInt, std::move(value)); }
  OpAttrDef& ListListInt() { return set(Type::ListListInt, {}); }
  OpAttrDef& ListListInt(std::vector<std::vector<int64_t>> value) {
    return set(Type::ListListInt, std::move(value));
  }
  OpAttrDef& Version(uint32_t version) {
    version_ = version;
    return *this;
  }
  OpAttrDef& Comment(const char* comment) {
    comment_ = comment;
    return *this;
  }
  ge::AscendString& GetName() const { return name_; }
  bool IsRequired() { return required_; }

  /// For the framework: the type, and the default value (monostate when there is none).
  Type type() const { return type_; }
  const Value& value() const { return value_; }
  bool required() const { return required_; }
  uint32_t version() const { return version_; }
  const std::string& comment() const { return comment_; }

 private:
  OpAttrDef& set(Type type, Value value) {
    type_ = type;
    value_ = std::move(value);
    return *this;
  }

  mutable ge::AscendString name_;  // GetName is documented as const and gives a reference
  std::string comment_;
  Type type_ = Type::None;
  Value value_;
  bool required_ = true;
  uint32_t version_ = 0;
};

}  // namespace ops
