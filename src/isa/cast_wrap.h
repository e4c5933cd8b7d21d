// Conversions to integers that keep the low bits of what does not fit (SetSaturationFlag<CAST>(false)).
#pragma once
#include "isa/cast_table.h"

namespace toprope::isa {

/// Null where every value fits, or the destination is no integer: the usual conversion serves.
CastKernel wrapping_cast(DType to, DType from, Round round);

}  // namespace toprope::isa
