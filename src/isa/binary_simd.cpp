// Semantics of the two-source vector instructions. One struct is one instruction: `lanes` works on vectors of
// the type it is computed in (half is computed in float and rounded once, which is exact rounding for + - *
// /).
#include "isa/binary_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/binary_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "isa/simd/arithmetic-inl.h"
#include "isa/simd/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

struct Add {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::add(a, b);
  }
};

struct Sub {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::sub(a, b);
  }
};

struct Mul {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::mul(a, b);
  }
};

struct Div {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return hn::Div(a, b);
  }
};

struct Max {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::max(a, b);
  }
};

struct Min {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::min(a, b);
  }
};

struct And {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return hn::And(a, b);
  }
};

struct Or {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return hn::Or(a, b);
  }
};

// Relu of the sum as half holds it is the half of the Relu: one rounding is enough.
struct AddRelu {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::relu(A::add(a, b));
  }
};

struct SubRelu {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V b) {
    return A::relu(A::sub(a, b));
  }
};

template <class Op, class T, bool saturate>
void kernel(void* dst, const void* src0, const void* src1, size_t n) {
  using A = Arithmetic<T, saturate>;
  map(
      static_cast<T*>(dst), n, [](auto a, auto b) HWY_ATTR { return A::finish(Op::lanes(A(), a, b)); },
      static_cast<const T*>(src0), static_cast<const T*>(src1));
}

template <class Op, Binary id>
void fill(BinaryTable& table) {
  for_each_type<types_of(id)>([&]<DType type, class T, bool saturates>() {
    table.at[0][static_cast<int>(id)][static_cast<int>(type)] = &kernel<Op, T, false>;
    table.at[1][static_cast<int>(id)][static_cast<int>(type)] = &kernel<Op, T, saturates>;
  });
}

}  // namespace

const BinaryTable* binary_kernels() {
  static const BinaryTable all = [] {
    BinaryTable t;
#define TOPROPE_OP(name, types) fill<name, Binary::name>(t);
#include "toprope/isa/binary.list"
#undef TOPROPE_OP
    return t;
  }();
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(binary_kernels);
const DispatchedTable binary_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(binary_kernels)(); });
}  // namespace toprope::isa
#endif
