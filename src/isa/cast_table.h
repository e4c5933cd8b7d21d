// The contiguous kernels of the conversions.
#pragma once
#include <cstddef>

#include "isa/map_kernel.h"
#include "isa/simd/targets.h"
#include "toprope/isa/cast.h"

namespace toprope::isa {

/// What the core's state adds to a conversion.
struct CastMode {
  bool saturate;  ///< half and bfloat16 results clamp instead of becoming inf
  float scale;    ///< int32_t to half
};

/// n elements; for int4b_t, which packs two in a byte, n is even. dst may start where src starts when its
/// elements are not wider: kernels never write beyond what they have read.
using CastKernel = void (*)(void* dst, const void* src, size_t n, const CastMode& mode);
/// The same for whole blocks that lie apart: to the nearest value only, for what each form of a conversion
/// costs to compile, and not for int4b_t.
using CastBlocksKernel = void (*)(void* dst, const void* src, Apart extent, const CastMode& mode);
using ReluCastKernel = void (*)(void* dst, const void* src0, const void* src1, size_t n, bool saturate);

struct CastTable {
  CastKernel at[kDTypes][kDTypes][kRounds] = {};  ///< [destination][source][rounding]
  CastBlocksKernel blocks[kDTypes][kDTypes][kRounds] = {};
  ReluCastKernel relu[kDTypes][kDTypes][2] = {};  ///< [destination][source][subtract]
};

extern const DispatchedTable cast_table;

}  // namespace toprope::isa
