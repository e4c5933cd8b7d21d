// Semantics of the reductions: `join` is a node of the tree, in float lanes.
#include "isa/reduce_half.h"
#include "isa/reduce_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/reduce_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "isa/simd/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

using DF = hn::ScalableTag<float>;
using VF = hn::Vec<DF>;

constexpr size_t kMostLanes = HWY_MAX_BYTES / 4;
constexpr size_t kChunk =
    2048;  // elements reduced at a time; the intermediate sums stay in the first-level cache

/// What saturation mode makes of a half result.
template <class D, class V>
HWY_INLINE V clamp_half(D d, V v) {
  v = hn::IfThenZeroElse(hn::IsNaN(v), v);
  return hn::Min(hn::Max(v, hn::Set(d, -65504.0f)), hn::Set(d, 65504.0f));
}

/// An exact or float sum rounded to T.
template <class T, bool saturate, class D, class V>
HWY_INLINE V rounded(D d, V v) {
  if constexpr (std::is_same_v<T, Half>) {
    if constexpr (saturate) v = clamp_half(d, v);
    v = promote(d, demote(d, v));
  }
  return v;
}

struct Sum {
  template <class T, bool saturate>
  static HWY_INLINE VF join(VF a, VF b) {
    return rounded<T, saturate>(DF(), hn::Add(a, b));
  }
};

struct Max {
  template <class T, bool saturate>
  static HWY_INLINE VF join(VF a, VF b) {
    const auto larger = hn::IfThenElse(hn::Gt(a, b), a, hn::IfThenElse(hn::Eq(a, b), hn::And(a, b), b));
    return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::IsNaN(b)), hn::Add(a, b), larger);
  }
  /// A key that grows with the value; NaN has the largest.
  template <class D, class V>
  static HWY_INLINE V key(D, V ascending) {
    return ascending;
  }
};

struct Min {
  template <class T, bool saturate>
  static HWY_INLINE VF join(VF a, VF b) {
    const auto smaller = hn::IfThenElse(hn::Lt(a, b), a, hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), b));
    return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::IsNaN(b)), hn::Add(a, b), smaller);
  }
  template <class D, class V>
  static HWY_INLINE V key(D, V ascending) {
    return hn::Not(ascending);
  }
};

/// A level of the tree over two vectors of neighbours: [a0+a1, a2+a3, …, b0+b1, …].
template <class Op, class T, bool saturate>
HWY_INLINE VF join_neighbours(VF a, VF b) {
#if HWY_TARGET == HWY_SCALAR
  return Op::template join<T, saturate>(a, b);
#else
  const DF d;
  return Op::template join<T, saturate>(hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a));
#endif
}

/// Loads `n` elements, at most a vector's worth.
template <class T>
HWY_INLINE VF load_up_to(const T* p, size_t n) {
  return n >= Lanes<T>::size() ? Lanes<T>::load(p) : n ? Lanes<T>::load_first(p, n) : hn::Zero(DF());
}

/// One level of the tree: neighbours joined, n of them. `buffer` has two vectors of room behind its end.
template <class Op, class T, bool saturate>
HWY_INLINE void halve(float* buffer, size_t n) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  for (size_t i = 0; i < n; i += lanes) {
    const VF a = hn::LoadU(d, buffer + 2 * i), b = hn::LoadU(d, buffer + 2 * i + lanes);
    hn::StoreU(join_neighbours<Op, T, saturate>(a, b), d, buffer + i);
  }
}

template <class Op, class T, bool saturate>
void tree_as(T* out, const T* in, size_t groups, uint32_t width) {
  const DF d;
  const size_t lanes = hn::Lanes(d);
  HWY_ALIGN float buffer[kChunk / 2 + 4 * kMostLanes];
  const size_t at_once = kChunk / width;
  for (size_t g = 0; g < groups; g += at_once) {
    const size_t here = std::min(at_once, groups - g), n = here * width;
    const T* from = in + g * width;
    size_t i = 0;
    for (; i + 2 * lanes <= n; i += 2 * lanes) {
      const VF a = Lanes<T>::load(from + i), b = Lanes<T>::load(from + i + lanes);
      hn::StoreU(join_neighbours<Op, T, saturate>(a, b), d, buffer + i / 2);
    }
    if (i < n) {
      const size_t rest = n - i;
      const VF a = load_up_to(from + i, rest),
               b = load_up_to(from + i + lanes, rest > lanes ? rest - lanes : 0);
      hn::StoreU(join_neighbours<Op, T, saturate>(a, b), d, buffer + i / 2);
      i += 2 * lanes;
    }
    for (size_t k = 0; k < 3; ++k) hn::StoreU(hn::Zero(d), d, buffer + i / 2 + k * lanes);
    for (size_t m = n / 2; m > here; m /= 2) halve<Op, T, saturate>(buffer, m / 2);
    auto last = [&](size_t k) HWY_ATTR {
      const VF v = hn::LoadU(d, buffer + k);
      if constexpr (std::is_same_v<T, Half> && saturate)
        return clamp_half(d, v);
      else
        return v;
    };
    size_t k = 0;
    for (; k + lanes <= here; k += lanes) Lanes<T>::store(last(k), out + g + k);
    if (k < here) Lanes<T>::store_first(last(k), out + g + k, here - k);
  }
}

