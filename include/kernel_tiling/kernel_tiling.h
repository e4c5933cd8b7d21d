// The tiling data of high-level functions as kernels see it: plain structs, laid out as
// TilingDef::SaveToBuffer writes.
#pragma once
#include <cstdint>

#define TILING_STRUCT(name) struct name {
#define TILING_FIELD(type, field) type field = 0;
#define TILING_ARRAY(type, size, field) type field[size] = {};
#define TILING_NESTED(type, field) type field;
#define TILING_STRUCT_END(name) \
  }                             \
  ;
#include "kernel_tiling/structs.list"
#undef TILING_STRUCT
#undef TILING_FIELD
#undef TILING_ARRAY
#undef TILING_NESTED
#undef TILING_STRUCT_END
