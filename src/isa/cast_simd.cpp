// The conversions. A kernel is one (source, destination, rounding); simd/convert-inl.h has their numeric
// steps.
#include "isa/cast_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/cast_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "isa/simd/convert-inl.h"
#include "isa/simd/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

constexpr size_t kMostLanes = HWY_MAX_BYTES / 4, kWidest = 8;  // elements of a step; bytes of an element

/// A step of a conversion takes a vector of float or, where it is wider, of the widest type.
template <class... T>
using StepOf = hn::ScalableTag<std::conditional_t<((sizeof(T) == 8) || ...), int64_t, float>>;

/// out[i] = f(in[i]…): `step(out, in…)` converts as many elements as StepOf has lanes; what is left goes
/// through buffers.
template <class Out, class Step, class... In>
HWY_INLINE void stream(Out* out, size_t n, Step&& step, const In*... in) {
  const size_t lanes = hn::Lanes(StepOf<Out, In...>()), whole = n / lanes * lanes, rest = n - whole;
  HWY_ALIGN Out result[kMostLanes];
  HWY_ALIGN uint8_t buffer[sizeof...(In)][kMostLanes * kWidest];
  Out* to = out;
  // One loop for both keeps a single copy of the conversion.
  for (size_t end = whole;; end = lanes) {
    for (size_t i = 0; i < end; i += lanes) step(to + i, (in + i)...);
    if (rest == 0 || to == result) break;
    size_t k = 0;
    auto first_of = [&](const auto* p) {
      std::memset(buffer[k], 0, sizeof *buffer);
      std::memcpy(buffer[k], p + whole, rest * sizeof *p);
      return reinterpret_cast<decltype(p)>(buffer[k++]);
    };
    ((in = first_of(in)), ...);
    to = result;
  }
  if (rest) std::memcpy(out + whole, result, rest * sizeof(Out));
}

/// A step's elements from one on in an operand in blocks: where they lie, if a block holds them, else in
/// `buffer`.
template <class D, class T>
HWY_INLINE const T* read_blocks(const OverBlocks<T>& from, size_t element, uint8_t* buffer) {
  const size_t first = element * sizeof(T);
  if constexpr (hn::MaxLanes(D()) * sizeof(T) <= kBlock) {
    return reinterpret_cast<const T*>(from.byte(first));
  } else {
    for (size_t b = 0; b < hn::Lanes(D()) * sizeof(T); b += Lanes<uint8_t>::size())
      Lanes<uint8_t>::store(Lanes<uint8_t>::load_apart(from.byte(first + b), from.stride), buffer + b);
    return reinterpret_cast<const T*>(buffer);
  }
}

/// Calls write(address) for a step's elements from one on in an operand in blocks. Only the bytes in `mask`
/// are kept if there is one.
template <class D, class T, class F>
HWY_INLINE void write_blocks(const OverBlocks<T>& to, size_t element, const uint8_t* mask, F&& write) {
  constexpr bool in_block = hn::MaxLanes(D()) * sizeof(T) <= kBlock;
  const size_t first = element * sizeof(T), bytes = hn::Lanes(D()) * sizeof(T);
  HWY_ALIGN uint8_t buffer[kMostLanes * kWidest];
  write(reinterpret_cast<T*>(in_block && !mask ? to.byte(first) : buffer));
  if (in_block && !mask) return;
  // No wider than what was stored, or the loads would have to wait for the stores.
  const hn::CappedTag<uint8_t, std::min(hn::MaxLanes(D()) * sizeof(T), kBlock)> d;
  for (size_t b = 0; b < bytes; b += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, buffer + b);
    if (mask)
      hn::BlendedStore(v, hn::MaskFromVec(hn::LoadU(d, mask + b)), d, to.byte(first + b));
    else
      hn::StoreU(v, d, to.byte(first + b));
  }
}

template <class Step, class Out, class... In>
HWY_INLINE void stream_blocks(const Apart& extent, Step&& step, OverBlocks<Out> to, OverBlocks<In>... from) {
  using D = StepOf<Out, In...>;
  const size_t lanes = hn::Lanes(D()),
               chunk = std::max(lanes, kBlock / std::min({sizeof(Out), sizeof(In)...}));
  HWY_ALIGN uint8_t buffer[sizeof...(In)][kMostLanes * kWidest];
  for (size_t i = 0; i < extent.n; i += chunk) {
    for (size_t e = 0; e < chunk; e += lanes)
      write_blocks<D>(to, e, extent.mask ? extent.mask_at((i + e) * sizeof(Out)) : nullptr,
                      [&](Out* out) HWY_ATTR {
                        size_t k = 0;
                        step(out, read_blocks<D>(from, e, buffer[k++])...);
                      });
    to.skip(chunk);
    (from.skip(chunk), ...);
  }
}

