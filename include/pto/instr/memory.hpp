// TLOAD, TSTORE and their kin: tiles from and to global memory. Source: PTO ISA pages of each instruction.
#pragma once
#include <limits>

#include "pto/instr/operands.hpp"
#include "toprope/isa/atomic.h"
#include "toprope/isa/tile_move.h"

namespace pto {

namespace detail {

/// The tensor as the library takes it. A tile whose elements follow each other down its columns takes the
/// outer dimensions as columns, an NZ tensor's boxes go to their places, everything else is rows of rows.
template <class TileData, class GlobalData>
[[gnu::always_inline]] inline toprope::isa::Tensor tensor(const GlobalData& global) {
  using toprope::isa::TensorOrder;
  constexpr TensorOrder order = GlobalData::layout == Layout::NZ                    ? TensorOrder::Boxes
                                : !TileData::isBoxedLayout && !TileData::isRowMajor ? TensorOrder::Columns
                                                                                    : TensorOrder::Rows;
  return {const_cast<std::remove_cv_t<typename GlobalData::DType>*>(global.data()), global.shape(),
          global.stride(), order, dtype<std::remove_cv_t<typename GlobalData::DType>>()};
}

/// The value that PadValue names for an element type: the largest, the least (of numbers with a sign: the
/// most negative; ±inf where there is one), zero, or a number of the user's own.
template <class T>
constexpr uint64_t pad_bits(PadValue pad) {
  if (pad == PadValue::Null || pad == PadValue::Zero) return 0;
  constexpr uint64_t custom = kCustomFloat | kCustomBits16;
  if (const auto bits = static_cast<uint64_t>(pad); bits & custom) {
    if (bits & kCustomBits16) return bits & 0xffffu;
    const float value = __builtin_bit_cast(float, static_cast<uint32_t>(bits));
    if constexpr (std::is_same_v<T, float>)
      return __builtin_bit_cast(uint32_t, value);
    else if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16_t>)
      return T(value).bits();
    else if constexpr (std::is_integral_v<T>)
      return static_cast<std::make_unsigned_t<T>>(static_cast<T>(value));
    else
      return 0;
  }
  const bool most = pad == PadValue::Max;
  if constexpr (std::is_same_v<T, float>)
    return most ? 0x7f800000u : 0xff800000u;
  else if constexpr (std::is_same_v<T, half>)
    return most ? 0x7c00u : 0xfc00u;
  else if constexpr (std::is_same_v<T, bfloat16_t>)
    return most ? 0x7f80u : 0xff80u;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<std::make_unsigned_t<T>>(most ? std::numeric_limits<T>::max()
                                                     : std::numeric_limits<T>::min());
  else
    return most ? 0xffu : 0;
}

template <class T, AtomicType atomic>
constexpr toprope::StoreAtomic store_atomic() {
  if constexpr (atomic == AtomicType::AtomicNone) {
    return {};
  } else {
    constexpr auto type = toprope::isa::atomic_type(dtype<T>());
    static_assert(type != toprope::StoreAtomic::None, "TSTORE cannot combine elements of this type");
    return {type, atomic == AtomicType::AtomicAdd   ? toprope::StoreAtomic::Add
                  : atomic == AtomicType::AtomicMax ? toprope::StoreAtomic::Max
                                                    : toprope::StoreAtomic::Min};
  }
}

}  // namespace detail

template <class TileData, class GlobalData, class... Events>
PTO_INST RecordEvent TLOAD(TileData& dst, GlobalData& src, Events&... events) {
  static_assert(sizeof(typename GlobalData::DType) == sizeof(typename TileData::DType),
                "TLOAD takes a tile and a GlobalTensor of elements of one size");
  detail::wait(events...);
  toprope::isa::tile_load(
      detail::as<"TLOAD", toprope::Pipe::MTE2>, detail::ref(dst), detail::tensor<TileData>(src),
      {TileData::PadVal != PadValue::Null, {detail::pad_bits<typename TileData::DType>(TileData::PadVal)}});
  return {};
}

namespace detail {

template <class TileData, AtomicType atomic, class GlobalData>
PTO_INST void store(GlobalData& dst, TileData& src, const toprope::isa::Drain& drain) {
  constexpr bool bits = sizeof(typename GlobalData::DType) == sizeof(typename TileData::DType);
  static_assert(
      bits || TileData::Loc == TileType::Acc || TileData::Loc == TileType::Vec,
      "TSTORE takes a tile and a GlobalTensor of elements of one size; only what is quantised is converted");
  constexpr auto pipe = TileData::Loc == TileType::Acc ? toprope::Pipe::FIX : toprope::Pipe::MTE3;
  toprope::isa::tile_store(as<"TSTORE", pipe>, tensor<TileData>(dst), ref(src),
                           store_atomic<typename GlobalData::DType, atomic>(), drain);
}

}  // namespace detail

template <class TileData, class GlobalData, AtomicType atomic = AtomicType::AtomicNone,
          ReluPreMode relu = ReluPreMode::NoRelu, class... Events>
  requires(detail::is_event<Events> && ...)
PTO_INST RecordEvent TSTORE(GlobalData& dst, TileData& src, Events&... events) {
  detail::wait(events...);
  detail::store<TileData, atomic>(dst, src, {.relu = relu != ReluPreMode::NoRelu});
  return {};
}

/// With a quantisation parameter for all elements.
template <class TileData, class GlobalData, AtomicType atomic = AtomicType::AtomicNone,
          ReluPreMode relu = ReluPreMode::NoRelu, class... Events>
  requires(detail::is_event<Events> && ...)
PTO_INST RecordEvent TSTORE(GlobalData& dst, TileData& src, uint64_t preQuantScalar, Events&... events) {
  detail::wait(events...);
  detail::store<TileData, atomic>(
      dst, src, {.relu = relu != ReluPreMode::NoRelu, .scaled = true, .scalar = preQuantScalar});
  return {};
}

/// With a quantisation parameter for each column.
template <class TileData, class GlobalData, class FpTileData, AtomicType atomic = AtomicType::AtomicNone,
          ReluPreMode relu = ReluPreMode::NoRelu, class... Events>
PTO_INST RecordEvent TSTORE_FP(GlobalData& dst, TileData& src, FpTileData& fp, Events&... events) {
  detail::wait(events...);
  const auto vector = detail::ref(fp);
  detail::store<TileData, atomic>(dst, src, {.relu = relu != ReluPreMode::NoRelu, .vector = &vector});
  return {};
}

}  // namespace pto
