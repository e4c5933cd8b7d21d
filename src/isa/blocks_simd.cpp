// Blocks of repeats brought together and apart, with and without a mask.
#include "isa/blocks_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/blocks_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include <cstring>

#include "isa/simd/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

using Bytes = Lanes<uint8_t>;

/// How a whole vector of a row is moved.
struct WholeVector {
  static HWY_INLINE Bytes::V load(const uint8_t* p) { return Bytes::load(p); }
  static HWY_INLINE void store(Bytes::V v, uint8_t* p) { Bytes::store(v, p); }
  static HWY_INLINE void store_masked(Bytes::V v, hn::Mask<Bytes::D> mask, uint8_t* p) {
    hn::BlendedStore(v, mask, Bytes::D(), p);
  }
  static HWY_INLINE Bytes::V load_apart(const uint8_t* p, size_t stride) {
    return Bytes::load_apart(p, stride);
  }
  static HWY_INLINE void store_apart(Bytes::V v, uint8_t* p, size_t stride) {
    Bytes::store_apart(v, p, stride);
  }
};

#if HWY_TARGET != HWY_SCALAR
/// How a block is moved in a vector that has room for more.
struct OneBlock {
  static HWY_INLINE Bytes::V load(const uint8_t* p) {
    return hn::ZeroExtendVector(Bytes::D(), hn::LoadU(hn::Half<Bytes::D>(), p));
  }
  static HWY_INLINE void store(Bytes::V v, uint8_t* p) {
    const hn::Half<Bytes::D> d;
    hn::StoreU(hn::LowerHalf(d, v), d, p);
  }
  static HWY_INLINE void store_masked(Bytes::V v, hn::Mask<Bytes::D> mask, uint8_t* p) {
    store(hn::IfThenElse(mask, v, load(p)), p);
  }
  static HWY_INLINE Bytes::V load_apart(const uint8_t* p, size_t) { return load(p); }
  static HWY_INLINE void store_apart(Bytes::V v, uint8_t* p, size_t) { store(v, p); }
};
#endif

/// f(mover, at, p) for the vectors of a row: `at` of its bytes lie before, and the first one lies at byte `p`
/// of the repeat.
template <class F>
HWY_INLINE void over_row(uint32_t blocks, size_t stride, F&& f) {
  constexpr size_t step = hn::MaxLanes(Bytes::D()), chunk = std::max(step, kBlock);
  static_assert(step <= 2 * kBlock);
  const size_t bytes = blocks * kBlock;
  size_t at = 0, p = 0;
  for (; at + chunk <= bytes; at += chunk, p += chunk / kBlock * stride)
    for (size_t k = 0; k < chunk; k += step) f(WholeVector(), at + k, p + k / kBlock * stride + k % kBlock);
#if HWY_TARGET != HWY_SCALAR
  if constexpr (step > kBlock)
    if (at < bytes) f(OneBlock(), at, p);
#endif
}

/// f(mover, at, p, repeat) over all repeats, p from the first one's start on.
template <class F>
HWY_INLINE void over(const Grid& grid, uint32_t repeats, F&& f) {
  for (uint32_t r = 0; r < repeats; ++r)
    over_row(grid.blocks, grid.block_stride, [&](auto io, size_t at, size_t p) HWY_ATTR {
      f(io, at, p + size_t{r} * grid.repeat_stride, r);
    });
}

HWY_INLINE Bytes::V choose(Bytes::V mask, Bytes::V yes, Bytes::V no) {
  return hn::Xor(no, hn::And(mask, hn::Xor(yes, no)));
}

void gather(uint8_t* to, uint32_t row, const uint8_t* from, const Grid& grid, uint32_t repeats) {
  const size_t stride = grid.block_stride;
  over(grid, repeats, [&](auto io, size_t at, size_t p, size_t r) HWY_ATTR {
    io.store(io.load_apart(from + p, stride), to + r * row + at);
  });
}

void scatter(uint8_t* to, const Grid& grid, const uint8_t* from, uint32_t row, uint32_t repeats) {
  const size_t stride = grid.block_stride;
  over(grid, repeats, [&](auto io, size_t at, size_t p, size_t r) HWY_ATTR {
    io.store_apart(io.load(from + r * row + at), to + p, stride);
  });
}

