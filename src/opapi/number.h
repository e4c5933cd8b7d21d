// Data types: the vendor's names for torch's.
#pragma once
#include <acl/acl_base.h>
#include <c10/core/ScalarType.h>

#include <optional>

namespace toprope::opapi {

/// The torch type of a vendor type; none where torch has no such type (int4, uint1, ...).
std::optional<c10::ScalarType> scalar_type(aclDataType type);

/// The vendor's name without its prefix: "FLOAT16".
const char* type_name(aclDataType type);

}  // namespace toprope::opapi