/// The same for blocks that lie apart.
template <class Out, class Step, class In>
HWY_INLINE void stream(Out* out, const Apart& extent, Step&& step, const In* in) {
  stream_blocks(extent, step, over_blocks(out, extent.stride[0]), over_blocks(in, extent.stride[1]));
}

template <DType to, DType from, Round r, bool saturate, class Extent>
void through_float(void* dst, const void* src, Extent n) {
  using In = StoredT<from>;
  using Out = StoredT<to>;
  stream(
      static_cast<Out*>(dst), n,
      [](Out* o, const In* p) HWY_ATTR {
        VF v = read<from>(p);
        // To float a conversion from float rounds to an integer, and -0 becomes +0 as documented.
        if constexpr (from == DType::Float && to == DType::Float) v = hn::Add(integral<r>(v), hn::Zero(DF()));
        write<to, r, saturate>(v, o);
      },
      static_cast<const In*>(src));
}

/// int32_t to float: the two bytes' worth that float cannot hold are added last, and the error of that
/// addition, which is exact, tells how the nearest value was rounded.
template <Round r>
HWY_INLINE VF float_of(VI v) {
  const DF d;
  const DI di;
  if constexpr (r == Round::None || r == Round::Rint) return hn::ConvertTo(d, v);
  const VI low_bits = hn::And(v, hn::Set(di, 0xff));
  const VF high = hn::ConvertTo(d, hn::Sub(v, low_bits)), low = hn::ConvertTo(d, low_bits);
  const VF sum = hn::Add(high, low), error = hn::Sub(low, hn::Sub(sum, high));
  const VI bits = hn::BitCast(di, sum);
  const auto negative = hn::Lt(v, hn::Zero(di));
  const auto above = hn::RebindMask(di, hn::Lt(error, hn::Zero(d)));  // the sum lies above the exact value
  const auto below = hn::RebindMask(di, hn::Gt(error, hn::Zero(d)));
  const VI one = hn::Set(di, 1);
  const VI shrink = hn::Sub(bits, one), grow = hn::Add(bits, one);  // in magnitude
  if constexpr (r == Round::Floor) {
    return hn::BitCast(d, hn::IfThenElse(above, hn::IfThenElse(negative, grow, shrink), bits));
  } else if constexpr (r == Round::Ceil) {
    return hn::BitCast(d, hn::IfThenElse(below, hn::IfThenElse(negative, shrink, grow), bits));
  } else if constexpr (r == Round::Trunc) {
    const auto outside = hn::Or(hn::And(above, hn::Not(negative)), hn::And(below, negative));
    return hn::BitCast(d, hn::IfThenElse(outside, shrink, bits));
  } else {  // Round: only a tie that went towards zero differs from the nearest value
    const VF spacing = hn::Sub(hn::BitCast(d, grow), sum);
    const auto tie = hn::RebindMask(di, hn::Eq(spacing, hn::Add(error, error)));
    const auto inside = hn::Or(hn::And(below, hn::Not(negative)), hn::And(above, negative));
    return hn::BitCast(d, hn::IfThenElse(hn::And(tie, inside), grow, bits));
  }
}

template <Round r, class Extent>
void int32_to_float(void* dst, const void* src, Extent n, const CastMode&) {
  stream(
      static_cast<float*>(dst), n,
      [](float* o, const int32_t* p) HWY_ATTR { hn::StoreU(float_of<r>(hn::LoadU(DI(), p)), DF(), o); },
      static_cast<const int32_t*>(src));
}

template <class Extent>
void int32_to_int16(void* dst, const void* src, Extent n, const CastMode&) {
  stream(
      static_cast<int16_t*>(dst), n,
      [](int16_t* o, const int32_t* p) HWY_ATTR {
        const hn::Rebind<int16_t, DF> dm;
        hn::StoreU(hn::DemoteTo(dm, hn::LoadU(DI(), p)), dm, o);
      },
      static_cast<const int32_t*>(src));
}

