#include <algorithm>

#include "lib/composition.h"
#include "lib/view.h"
#include "toprope/lib/quantization.h"

namespace toprope::lib {
namespace {

/// The values on their way: half in dst itself, bfloat16_t through half and float in temporary memory.
struct Stage {
  View dst, src, as_half, as_float;

  bool narrow() const { return dst.type == DType::Half; }
  /// Elements [at, at + count) as numbers that parameters can be applied to.
  View load(uint64_t at, uint32_t count) const {
    if (narrow()) {
      convert(dst[at], src[at], count);
      return dst[at];
    }
    convert(as_half, src[at], count);
    convert(as_float, as_half, count);
    return as_float;
  }
  void store(uint64_t at, uint32_t count) const {
    if (!narrow()) convert(dst[at], as_float, count, Round::Rint);
  }
};

void one_value(const Stage& stage, const QuantParameter* offset, const QuantParameter& scale, uint32_t count,
               uint32_t tile) {
  for (uint32_t i = 0; i < count; i += tile) {
    const uint32_t n = std::min(tile, count - i);
    const View a = stage.load(i, n);
    if (offset) apply(VectorScalar::Adds, a, a, offset->value, n);
    apply(VectorScalar::Muls, a, a, scale.value, n);
    stage.store(i, n);
  }
}

/// A parameter for each column of a group of rows.
void by_columns(const Stage& stage, const QuantParameter* offset, const QuantParameter& scale,
                const AntiQuantShape& s, const View* rooms, uint32_t tile) {
  const uint32_t rows = s.count / s.width, of_group = rows / s.height_groups;
  for (uint32_t g = 0; g < s.height_groups; ++g) {
    const auto parameters = [&](const QuantParameter& p, const View& room) {
      const View values = View{p.values, stage.dst.type}[uint64_t{g} * s.width];
      if (stage.narrow()) return values;
      convert(room, values, s.width);
      return room;
    };
    const View scales = parameters(scale, rooms[0]),
               offsets = offset ? parameters(*offset, rooms[1]) : View{};
    for (uint32_t r = 0; r < of_group; r += tile) {
      const Rows part{std::min(tile, of_group - r), s.width, s.width};
      const uint64_t at = (uint64_t{g} * of_group + r) * s.width;
      const View a = stage.load(at, part.rows * s.width);
      if (offset) each(Binary::Add, a, a, offsets, Spread::OfColumn, part);
      each(Binary::Mul, a, a, scales, Spread::OfColumn, part);
      stage.store(at, part.rows * s.width);
    }
  }
}

/// A parameter for each `width` consecutive elements; the tile is a multiple of 16 parameters.
void by_groups(const Stage& stage, const QuantParameter* offset, const QuantParameter& scale, uint32_t groups,
               uint32_t width, Temporary& memory, uint32_t tile) {
  const DType type = stage.narrow() ? DType::Half : DType::Float;
  const View blocks[2] = {take(memory, type, uint64_t{tile} * lanes_of_block(type)),
                          take(memory, type, uint64_t{tile} * lanes_of_block(type))};
  View room;
  if (!stage.narrow()) room = take(memory, type, tile);
  for (uint32_t g = 0; g < groups; g += tile) {
    const Rows part{std::min(tile, groups - g), width, width};
    const uint64_t at = uint64_t{g} * width;
    // What is loaded afterwards is free until then.
    const auto spread = [&](const QuantParameter& p, const View& to) {
      View values = View{p.values, stage.dst.type}[g];
      if (!stage.narrow()) {
        convert(room, values, part.rows);
        values = room;
      }
      spread_blocks(to, values, part.rows, stage.narrow() ? stage.dst[at] : stage.as_float);
    };
    spread(scale, blocks[0]);
    if (offset) spread(*offset, blocks[1]);
    const View a = stage.load(at, part.rows * width);
    if (offset) each(Binary::Add, a, a, blocks[1], Spread::OfRow, part);
    each(Binary::Mul, a, a, blocks[0], Spread::OfRow, part);
    stage.store(at, part.rows * width);
  }
}

/// As many pieces (multiples of `unit`) as fit, `bytes` each; at least one unit.
uint32_t fitting(const Temporary& memory, uint64_t bytes, uint32_t wanted, uint32_t unit = 1) {
  if (bytes == 0) return static_cast<uint32_t>(round_up(wanted, unit));
  const uint64_t fits = memory.left() / (bytes * unit) * unit;
  if (fits == 0) refuse_temporary(bytes * unit, memory.left());
  return static_cast<uint32_t>(std::min<uint64_t>(fits, round_up(wanted, unit)));
}

}  // namespace

void ascend_antiquant(DType dst_type, DType src_type, const Slice& dst, const Slice& src,
                      const QuantParameter* offset, const QuantParameter& scale, const AntiQuantShape& s,
                      Temporary memory) {
  const Composition call("AscendAntiQuant", __builtin_return_address(0));
  Stage stage{{dst, dst_type}, {src, src_type}, {}, {}};
  const bool narrow = stage.narrow();
  const auto stage_of = [&](uint64_t elements) {
    if (narrow) return;
    stage.as_float = take(memory, DType::Float, elements);
    stage.as_half = take(memory, DType::Half, elements);
  };
  if (!scale.varies) {
    const uint32_t tile = narrow ? s.count : memory.elements(6, s.count);
    stage_of(tile);
    one_value(stage, offset, scale, s.count, tile);
  } else if (!s.transposed) {
    View rooms[2];
    if (!narrow)
      for (View& room : rooms) room = take(memory, DType::Float, s.width);
    const uint32_t tile = fitting(memory, narrow ? 0 : uint64_t{s.width} * 6, s.count / s.width);
    stage_of(uint64_t{tile} * s.width);
    by_columns(stage, offset, scale, s, rooms, tile);
  } else {
    const uint32_t width = s.width / s.width_groups, groups = s.count / width;
    const uint32_t tile =
        fitting(memory, memory::antiquant_groups(narrow, width, 1), groups, lanes_of_block(DType::Half));
    stage_of(uint64_t{tile} * width);
    by_groups(stage, offset, scale, groups, width, memory, tile);
  }
}

}  // namespace toprope::lib
