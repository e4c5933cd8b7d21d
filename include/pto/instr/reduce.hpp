// Reductions over rows and columns. Source: PTO ISA pages of each instruction.
#pragma once
#include "pto/instr/operands.hpp"

namespace pto {

// Work space and events follow the operands.
#define TOPROPE_REDUCE(Name, call, op, ...)                                                  \
  template <class D, class S, class... Rest>                                                 \
  PTO_INST RecordEvent Name(D& dst, S& src, Rest&... rest) {                                 \
    static_assert(detail::same_types<D, S>, #Name " takes tiles of one element type");       \
    detail::wait(rest...);                                                                   \
    toprope::isa::call(detail::as<#Name>, toprope::isa::array::Reduce::op, detail::ref(dst), \
                       detail::ref(src) __VA_OPT__(, ) __VA_ARGS__);                         \
    return {};                                                                               \
  }
TOPROPE_REDUCE(TROWSUM, tile_reduce_rows, Sum)
TOPROPE_REDUCE(TROWPROD, tile_reduce_rows, Prod)
TOPROPE_REDUCE(TROWMAX, tile_reduce_rows, Max)
TOPROPE_REDUCE(TROWMIN, tile_reduce_rows, Min)
TOPROPE_REDUCE(TCOLSUM, tile_reduce_columns, Sum, false)
TOPROPE_REDUCE(TCOLPROD, tile_reduce_columns, Prod, false)
TOPROPE_REDUCE(TCOLMAX, tile_reduce_columns, Max, false)
TOPROPE_REDUCE(TCOLMIN, tile_reduce_columns, Min, false)
#undef TOPROPE_REDUCE

/// With work space, row after row or (isBinary) as a tree.
template <class D, class S, class Tmp, class... Events>
PTO_INST RecordEvent TCOLSUM(D& dst, S& src, Tmp&, bool isBinary, Events&... events) {
  static_assert(detail::same_types<D, S>, "TCOLSUM takes tiles of one element type");
  detail::wait(events...);
  toprope::isa::tile_reduce_columns(detail::as<"TCOLSUM">, toprope::isa::array::Reduce::Sum, detail::ref(dst),
                                    detail::ref(src), isBinary);
  return {};
}

// The index of the first extreme: (index, src, work space) or (value, index, src, work space).
#define TOPROPE_ARG(Name, call, largest)                                                               \
  template <class I, class S, class Tmp>                                                               \
  PTO_INST RecordEvent Name(I& index, S& src, Tmp&) {                                                  \
    toprope::isa::call(detail::as<#Name>, largest, nullptr, detail::ref(index), detail::ref(src));     \
    return {};                                                                                         \
  }                                                                                                    \
  template <class V, class I, class S, class Tmp, class... Events>                                     \
  PTO_INST RecordEvent Name(V& value, I& index, S& src, Tmp& tmp, Events&... events) {                 \
    if constexpr (is_tile_data_v<Tmp>) {                                                               \
      detail::wait(events...);                                                                         \
      const auto values = detail::ref(value);                                                          \
      toprope::isa::call(detail::as<#Name>, largest, &values, detail::ref(index), detail::ref(src));   \
    } else { /* (index, src, work space, event…) */                                                  \
      detail::wait(tmp, events...);                                                                    \
      toprope::isa::call(detail::as<#Name>, largest, nullptr, detail::ref(value), detail::ref(index)); \
    }                                                                                                  \
    return {};                                                                                         \
  }
TOPROPE_ARG(TROWARGMAX, tile_arg_rows, true)
TOPROPE_ARG(TROWARGMIN, tile_arg_rows, false)
TOPROPE_ARG(TCOLARGMAX, tile_arg_columns, true)
TOPROPE_ARG(TCOLARGMIN, tile_arg_columns, false)
#undef TOPROPE_ARG

/// dst[r][c] = src[r][2c] + src[r][2c + 1]; the rest of dst is 0.
template <class D, class S, class... Events>
PTO_INST RecordEvent TPAIRREDUCESUM(D& dst, S& src, Events&... events) {
  static_assert(detail::same_types<D, S>, "TPAIRREDUCESUM takes tiles of one element type");
  detail::wait(events...);
  toprope::isa::tile_reduce_pairs(detail::as<"TPAIRREDUCESUM">, detail::ref(dst), detail::ref(src));
  return {};
}

}  // namespace pto
