// Conversion between the element types of tiles.
#include "isa/array/elementwise.h"
#include "isa/tile_walk.h"
#include "toprope/machine/host_core.h"

namespace toprope::isa {

void tile_cast(const Instruction& as, const Tile& dst, const Tile& src, Round round) {
  Core& core = tile_core();
  const Site site = __builtin_return_address(0);
  const uint32_t rows = dst.valid_rows, columns = dst.valid_cols;
  check_covers(core, as, "src", src, rows, columns, site);
  issue_tiles(
      core, as, site,
      std::array{find(core, as, "dst", dst, rows, columns, true, site),
                 find(core, as, "src", src, rows, columns, false, site)},
      [](const std::array<TileOperand, 2>& o, Round round) {
        const DType to = o[0].shape->type, from = o[1].shape->type;
        walk_tiles(o, {}, [&](uint32_t, uint32_t, uint8_t* const* at, size_t n) {
          array::cast(to, at[0], from, at[1], round, n);
        });
      },
      round);
}

}  // namespace toprope::isa
