#include <algorithm>

#include "lib/composition.h"
#include "lib/transform/squares.h"
#include "toprope/lib/transform.h"

namespace toprope::lib {
namespace {

/// Moves between `whole` rows of 16 elements, `stride` elements apart, and 16 rows of a plane; what is left
/// of the plane below 16 goes through a square of its own, because the rows end with the plane.
struct Mover {
  uint32_t plane, stride;
  View square;

  uint32_t whole() const { return plane / kSquare * kSquare; }
  uint32_t rest() const { return plane % kSquare; }
  static void shift(const View (&rows)[kSquare], View (&moved)[kSquare], uint32_t by) {
    for (uint32_t j = 0; j < kSquare; ++j) moved[j] = rows[j][by];
  }
  uint16_t gap() const { return static_cast<uint16_t>(stride / kSquare - 1); }

  void to_rows(const View (&rows)[kSquare], const View& src) const {
    if (whole() != 0) columns_to_rows(rows, src, stride, whole());
    if (rest() == 0) return;
    View tail[kSquare];
    shift(rows, tail, whole());
    fill(square, 0, kSquare * kSquare);
    isa::copy(square.at, src[uint64_t{whole()} * stride].at,
              isa::BlockMove{static_cast<uint16_t>(rest()), 1, gap(), 0}, 2);
    columns_to_rows(tail, square, kSquare, kSquare);
  }
  void to_columns(const View& dst, const View (&rows)[kSquare]) const {
    if (whole() != 0) rows_to_columns(dst, stride, rows, whole());
    if (rest() == 0) return;
    View tail[kSquare];
    shift(rows, tail, whole());
    rows_to_columns(square, kSquare, tail, kSquare);
    isa::copy(dst[uint64_t{whole()} * stride].at, square.at,
              isa::BlockMove{static_cast<uint16_t>(rest()), 1, 0, gap()}, 2);
  }
};

}  // namespace

void trans_data(bool to_ncdhw, const Slice& dst, const Slice& src, const Volume& v, Temporary memory) {
  const Composition call("TransData", __builtin_return_address(0));
  constexpr DType type = DType::UInt16;
  const uint32_t padded = static_cast<uint32_t>(round_up(v.plane, kSquare));
  const uint32_t chunks = (v.c + kSquare - 1) / kSquare, batches = (v.n + kSquare - 1) / kSquare;
  // Only what the shape calls for: a square for the end of a plane, rows where C or N is padded.
  View square, spare;
  if (v.plane % kSquare != 0) square = take(memory, type, kSquare * kSquare);
  if (v.c % kSquare != 0 || (v.fractal && v.n % kSquare != 0))
    spare = take(memory, type, to_ncdhw ? uint64_t{kSquare} * padded : padded);
  const Mover mover{v.plane, v.fractal ? batches * kSquare * kSquare : kSquare, square};
  if (!to_ncdhw && spare.at.end != 0) fill(spare, 0, padded);
  const View planes{to_ncdhw ? dst : src, type}, sixteens{to_ncdhw ? src : dst, type};
  const uint32_t most = v.fractal && !to_ncdhw ? batches * kSquare : v.n;
  for (uint32_t n = 0; n < most; ++n)
    for (uint32_t d = 0; d < v.d; ++d)
      for (uint32_t chunk = 0; chunk < chunks; ++chunk) {
        View rows[kSquare];
        for (uint32_t j = 0; j < kSquare; ++j) {
          const uint32_t c = chunk * kSquare + j;
          if (n < v.n && c < v.c)
            rows[j] = planes[((uint64_t{n} * v.c + c) * v.d + d) * padded];
          else  // zeros to read, or somewhere to drop
            rows[j] = to_ncdhw ? spare[uint64_t{j} * padded] : spare;
        }
        const uint64_t place =
            v.fractal ? (uint64_t{d} * chunks + chunk) * v.plane * mover.stride + uint64_t{n} * kSquare
                      : ((uint64_t{n} * v.d + d) * chunks + chunk) * v.plane * kSquare;
        if (to_ncdhw)
          mover.to_rows(rows, sixteens[place]);
        else
          mover.to_columns(sixteens[place], rows);
      }
}

}  // namespace toprope::lib
