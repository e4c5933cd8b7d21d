// Reductions of a pair, a DataBlock, a repeat, or everything. Source: Ascend C API, reduction.
//
// Sums are binary trees over neighbours, each addition rounded (and in saturation mode clamped) in the
// element type. Maxima and minima are NaN when a NaN takes part, and order +0 above -0; of equal values the
// one with the lowest index counts. Where no element takes part, dst keeps its old value.
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

enum class Reduce : uint8_t {
#define TOPROPE_OP(name) name,
#include "toprope/isa/reduce.list"
#undef TOPROPE_OP
  kCount
};

inline constexpr DTypeSet kReduceTypes = types::F16 | types::F32;

/// Result layout of a maximum or minimum, numbered as Ascend C's ReduceOrder. The index counts within the
/// repeat and is stored in the bits of the element type, alone as uint32_t.
enum class ReduceOrder : uint8_t { ValueIndex, IndexValue, OnlyValue, OnlyIndex };

/// Strides as the API gives them: dst in results of one repeat, src in DataBlocks.
struct ReduceSteps {
  int32_t repeats = 1;  ///< without meaning in counter mode
  int32_t dst_repeat = 1, src_block = 1, src_repeat = 8;
};

/// ReduceRepeat: a result (one or two elements, by `order`; sums have one) for each repeat. Maxima and minima
/// also leave the extreme of all repeats and its index in the special registers.
void reduce_repeat(Reduce op, DType type, const Slice& dst, const Slice& src, const VecShape& mask,
                   const ReduceSteps& steps, ReduceOrder order);

/// GetReduceRepeatMaxMinSpr: bits of the extreme of all repeats that the last maximum or minimum left, and of
/// its index. Documented for consecutive sources outside counter mode only.
struct Extreme {
  uint64_t value, index;
};
Extreme last_extreme();

/// ReduceDataBlock: eight results for each repeat, one a DataBlock.
void reduce_block(Reduce op, DType type, const Slice& dst, const Slice& src, const VecShape& mask,
                  const ReduceSteps& steps);

/// ReducePairElem<SUM>: the sums of elements 2i and 2i + 1, half a repeat of results for each repeat.
void reduce_pair(DType type, const Slice& dst, const Slice& src, const VecShape& mask,
                 const ReduceSteps& steps);

/// ReduceSum of consecutive elements: the repeats' sums added one after the other; no work space. Leaves the
/// sum in the special register. `shape` is elements(count), or mask_register(1) to take the count or mask
/// from the register.
void reduce_sum(DType type, const Slice& dst, const Slice& src, const VecShape& shape);

/// ReduceSum, ReduceMax, ReduceMin of repeats: the repeats' results are again reduced like elements of
/// repeats. `work` has room for the first round's results (and the following rounds' with an index), as the
/// pages compute it. Max and Min store the value, and with `index` the index of the element, counted over
/// whole repeats.
void reduce_all(Reduce op, DType type, const Slice& dst, const Slice& src, const Slice& work,
                const VecShape& mask, const ReduceSteps& steps, bool index);

/// ReduceMax and ReduceMin of the first `count` elements.
void reduce_first(Reduce op, DType type, const Slice& dst, const Slice& src, const Slice& work, int32_t count,
                  bool index);

}  // namespace toprope::isa
