// Semantics of the instructions that read their destination. One struct is one instruction: `lanes` works on
// vectors of float; what half holds between two operations is settled there.
#include "isa/ternary_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/ternary_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "isa/simd/arithmetic-inl.h"
#include "isa/simd/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

struct MulAddDst {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V dst, V a, V b) {
    return A::add(A::settle(A::mul(a, b)), dst);
  }
};

struct FusedMulAdd {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V dst, V a, V b) {
    return A::add(A::settle(A::mul(a, dst)), b);
  }
};

struct MulAddRelu {
  template <class A, class V>
  static HWY_INLINE V lanes(A arithmetic, V dst, V a, V b) {
    return A::relu(FusedMulAdd::lanes(arithmetic, dst, a, b));
  }
};

template <class Op, class To, class From, bool saturate, class Extent>
void kernel(void* dst, const void* src0, const void* src1, Extent extent) {
  using A = Arithmetic<To, saturate>;
  map(
      static_cast<To*>(dst), reading_destination(extent),
      [](auto d, auto a, auto b) HWY_ATTR { return A::finish(Op::lanes(A(), d, a, b)); },
      static_cast<const To*>(dst), static_cast<const From*>(src0), static_cast<const From*>(src1));
}

template <class To, class From, bool saturate, class Extent>
void axpy(void* dst, const void* src, Scalar scalar, Extent extent) {
  using A = Arithmetic<To, saturate>;
  const auto s = broadcast<From>(scalar);
  map(
      static_cast<To*>(dst), reading_destination(extent),
      [s](auto d, auto a) HWY_ATTR { return A::finish(MulAddDst::lanes(A(), d, a, s)); },
      static_cast<const To*>(dst), static_cast<const From*>(src));
}

template <class Op, class To, class From, bool saturate>
constexpr TernaryKernel both_forms() {
  return {&kernel<Op, To, From, saturate, size_t>, &kernel<Op, To, From, saturate, Apart>};
}

template <class Op, Ternary id>
void fill(TernaryTable& table) {
  auto& usual = table.at[0][static_cast<int>(id)];
  auto& saturating = table.at[1][static_cast<int>(id)];
  if constexpr (takes(id, DType::Half, DType::Half)) {
    usual[static_cast<int>(TypePair::Half)] = both_forms<Op, Half, Half, false>();
    saturating[static_cast<int>(TypePair::Half)] = both_forms<Op, Half, Half, true>();
  }
  if constexpr (takes(id, DType::Float, DType::Float))
    usual[static_cast<int>(TypePair::Float)] = saturating[static_cast<int>(TypePair::Float)] =
        both_forms<Op, float, float, false>();
  if constexpr (takes(id, DType::Float, DType::Half))
    usual[static_cast<int>(TypePair::FloatOfHalf)] = saturating[static_cast<int>(TypePair::FloatOfHalf)] =
        both_forms<Op, float, Half, false>();
}

}  // namespace

const TernaryTable* ternary_kernels() {
  static const TernaryTable all = [] {
    TernaryTable t;
#define TOPROPE_OP(name, same, half_sources) fill<name, Ternary::name>(t);
#include "toprope/isa/ternary.list"
#undef TOPROPE_OP
    t.axpy[0][static_cast<int>(TypePair::Half)] = {&axpy<Half, Half, false, size_t>,
                                                   &axpy<Half, Half, false, Apart>};
    t.axpy[1][static_cast<int>(TypePair::Half)] = {&axpy<Half, Half, true, size_t>,
                                                   &axpy<Half, Half, true, Apart>};
    for (auto& mode : t.axpy) {
      mode[static_cast<int>(TypePair::Float)] = {&axpy<float, float, false, size_t>,
                                                 &axpy<float, float, false, Apart>};
      mode[static_cast<int>(TypePair::FloatOfHalf)] = {&axpy<float, Half, false, size_t>,
                                                       &axpy<float, Half, false, Apart>};
    }
    return t;
  }();
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(ternary_kernels);
const DispatchedTable ternary_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(ternary_kernels)(); });
}  // namespace toprope::isa
#endif
