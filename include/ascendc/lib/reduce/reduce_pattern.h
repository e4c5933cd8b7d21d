// Which axes a reduction takes: R axes are reduced, A axes stay. Hosts name a pattern by value, kernels by
// type. Source: Ascend C API, high-level API, reductions.
#pragma once
#include <cstdint>

namespace AscendC {

enum class ReducePattern : uint32_t {
  AR = 0,
  RA = 1,
  R,
  ARA,
  ARAR,
  ARARA,
  ARARAR,
  ARARARA,
  ARARARAR,
  ARARARARA,
  RAR,
  RARA,
  RARAR,
  RARARA,
  RARARAR,
  RARARARA,
};

namespace Pattern::Reduce {
/// The rows of a matrix, and its columns: what this chip reduces.
struct AR {
  static constexpr ReducePattern pattern = ReducePattern::AR;
};
struct RA {
  static constexpr ReducePattern pattern = ReducePattern::RA;
};
}  // namespace Pattern::Reduce

}  // namespace AscendC
