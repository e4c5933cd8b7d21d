#include "toprope/lib/elementwise.h"

#include <algorithm>

#include "lib/bodies.h"
#include "lib/composition.h"
#include "lib/place.h"

namespace toprope::lib {
namespace {

struct Function {
  const char* name;
  void (*body)(const Pass&);
  int sources, pieces;
};

constexpr Function functions[] = {
#define TOPROPE_OP(name, types, sources, pieces) {#name, body::name, sources, pieces},
#include "toprope/lib/elementwise.list"
#undef TOPROPE_OP
};

/// A source as floats in `piece`, filled up with ones to whole repeats: comparisons take no less.
void bring(const Slice& piece, DType type, const Slice& src, uint32_t count) {
  if (count % 64) Vec(64).fill(advance(piece, count / 64 * 256), 1.0f);
  if (type == DType::Float)
    Vec(count).muls(piece, src, 1.0f);
  else
    Vec(count).cast(DType::Float, piece, type, src);
}

void take_back(const Slice& dst, DType type, const Slice& piece, uint32_t count) {
  if (type == DType::Float)
    Vec(count).muls(dst, piece, 1.0f);
  else
    Vec(count).cast(type, dst, DType::Float, piece, isa::Round::Rint);
}

}  // namespace

void elementwise(Elementwise f, DType type, const Slice& dst, const Slice& src0, const Slice& src1,
                 const Temporary& temporary, uint32_t count, const Extra& extra) {
  const Function& function = functions[static_cast<int>(f)];
  const Composition composition(function.name, __builtin_return_address(0));
  const uint32_t bytes = temporary_bytes(f, size_of(type));
  // Functions without pieces compare nothing, so they take floats in any number.
  const bool in_place = bytes == 0;
  const uint32_t step = in_place ? std::max(count, 1u) : temporary.elements(bytes, count);
  Temporary memory = temporary;
  Pass pass{Vec(0), {}, {}, {}, extra.parameter, extra.level};
  Slice source[kMostSources];
  for (int s = 0; s < function.sources && !in_place; ++s) source[s] = memory.take(uint64_t{step} * 4);
  for (int i = 0; i < function.pieces; ++i) pass.t[i] = memory.take(uint64_t{step} * 4);
  for (uint32_t done = 0; done < count; done += step) {
    const uint32_t n = std::min(step, count - done);
    const Slice to = advance(dst, uint64_t{done} * size_of(type));
    const bool direct = in_place || (type == DType::Float && n % 64 == 0);
    for (int s = 0; s < function.sources; ++s) {
      if (s == extra.scalar_source) {
        pass.in[s] = source[s];
        Vec((n + 63) / 64 * 64).fill(source[s], extra.parameter);
        continue;
      }
      const Slice from = advance(s ? src1 : src0, uint64_t{done} * size_of(type));
      pass.in[s] = direct ? from : source[s];
      if (!direct) bring(source[s], type, from, n);
    }
    pass.v = Vec(in_place ? n : (n + 63) / 64 * 64);
    pass.out = direct ? to : source[0];
    function.body(pass);
    if (!direct) take_back(to, type, pass.out, n);
  }
}

}  // namespace toprope::lib
