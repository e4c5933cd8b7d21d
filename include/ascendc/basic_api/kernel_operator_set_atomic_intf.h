// Switching the copies into GM to atomic addition, maximum or minimum, and back.
// Source: Ascend C API, atomic operations.
#pragma once
#include "basic_api/kernel_common.h"
#include "toprope/isa/atomic.h"

namespace AscendC {

enum class AtomicDtype {
  ATOMIC_NONE = 0,
  ATOMIC_F32,
  ATOMIC_F16,
  ATOMIC_S16,
  ATOMIC_S32,
  ATOMIC_S8,
  ATOMIC_BF16
};
enum class AtomicOp { ATOMIC_SUM = 0 };

namespace detail {

template <class T>
constexpr toprope::StoreAtomic::Type atomic_type() {
  static_assert(toprope::contains(toprope::isa::kAtomicTypes, toprope::dtype_of<T>),
                "atomic copies take int8_t, int16_t, half, bfloat16_t, int32_t and float");
  return toprope::isa::atomic_type(toprope::dtype_of<T>);
}

}  // namespace detail

/// Copies into GM add to what lies there. GM is not cleared first.
template <class T>
[[gnu::always_inline]] inline void SetAtomicAdd() {
  toprope::isa::set_atomic(toprope::StoreAtomic::Add, detail::atomic_type<T>());
}

/// Copies into GM keep the larger of both values.
template <class T>
[[gnu::always_inline]] inline void SetAtomicMax() {
  toprope::isa::set_atomic(toprope::StoreAtomic::Max, detail::atomic_type<T>());
}

/// Copies into GM keep the smaller of both values.
template <class T>
[[gnu::always_inline]] inline void SetAtomicMin() {
  toprope::isa::set_atomic(toprope::StoreAtomic::Min, detail::atomic_type<T>());
}

/// The element type of the atomic operation; which operation it is stays.
template <class T>
[[gnu::always_inline]] inline void SetAtomicType() {
  toprope::isa::set_atomic_type(detail::atomic_type<T>());
}

/// Copies into GM overwrite again.
[[gnu::always_inline]] inline void DisableDmaAtomic() {
  toprope::isa::set_atomic(toprope::StoreAtomic::Add, toprope::StoreAtomic::None);
}

/// The older name of DisableDmaAtomic.
[[gnu::always_inline]] inline void SetAtomicNone() { DisableDmaAtomic(); }

template <AtomicDtype type, AtomicOp op>
[[gnu::always_inline]] inline void SetStoreAtomicConfig() {
  static_assert(op == AtomicOp::ATOMIC_SUM, "SetStoreAtomicConfig knows the addition only");
  toprope::isa::set_atomic(toprope::StoreAtomic::Add, static_cast<toprope::StoreAtomic::Type>(type));
}

[[gnu::always_inline]] inline void GetStoreAtomicConfig(uint16_t& atomicType, uint16_t& atomicOp) {
  const toprope::StoreAtomic state = toprope::isa::store_atomic();
  atomicType = state.type;
  atomicOp = state.op;
}

}  // namespace AscendC
