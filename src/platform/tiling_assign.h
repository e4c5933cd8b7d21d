// What tiling functions share: from a kernel's tiling struct to the class that hosts set,
// assign(optiling::X&, AscendC::tiling::X); sizes and extents as they count them.
#pragma once
#include "ascendc/host_api/tiling/tensor_shape.h"
#include "kernel_tiling/kernel_tiling.h"
#include "tiling/tiling_data.h"

namespace toprope::platform {

#define TILING_STRUCT(name) inline void assign(optiling::name& to, const AscendC::tiling::name& from) {
#define TILING_FIELD(type, field) to.set_##field(from.field);
#define TILING_ARRAY(type, size, field) to.set_##field(from.field);
#define TILING_NESTED(type, field) assign(to.field, from.field);
#define TILING_STRUCT_END(name) }
#include "kernel_tiling/structs.list"
#undef TILING_STRUCT
#undef TILING_FIELD
#undef TILING_ARRAY
#undef TILING_NESTED
#undef TILING_STRUCT_END

/// A size as the tiling functions report it.
inline uint32_t bytes(uint64_t size) { return size < UINT32_MAX ? static_cast<uint32_t>(size) : UINT32_MAX; }

inline uint32_t extent(const AscendC::TensorShape& shape, size_t axis) {
  return static_cast<uint32_t>(shape.GetDim(axis));
}

}  // namespace toprope::platform