/// The sums of 2^levels neighbours each, a vector's worth of them: the tree depth first, so that it stays in
/// registers.
template <class T, int levels>
HWY_INLINE VF sums(const T* p);

/// A call where the tree has grown to 16 vectors keeps the code small; its result comes back in a register.
template <class T>
HWY_NOINLINE VF sixteen_sums(const T* p) {
  return join_neighbours<Sum, T, false>(sums<T, 3>(p), sums<T, 3>(p + 8 * Lanes<T>::size()));
}

template <class T, int levels>
HWY_INLINE VF sums(const T* p) {
  if constexpr (levels == 0) {
    return Lanes<T>::load(p);
  } else if constexpr (levels == 4) {
    return sixteen_sums(p);
  } else {
    const VF a = sums<T, levels - 1>(p);
    const VF b = sums<T, levels - 1>(p + (Lanes<T>::size() << (levels - 1)));
    return join_neighbours<Sum, T, false>(a, b);
  }
}

/// Whole vectors of sums; returns how many sums that were.
template <class T, int levels>
size_t sum_vectors(T* out, const T* in, size_t groups) {
  const size_t lanes = hn::Lanes(DF());
  size_t g = 0;
  for (; g + lanes <= groups; g += lanes) Lanes<T>::store(sums<T, levels>(in + (g << levels)), out + g);
  return g;
}

/// tree_as for sums outside saturation mode, whose widths are few: a pair, a DataBlock, a repeat.
template <class T>
void sum_as(T* out, const T* in, size_t groups, uint32_t width) {
  constexpr int block = sizeof(T) == 2 ? 4 : 3, row = sizeof(T) == 2 ? 7 : 6;
  size_t done = 0;
  if (width == 1u << row)
    done = sum_vectors<T, row>(out, in, groups);
  else if (width == 1u << block)
    done = sum_vectors<T, block>(out, in, groups);
  else if (width == 2)
    done = sum_vectors<T, 1>(out, in, groups);
  if (done < groups) tree_as<Sum, T, false>(out + done, in + done * width, groups - done, width);
}

template <class Op, class T>
void tree(void* out, const void* in, size_t groups, uint32_t width, bool saturate) {
  // float has no saturation mode.
  constexpr bool half = std::is_same_v<T, Half>;
  auto* to = static_cast<T*>(out);
  const auto* from = static_cast<const T*>(in);
  if (half && saturate)
    tree_as<Op, T, half>(to, from, groups, width);
  else if constexpr (std::is_same_v<Op, Sum>)
    sum_as(to, from, groups, width);
  else
    tree_as<Op, T, false>(to, from, groups, width);
}

/// Sums of half where the processor adds halves itself; the rest of the rows and saturation mode go through
/// float.
[[maybe_unused]] void half_sums(void* out, const void* in, size_t groups, uint32_t width, bool saturate) {
  auto* to = static_cast<uint16_t*>(out);
  const auto* from = static_cast<const uint16_t*>(in);
  const size_t done = !saturate && width * sizeof(Half) == kRepeatBytes ? sum_half_rows(to, from, groups) : 0;
  if (done < groups) tree<Sum, Half>(to + done, from + done * width, groups - done, width, saturate);
}

