// Filling UB: one value everywhere, one value a DataBlock, or a number for each place.
// Source: Ascend C API, data filling.
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

inline constexpr DTypeSet kFillTypes =
    types::I16 | types::U16 | types::F16 | types::BF16 | types::I32 | types::U32 | types::F32;

/// Duplicate: dst[i] = value.
void duplicate(DType type, const VecOperand& dst, Scalar value, const VecShape& shape);

/// Brcb: each repeat takes 8 consecutive elements of src and fills a DataBlock of dst with each. A block
/// stride of 0 counts as 1. src and dst must not share bytes.
void brcb(DType type, const VecOperand& dst, const Slice& src, uint8_t repeats);

inline constexpr DTypeSet kIndexTypes = types::I16 | types::F16 | types::I32 | types::F32;

/// CreateVecIndex: dst[i] = first + i, rounded once; integers wrap. Places count through whole repeats,
/// whether their elements take part or not.
void create_index(DType type, const VecOperand& dst, Scalar first, const VecShape& shape);

}  // namespace toprope::isa
