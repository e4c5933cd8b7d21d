// Kernels of the one-source operations on arrays; simd/unary-inl.h says what they compute.
#include "isa/array/elementwise_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/array/unary_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "isa/simd/elements-inl.h"
#include "isa/simd/types-inl.h"
#include "isa/simd/unary-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

using array::Unary;

template <class Op, class T>
void kernel(void* dst, const void* src, size_t n) {
  auto* out = static_cast<T*>(dst);
  const auto* in = static_cast<const T*>(src);
  if constexpr (std::is_integral_v<T>)
    map_elements(out, n, [](T x) HWY_ATTR { return Op::lanes(Elements<T>(), x); }, in);
  else
    map(out, n, [](auto x) HWY_ATTR { return Op::lanes(Arithmetic<T, false>(), x); }, in);
}

template <class Op, Unary id>
void fill(array::UnaryKernels& table) {
  for_each_element_type<array::types_of(id)>([&]<DType type, class T>() {
    table.at[static_cast<int>(id)][static_cast<int>(type)] = &kernel<Op, T>;
  });
}

}  // namespace

const array::UnaryKernels* array_unary_kernels() {
  static const array::UnaryKernels all = [] {
    array::UnaryKernels t;
#define TOPROPE_OP(name, types) fill<name, Unary::name>(t);
#include "toprope/isa/array_unary.list"
#undef TOPROPE_OP
    return t;
  }();
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(array_unary_kernels);
namespace array {
const DispatchedTable array_unary_table([]() -> const void* {
  return HWY_DYNAMIC_DISPATCH(array_unary_kernels)();
});
}  // namespace array
}  // namespace toprope::isa
#endif
