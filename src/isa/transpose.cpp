// Transpose: a square, or between two layouts.
#include "isa/transpose.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "isa/copy_runs.h"
#include "isa/transpose_table.h"
#include "toprope/isa/transpose.h"

namespace toprope::isa {
namespace {

constexpr Instruction kTranspose{"Transpose", Pipe::V};
constexpr uint32_t kSquare = 16, kSquareBytes = kSquare * kSquare * 2;
constexpr uint32_t kMostExtent = 4095;

void transpose_square(Core& core, const Slice& dst, const Slice& src, Site site) {
  check_side(core, kTranspose, "dst", dst, kSquareBytes, kBlockBytes, site);
  check_side(core, kTranspose, "src", src, kSquareBytes, kBlockBytes, site);
  issue(
      core, kTranspose, site,
      [&](Footprint& f) {
        f.add(access_of("dst", Runs{dst, kSquareBytes}, true));
        f.add(access_of("src", Runs{src, kSquareBytes}, false));
      },
      [](uint8_t* to, const uint8_t* from) {
        alignas(64) uint8_t square[kSquareBytes];  // dst may be src
        transpose_matrix(square, kBlockBytes, from, kBlockBytes, kSquare, kSquare, 2);
        std::memcpy(to, square, kSquareBytes);
      },
      host(core, dst.mem, dst.at), host(core, src.mem, src.at));
}

}  // namespace

void transpose_matrix(uint8_t* dst, size_t dst_step, const uint8_t* src, size_t src_step, size_t rows,
                      size_t columns, uint32_t element) {
  const BlockTranspose block = static_cast<const TransposeTable*>(transpose_table.get())->block[element];
  const size_t n = 16 / element, whole_rows = rows / n * n, whole_columns = columns / n * n;
  for (size_t r = 0; r < whole_rows; r += n)
    for (size_t c = 0; c < whole_columns; c += n)
      block(dst + c * dst_step + r * element, dst_step, src + r * src_step + c * element, src_step);
  const auto rest = [&](auto unit) {
    for (size_t r = 0; r < rows; ++r)
      for (size_t c = r < whole_rows ? whole_columns : 0; c < columns; ++c)
        std::memcpy(dst + c * dst_step + r * sizeof unit, src + r * src_step + c * sizeof unit, sizeof unit);
  };
  if (element == 1)
    rest(uint8_t{});
  else if (element == 2)
    rest(uint16_t{});
  else
    rest(uint32_t{});
}

void transpose(const Slice& dst, const Slice& src) {
  transpose_square(toprope::core(), dst, src, __builtin_return_address(0));
}

void transpose_layout(DType type, const Slice& dst, const Slice& src, const Slice& work, const Extents& e,
                      Transposition kind) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  const uint32_t element = size_of(type), area = uint32_t{e.h} * e.w;
  switch (kind) {
    case Transposition::None:
      return;
    case Transposition::Square:
      if (element != 2) [[unlikely]]
        refuse(core, kTranspose.name, std::string("TRANSPOSE_ND2ND_B16 got elements of ") + name_of(type),
               "it transposes types of 16 bits", site);
      return transpose_square(core, dst, src, site);
    case Transposition::NchwToNhwc:
    case Transposition::NhwcToNchw:
      break;
    default:
      refuse(core, kTranspose.name,
             "transposeType " + std::to_string(static_cast<int>(kind)) + " is not served on this chip",
             "use TRANSPOSE_ND2ND_B16, TRANSPOSE_NCHW2NHWC or TRANSPOSE_NHWC2NCHW", site);
  }
  if (e.n == 0 || e.c == 0 || area == 0) return;
  check_range(core, kTranspose, "cSize", e.c, 0, kMostExtent, site);
  check_range(core, kTranspose, "hSize * wSize", area, 0, kMostExtent, site);
  if (area * element % kBlockBytes) [[unlikely]]
    refuse(core, kTranspose.name,
           "hSize * wSize is " + std::to_string(area) + " elements of " + std::to_string(element) +
               " bytes, which fill no whole DataBlocks",
           "make hSize * wSize a multiple of " + std::to_string(kBlockBytes / element), site);
  const bool to_last = kind == Transposition::NchwToNhwc;
  const uint64_t bytes = uint64_t{e.n} * e.c * area * element;
  const uint64_t room = (to_last ? e.c + 2ull : 2ull * e.c + 1) * (element == 1 ? 32 : 16) * kBlockBytes;
  check_side(core, kTranspose, "dst", dst, bytes, kBlockBytes, site);
  check_side(core, kTranspose, "src", src, bytes, kBlockBytes, site);
  check_side(core, kTranspose, "sharedTmpBuffer", work, room, kBlockBytes, site);
  if (dst.at < src.at + bytes && src.at < dst.at + bytes) [[unlikely]]
    refuse(core, kTranspose.name,
           "dst and src share bytes of UB from byte " + std::to_string(std::max(dst.at, src.at)) + " on",
           "give dst a buffer of its own: only TRANSPOSE_ND2ND_B16 works in place", site);
  issue(
      core, kTranspose, site,
      [&](Footprint& f) {
        f.add(access_of("dst", Runs{dst, bytes}, true));
        f.add(access_of("src", Runs{src, bytes}, false));
        f.add(access_of("sharedTmpBuffer", Runs{work, room}, true));
      },
      [](uint8_t* to, const uint8_t* from, uint32_t n, size_t rows, size_t columns, uint32_t element) {
        for (uint32_t i = 0; i < n; ++i) {
          transpose_matrix(to, rows * element, from, columns * element, rows, columns, element);
          to += rows * columns * element;
          from += rows * columns * element;
        }
      },
      host(core, dst.mem, dst.at), host(core, src.mem, src.at), uint32_t{e.n},
      to_last ? size_t{e.c} : size_t{area}, to_last ? size_t{area} : size_t{e.c}, element);
}

}  // namespace toprope::isa
