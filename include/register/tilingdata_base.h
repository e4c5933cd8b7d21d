// Tiling data as a class of named fields: the host sets and saves them, a kernel reads the same bytes as a
// plain struct. Fields lie as in a C struct with natural alignment. Source: Ascend C API, TilingData
// definition and registration.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "securec.h"

namespace optiling {

/// What every class of BEGIN_TILING_DATA_DEF is.
class TilingDef {
 public:
  explicit TilingDef(const char* class_name) : class_name_(class_name) {}
  virtual ~TilingDef() = default;
  TilingDef(const TilingDef&) = default;
  TilingDef& operator=(const TilingDef&) = default;

  const char* GetTilingClassName() const { return class_name_; }
  /// Bytes of the kernel's struct.
  size_t GetDataSize() const { return rounded_up(end_, alignment_); }
  /// Writes the struct; throws std::length_error when it is larger than `capacity`.
  [[gnu::noinline]] void SaveToBuffer(void* buffer, size_t capacity) const {
    if (capacity < GetDataSize())
      throw std::length_error(std::string(class_name_) + "::SaveToBuffer: the tiling data has " +
                              std::to_string(GetDataSize()) + " bytes, the buffer " +
                              std::to_string(capacity));
    std::memset(buffer, 0, GetDataSize());
    write(static_cast<uint8_t*>(buffer));
  }
  /// One member as the kernel's struct has it: "float ratio", "uint16_t list[3]".
  struct Member {
    const char* type;
    const char* name;
    size_t count;  ///< of an array; 0: a single value
    const TilingDef* nested;
  };
  std::vector<Member> members() const {
    std::vector<Member> all;
    for (const Field& field : fields_)
      all.push_back({field.type, field.name, field.count,
                     field.nested ? reinterpret_cast<const TilingDef*>(reinterpret_cast<const char*>(this) +
                                                                       field.member)
                                  : nullptr});
    return all;
  }
  void CheckAlignAndGenPlaceHolder() {}
  void SetDataPtr(void*) {}

 protected:
  /// Remembers a field in the order of the calls; the result is the field's first value.
  template <class T>
  T record(const T* field, const char* type, const char* name) {
    static_assert(std::is_arithmetic_v<T>, "a tiling field is an integer or a float, or a tiling class");
    add(field, sizeof(T), sizeof(T), {type, name, 0, nullptr});
    return T{};
  }
  template <class T, size_t N>
  bool record(const T (&field)[N], const char* type, const char* name) {
    static_assert(std::is_arithmetic_v<T>, "a tiling field is an integer or a float, or a tiling class");
    add(field, sizeof(field), sizeof(T), {type, name, N, nullptr});
    return true;
  }
  bool record(const TilingDef& field, const char* type, const char* name) {
    add(&field, field.GetDataSize(), field.alignment_, {type, name, 0, &field});
    return true;
  }

 private:
  struct Field {
    ptrdiff_t member;  ///< bytes from this object to the member, so that copies stay right
    size_t offset, size;
    bool nested;
    const char* type;
    const char* name;
    size_t count;
  };

  static size_t rounded_up(size_t size, size_t unit) { return (size + unit - 1) / unit * unit; }

  // A class calls it for each of its fields: as a call it spares its hosts a good part of their compile.
  [[gnu::noinline]] void add(const void* field, size_t size, size_t alignment, const Member& is) {
    const ptrdiff_t member = static_cast<const char*>(field) - reinterpret_cast<const char*>(this);
    end_ = rounded_up(end_, alignment);
    fields_.push_back({member, end_, size, is.nested != nullptr, is.type, is.name, is.count});
    end_ += size;
    if (alignment > alignment_) alignment_ = alignment;
  }

  [[gnu::noinline]] void write(uint8_t* buffer) const {
    for (const Field& field : fields_) {
      const char* member = reinterpret_cast<const char*>(this) + field.member;
      if (field.nested)
        reinterpret_cast<const TilingDef*>(member)->write(buffer + field.offset);
      else
        std::memcpy(buffer + field.offset, member, field.size);
    }
  }

  const char* class_name_;
  std::vector<Field> fields_;
  size_t end_ = 0, alignment_ = 1;
};

/// Which tiling class belongs to which operator.
class CTilingDataClassFactory {
 public:
  using Maker = std::shared_ptr<TilingDef> (*)();
  [[gnu::noinline]] static void RegisterTilingData(const char* op_type, Maker maker) {
    makers()[op_type] = maker;
  }
  /// What classes are registered for.
  static std::vector<std::string> Registered() {
    std::vector<std::string> names;
    for (const auto& [name, maker] : makers()) names.push_back(name);
    return names;
  }
  /// A new object of the operator's class, null when none is registered.
  static std::shared_ptr<TilingDef> CreateTilingDataInstance(const std::string& op_type) {
    const auto found = makers().find(op_type);
    return found == makers().end() ? nullptr : found->second();
  }

 private:
  static std::map<std::string, Maker>& makers() {
    static std::map<std::string, Maker> all;
    return all;
  }
};

}  // namespace optiling

#define BEGIN_TILING_DATA_DEF(class_name)           \
  class class_name : public ::optiling::TilingDef { \
   public:                                          \
    class_name() : ::optiling::TilingDef(#class_name) {}

#define TILING_DATA_FIELD_DEF(data_type, field_name)                \
 public:                                                            \
  void set_##field_name(data_type value) { field_name##_ = value; } \
  data_type get_##field_name() const { return field_name##_; }      \
                                                                    \
 private:                                                           \
  data_type field_name##_ = this->record(&field_name##_, #data_type, #field_name)

/// set_ copies arr_size elements; the caller's array has at least as many.
#define TILING_DATA_FIELD_DEF_ARR(arr_type, arr_size, field_name) \
 public:                                                          \
  void set_##field_name(const arr_type* values) {                 \
    std::memcpy(field_name##_, values, sizeof field_name##_);     \
  }                                                               \
  arr_type* get_##field_name() { return field_name##_; }          \
                                                                  \
 private:                                                         \
  arr_type field_name##_[arr_size] = {};                          \
  bool field_name##_recorded_ = this->record(field_name##_, #arr_type, #field_name)

#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name) \
 public:                                                      \
  struct_type field_name;                                     \
                                                              \
 private:                                                     \
  bool field_name##_recorded_ = this->record(field_name, #struct_type, #field_name)

#define END_TILING_DATA_DEF }

#define REGISTER_TILING_DATA_CLASS(op_type, class_name)                                                \
  [[maybe_unused]] static const bool op_type##class_name##_registered =                                \
      (::optiling::CTilingDataClassFactory::RegisterTilingData(                                        \
           #op_type,                                                                                   \
           []() -> std::shared_ptr<::optiling::TilingDef> { return std::make_shared<class_name>(); }), \
       true);
