// half in vectors: promoted to float, operated on, rounded once. Per-target include (Highway foreach_target).
#if defined(TOPROPE_SIMD_HALF_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TOPROPE_SIMD_HALF_INL_H_
#undef TOPROPE_SIMD_HALF_INL_H_
#else
#define TOPROPE_SIMD_HALF_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Half = hwy::float16_t;

// Targets without a conversion instruction get one in integer lanes: Highway's own there is not exact for
// every input.
#if HWY_TARGET == HWY_SSE2 || HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_SSE4 || \
    HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR
#undef TOPROPE_SOFT_HALF
#define TOPROPE_SOFT_HALF 1
#else
#undef TOPROPE_SOFT_HALF
#define TOPROPE_SOFT_HALF 0
#endif

/// Half lanes (Rebind<Half, D>) → float lanes, exact.
template <class D, class VH>
HWY_INLINE hn::Vec<D> promote(D d, VH v) {
#if TOPROPE_SOFT_HALF
  const hn::RebindToUnsigned<D> du;
  const hn::Rebind<uint16_t, D> du16;
  const auto x = hn::PromoteTo(du, hn::BitCast(du16, v));
  const auto sign = hn::ShiftLeft<16>(hn::And(x, hn::Set(du, 0x8000)));
  const auto magnitude = hn::And(x, hn::Set(du, 0x7fff));
  const auto rebased = hn::Add(hn::ShiftLeft<13>(magnitude), hn::Set(du, 112u << 23));
  const hn::RebindToSigned<D> di;
  const auto small =
      hn::BitCast(du, hn::Mul(hn::ConvertTo(d, hn::BitCast(di, magnitude)), hn::Set(d, 0x1p-24f)));
  const auto special = hn::Add(rebased, hn::Set(du, 112u << 23));
  auto r = hn::IfThenElse(hn::Lt(hn::BitCast(di, magnitude), hn::Set(di, 0x400)), hn::BitCast(di, small),
                          hn::BitCast(di, rebased));
  r = hn::IfThenElse(hn::Gt(hn::BitCast(di, magnitude), hn::Set(di, 0x7bff)), hn::BitCast(di, special), r);
  return hn::BitCast(d, hn::Or(hn::BitCast(du, r), sign));
#else
  return hn::PromoteTo(d, v);
#endif
}

/// Float lanes → half lanes, round to nearest even.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<Half, D>> demote(D d, hn::Vec<D> v) {
  const hn::Rebind<Half, D> dh;
#if TOPROPE_SOFT_HALF
  const hn::RebindToUnsigned<D> du;
  const hn::RebindToSigned<D> di;
  const auto x = hn::BitCast(du, v);
  const auto sign = hn::ShiftRight<16>(hn::And(x, hn::Set(du, 0x80000000u)));
  const auto m = hn::And(x, hn::Set(du, 0x7fffffffu));
  const auto mi = hn::BitCast(di, m);
  const auto odd = hn::And(hn::ShiftRight<13>(m), hn::Set(du, 1));
  const auto normal =
      hn::ShiftRight<13>(hn::Sub(hn::Add(hn::Add(m, hn::Set(du, 0xfff)), odd), hn::Set(du, 0x38000000u)));
  // 0.5 has the spacing of a denormal half, so the addition rounds to it.
  const auto denormal =
      hn::Sub(hn::BitCast(du, hn::Add(hn::BitCast(d, m), hn::Set(d, 0.5f))), hn::Set(du, 0x3f000000u));
  const auto nan = hn::Or(hn::Set(du, 0x7e00), hn::And(hn::ShiftRight<13>(m), hn::Set(du, 0x3ff)));
  auto r =
      hn::IfThenElse(hn::Lt(mi, hn::Set(di, 0x38800000)), hn::BitCast(di, denormal), hn::BitCast(di, normal));
  r = hn::IfThenElse(hn::Gt(mi, hn::Set(di, 0x477fefff)), hn::Set(di, 0x7c00), r);
  r = hn::IfThenElse(hn::Gt(mi, hn::Set(di, 0x7f800000)), hn::BitCast(di, nan), r);
  const hn::Rebind<uint16_t, D> du16;
  return hn::BitCast(dh, hn::DemoteTo(du16, hn::BitCast(di, hn::Or(hn::BitCast(du, r), sign))));
#else
  return hn::DemoteTo(dh, v);
#endif
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