void blend(uint8_t* to, const Grid& grid, const uint8_t* from, uint32_t row, const uint8_t* mask,
           uint32_t repeats) {
  const size_t stride = grid.block_stride;
  if (stride == kBlock && grid.repeat_stride >= grid.blocks * kBlock)  // down the columns
    over_row(grid.blocks, stride, [&](auto mover, size_t at, size_t) HWY_ATTR {
      const auto part = hn::MaskFromVec(mover.load(mask + at));
      for (uint32_t r = 0; r < repeats; ++r)
        mover.store_masked(mover.load(from + size_t{r} * row + at), part,
                           to + size_t{r} * grid.repeat_stride + at);
    });
  else if (stride == kBlock)
    over(grid, repeats, [&](auto io, size_t at, size_t p, size_t r) HWY_ATTR {
      io.store(choose(io.load(mask + at), io.load(from + r * row + at), io.load(to + p)), to + p);
    });
  else if (stride > kBlock)
    over(grid, repeats, [&](auto io, size_t at, size_t p, size_t r) HWY_ATTR {
      io.store_apart(choose(io.load(mask + at), io.load(from + r * row + at), io.load_apart(to + p, stride)),
                     to + p, stride);
    });
  else  // one block again and again: what was written is what the next is blended into
    for (uint32_t r = 0; r < repeats; ++r)
      for (size_t at = 0; at < grid.blocks * kBlock; ++at) {
        uint8_t& byte = to[size_t{r} * grid.repeat_stride + at % kBlock];
        if (mask[at]) byte = from[size_t{r} * row + at];
      }
}

template <class T>
void spread_as(uint8_t* mask, const uint64_t (&bits)[2], uint32_t elements) {
  const hn::ScalableTag<T> d;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < elements; i += lanes) {
    uint64_t word = bits[i / 64] >> (i % 64);
    hn::StoreU(hn::VecFromMask(d, hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&word))), d,
               reinterpret_cast<T*>(mask + i * sizeof(T)));
  }
}

void spread(uint8_t* mask, const uint64_t (&bits)[2], uint32_t element, uint32_t elements) {
  switch (element) {
    case 1:
      return spread_as<uint8_t>(mask, bits, elements);
    case 2:
      return spread_as<uint16_t>(mask, bits, elements);
    case 4:
      return spread_as<uint32_t>(mask, bits, elements);
    default:
      return spread_as<uint64_t>(mask, bits, elements);
  }
}

void merge(uint8_t* to, const uint8_t* from, const Grid& grid, const uint8_t* mask, const uint8_t* other,
           uint32_t repeats) {
  const size_t stride = grid.block_stride, taken = grid.blocks * kBlock;
  over(grid, repeats, [&](auto io, size_t at, size_t p, size_t r) HWY_ATTR {
    io.store(choose(io.load(mask + at), io.load_apart(from + p, stride), io.load(other + at)),
             to + r * kRepeatBytes + at);
  });
  for (size_t r = 0; r < repeats; ++r)
    std::memcpy(to + r * kRepeatBytes + taken, other + taken, kRepeatBytes - taken);
}

template <class T>
void fill_as(uint8_t* rows, const uint8_t* mask, const uint8_t (&chosen)[kBlocksPerRepeat],
             uint32_t repeats) {
  const hn::CappedTag<T, kBlock / sizeof(T)> d;
  for (size_t r = 0; r < repeats; ++r) {
    auto* row = reinterpret_cast<T*>(rows + r * kRepeatBytes);
    T value[kBlocksPerRepeat];
    for (size_t b = 0; b < kBlocksPerRepeat; ++b) value[b] = row[chosen[b]];
    for (size_t b = 0; b < kBlocksPerRepeat; ++b) {
      const auto other = hn::Set(d, value[b]);
      for (size_t i = b * kBlock / sizeof(T); i < (b + 1) * kBlock / sizeof(T); i += hn::Lanes(d)) {
        const auto on = hn::LoadU(d, reinterpret_cast<const T*>(mask) + i);
        const auto own = hn::LoadU(d, row + i);
        hn::StoreU(hn::Xor(other, hn::And(on, hn::Xor(own, other))), d, row + i);
      }
    }
  }
}

void fill(uint8_t* rows, const uint8_t* mask, uint32_t element, const uint8_t (&chosen)[kBlocksPerRepeat],
          uint32_t repeats) {
  element == 2 ? fill_as<uint16_t>(rows, mask, chosen, repeats)
               : fill_as<uint32_t>(rows, mask, chosen, repeats);
}

void move(void* dst, const void* src, Apart extent) {
  map(
      static_cast<uint8_t*>(dst), extent, [](auto v) HWY_ATTR { return v; },
      static_cast<const uint8_t*>(src));
}

}  // namespace

const BlocksTable* blocks_kernels() {
  static const BlocksTable all = {&gather, &scatter, &blend, &spread, &merge, &fill, &move};
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(blocks_kernels);
const DispatchedTable blocks_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(blocks_kernels)(); });
}  // namespace toprope::isa
#endif
