// Conversions between element types. Source: Ascend C API, Cast, precision conversion, CastDequant,
// SetDeqScale.
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

/// Rounding modes, numbered as Ascend C's RoundMode.
enum class Round : uint8_t {
  None,   ///< as Rint where precision is lost
  Rint,   ///< to nearest, ties to even
  Floor,  ///< towards -inf
  Ceil,   ///< towards +inf
  Round,  ///< to nearest, ties away from zero
  Trunc,  ///< towards zero
  Odd     ///< an inexact result gets an odd last bit (Von Neumann)
};
inline constexpr int kRounds = 7;

using RoundSet = uint32_t;
constexpr RoundSet one(Round r) { return 1u << static_cast<int>(r); }

namespace rounds {  // short names for cast.list
inline constexpr RoundSet NONE = one(Round::None), ODD = one(Round::Odd),
                          DIRECTED = one(Round::Rint) | one(Round::Floor) | one(Round::Ceil) |
                                     one(Round::Round) | one(Round::Trunc);
}

/// The rounding modes of a conversion; 0 when the chip does not have it.
constexpr RoundSet rounds_of(DType dst, DType src) {
  using namespace rounds;
#define TOPROPE_OP(source, destination, modes) \
  if (src == DType::source && dst == DType::destination) return modes;
#include "toprope/isa/cast.list"
#undef TOPROPE_OP
  return 0;
}

/// dst[i] = src[i] in another type. The wider type decides how many elements a repeat holds; strides count
/// DataBlocks of each operand. Out of range: integers clamp, NaN becomes 0; half and bfloat16_t become ±inf,
/// or in saturation mode the largest value (and NaN 0). int4b_t operands count elements; the count is even,
/// mask bits come in equal pairs.
void cast(DType dst_type, const VecOperand& dst, DType src_type, const VecOperand& src, Round round,
          const VecShape& shape);

/// One element on the scalar unit: `value` of src_type in dst_type, by the conversion of Cast.
Scalar cast_scalar(DType dst_type, DType src_type, Scalar value, Round round);

/// dst = Cast(Relu(src0 ± src1)), rounded in the source type after the sum, to nearest even in the
/// conversion; NaN gives 0. half or int16_t to int8_t, float to half.
void add_relu_cast(bool subtract, DType dst_type, const VecOperand& dst, DType src_type,
                   const VecOperand& src0, const VecOperand& src1, const VecShape& shape);

constexpr bool has_relu_cast(DType dst, DType src) {
  return (dst == DType::Int8 && (src == DType::Half || src == DType::Int16)) ||
         (dst == DType::Half && src == DType::Float);
}

/// int16_t to int8_t or uint8_t with the parameters in DEQSCALE: dst = clamp(rint(src * scale + offset)).
/// Each source DataBlock gives 16 results in the upper (`upper`) or lower 16 bytes of a destination
/// DataBlock. `each_lane`: the register holds the place of 16 parameter words, one for each element of a
/// block.
void cast_dequant(DType dst_type, const VecOperand& dst, const VecOperand& src, bool each_lane, bool upper,
                  const VecShape& shape);

/// One parameter word of DEQSCALE: scale with 10 mantissa bits, a signed 9-bit offset, whether results are
/// signed.
uint64_t dequant_word(float scale, int16_t offset, bool is_signed);

/// SetDeqScale: 16 parameter words into 128 bytes of UB at `words`, whose place goes into DEQSCALE.
void set_dequant_words(const Slice& words, const uint64_t (&values)[16]);

}  // namespace toprope::isa
