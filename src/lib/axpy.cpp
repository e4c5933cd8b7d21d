#include "toprope/lib/axpy.h"

#include <algorithm>

#include "lib/composition.h"
#include "lib/place.h"
#include "toprope/isa/binary.h"
#include "toprope/isa/cast.h"
#include "toprope/isa/scalar.h"

namespace toprope::lib {

void axpy(DType to, DType from, const Slice& dst, const Slice& src, isa::Scalar scalar,
          const Temporary& temporary, uint32_t count) {
  const Composition composition("Axpy", __builtin_return_address(0));
  const uint32_t step = temporary.elements(axpy_bytes(size_of(to)), count, 256 / size_of(to));
  Temporary memory = temporary;
  const Slice product = memory.take(uint64_t{step} * size_of(to));
  if (to != from)
    scalar = isa::scalar_of(static_cast<float>(half::from_bits(static_cast<uint16_t>(scalar.bits))));
  for (uint32_t done = 0; done < count; done += step) {
    const isa::VecShape shape = isa::VecShape::elements(static_cast<int32_t>(std::min(step, count - done)));
    Slice x = advance(src, uint64_t{done} * size_of(from));
    const Slice sum = advance(dst, uint64_t{done} * size_of(to));
    if (to != from) {
      isa::cast(to, {product}, from, {x}, isa::Round::None, shape);
      x = product;
    }
    isa::vector_scalar(isa::VectorScalar::Muls, to, {product}, {x}, scalar, shape);
    isa::binary(isa::Binary::Add, to, {sum}, {product}, {sum}, shape);
  }
}

}  // namespace toprope::lib
