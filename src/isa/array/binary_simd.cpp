// Kernels of the two-source operations on arrays; simd/binary-inl.h says what they compute.
#include "isa/array/elementwise_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/array/binary_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "isa/simd/binary-inl.h"
#include "isa/simd/elements-inl.h"
#include "isa/simd/types-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

using array::Binary;
using array::Spread;

template <class Op, class T, Spread spread>
void kernel(void* dst, const void* src0, const void* src1, size_t n) {
  auto* out = static_cast<T*>(dst);
  const auto* a = static_cast<const T*>(src0);
  const auto* b = static_cast<const T*>(src1);
  if (n == 0) return;
  if constexpr (std::is_integral_v<T>) {
    using A = Elements<T>;
    if constexpr (spread == Spread::No)
      map_elements(out, n, [](T x, T y) HWY_ATTR { return Op::lanes(A(), x, y); }, a, b);
    else if constexpr (spread == Spread::First)
      map_elements(out, n, [x = *a](T y) HWY_ATTR { return Op::lanes(A(), x, y); }, b);
    else
      map_elements(out, n, [y = *b](T x) HWY_ATTR { return Op::lanes(A(), x, y); }, a);
  } else {
    using A = Arithmetic<T, false>;
    const T* one = spread == Spread::First ? a : b;
    Scalar value;
    __builtin_memcpy(&value.bits, one, sizeof(T));
    if constexpr (spread == Spread::No) {
      map(out, n, [](auto x, auto y) HWY_ATTR { return Op::lanes(A(), x, y); }, a, b);
    } else if constexpr (spread == Spread::First) {
      map(out, n, [x = broadcast<T>(value)](auto y) HWY_ATTR { return Op::lanes(A(), x, y); }, b);
    } else {
      map(out, n, [y = broadcast<T>(value)](auto x) HWY_ATTR { return Op::lanes(A(), x, y); }, a);
    }
  }
}

/// Wrapping integers: signed and unsigned ones have the same bits.
constexpr bool sign_free(Binary op) {
  return op == Binary::Add || op == Binary::Sub || op == Binary::Mul || op == Binary::And ||
         op == Binary::Or || op == Binary::Xor || op == Binary::Shl;
}

template <class T, bool unsign>
struct Storage {
  using type = T;
};
template <class T>
struct Storage<T, true> {
  using type = std::make_unsigned_t<T>;
};

template <class Op, Binary id>
void fill(array::BinaryKernels& table) {
  for_each_element_type<array::types_of(id)>([&]<DType type, class Element>() {
    using T = typename Storage<Element, sign_free(id) && std::is_integral_v<Element>>::type;
    constexpr int op = static_cast<int>(id), t = static_cast<int>(type);
    table.at[static_cast<int>(Spread::No)][op][t] = &kernel<Op, T, Spread::No>;
    table.at[static_cast<int>(Spread::First)][op][t] = &kernel<Op, T, Spread::First>;
    table.at[static_cast<int>(Spread::Second)][op][t] = &kernel<Op, T, Spread::Second>;
  });
}

}  // namespace

const array::BinaryKernels* array_binary_kernels() {
  static const array::BinaryKernels all = [] {
    array::BinaryKernels t;
#define TOPROPE_OP(name, types) fill<name, Binary::name>(t);
#include "toprope/isa/array_binary.list"
#undef TOPROPE_OP
    return t;
  }();
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(array_binary_kernels);
namespace array {
const DispatchedTable array_binary_table([]() -> const void* {
  return HWY_DYNAMIC_DISPATCH(array_binary_kernels)();
});
}  // namespace array
}  // namespace toprope::isa
#endif
