#include "opapi/number.h"

#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <cstring>

namespace toprope::opapi {
namespace {

template <class T>
T load(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

struct TypeRow {
  aclDataType acl;
  std::optional<c10::ScalarType> torch;
  const char* name;
};

constexpr TypeRow kTypes[] = {
    {ACL_FLOAT, c10::ScalarType::Float, "FLOAT"},
    {ACL_FLOAT16, c10::ScalarType::Half, "FLOAT16"},
    {ACL_BF16, c10::ScalarType::BFloat16, "BF16"},
    {ACL_DOUBLE, c10::ScalarType::Double, "DOUBLE"},
    {ACL_INT8, c10::ScalarType::Char, "INT8"},
    {ACL_INT16, c10::ScalarType::Short, "INT16"},
    {ACL_INT32, c10::ScalarType::Int, "INT32"},
    {ACL_INT64, c10::ScalarType::Long, "INT64"},
    {ACL_UINT8, c10::ScalarType::Byte, "UINT8"},
    {ACL_UINT16, c10::ScalarType::UInt16, "UINT16"},
    {ACL_UINT32, c10::ScalarType::UInt32, "UINT32"},
    {ACL_UINT64, c10::ScalarType::UInt64, "UINT64"},
    {ACL_BOOL, c10::ScalarType::Bool, "BOOL"},
    {ACL_COMPLEX64, c10::ScalarType::ComplexFloat, "COMPLEX64"},
    {ACL_COMPLEX128, c10::ScalarType::ComplexDouble, "COMPLEX128"},
    {ACL_COMPLEX32, c10::ScalarType::ComplexHalf, "COMPLEX32"},
    {ACL_HIFLOAT8, std::nullopt, "HIFLOAT8"},
    {ACL_FLOAT8_E5M2, c10::ScalarType::Float8_e5m2, "FLOAT8_E5M2"},
    {ACL_FLOAT8_E4M3FN, c10::ScalarType::Float8_e4m3fn, "FLOAT8_E4M3FN"},
    {ACL_FLOAT8_E8M0, c10::ScalarType::Float8_e8m0fnu, "FLOAT8_E8M0"},
    {ACL_INT4, std::nullopt, "INT4"},
    {ACL_UINT1, std::nullopt, "UINT1"},
    {ACL_STRING, std::nullopt, "STRING"},
};

const TypeRow* row_of(aclDataType type) {
  for (const TypeRow& row : kTypes) {
    if (row.acl == type) return &row;
  }
  return nullptr;
}

}  // namespace

std::optional<c10::ScalarType> scalar_type(aclDataType type) {
  const TypeRow* row = row_of(type);
  return row == nullptr ? std::nullopt : row->torch;
}

const char* type_name(aclDataType type) {
  const TypeRow* row = row_of(type);
  return row == nullptr ? "of a type unknown here" : row->name;
}

std::optional<std::variant<bool, int64_t, double, std::complex<double>>> read_number(const void* from,
                                                                                     aclDataType type) {
  switch (type) {
    case ACL_BOOL:
      return load<uint8_t>(from) != 0;
    case ACL_INT8:
      return int64_t{load<int8_t>(from)};
    case ACL_INT16:
      return int64_t{load<int16_t>(from)};
    case ACL_INT32:
      return int64_t{load<int32_t>(from)};
    case ACL_INT64:
      return load<int64_t>(from);
    case ACL_UINT8:
      return int64_t{load<uint8_t>(from)};
    case ACL_UINT16:
      return int64_t{load<uint16_t>(from)};
    case ACL_UINT32:
      return int64_t{load<uint32_t>(from)};
    case ACL_UINT64:
      return static_cast<int64_t>(load<uint64_t>(from));
    case ACL_FLOAT16:
      return double{static_cast<float>(load<c10::Half>(from))};
    case ACL_BF16:
      return double{static_cast<float>(load<c10::BFloat16>(from))};
    case ACL_FLOAT:
      return double{load<float>(from)};
    case ACL_DOUBLE:
      return load<double>(from);
    case ACL_COMPLEX64:
      return std::complex<double>(load<std::complex<float>>(from));
    case ACL_COMPLEX128:
      return load<std::complex<double>>(from);
    default:
      return std::nullopt;
  }
}

}  // namespace toprope::opapi
