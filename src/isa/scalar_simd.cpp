// Semantics of the instructions with a vector and a scalar source. One struct is one instruction: `lanes`
// works on vectors of the type it is computed in, and on the scalar in every lane.
#include "isa/scalar_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/scalar_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include <limits>

#include "isa/simd/arithmetic-inl.h"
#include "isa/simd/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

struct Adds {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V s) {
    return A::add(a, s);
  }
};

struct Subs {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V s) {
    return A::sub(a, s);
  }
};

struct Muls {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V s) {
    return A::mul(a, s);
  }
};

struct Maxs {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V s) {
    return A::max(a, s);
  }
};

struct Mins {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V s) {
    return A::min(a, s);
  }
};

// The boundary table multiplies -0 as well: the sign decides, not a comparison with 0.
struct LeakyRelu {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, V s) {
    const typename A::D d;
    const hn::RebindToSigned<typename A::D> di;
    const auto negative = hn::RebindMask(d, hn::Lt(hn::BitCast(di, a), hn::Zero(di)));
    return hn::IfThenElse(negative, hn::Mul(a, s), a);
  }
};

/// Shifts take the distance as it is, from 0 to all bits of the type.
struct Shift {};

template <class V>
constexpr int kBits = static_cast<int>(sizeof(hn::TFromV<V>) * 8);

// A signed value keeps its sign: what is shifted out comes from below it.
struct ShiftLeft : Shift {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, int distance) {
    const typename A::D d;
    const V moved = distance == kBits<V> ? hn::Zero(d) : hn::ShiftLeftSame(a, distance);
    if constexpr (std::is_unsigned_v<typename A::Type>) {
      return moved;
    } else {
      const V sign = hn::Set(d, std::numeric_limits<typename A::Type>::min());
      return hn::Or(hn::And(a, sign), hn::AndNot(sign, moved));
    }
  }
};

struct ShiftRight : Shift {
  template <class A, class V>
  static HWY_INLINE V lanes(A, V a, int distance) {
    if constexpr (std::is_unsigned_v<typename A::Type>)
      return distance == kBits<V> ? hn::Zero(typename A::D()) : hn::ShiftRightSame(a, distance);
    else
      return hn::ShiftRightSame(a, HWY_MIN(distance, kBits<V> - 1));
  }
};

// Adds the last bit that was shifted out.
struct ShiftRightRound : Shift {
  template <class A, class V>
  static HWY_INLINE V lanes(A a, V v, int distance) {
    if (distance == 0) return v;
    const V last = hn::And(hn::ShiftRightSame(v, distance - 1), hn::Set(typename A::D(), 1));
    return hn::Add(ShiftRight::lanes(a, v, distance), last);
  }
};

template <class Op, class T, bool saturate, class Extent>
void kernel(void* dst, const void* src, Scalar scalar, Extent extent) {
  using A = Arithmetic<T, saturate>;
  const auto s = [&]() HWY_ATTR {
    if constexpr (std::is_base_of_v<Shift, Op>)
      return static_cast<int>(scalar.bits);
    else
      return broadcast<T>(scalar);
  }();
  map(
      static_cast<T*>(dst), extent, [s](auto a) HWY_ATTR { return A::finish(Op::lanes(A(), a, s)); },
      static_cast<const T*>(src));
}

template <class Op, VectorScalar id>
void fill(VectorScalarTable& table) {
  for_each_type<types_of(id)>([&]<DType type, class T, bool saturates>() {
    table.at[0][static_cast<int>(id)][static_cast<int>(type)] = {&kernel<Op, T, false, size_t>,
                                                                 &kernel<Op, T, false, Apart>};
    table.at[1][static_cast<int>(id)][static_cast<int>(type)] = {&kernel<Op, T, saturates, size_t>,
                                                                 &kernel<Op, T, saturates, Apart>};
  });
}

}  // namespace

const VectorScalarTable* vector_scalar_kernels() {
  static const VectorScalarTable all = [] {
    VectorScalarTable t;
#define TOPROPE_OP(name, page, types) fill<name, VectorScalar::name>(t);
#include "toprope/isa/scalar.list"
#undef TOPROPE_OP
    return t;
  }();
  return &all;
}

}  // namespace toprope::isa::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toprope::isa {
HWY_EXPORT(vector_scalar_kernels);
const DispatchedTable vector_scalar_table([]() -> const void* {
  return HWY_DYNAMIC_DISPATCH(vector_scalar_kernels)();
});
}  // namespace toprope::isa
#endif
