// Kernels of the one-source vector instructions; simd/unary-inl.h says what they compute.
#include "isa/unary_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/unary_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "isa/simd/unary-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

template <class Op, class T, bool saturate, class Extent>
void kernel(void* dst, const void* src, Extent extent) {
  if constexpr (std::is_same_v<T, Half> && !saturate &&
                requires { &Op::template half_bits<Lanes<int16_t>::D, Lanes<int16_t>::V>; }) {
    map(
        static_cast<int16_t*>(dst), extent,
        [](auto a) HWY_ATTR { return Op::half_bits(Lanes<int16_t>::D(), a); },
        static_cast<const int16_t*>(src));
  } else {
    using A = Arithmetic<T, saturate>;
    map(
        static_cast<T*>(dst), extent, [](auto a) HWY_ATTR { return A::finish(Op::lanes(A(), a)); },
        static_cast<const T*>(src));
  }
}

template <class Op, Unary id>
void fill(UnaryTable& table) {
  for_each_type<types_of(id)>([&]<DType type, class T, bool saturates>() {
    table.at[0][static_cast<int>(id)][static_cast<int>(type)] = {&kernel<Op, T, false, size_t>,
                                                                 &kernel<Op, T, false, Apart>};
    table.at[1][static_cast<int>(id)][static_cast<int>(type)] = {&kernel<Op, T, saturates, size_t>,
                                                                 &kernel<Op, T, saturates, Apart>};
  });
}

}  // namespace

const UnaryTable* unary_kernels() {
  static const UnaryTable all = [] {
    UnaryTable t;
#define TOPROPE_OP(name, types) fill<name, Unary::name>(t);
#include "toprope/isa/unary.list"
#undef TOPROPE_OP
    return t;
  }();
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(unary_kernels);
const DispatchedTable unary_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(unary_kernels)(); });
}  // namespace toprope::isa
#endif
