// What every instruction header needs: how an instruction is named to the library, waits, and takes its
// scalars.
#pragma once
#include "pto/common/event.hpp"
#include "pto/common/pto_tile.hpp"

namespace pto::detail {

template <size_t N>
struct Name {
  char text[N];
  constexpr Name(const char (&name)[N]) {
    for (size_t i = 0; i < N; ++i) text[i] = name[i];
  }
};

/// The one description of an instruction that reports and traces see.
template <Name name, toprope::Pipe pipe = toprope::Pipe::V>
inline constexpr toprope::Instruction as = {name.text, pipe};

template <class TileData>
inline constexpr toprope::DType dtype_of = TileData::shape.type;

/// A scalar as an element of the tile.
template <class TileData, class T>
[[gnu::always_inline]] inline toprope::isa::Scalar scalar(T value) {
  return toprope::isa::scalar_of(static_cast<typename TileData::DType>(value));
}

template <class T>
inline constexpr bool is_event = requires(T& event) { event.Wait(); };

/// Waits for events; tiles among them are work space, which this library does not need.
template <class T>
[[gnu::always_inline]] inline void wait_one(T& event) {
  if constexpr (!is_tile_data_v<T>) event.Wait();
}
template <class... Rest>
[[gnu::always_inline]] inline void wait(Rest&... rest) {
  (wait_one(rest), ...);
}

template <class... Tiles>
inline constexpr bool same_types = true;
template <class First, class... Rest>
inline constexpr bool same_types<First, Rest...> =
    (std::is_same_v<typename First::DType, typename Rest::DType> && ...);

}  // namespace pto::detail
