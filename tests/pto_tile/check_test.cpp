// What watches Ascend C kernels watches tile programs: they pass the same choke point with their exact bytes.
#include "check/race.h"
#include "pto_tile/tiles.h"
#include "support/findings.h"

namespace {

using toprope::check::Race;
using toprope::test::Arrays;
using toprope::test::expect_one;
using toprope::test::expect_silent;
using toprope::test::findings;

using Data = pto::Tile<pto::TileType::Vec, float, 2, 32>;
using Global = pto::GlobalTensor<float, pto::Shape<1, 1, 1, 2, 32>, pto::Stride<64, 64, 64, 32, 1>>;

struct Placed {
  Data tile;
  explicit Placed(uint64_t at) { TASSIGN(tile, at); }
};

TEST(TileChecks, ALoadThatNothingWaitsForIsARace) {
  Arrays m;
  expect_one(findings<Race>([&] {
               Placed a(0), b(0x400);
               Global in(m.in.data());
               TLOAD(a.tile, in);
               TADDS(b.tile, a.tile, 1.0f);
             }),
             "race.raw", {"TADDS (PIPE_V) reads src", "TLOAD (PIPE_MTE2)", "bytes 0 to 256 of UB"});
  expect_silent(findings<Race>([&] {
    Placed a(0), b(0x400);
    Global in(m.in.data());
    pto::Event<pto::Op::TLOAD, pto::Op::TADDS> loaded;
    loaded = TLOAD(a.tile, in);
    TADDS(b.tile, a.tile, 1.0f, loaded);
  }));
}

// Rows beyond the valid ones are not read: tiles may share a buffer as long as what is valid does not meet.
TEST(TileChecks, OnlyValidRowsCount) {
  using OneRow = toprope::test::DynamicTile<float, 2, 32>;
  Arrays m;
  expect_silent(findings<Race>([&] {
    Placed a(128);
    OneRow first(1, 32);
    TASSIGN(first, 0);
    Global in(m.in.data());
    TLOAD(a.tile, in);
    TEXPANDS(first, 1.0f);
  }));
}

}  // namespace
