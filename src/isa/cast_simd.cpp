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

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

constexpr size_t kMostLanes = HWY_MAX_BYTES / 4;

/// out[i] = f(in[i]…): `step(out, in…)` converts one vector's worth; the tail goes through buffers.
template <class Out, class Step, class... In>
HWY_INLINE void stream(Out* out, size_t n, Step&& step, const In*... in) {
  const size_t lanes = hn::Lanes(DF());
  size_t i = 0;
  for (; i + lanes <= n; i += lanes) step(out + i, (in + i)...);
  if (i == n) return;
  const size_t rest = n - i;
  auto tail = [&](auto*... buffer) HWY_ATTR {
    (std::memcpy(buffer, in + i, rest * sizeof(In)), ...);
    HWY_ALIGN Out result[kMostLanes];
    step(result, buffer...);
    std::memcpy(out + i, result, rest * sizeof(Out));
  };
  if constexpr (sizeof...(In) == 1) {
    HWY_ALIGN std::common_type_t<In...> a[kMostLanes] = {};
    tail(a);
  } else {
    HWY_ALIGN std::common_type_t<In...> a[kMostLanes] = {}, b[kMostLanes] = {};
    tail(a, b);
  }
}

template <DType to, DType from, Round r, bool saturate>
void through_float(void* dst, const void* src, size_t n) {
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

template <Round r>
void int32_to_float(void* dst, const void* src, size_t n, const CastMode&) {
  stream(
      static_cast<float*>(dst), n,
      [](float* o, const int32_t* p) HWY_ATTR { hn::StoreU(float_of<r>(hn::LoadU(DI(), p)), DF(), o); },
      static_cast<const int32_t*>(src));
}

void int32_to_int16(void* dst, const void* src, size_t n, const CastMode&) {
  stream(
      static_cast<int16_t*>(dst), n,
      [](int16_t* o, const int32_t* p) HWY_ATTR {
        const hn::Rebind<int16_t, DF> dm;
        hn::StoreU(hn::DemoteTo(dm, hn::LoadU(DI(), p)), dm, o);
      },
      static_cast<const int32_t*>(src));
}

/// src * scale is exact in double; rounding it to an odd float first keeps the second rounding right.
template <bool saturate>
void scaled_to_half(uint16_t* out, const int32_t* in, size_t n, float scale) {
  for (size_t i = 0; i < n; ++i) {
    const double product = static_cast<double>(in[i]) * static_cast<double>(scale);
    float f = static_cast<float>(product);
    const double back = static_cast<double>(f);
    if (back != product && std::isfinite(f) && !(std::bit_cast<uint32_t>(f) & 1))
      f = std::bit_cast<float>(std::bit_cast<uint32_t>(f) + (std::abs(back) < std::abs(product) ? 1u : ~0u));
    if (saturate) f = std::isnan(f) ? 0.0f : std::clamp(f, -65504.0f, 65504.0f);
    out[i] = half_from_float(f);
  }
}

void int32_to_half(void* dst, const void* src, size_t n, const CastMode& mode) {
  auto* out = static_cast<uint16_t*>(dst);
  const auto* in = static_cast<const int32_t*>(src);
  mode.saturate ? scaled_to_half<true>(out, in, n, mode.scale)
                : scaled_to_half<false>(out, in, n, mode.scale);
}

void int32_to_int64(void* dst, const void* src, size_t n, const CastMode&) {
  auto* out = static_cast<int64_t*>(dst);
  const auto* in = static_cast<const int32_t*>(src);
  for (size_t i = 0; i < n; ++i) out[i] = in[i];
}

void int64_to_int32(void* dst, const void* src, size_t n, const CastMode&) {
  auto* out = static_cast<int32_t*>(dst);
  const auto* in = static_cast<const int64_t*>(src);
  for (size_t i = 0; i < n; ++i)
    out[i] = static_cast<int32_t>(std::clamp<int64_t>(in[i], INT32_MIN, INT32_MAX));
}

template <Round r>
void int64_to_float(void* dst, const void* src, size_t n, const CastMode&) {
  auto* out = static_cast<float*>(dst);
  const auto* in = static_cast<const int64_t*>(src);
  for (size_t i = 0; i < n; ++i) {
    const bool negative = in[i] < 0;
    const uint64_t magnitude = negative ? ~static_cast<uint64_t>(in[i]) + 1 : static_cast<uint64_t>(in[i]);
    const int cut = std::bit_width(magnitude) - 24;  // bits that float cannot hold
    float f = static_cast<float>(magnitude);
    if (cut > 0) {
      const uint64_t rest = magnitude & ((uint64_t{1} << cut) - 1), tie = uint64_t{1} << (cut - 1);
      uint64_t kept = magnitude >> cut;
      if (r == Round::Rint)
        kept += rest > tie || (rest == tie && (kept & 1));
      else if (r == Round::Round)
        kept += rest >= tie;
      else if (r == Round::Floor)
        kept += negative && rest;
      else if (r == Round::Ceil)
        kept += !negative && rest;
      f = std::ldexp(static_cast<float>(kept), cut);
    }
    out[i] = negative ? -f : f;
  }
}

template <Round r>
void float_to_int64(void* dst, const void* src, size_t n, const CastMode&) {
  auto* out = static_cast<int64_t*>(dst);
  stream(
      out, n,
      [](int64_t* o, const float* p) HWY_ATTR {
        HWY_ALIGN float whole[kMostLanes];
        hn::Store(integral<r>(hn::LoadU(DF(), p)), DF(), whole);
        for (size_t i = 0; i < hn::Lanes(DF()); ++i) {
          const float f = whole[i];
          o[i] = f != f ? 0 : f >= 0x1p63f ? INT64_MAX : f < -0x1p63f ? INT64_MIN : static_cast<int64_t>(f);
        }
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
    through_float<DType::Half, DType::Int8, Round::Rint, false>(out + i, wide, here);
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

template <DType to, DType from, Round r>
void convert(void* dst, const void* src, size_t n, const CastMode& mode) {
  constexpr bool narrow_float = to == DType::Half || to == DType::BFloat16;
  if (narrow_float && mode.saturate)
    through_float<to, from, r, narrow_float>(dst, src, n);
  else
    through_float<to, from, r, false>(dst, src, n);
}

template <DType to, DType from, Round r>
constexpr CastKernel kernel_of() {
  // NONE is RINT with another name; one kernel serves both.
  constexpr Round mode = r == Round::None ? Round::Rint : r;
  if constexpr (from == DType::Int4)
    return &int4_to_half;
  else if constexpr (to == DType::Int4)
    return &half_to_int4<mode>;
  else if constexpr (from == DType::Int32 && to == DType::Half)
    return &int32_to_half;
  else if constexpr (from == DType::Int32 && to == DType::Int16)
    return &int32_to_int16;
  else if constexpr (from == DType::Int32 && to == DType::Int64)
    return &int32_to_int64;
  else if constexpr (from == DType::Int32)
    return &int32_to_float<mode>;
  else if constexpr (from == DType::Int64 && to == DType::Int32)
    return &int64_to_int32;
  else if constexpr (from == DType::Int64)
    return &int64_to_float<mode>;
  else if constexpr (to == DType::Int64)
    return &float_to_int64<mode>;
  else
    return &convert<to, from, mode>;
}

template <DType to, DType from, int... r>
void fill(CastTable& table, std::integer_sequence<int, r...>) {
  auto& row = table.at[static_cast<int>(to)][static_cast<int>(from)];
  auto put = [&]<int k>() {
    if constexpr ((rounds_of(to, from) & one(static_cast<Round>(k))) != 0)
      row[k] = kernel_of<to, from, static_cast<Round>(k)>();
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
