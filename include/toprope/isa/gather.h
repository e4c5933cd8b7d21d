// Collecting elements and DataBlocks by offsets, and elements by bits. Source: Ascend C API, Gather, Gatherb,
// GatherMask.
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

inline constexpr DTypeSet kGatherTypes =
    types::I16 | types::U16 | types::F16 | types::BF16 | types::I32 | types::U32 | types::F32;
inline constexpr DTypeSet kGatherBlockTypes = types::U16 | types::U32;

/// Gather: dst[i] = the element of src at byte `base` + offsets[i]. Offsets lie behind one another, as many a
/// repeat as it has elements. Each address is a multiple of the element's size and lies inside src; dst
/// shares no byte with what is read.
void gather(DType type, const VecOperand& dst, const Slice& src, const Slice& offsets, uint32_t base,
            const VecShape& shape);

/// Gatherb: each repeat takes 8 offsets and brings the 32 bytes of src at each of them to a DataBlock of dst.
/// Offsets are multiples of 32. A block stride of 0 counts as 1.
void gather_blocks(const VecOperand& dst, const Slice& src, const Slice& offsets, uint8_t repeats);

/// Which elements GatherMask keeps: one of the built-in patterns, 1 … 7, or bits, lowest first, an element
/// each.
struct KeptElements {
  uint8_t pattern = 0;  ///< 0: `bits`
  Slice bits;
  uint32_t bits_repeat_stride = 0;  ///< DataBlocks; within a repeat bits are consecutive
};

/// GatherMask: the kept elements of each repeat of src, behind one another in dst from its start; returns how
/// many. `lanes`: elements of a repeat, any number (0: the 256 bytes of normal mode). dst may be src. Ends in
/// normal mode with all elements in the mask register.
uint64_t gather_mask(DType type, const Slice& dst, const VecOperand& src, const KeptElements& kept,
                     uint32_t lanes, uint32_t repeats);

/// How many elements the core's last gather_mask kept.
uint64_t last_kept();

}  // namespace toprope::isa
