// Semantics of the two-source vector instructions. One struct is one instruction: `lanes` works on vectors of the type
// it is computed in (half is computed in float and rounded once, which is exact rounding for + - * /).
#include "isa/binary_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/binary_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep

#include <hwy/highway.h>

#include "isa/simd/map-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

struct Add {
  template <class D, class V> static HWY_INLINE V lanes(D, V a, V b) { return hn::Add(a, b); }
};

struct Sub {
  template <class D, class V> static HWY_INLINE V lanes(D, V a, V b) { return hn::Sub(a, b); }
};

struct Mul {
  template <class D, class V> static HWY_INLINE V lanes(D, V a, V b) { return hn::Mul(a, b); }
};

struct Div {
  template <class D, class V> static HWY_INLINE V lanes(D, V a, V b) { return hn::Div(a, b); }
};

// NaN in either operand gives NaN, and +0 is larger than -0: neither is what the host's max instruction does.
struct Max {
  template <class D, class V> static HWY_INLINE V lanes(D d, V a, V b) {
    if constexpr (hwy::IsFloat<hn::TFromD<D>>()) {
      const auto larger = hn::IfThenElse(hn::Gt(a, b), a, hn::IfThenElse(hn::Eq(a, b), hn::And(a, b), b));
      return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::IsNaN(b)), hn::Add(a, b), larger);
    } else {
      (void)d;
      return hn::Max(a, b);
    }
  }
};

struct Min {
  template <class D, class V> static HWY_INLINE V lanes(D d, V a, V b) {
    if constexpr (hwy::IsFloat<hn::TFromD<D>>()) {
      const auto smaller = hn::IfThenElse(hn::Lt(a, b), a, hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), b));
      return hn::IfThenElse(hn::Or(hn::IsNaN(a), hn::IsNaN(b)), hn::Add(a, b), smaller);
    } else {
      (void)d;
      return hn::Min(a, b);
    }
  }
};

struct And {
  template <class D, class V> static HWY_INLINE V lanes(D, V a, V b) { return hn::And(a, b); }
};

struct Or {
  template <class D, class V> static HWY_INLINE V lanes(D, V a, V b) { return hn::Or(a, b); }
};

template <class Op, class T>
void kernel(void* dst, const void* src0, const void* src1, size_t n) {
  map(
      static_cast<T*>(dst), n,
      [](auto a, auto b) HWY_ATTR { return Op::lanes(typename Lanes<T>::D(), a, b); }, static_cast<const T*>(src0),
      static_cast<const T*>(src1));
}

template <class Op, Binary id>
void fill(BinaryTable& table) {
  auto& row = table.at[static_cast<int>(id)];
  constexpr DTypeSet set = types_of(id);
  if constexpr (contains(set, DType::Half)) row[static_cast<int>(DType::Half)] = &kernel<Op, Half>;
  if constexpr (contains(set, DType::Float)) row[static_cast<int>(DType::Float)] = &kernel<Op, float>;
  if constexpr (contains(set, DType::Int16)) row[static_cast<int>(DType::Int16)] = &kernel<Op, int16_t>;
  if constexpr (contains(set, DType::UInt16)) row[static_cast<int>(DType::UInt16)] = &kernel<Op, uint16_t>;
  if constexpr (contains(set, DType::Int32)) row[static_cast<int>(DType::Int32)] = &kernel<Op, int32_t>;
  if constexpr (contains(set, DType::UInt32)) row[static_cast<int>(DType::UInt32)] = &kernel<Op, uint32_t>;
}

}  // namespace

const BinaryTable* table() {
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
HWY_EXPORT(table);
const DispatchedTable binary_table([]() -> const void* { return HWY_DYNAMIC_DISPATCH(table)(); });
}  // namespace toprope::isa
#endif