// Double lanes, half as many as float lanes: what float cannot hold is rounded there first.
using DD = hn::ScalableTag<double>;
using DL = hn::RebindToSigned<DD>;
using VD = hn::Vec<DD>;
using VL = hn::Vec<DL>;
using FloatOfDouble = hn::Rebind<float, DD>;
constexpr int64_t kBeyondFloat =
    (int64_t{1} << 29) - 1;  // the bits of a double's fraction that a float has not

/// src * scale is exact in double. What float cannot hold of it is kept as an odd last bit, which keeps the
/// rounding to half right.
template <bool saturate, class Extent>
void scaled_to_half(Half* out, const int32_t* in, Extent n, float scale) {
  stream(
      out, n,
      [scale](Half* o, const int32_t* p) HWY_ATTR {
        const DD d;
        const DL dl;
        const FloatOfDouble df;
        const hn::Rebind<int32_t, DD> di;
        const hn::Rebind<Half, DD> dh;
        for (size_t i = 0; i < hn::Lanes(DF()); i += hn::Lanes(d)) {
          const VD product =
              hn::Mul(hn::PromoteTo(d, hn::LoadU(di, p + i)), hn::Set(d, static_cast<double>(scale)));
          const VL bits = hn::BitCast(dl, product), beyond = hn::Set(dl, kBeyondFloat);
          const VL odd =
              hn::IfThenZeroElse(hn::Eq(hn::And(bits, beyond), hn::Zero(dl)), hn::Set(dl, kBeyondFloat + 1));
          auto v = hn::DemoteTo(df, hn::BitCast(d, hn::Or(hn::AndNot(beyond, bits), odd)));
          if constexpr (saturate) {
            v = hn::IfThenZeroElse(hn::IsNaN(v), v);
            v = hn::Min(hn::Max(v, hn::Set(df, -65504.0f)), hn::Set(df, 65504.0f));
          }
          hn::StoreU(demote(df, v), dh, o + i);
        }
      },
      in);
}

template <class Extent>
void int32_to_half(void* dst, const void* src, Extent n, const CastMode& mode) {
  auto* out = static_cast<Half*>(dst);
  const auto* in = static_cast<const int32_t*>(src);
  mode.saturate ? scaled_to_half<true>(out, in, n, mode.scale)
                : scaled_to_half<false>(out, in, n, mode.scale);
}

template <class Extent>
void int32_to_int64(void* dst, const void* src, Extent n, const CastMode&) {
  stream(
      static_cast<int64_t*>(dst), n,
      [](int64_t* o, const int32_t* p)
          HWY_ATTR { hn::StoreU(hn::PromoteTo(DL(), hn::LoadU(hn::Rebind<int32_t, DL>(), p)), DL(), o); },
      static_cast<const int32_t*>(src));
}

template <class Extent>
void int64_to_int32(void* dst, const void* src, Extent n, const CastMode&) {
  stream(
      static_cast<int32_t*>(dst), n,
      [](int32_t* o, const int64_t* p) HWY_ATTR {
        for (size_t i = 0; i < hn::Lanes(DL()); ++i)
          o[i] = static_cast<int32_t>(std::clamp<int64_t>(p[i], INT32_MIN, INT32_MAX));
      },
      static_cast<const int64_t*>(src));
}

/// int64_t to the double nearest to it or, where that is not exact, to the neighbour with an odd last bit: a
/// second rounding to fewer bits is then right in any mode.
HWY_INLINE VD odd_double_of(VL v) {
  const DD d;
  const DL dl;
  const hn::RebindToUnsigned<DD> du;
  // The halves as fractions of 2^84 + 2^63 + … and 2^52 + …; both differences are exact.
  const auto bits = hn::BitCast(du, v);
  const VD high =
      hn::Sub(hn::BitCast(d, hn::Xor(hn::ShiftRight<32>(bits), hn::Set(du, uint64_t{0x4530000080000000}))),
              hn::BitCast(d, hn::Set(du, uint64_t{0x4530000080000000})));
  const VD low = hn::Sub(hn::BitCast(d, hn::Or(hn::And(bits, hn::Set(du, uint64_t{0xffffffff})),
                                               hn::Set(du, uint64_t{0x4330000000000000}))),
                         hn::Set(d, 0x1p52));
  const VD sum = hn::Add(high, low), error = hn::Sub(low, hn::Sub(sum, high));
  const VL rounded = hn::BitCast(dl, sum), one = hn::Set(dl, 1);
  const auto even = hn::Eq(hn::And(rounded, one), hn::Zero(dl));
  const auto exact = hn::RebindMask(dl, hn::Eq(error, hn::Zero(d)));
  // Away from zero where the error has the sum's sign: +1, else -1.
  const VL signs = hn::Xor(rounded, hn::BitCast(dl, error));
  const VL step = hn::Or(hn::BroadcastSignBit(signs), one);
  return hn::BitCast(d, hn::Add(rounded, hn::IfThenElseZero(hn::AndNot(exact, even), step)));
}