/// Rows of 256 bytes, compared by integers that order like the values: NaN above all (below all for Min), +0
/// above -0.
template <class Op, class T>
void extreme(void* values, uint32_t* index, const void* in, size_t rows, bool saturate) {
  constexpr bool half = std::is_same_v<T, Half>;
  using Bits = std::conditional_t<half, int16_t, int32_t>;
  constexpr Bits kMagnitude = half ? 0x7fff : 0x7fffffff;
  constexpr Bits kInfinity = half ? 0x7c00 : 0x7f800000;
  constexpr Bits kNaN = half ? 0x7e00 : 0x7fc00000;
  constexpr Bits kMost = half ? 0x7bff : 0;
  const hn::ScalableTag<Bits> d;
  const size_t lanes = hn::Lanes(d), width = kRepeatBytes / sizeof(T);
  auto key_at = [&](const Bits* p) HWY_ATTR {
    const auto x = hn::LoadU(d, p);
    const auto magnitude = hn::And(x, hn::Set(d, kMagnitude));
    const auto ascending = hn::Xor(x, hn::And(hn::BroadcastSignBit(x), hn::Set(d, kMagnitude)));
    return hn::IfThenElse(hn::Gt(magnitude, hn::Set(d, kInfinity)), hn::Set(d, kMagnitude),
                          Op::key(d, ascending));
  };
  for (size_t r = 0; r < rows; ++r) {
    const Bits* row = static_cast<const Bits*>(in) + r * width;
    auto most = key_at(row);
    for (size_t i = lanes; i < width; i += lanes) most = hn::Max(most, key_at(row + i));
    most = hn::MaxOfLanes(d, most);
    size_t first = 0;
    for (; first < width; first += lanes) {
      const intptr_t lane = hn::FindFirstTrue(d, hn::Eq(key_at(row + first), most));
      if (lane < 0) continue;
      first += static_cast<size_t>(lane);
      break;
    }
    index[r] = static_cast<uint32_t>(first);
    Bits value = row[first];
    const Bits magnitude = value & kMagnitude;
    if (magnitude > kInfinity)
      value = half && saturate ? 0 : kNaN;
    else if (half && saturate && magnitude == kInfinity)
      value = static_cast<Bits>((value & ~kMagnitude) | kMost);
    std::memcpy(static_cast<Bits*>(values) + r, &value, sizeof value);
  }
}

template <class T, bool saturate>
void running_sum_as(T* value, const T* in, size_t n) {
  const hn::CappedTag<float, 4> d;
  const hn::Rebind<T, decltype(d)> dm;
  auto spread = [&](const T* p) HWY_ATTR {
    T four[4] = {*p, *p, *p, *p};
    if constexpr (std::is_same_v<T, Half>)
      return promote(d, hn::LoadU(dm, four));
    else
      return hn::LoadU(dm, four);
  };
  auto total = spread(value);
  for (size_t i = 0; i < n; ++i) total = rounded<T, saturate>(d, hn::Add(total, spread(in + i)));
  T four[4];
  if constexpr (std::is_same_v<T, Half>)
    hn::StoreU(demote(d, total), dm, four);
  else
    hn::StoreU(total, dm, four);
  *value = four[0];
}

template <class T>
void running_sum(void* value, const void* in, size_t n, bool saturate) {
  if (std::is_same_v<T, Half> && saturate)
    running_sum_as<T, std::is_same_v<T, Half>>(static_cast<T*>(value), static_cast<const T*>(in), n);
  else
    running_sum_as<T, false>(static_cast<T*>(value), static_cast<const T*>(in), n);
}

[[maybe_unused]] void half_running_sum(void* value, const void* in, size_t n, bool saturate) {
  if (saturate) return running_sum<Half>(value, in, n, saturate);
  running_half_sum(static_cast<uint16_t*>(value), static_cast<const uint16_t*>(in), n);
}

template <class Op, Reduce id, class T>
void fill(ReduceTable& table, DType type) {
  table.tree[static_cast<int>(id)][static_cast<int>(type)] = &tree<Op, T>;
  if constexpr (id != Reduce::Sum)
    table.extreme[static_cast<int>(id)][static_cast<int>(type)] = &extreme<Op, T>;
}

}  // namespace

const ReduceTable* reduce_kernels() {
  static const ReduceTable all = [] {
    ReduceTable t;
#define TOPROPE_OP(name)                          \
  fill<name, Reduce::name, Half>(t, DType::Half); \
  fill<name, Reduce::name, float>(t, DType::Float);
#include "toprope/isa/reduce.list"
#undef TOPROPE_OP
    t.running_sum[static_cast<int>(DType::Half)] = &running_sum<Half>;
    t.running_sum[static_cast<int>(DType::Float)] = &running_sum<float>;
#if HWY_TARGET == HWY_AVX3
    if (has_half_arithmetic()) {
      t.tree[static_cast<int>(Reduce::Sum)][static_cast<int>(DType::Half)] = &half_sums;
      t.running_sum[static_cast<int>(DType::Half)] = &half_running_sum;
    }
#endif
    return t;
  }();
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(reduce_kernels);
const DispatchedTable reduce_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(reduce_kernels)(); });
}  // namespace toprope::isa
#endif
