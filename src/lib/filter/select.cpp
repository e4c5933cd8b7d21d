#include "toprope/isa/select.h"

#include <algorithm>

#include "lib/composition.h"
#include "lib/view.h"
#include "toprope/isa/compare.h"
#include "toprope/lib/filter.h"

namespace toprope::lib {
namespace {

constexpr uint32_t kGranule = 256;  // elements whose bits fill a DataBlock

/// Bits of mask elements, a tile at a time.
struct Bits {
  View values, bits;
  uint32_t tile;

  Bits(Temporary& memory, DType mask_type, uint32_t most) {
    const DType type = size_of(mask_type) == 4 ? DType::Int32 : DType::Half;
    const uint64_t unit = memory::select(size_of(mask_type), kGranule), fits = memory.left() / unit;
    if (fits == 0) refuse_temporary(unit, memory.left());
    tile = static_cast<uint32_t>(std::min<uint64_t>(fits * kGranule, round_up(most, kGranule)));
    values = take(memory, type, tile);
    bits = take(memory, DType::UInt16, tile / 16);
  }

  /// A bit for each of `count` mask elements: whether it is 0, or whether it is not.
  void make(const View& mask, bool zero, uint32_t count) const {
    const uint32_t lanes = lanes_of(values.type), whole = static_cast<uint32_t>(round_up(count, lanes));
    // A comparison takes whole repeats; what lies behind the mask must be something.
    if (whole != count) fill(values[whole - lanes], 0, lanes);
    if (values.type == DType::Int32)
      move(values, mask.as(DType::Int32), count);
    else
      convert(values, mask, count);
    const bool only_equal = values.type == DType::Int32;
    isa::compare_scalar(zero || only_equal ? isa::Compare::EQ : isa::Compare::NE, values.type, bits.at,
                        values.operand(), scalar(values.type, 0), first(whole));
    if (!zero && only_equal) apply(Unary::Not, bits, bits, whole / 16);
  }
};

/// dst = bit ? src : value.
void choose(const View& dst, const View& src, float value, const Slice& bits, uint32_t count) {
  isa::select_scalar(dst.type, dst.operand(), {isa::Selection::Consecutive, bits}, src.operand(),
                     scalar(dst.type, value), first(count));
}

/// Calls part(element of src, element of the mask, count): consecutive elements, rows apart where the mask's
/// are longer.
template <class Part>
void in_parts(const MaskedRows& rows, uint32_t tile, Part part) {
  const bool flat = rows.columns == rows.mask_columns;
  const uint32_t lines = flat ? 1 : rows.rows, length = flat ? rows.rows * rows.columns : rows.columns;
  for (uint32_t r = 0; r < lines; ++r)
    for (uint32_t c = 0; c < length; c += tile)
      part(uint64_t{r} * rows.columns + c, uint64_t{r} * rows.mask_columns + c, std::min(tile, length - c));
}

uint32_t longest(const MaskedRows& rows) {
  return rows.columns == rows.mask_columns ? rows.rows * rows.columns : rows.columns;
}

}  // namespace

void select_bytes(DType type, const Slice& dst, const Slice& src, float value, bool value_first,
                  DType mask_type, const Slice& mask, const MaskedRows& rows, Temporary memory) {
  const Composition call("Select", __builtin_return_address(0));
  // Only which elements are 0 counts, so that signs do not matter.
  const DType as = size_of(mask_type) == 1   ? DType::UInt8
                   : size_of(mask_type) == 2 ? DType::Int16
                                             : mask_type;
  const Bits bits(memory, as, longest(rows));
  in_parts(rows, bits.tile, [&](uint64_t at, uint64_t mask_at, uint32_t count) {
    bits.make(View{mask, as}[mask_at], !value_first, count);
    choose(View{dst, type}[at], View{src, type}[at], value, bits.bits.at, count);
  });
}

void drop_out(DType type, const Slice& dst, const Slice& src, const Slice& mask, bool bits, float keep,
              const MaskedRows& rows, Temporary memory) {
  const Composition call("DropOut", __builtin_return_address(0));
  const View out{dst, type}, in{src, type};
  const auto scale = [&](uint64_t at, uint32_t count) {
    apply(VectorScalar::Muls, out[at], out[at], 1.0f / keep, count);
  };
  if (!bits) {
    const Bits made(memory, DType::UInt8, longest(rows));
    in_parts(rows, made.tile, [&](uint64_t at, uint64_t mask_at, uint32_t count) {
      made.make(View{mask, DType::UInt8}[mask_at], false, count);
      choose(out[at], in[at], 0, made.bits.at, count);
      scale(at, count);
    });
    return;
  }
  // Rows of bits may end before the mask's do.
  const MaskedRows in_bits{rows.rows, rows.columns, rows.mask_columns * 8};
  in_parts(in_bits, longest(in_bits), [&](uint64_t at, uint64_t bit, uint32_t count) {
    choose(out[at], in[at], 0, View{mask, DType::UInt8}[bit / 8].at, count);
    scale(at, count);
  });
}

void arange(DType type, const Slice& dst, double first_value, double difference, uint32_t count) {
  const Composition call("Arange", __builtin_return_address(0));
  const View out{dst, type};
  const uint32_t block = lanes_of_block(type), lanes = lanes_of(type);
  for (uint32_t i = 0; i < std::min(block, count); ++i) {
    const uint64_t bits[2] = {uint64_t{1} << i, 0};
    isa::duplicate(type, out.operand(), scalar(type, first_value + i * difference),
                   VecShape::mask_bits(bits, 1));
  }
  for (uint32_t i = block; i < std::min(lanes, count); i += block)
    apply(VectorScalar::Adds, out[i], out, i * difference, std::min(block, count - i));
  for (uint32_t i = lanes; i < count; i += lanes)
    apply(VectorScalar::Adds, out[i], out, i * difference, std::min(lanes, count - i));
}

}  // namespace toprope::lib
