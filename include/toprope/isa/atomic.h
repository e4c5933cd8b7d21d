// The state that turns copies into GM into atomic additions, maxima or minima. It belongs to the core and
// lasts until it is changed; here every block starts with it off, on the device it leaks into the next
// kernel. Source: Ascend C API, atomic operations.
#pragma once
#include "toprope/isa/operand.h"

namespace toprope::isa {

/// The element types of atomic copies.
inline constexpr DTypeSet kAtomicTypes =
    types::F32 | types::F16 | types::I16 | types::I32 | types::I8 | types::BF16;

constexpr StoreAtomic::Type atomic_type(DType type) {
  switch (type) {
    case DType::Float:
      return StoreAtomic::F32;
    case DType::Half:
      return StoreAtomic::F16;
    case DType::Int16:
      return StoreAtomic::S16;
    case DType::Int32:
      return StoreAtomic::S32;
    case DType::Int8:
      return StoreAtomic::S8;
    case DType::BFloat16:
      return StoreAtomic::BF16;
    default:
      return StoreAtomic::None;
  }
}

/// SetAtomicAdd, SetAtomicMax, SetAtomicMin; type None is DisableDmaAtomic.
void set_atomic(StoreAtomic::Op op, StoreAtomic::Type type);

/// SetAtomicType: the operation stays.
void set_atomic_type(StoreAtomic::Type type);

/// asc_set_store_atomic_config_v1: both as numbers; what names no type (0 … 6) or operation (0) is refused.
void set_atomic_config(uint16_t type, uint16_t op);

StoreAtomic store_atomic();

}  // namespace toprope::isa
