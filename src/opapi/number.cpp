#include "opapi/number.h"

namespace toprope::opapi {
namespace {

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

}  // namespace toprope::opapi
