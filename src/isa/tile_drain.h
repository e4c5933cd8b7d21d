// What happens to elements on their way out of an accumulator: quantisation, activation, conversion.
// Source: PTO ISA pages TSTORE, TSTORE_FP, TMOV_FP, TEXTRACT_FP, TINSERT_FP; Ascend C API, Fixpipe.
#pragma once
#include "isa/tile_walk.h"
#include "toprope/isa/tile_move.h"

namespace toprope::isa {

/// n elements of type `from` as `to`. `parameters`: null for none, else one word for all (`each` false), whose low 32 bits
/// are a float scale, or one for each element, whose bits 13 … 31 are a float's upper 19.
void drain(DType to, void* out, DType from, const void* in, const uint64_t* parameters, bool each, bool relu, size_t n);

}  // namespace toprope::isa
