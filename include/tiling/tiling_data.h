// The tiling data of high-level functions as hosts set it: one class of namespace optiling for each struct.
#pragma once
#include "register/tilingdata_base.h"

namespace optiling {

#define TILING_STRUCT(name) BEGIN_TILING_DATA_DEF(name)
#define TILING_FIELD(type, field) TILING_DATA_FIELD_DEF(type, field);
#define TILING_ARRAY(type, size, field) TILING_DATA_FIELD_DEF_ARR(type, size, field);
#define TILING_NESTED(type, field) TILING_DATA_FIELD_DEF_STRUCT(type, field);
#define TILING_STRUCT_END(name) END_TILING_DATA_DEF;
#include "kernel_tiling/structs.list"
#undef TILING_STRUCT
#undef TILING_FIELD
#undef TILING_ARRAY
#undef TILING_NESTED
#undef TILING_STRUCT_END

}  // namespace optiling
