// Switching the copies into GM to atomic addition, maximum or minimum, and back. Source: C API, atomic
// operations.
#pragma once
#include "basic_api/kernel_operator_set_atomic_intf.h"

#define TOPROPE_FORMS(name, Op)                                                     \
  [[gnu::always_inline]] inline void name##_int8() { AscendC::Op<int8_t>(); }       \
  [[gnu::always_inline]] inline void name##_int16() { AscendC::Op<int16_t>(); }     \
  [[gnu::always_inline]] inline void name##_int() { AscendC::Op<int32_t>(); }       \
  [[gnu::always_inline]] inline void name##_bfloat() { AscendC::Op<bfloat16_t>(); } \
  [[gnu::always_inline]] inline void name##_float16() { AscendC::Op<half>(); }      \
  [[gnu::always_inline]] inline void name##_float() { AscendC::Op<float>(); }
TOPROPE_FORMS(asc_set_atomic_add, SetAtomicAdd)
TOPROPE_FORMS(asc_set_atomic_max, SetAtomicMax)
TOPROPE_FORMS(asc_set_atomic_min, SetAtomicMin)
#undef TOPROPE_FORMS

[[gnu::always_inline]] inline void asc_set_atomic_none() { AscendC::DisableDmaAtomic(); }

constexpr uint64_t ASC_STORE_ATOMIC_DEFAULT_VALUE = 0;
/// atomic_type: 0 off, 1 float, 2 half, 3 int16_t, 4 int32_t, 5 int8_t, 6 bfloat16_t. atomic_op: 0 addition.
union asc_store_atomic_config {
  uint64_t config = ASC_STORE_ATOMIC_DEFAULT_VALUE;
  __extension__ struct {
    uint64_t atomic_type : 3;
    uint64_t atomic_op : 2;
    uint64_t reserved1 : 59;
  };
};

/// The values of asc_store_atomic_config; others have no meaning and are refused.
[[gnu::always_inline]] inline void asc_set_store_atomic_config_v1(uint16_t type, uint16_t op) {
  toprope::isa::set_atomic_config(type, op);
}
[[gnu::always_inline]] inline void asc_get_store_atomic_config(asc_store_atomic_config& config) {
  const toprope::StoreAtomic state = toprope::isa::store_atomic();
  config.config = 0;
  config.atomic_type = state.type;
  config.atomic_op = state.op & 3;
}
