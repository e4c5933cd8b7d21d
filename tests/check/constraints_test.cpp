#include "check/constraints.h"

#include "support/findings.h"

namespace {

using namespace AscendC;
using toprope::check::Constraints;
using toprope::test::expect_one;
using toprope::test::expect_silent;
using toprope::test::findings;

LocalTensor<half> halves(uint32_t at, uint32_t elements) { return {TPosition::VECCALC, at, elements}; }

TEST(Constraints, ABlockStrideOfZero) {
  expect_one(findings<Constraints>([] { Abs(halves(4096, 128), halves(0, 128), 128, 1, {0, 1, 8, 8}); }),
             "constraints.dst_block_stride", {"Abs: dstBlkStride is 0"});
  expect_silent(findings<Constraints>([] { Abs(halves(4096, 128), halves(0, 128), 128, 1, {1, 0, 8, 8}); }));
}

// Its 16 blocks lie where a list says: they have no stride.
TEST(Constraints, BlocksOfAListHaveNoStride) {
  const auto convert = [](uint16_t dst_stride) {
    LocalTensor<half> dst[16], src[16];
    for (uint32_t i = 0; i < 16; ++i) {
      dst[i] = halves(16384 + 512 * i, 256);
      src[i] = halves(512 * i, 256);
    }
    TransDataTo5HD<half>(dst, src, TransDataTo5HDParams(false, false, 16, dst_stride, 1));
  };
  expect_silent(findings<Constraints>([&] { convert(1); }));
}

}  // namespace
