// Choosing, spreading and sorting elements of tiles. Source: PTO ISA pages of each instruction.
#pragma once
#include "toprope/isa/tile.h"

namespace toprope::isa {

/// Which elements of a group take part: every `step`-th, from `first` on.
struct Comb {
  uint32_t step, first;
};

/// dst[i] = src's element number index[i], counted in src's memory, for index's valid region.
void tile_gather(const Instruction& as, const Tile& dst, const Tile& src, const Tile& index);
/// dst's DataBlock number i (of 32 bytes) = the one at byte offset[i] of src.
void tile_gather_blocks(const Instruction& as, const Tile& dst, const Tile& src, const Tile& offset);
/// The comb's elements of each row of src, behind one another in dst's memory from its start; by_columns: its
/// rows.
void tile_gather_comb(const Instruction& as, const Tile& dst, const Tile& src, Comb comb, bool by_columns);

/// dst's element number index[i] = src[i], for index's valid region; of several the last counts.
void tile_scatter(const Instruction& as, const Tile& dst, const Tile& src, const Tile& index);
/// The comb's elements of each row of dst (by_columns: its rows) = src's; the others 0.
void tile_scatter_comb(const Instruction& as, const Tile& dst, const Tile& src, Comb comb, bool by_columns);

/// Rows of two tiles as pairs: the first half of src0 and src1 to dst0, their second half to dst1.
/// tile_deinterleave undoes it: of each pair the first goes to dst0, the second to dst1, src0's before
/// src1's; src1 may be null when src0 has twice dst's columns.
void tile_interleave(const Instruction& as, const Tile& dst1, const Tile& dst0, const Tile& src1,
                     const Tile& src0);
void tile_deinterleave(const Instruction& as, const Tile& dst1, const Tile& dst0, const Tile* src1,
                       const Tile& src0);

/// Each 32 elements of a row of src, with their indices, as records of 8 bytes in dst, descending: a float or
/// half value (half: two bytes follow) and a 32-bit index. Equal values keep their order.
void tile_sort32(const Instruction& as, const Tile& dst, const Tile& src, const Tile& index);

/// Merges runs of such records, descending, into dst's valid columns (the rest is dropped). `exhausted`:
/// stops when one run is used up; counts[i] is how many records came from run i, 0 … 4 runs.
void tile_merge(const Instruction& as, const Tile& dst, const Tile* const* runs, uint32_t count,
                bool exhausted, uint16_t* counts);
/// The same for each four runs of `length` elements that lie behind one another in src's row.
void tile_merge_four(const Instruction& as, const Tile& dst, const Tile& src, uint32_t length);

/// dst = (src - offset) * scale: one scale and offset a row (of several columns the element's own, or the
/// last).
void tile_dequantise(const Instruction& as, const Tile& dst, const Tile& src, const Tile& scale,
                     const Tile& offset);
/// dst = half(max(0, (src0 + src1) * scale)), clamped to half's range. The sum wraps.
void tile_add_dequantise_relu(const Instruction& as, const Tile& dst, const Tile& src0, const Tile& src1,
                              float scale);

}  // namespace toprope::isa
