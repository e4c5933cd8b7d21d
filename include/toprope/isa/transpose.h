// Changing the layout of data in UB. Source: Ascend C API, Transpose, TransDataTo5HD.
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

inline constexpr uint32_t kListed = 16;  ///< blocks on each side of TransDataTo5HD
inline constexpr DTypeSet kTo5hdTypes =
    types::I8 | types::U8 | types::I16 | types::U16 | types::F16 | types::I32 | types::U32 | types::F32;
inline constexpr DTypeSet kTransposeTypes = types::I16 | types::U16 | types::F16;

/// Transpose of 16 x 16 elements of 16 bits; dst may be src.
void transpose(const Slice& dst, const Slice& src);

/// Layouts of the other form, numbered as Ascend C's TransposeType. The chip serves those named here.
enum class Transposition : uint8_t { None = 0, Square = 10, NchwToNhwc = 11, NhwcToNchw = 12 };

struct Extents {
  uint16_t n, c, h, w;
};

/// Transpose between [N, C, H, W] and [N, H, W, C], or of 16 x 16 elements of 16 bits. `work` has
/// 512 (c + 2) bytes for the first, 512 (2c + 1) for the second, twice as many for types of 8 bits. H W is at
/// most 4095 and fills whole DataBlocks; C is at most 4095. dst and src share no byte. An extent of 0:
/// nothing happens.
void transpose_layout(DType type, const Slice& dst, const Slice& src, const Slice& work,
                      const Extents& extents, Transposition kind);

/// Named as in the documented structure.
struct To5hd {
  bool dst_high, src_high;          ///< types of 8 bits: the upper 16 bytes of each block
  uint8_t repeats;                  ///< 0 … 255
  uint16_t dst_stride, src_stride;  ///< DataBlocks from repeat to repeat; of a single repeat added once
};

/// TransDataTo5HD: the elements of 16 blocks of src as columns. 16 bits: block i of dst = element i of every
/// block. 32 bits: blocks 2i and 2i + 1 = element i of the first and of the last eight blocks. 8 bits: half
/// of block i of dst = element i of half of every block.
void trans_to_5hd(DType type, const Slice (&dst)[kListed], const Slice (&src)[kListed], const To5hd& to);
/// The blocks by address, as GetPhyAddr() gives it.
void trans_to_5hd(DType type, const uint64_t (&dst)[kListed], const uint64_t (&src)[kListed],
                  const To5hd& to);
/// The addresses in UB: 16 of uint64_t at each of two places.
void trans_to_5hd(DType type, const Slice& dst, const Slice& src, const To5hd& to);

}  // namespace toprope::isa
