// The footprints of copies between GM and UB in all forms. See support/footprint.h.
#include <array>

#include "support/shapes.h"
#include "toprope/isa/atomic.h"
#include "toprope/isa/copy.h"

namespace {

using namespace toprope;
using namespace toprope::test;

constexpr int kTrials = 80;
constexpr uint64_t kStart = 4096;  // in GM
enum Path { In, Out, Within };
constexpr const char* kPaths[] = {"GM to UB", "UB to GM", "UB to UB"};

/// Where a copy goes from and to, in bytes of UB and of GM.
struct Places {
  Path path;
  uint64_t ub, other_ub, gm_offset;

  Places(Random& random, Path path, uint32_t element)
      : path(path),
        ub(32 * below(random, 40)),
        other_ub(kRoom + 32 * below(random, 40)),
        gm_offset(kStart + element * below(random, 40)) {}
  Slice near(uint64_t at) const { return in_ub(at, 2 * kRoom - 4096); }
  Slice far(uint64_t gm) const { return in_gm(gm + gm_offset, Memory::kGm - gm_offset); }
  Slice dst(uint64_t gm) const { return path == Out ? far(gm) : near(ub); }
  Slice src(uint64_t gm) const {
    return path == In ? far(gm) : near(path == Out ? ub : 2 * kRoom + other_ub);
  }
};

/// A copy between two places; `move(dst, src)`.
template <class Move>
Trial copy_trial(DType fill, const Places& places, bool telling, Move move) {
  return {.fill = fill,
          .run =
              [=](uint64_t gm) {
                move(places.dst(gm), places.src(gm));
                return uint64_t{0};
              },
          .telling = telling};
}

uint16_t small(Random& random, uint64_t most) { return static_cast<uint16_t>(below(random, most + 1)); }

TEST(Footprint, OfCopiesOfACount) {
  for (const Path path : {In, Out, Within})
    for (const uint32_t element : {1u, 2u, 4u, 8u})
      prove_footprint(std::string("DataCopy of a count, ") + kPaths[path], kTrials, 1, [=](Random& random) {
        const uint64_t bytes = element * below(random, 3000 / element);
        return copy_trial(DType::Int8, Places(random, path, element), true,
                          [=](const Slice& dst, const Slice& src) { isa::copy(dst, src, bytes, element); });
      });
}

TEST(Footprint, OfCopiesOfBlocks) {
  for (const Path path : {In, Out, Within})
    prove_footprint(std::string("DataCopy of blocks, ") + kPaths[path], kTrials, 1, [=](Random& random) {
      const isa::BlockMove m{small(random, 6), small(random, 5), small(random, 5), small(random, 5)};
      return copy_trial(DType::Int8, Places(random, path, 2), true,
                        [=](const Slice& dst, const Slice& src) { isa::copy(dst, src, m, 2); });
    });
}

TEST(Footprint, OfCopiesWithPadding) {
  for (const uint32_t element : {1u, 2u, 4u, 8u}) {
    prove_footprint(
        "DataCopyPad of " + std::to_string(element) + " bytes to UB", kTrials, 1, [=](Random& random) {
          const isa::RowMove m{small(random, 6), element * small(random, 80 / element),
                               element * small(random, 9), small(random, 3)};
          const auto most = 32 / element;
          const isa::Padding padding{below(random, 2) != 0,
                                     static_cast<uint8_t>(below(random, most + 1)),
                                     static_cast<uint8_t>(below(random, most + 1)),
                                     {element == 8 ? 0u : 7u}};
          return copy_trial(
              DType::Int8, Places(random, In, 1), true,
              [=](const Slice& dst, const Slice& src) { isa::copy_pad(dst, src, m, padding, element); });
        });
    prove_footprint(
        "DataCopyPad of " + std::to_string(element) + " bytes to GM", kTrials, 1, [=](Random& random) {
          const isa::RowMove m{small(random, 6), element * small(random, 80 / element), small(random, 3),
                               element * small(random, 9)};
          return copy_trial(DType::Int8, Places(random, Out, 1), true,
                            [=](const Slice& dst, const Slice& src) { isa::copy_pad(dst, src, m, element); });
        });
  }
}

TEST(Footprint, OfSlices) {
  for (const Path path : {In, Out})
    prove_footprint(std::string("DataCopy of slices, ") + kPaths[path], kTrials, 1, [=](Random& random) {
      // N pieces of one length, `gap` elements apart, from `start` on, of a dimension that goes on for
      // `more`.
      constexpr uint32_t kElement = 2;
      const auto range = [&](uint32_t pieces, uint32_t length, uint32_t burst, uint32_t unit) {
        const uint32_t start = unit * small(random, 2), gap = unit * small(random, 2);
        const uint32_t end = start + pieces * length + (pieces - 1) * gap - 1;
        return isa::SliceRange{start, end, gap, burst, (end + unit) / unit * unit + unit * small(random, 1)};
      };
      const uint32_t dimensions = 1 + small(random, 2), burst = 1 + small(random, 1);
      std::array<isa::SliceRange, 3> d{}, s{};
      for (uint32_t k = 0; k < dimensions; ++k) {
        const uint32_t pieces = 1 + small(random, 2), length = k ? 1 : burst * 32 / kElement;
        const uint32_t unit = k ? 1 : 32 / kElement;
        d[k] = range(pieces, length, k ? 1 : burst, unit);
        s[k] = range(pieces, length, k ? 1 : burst, unit);
      }
      return copy_trial(DType::Int8, Places(random, path, 32), true, [=](const Slice& dst, const Slice& src) {
        isa::copy_slice(dst, src, d.data(), s.data(), dimensions, kElement);
      });
    });
}

TEST(Footprint, OfLayouts) {
  for (const uint32_t element : {1u, 2u, 4u})
    prove_footprint("DataCopy from ND to NZ", kTrials, 1, [=](Random& random) {
      const auto rows = small(random, 6);
      const isa::Nd2Nz m{small(random, 2),
                         rows,
                         small(random, 80),
                         small(random, 200),
                         static_cast<uint16_t>(1 + small(random, 100)),
                         static_cast<uint16_t>(16 + small(random, 4)),
                         static_cast<uint16_t>(1 + small(random, 1)),
                         static_cast<uint16_t>(32 / element * 300)};
      return copy_trial(DType::Int8, Places(random, In, 1), true,
                        [=](const Slice& dst, const Slice& src) { isa::copy_nd2nz(dst, src, m, element); });
    });
  for (const uint32_t element : {2u, 4u})
    prove_footprint("DataCopy from NZ to ND", kTrials, 1, [=](Random& random) {
      const auto columns = static_cast<uint16_t>(16 * (1 + small(random, 3)));
      const isa::Nz2Nd m{small(random, 2),
                         static_cast<uint16_t>(1 + small(random, 6)),
                         columns,
                         static_cast<uint16_t>(1 + small(random, 2)),
                         small(random, 20),
                         static_cast<uint16_t>(columns + small(random, 9)),
                         static_cast<uint16_t>(1 + columns * 7 + small(random, 300))};
      const bool once = m.dst_matrix_stride >= 7 * m.dst_row_stride || m.matrices < 2;
      return copy_trial(DType::Int8, Places(random, Out, 1), once,
                        [=](const Slice& dst, const Slice& src) { isa::copy_nz2nd(dst, src, m, element); });
    });
}

TEST(Footprint, OfAtomicCopies) {
  for (const DType type :
       {DType::Float, DType::Half, DType::Int16, DType::Int32, DType::Int8, DType::BFloat16})
    for (const auto op : {StoreAtomic::Add, StoreAtomic::Max}) {
      const bool add = op == StoreAtomic::Add;
      prove_footprint(std::string("atomic copy of ") + name_of(type), kTrials, add ? 0.7 : 0.2,
                      [=](Random& random) {
                        const uint32_t element = size_of(type);
                        const isa::RowMove m{small(random, 4), element * small(random, 80 / element),
                                             small(random, 3), element * small(random, 9)};
                        return copy_trial(type, Places(random, Out, element), true,
                                          [=](const Slice& dst, const Slice& src) {
                                            isa::set_atomic(op, isa::atomic_type(type));
                                            isa::copy_pad(dst, src, m, element);
                                          });
                      });
    }
}

}  // namespace
