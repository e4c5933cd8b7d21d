#include "lib/transform/squares.h"

#include <algorithm>

#include "toprope/isa/transpose.h"

namespace toprope::lib {
namespace {

constexpr uint32_t kMostRepeats = 255;

/// Issues `repeats` steps: the places of step r are those of step 0, `dst_blocks` and `src_blocks` further.
template <class Places>
void in_steps(DType type, uint32_t repeats, uint32_t dst_blocks, uint32_t src_blocks, Places places) {
  for (uint32_t done = 0; done < repeats; done += kMostRepeats) {
    const uint32_t here = std::min(kMostRepeats, repeats - done);
    Slice dst[isa::kListed], src[isa::kListed];
    places(dst, src);
    for (uint32_t i = 0; i < isa::kListed; ++i) {
      dst[i].at += uint64_t{done} * dst_blocks * isa::kBlockBytes;
      src[i].at += uint64_t{done} * src_blocks * isa::kBlockBytes;
    }
    // The stride of a single repeat would move its places.
    const bool one = here == 1;
    isa::trans_to_5hd(type, dst, src,
                      {false, false, static_cast<uint8_t>(here), static_cast<uint16_t>(one ? 0 : dst_blocks),
                       static_cast<uint16_t>(one ? 0 : src_blocks)});
  }
}

}  // namespace

void columns_to_rows(const View (&rows)[kSquare], const View& src, uint32_t stride, uint32_t count) {
  const uint32_t lanes = lanes_of_block(src.type), halves = kSquare / lanes;
  for (uint32_t c = 0; c < halves; ++c)
    in_steps(src.type, count / kSquare, halves, kSquare * stride / lanes, [&](Slice* dst, Slice* from) {
      for (uint32_t i = 0; i < kSquare; ++i) {
        from[i] = src[uint64_t{i} * stride + c * lanes].at;
        dst[i] = rows[c * lanes + i / halves][i % halves * lanes].at;
      }
    });
}

void rows_to_columns(const View& dst, uint32_t stride, const View (&rows)[kSquare], uint32_t count) {
  const uint32_t lanes = lanes_of_block(dst.type), halves = kSquare / lanes;
  in_steps(dst.type, count / lanes, lanes * stride / lanes, 1, [&](Slice* to, Slice* src) {
    for (uint32_t i = 0; i < kSquare; ++i) {
      src[i] = rows[i].at;
      to[i] = dst[uint64_t{i / halves} * stride + i % halves * lanes].at;
    }
  });
}

}  // namespace toprope::lib