template <Round r, class Extent>
void int64_to_float(void* dst, const void* src, Extent n, const CastMode&) {
  stream(
      static_cast<float*>(dst), n,
      [](float* o, const int64_t* p) HWY_ATTR {
        const DD d;
        const DL dl;
        const FloatOfDouble df;
        const VL all = hn::Set(dl, kBeyondFloat);
        VD v = odd_double_of(hn::LoadU(dl, p));
        if constexpr (r != Round::Rint) {
          VL bits = hn::BitCast(dl, v);
          const VL negative = hn::BroadcastSignBit(bits);
          if constexpr (r == Round::Floor)
            bits = hn::Add(bits, hn::And(negative, all));
          else if constexpr (r == Round::Ceil)
            bits = hn::Add(bits, hn::AndNot(negative, all));
          else if constexpr (r == Round::Round)
            bits = hn::Add(bits, hn::Set(dl, (kBeyondFloat + 1) / 2));
          v = hn::BitCast(d, hn::AndNot(all, bits));
        }
        hn::StoreU(hn::DemoteTo(df, v), df, o);
      },
      static_cast<const int64_t*>(src));
}

template <Round r, class Extent>
void float_to_int64(void* dst, const void* src, Extent n, const CastMode&) {
  auto* out = static_cast<int64_t*>(dst);
  stream(
      out, n,
      [](int64_t* o, const float* p) HWY_ATTR {
        const auto v = integral<r>(hn::LoadU(FloatOfDouble(), p));
        const DD d;
        const VD exact = hn::Max(hn::PromoteTo(d, hn::IfThenZeroElse(hn::IsNaN(v), v)), hn::Set(d, -0x1p63));
        const auto beyond = hn::Ge(exact, hn::Set(d, 0x1p63));
        const VL inside = hn::ConvertTo(DL(), hn::IfThenZeroElse(beyond, exact));
        hn::StoreU(hn::IfThenElse(hn::RebindMask(DL(), beyond), hn::Set(DL(), INT64_MAX), inside), DL(), o);
      },
      static_cast<const float*>(src));
}

constexpr size_t kNibbles = 256;  // int4b_t elements unpacked at a time

void int4_to_half(void* dst, const void* src, size_t n, const CastMode&) {
  auto* out = static_cast<Half*>(dst);
  const auto* in = static_cast<const uint8_t*>(src);
  int8_t wide[kNibbles];
  for (size_t i = 0; i < n; i += kNibbles) {
    const size_t here = std::min(kNibbles, n - i);
    for (size_t k = 0; k < here; k += 2) {
      const uint8_t pair = in[(i + k) / 2];
      wide[k] = static_cast<int8_t>(static_cast<int8_t>(pair << 4) >> 4);
      wide[k + 1] = static_cast<int8_t>(static_cast<int8_t>(pair) >> 4);
    }
    through_float<DType::Half, DType::Int8, Round::Rint, false, size_t>(out + i, wide, here);
  }
}

template <Round r>
void half_to_int4(void* dst, const void* src, size_t n, const CastMode&) {
  auto* out = static_cast<uint8_t*>(dst);
  const auto* in = static_cast<const Half*>(src);
  int8_t wide[kNibbles];
  for (size_t i = 0; i < n; i += kNibbles) {
    const size_t here = std::min(kNibbles, n - i);
    stream(
        wide, here,
        [](int8_t* o, const Half* p) HWY_ATTR {
          const hn::Rebind<int8_t, DF> dm;
          hn::StoreU(hn::DemoteTo(dm, clamped(integral<r>(read<DType::Half>(p)), -8.0f, 7.0f)), dm, o);
        },
        in + i);
    for (size_t k = 0; k < here; k += 2)
      out[(i + k) / 2] = static_cast<uint8_t>((wide[k] & 0xf) | (wide[k + 1] << 4));
  }
}

