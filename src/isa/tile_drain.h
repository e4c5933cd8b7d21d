// What happens to elements on their way out of an accumulator: quantisation, activation, conversion.
// Source: PTO ISA pages TSTORE, TSTORE_FP, TMOV_FP, TEXTRACT_FP, TINSERT_FP; Ascend C API, Fixpipe.
#pragma once
#include "isa/tile_walk.h"
#include "toprope/isa/tile_move.h"

namespace toprope::isa {

/// A Drain with its parameters found, which a body takes by value.
struct DrainPlan {
  bool relu = false, scaled = false;
  uint64_t scalar = 0;
  const uint8_t* words = nullptr;  ///< a parameter for each element of a line, uint64_t or float
  uint32_t word_bytes = 0;
  bool changes(DType to, DType from) const { return relu || scaled || to != from; }
};

/// Finds the vector of parameters, of which `n` are needed; `operand` is for the footprint.
DrainPlan plan_of(Core& core, const Instruction& as, const Drain& drain, uint32_t n, TileOperand& operand,
                  Site site);

/// n elements of type `from` as `to`, the first of them the line's element `first`.
void drain_line(const DrainPlan& plan, DType to, void* out, DType from, const void* in, uint32_t first,
                size_t n);

}  // namespace toprope::isa
