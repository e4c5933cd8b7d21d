// Kernels of the two-source vector instructions; simd/binary-inl.h says what they compute.
#include "isa/binary_table.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "isa/binary_simd.cpp"
#include <hwy/foreach_target.h>  // IWYU pragma: keep
#include <hwy/highway.h>

#include "isa/simd/binary-inl.h"

HWY_BEFORE_NAMESPACE();
namespace toprope::isa::HWY_NAMESPACE {
namespace {

template <class Op, class T, bool saturate, class Extent>
void kernel(void* dst, const void* src0, const void* src1, Extent extent) {
  using A = Arithmetic<T, saturate>;
  map(
      static_cast<T*>(dst), extent, [](auto a, auto b) HWY_ATTR { return A::finish(Op::lanes(A(), a, b)); },
      static_cast<const T*>(src0), static_cast<const T*>(src1));
}

template <class Op, Binary id>
void fill(BinaryTable& table) {
  for_each_type<types_of(id)>([&]<DType type, class T, bool saturates>() {
    table.at[0][static_cast<int>(id)][static_cast<int>(type)] = {&kernel<Op, T, false, size_t>,
                                                                 &kernel<Op, T, false, Apart>};
    table.at[1][static_cast<int>(id)][static_cast<int>(type)] = {&kernel<Op, T, saturates, size_t>,
                                                                 &kernel<Op, T, saturates, Apart>};
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