/// The sum is rounded in the source type, negative sums and NaN become 0, the rest is converted to nearest
/// even.
template <DType to, DType from, bool subtract, bool saturate>
void relu_cast_as(void* dst, const void* src0, const void* src1, size_t n) {
  using In = StoredT<from>;
  using Out = StoredT<to>;
  stream(
      static_cast<Out*>(dst), n,
      [](Out* o, const In* p, const In* q) HWY_ATTR {
        const DF d;
        VF sum = subtract ? hn::Sub(read<from>(p), read<from>(q)) : hn::Add(read<from>(p), read<from>(q));
        if constexpr (from == DType::Half) sum = promote(d, demote(d, sum));
        const VF positive = hn::IfThenElseZero(hn::Gt(sum, hn::Zero(d)), sum);
        write<to, Round::Rint, saturate>(positive, o);
      },
      static_cast<const In*>(src0), static_cast<const In*>(src1));
}

template <DType to, DType from, bool subtract>
void relu_cast(void* dst, const void* src0, const void* src1, size_t n, bool saturate) {
  saturate ? relu_cast_as<to, from, subtract, true>(dst, src0, src1, n)
           : relu_cast_as<to, from, subtract, false>(dst, src0, src1, n);
}

template <DType to, DType from, Round r, class Extent>
void convert(void* dst, const void* src, Extent n, const CastMode& mode) {
  constexpr bool narrow_float = to == DType::Half || to == DType::BFloat16;
  if (narrow_float && mode.saturate)
    through_float<to, from, r, narrow_float>(dst, src, n);
  else
    through_float<to, from, r, false>(dst, src, n);
}

/// NONE is RINT with another name; one kernel serves both.
template <Round r>
constexpr Round kRounding = r == Round::None ? Round::Rint : r;

template <DType to, DType from, Round r, class Extent>
constexpr auto kernel_of() {
  constexpr Round mode = kRounding<r>;
  if constexpr (from == DType::Int32 && to == DType::Half)
    return &int32_to_half<Extent>;
  else if constexpr (from == DType::Int32 && to == DType::Int16)
    return &int32_to_int16<Extent>;
  else if constexpr (from == DType::Int32 && to == DType::Int64)
    return &int32_to_int64<Extent>;
  else if constexpr (from == DType::Int32)
    return &int32_to_float<mode, Extent>;
  else if constexpr (from == DType::Int64 && to == DType::Int32)
    return &int64_to_int32<Extent>;
  else if constexpr (from == DType::Int64)
    return &int64_to_float<mode, Extent>;
  else if constexpr (to == DType::Int64)
    return &float_to_int64<mode, Extent>;
  else
    return &convert<to, from, mode, Extent>;
}

template <DType to, DType from, int... r>
void fill(CastTable& table, std::integer_sequence<int, r...>) {
  auto& row = table.at[static_cast<int>(to)][static_cast<int>(from)];
  auto& blocks = table.blocks[static_cast<int>(to)][static_cast<int>(from)];
  auto put = [&]<int k>() {
    constexpr auto round = static_cast<Round>(k);
    if constexpr ((rounds_of(to, from) & one(round)) == 0) {
    } else if constexpr (from == DType::Int4) {
      row[k] = &int4_to_half;
    } else if constexpr (to == DType::Int4) {
      row[k] = &half_to_int4<kRounding<round>>;
    } else {
      row[k] = kernel_of<to, from, round, size_t>();
      if constexpr (round == Round::None || round == Round::Rint)
        blocks[k] = kernel_of<to, from, round, Apart>();
    }
  };
  (put.template operator()<r>(), ...);
}

template <DType to, DType from>
void fill_relu(CastTable& table) {
  auto& row = table.relu[static_cast<int>(to)][static_cast<int>(from)];
  row[0] = &relu_cast<to, from, false>;
  row[1] = &relu_cast<to, from, true>;
}

}  // namespace

const CastTable* cast_kernels() {
  static const CastTable all = [] {
    CastTable t;
#define TOPROPE_OP(from, to, modes) \
  fill<DType::to, DType::from>(t, std::make_integer_sequence<int, kRounds>());
#include "toprope/isa/cast.list"
#undef TOPROPE_OP
    fill_relu<DType::Int8, DType::Half>(t);
    fill_relu<DType::Int8, DType::Int16>(t);
    fill_relu<DType::Half, DType::Float>(t);
    return t;
  }();
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(cast_kernels);
const DispatchedTable cast_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(cast_kernels)(); });
}  // namespace toprope::isa
#endif
