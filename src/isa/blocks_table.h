// The kernels that bring the 32-byte blocks of repeats together and apart.
#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/map_kernel.h"
#include "isa/simd/targets.h"
#include "toprope/isa/operand.h"

namespace toprope::isa {

/// The blocks of repeats in memory; strides in bytes, from start to start.
struct Grid {
  uint32_t blocks;  ///< of each repeat, from its first on
  uint32_t block_stride, repeat_stride;
};

inline constexpr uint32_t kMaskSlack = 64;

struct BlocksTable {
  /// Repeats to rows that are `row` bytes long.
  void (*gather)(uint8_t* to, uint32_t row, const uint8_t* from, const Grid& grid, uint32_t repeats);

  /// Rows of `row` bytes to repeats.
  void (*scatter)(uint8_t* to, const Grid& grid, const uint8_t* from, uint32_t row, uint32_t repeats);

  /// The same, only the bytes that are set in `mask`, which is that of each repeat.
  void (*blend)(uint8_t* to, const Grid& grid, const uint8_t* from, uint32_t row, const uint8_t* mask,
                uint32_t repeats);

  /// Sets the bytes of the elements whose bit is set and clears those of the others; may write kMaskSlack
  /// bytes further.
  void (*spread)(uint8_t* mask, const uint64_t (&bits)[2], uint32_t element, uint32_t elements);

  /// Repeats to rows of kRepeatBytes; bytes that are not set in `mask` come from `other`.
  void (*merge)(uint8_t* to, const uint8_t* from, const Grid& grid, const uint8_t* mask, const uint8_t* other,
                uint32_t repeats);

  /// Bytes of rows of kRepeatBytes that are not set in `mask` become copies of an element of 2 or 4 bytes of
  /// the same row: in block b of that at place chosen[b].
  void (*fill)(uint8_t* rows, const uint8_t* mask, uint32_t element,
               const uint8_t (&chosen)[kBlocksPerRepeat], uint32_t repeats);

  /// Blocks to blocks; the extent counts bytes.
  void (*move)(void* dst, const void* src, Apart extent);
};

extern const DispatchedTable blocks_table;

inline const BlocksTable& block_kernels() { return *static_cast<const BlocksTable*>(blocks_table.get()); }

}  // namespace toprope::isa
