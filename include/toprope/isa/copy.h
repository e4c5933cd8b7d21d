// Data movement between GM and the local memories a vector kernel sees, and inside UB.
// A copy into GM combines with what lies there while Core::atomic says so (isa/atomic.h).
// Source of the rules: Ascend C API, memory vector computation, data movement (dav-2201).
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

/// Blocks of a copy in DataBlocks of 32 bytes; gaps go from a block's end to the next one's start.
struct BlockMove {
  uint16_t blocks;  ///< 0 … 4095
  uint16_t length;  ///< of a block
  uint16_t src_gap, dst_gap;
};

/// Rows of DataCopyPad. In GM a gap counts bytes; in UB it counts DataBlocks, from the row's end rounded up
/// to 32 bytes.
struct RowMove {
  uint32_t rows;    ///< 0 … 4095
  uint32_t length;  ///< bytes of a row, 0 … 2097151, whole elements
  uint32_t src_gap, dst_gap;
};

/// What DataCopyPad puts around a row in UB: `left` and `right` elements, each at most 32 bytes, then
/// whatever is missing to a multiple of 32 bytes. The fill is `value` if `given`, else what SetPadValue left,
/// else the row's first element. The documents promise that element where left and right are 0 and leave the
/// rest open.
struct Padding {
  bool given;
  uint8_t left, right;
  Scalar value;
};

/// One dimension of a multi-dimensional slice; named as in the documented structure.
struct SliceRange {
  uint32_t startIndex;  ///< first element
  uint32_t endIndex;    ///< last element, itself included
  uint32_t stride;      ///< elements between two pieces
  uint32_t burstLen;    ///< DataBlocks of a piece in the innermost dimension; 1 in the others
  uint32_t shapeValue;  ///< elements of the whole dimension
};

/// ND matrices in GM to NZ in UB or L1; ranges as documented for Nd2NzParams.
struct Nd2Nz {
  uint16_t matrices, rows, columns;
  uint16_t src_matrix_stride, src_row_stride;  ///< elements
  uint16_t dst_c0_stride, dst_n_stride;        ///< DataBlocks
  uint16_t dst_matrix_stride;                  ///< elements
};

/// NZ matrices in UB to ND in GM; ranges as documented for Nz2NdParamsFull.
struct Nz2Nd {
  uint16_t matrices, rows, columns;
  uint16_t src_matrix_stride;                  ///< 256 elements
  uint16_t src_n_stride;                       ///< 16 elements
  uint16_t dst_row_stride, dst_matrix_stride;  ///< elements
};

/// DataCopy of consecutive bytes: GM ↔ UB, GM ↔ L1, UB → UB. The device moves whole DataBlocks, so the rest
/// of `bytes` below a multiple of 32 stays behind. `element` is the size of the type: GM ↔ UB needs GM so
/// aligned.
void copy(const Slice& dst, const Slice& src, uint64_t bytes, uint32_t element);

/// DataCopy in blocks, the same paths. No blocks or no length: nothing happens.
void copy(const Slice& dst, const Slice& src, const BlockMove& move, uint32_t element);

/// DataCopyPad GM → UB: every row starts at a multiple of 32 bytes in UB.
void copy_pad(const Slice& dst, const Slice& src, const RowMove& move, const Padding& padding,
              uint32_t element);

/// DataCopyPad UB → GM: every row is read from a multiple of 32 bytes in UB.
void copy_pad(const Slice& dst, const Slice& src, const RowMove& move, uint32_t element);

/// DataCopy of a slice of 1 … 8 dimensions, innermost first, GM ↔ UB. Runs as one instruction a row.
void copy_slice(const Slice& dst, const Slice& src, const SliceRange* dst_range, const SliceRange* src_range,
                uint32_t dimensions, uint32_t element);

/// DataCopy with a change of layout; runs as one instruction a matrix.
void copy_nd2nz(const Slice& dst, const Slice& src, const Nd2Nz& move, uint32_t element);
void copy_nz2nd(const Slice& dst, const Slice& src, const Nz2Nd& move, uint32_t element);

/// Copy: UB → UB under a mask. Unlike every other vector instruction it keeps its repeats in counter mode:
/// the mask is then the elements of each repeat, and may exceed 256 bytes.
void copy_masked(DType type, const VecOperand& dst, const VecOperand& src, const VecShape& shape);

/// SetPadValue: what DataCopyPad fills with when it brings no value.
void set_pad_value(Scalar value);

}  // namespace toprope::isa
