// Data types: the vendor's names for torch's, and single values of them.
#pragma once
#include <acl/acl_base.h>
#include <c10/core/ScalarType.h>

#include <complex>
#include <cstdint>
#include <optional>
#include <variant>

namespace toprope::opapi {

/// The torch type of a vendor type; none where torch has no such type (int4, uint1, ...).
std::optional<c10::ScalarType> scalar_type(aclDataType type);

/// The vendor's name without its prefix: "FLOAT16".
const char* type_name(aclDataType type);

/// One value of the type at `from`; none for a type that holds no numbers.
std::optional<std::variant<bool, int64_t, double, std::complex<double>>> read_number(const void* from,
                                                                                     aclDataType type);

}  // namespace toprope::opapi
