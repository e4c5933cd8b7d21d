// CumSum: running sums. Source: Ascend C API, high-level API, mathematics, CumSum.
#pragma once
#include "lib/temporary.h"
#include "toprope/lib/cumsum.h"

namespace AscendC {

enum class CumSumAlgorithm { CUMSUM_ALGORITHM_LINEBYLINE = 0, CUMSUM_ALGORITHM_SKLANSKY = 1 };
/// isLastAxis: along each row instead of down the columns. outputLastRow: the sums of all rows (of all
/// columns) go to lastRowTensor too.
struct CumSumConfig {
  bool isLastAxis{true};
  bool isReuseSource{false};
  bool outputLastRow{false};
  CumSumAlgorithm algorithm{CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};
};
inline constexpr CumSumConfig defaultCumSumConfig{};

/// Rows, and elements of a row: a multiple of 32 bytes.
struct CumSumInfo {
  uint32_t outter{0};
  uint32_t inner{0};
};

namespace detail {
template <const CumSumConfig& config, class T>
[[gnu::always_inline]] inline void cumsum(const LocalTensor<T>& dst, const LocalTensor<T>& last,
                                          const LocalTensor<T>& src, const toprope::lib::Temporary& temporary,
                                          const CumSumInfo& info) {
  constexpr toprope::DType type = toprope::dtype_of<PrimT<T>>;
  static_assert(type == toprope::DType::Half || type == toprope::DType::Float, "CumSum takes half or float");
  static_assert(config.algorithm == CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE,
                "this chip's CumSum adds line by line");
  toprope::lib::cumsum(type, dst.slice(), config.outputLastRow ? &last.slice() : nullptr, src.slice(),
                       {info.outter, info.inner, config.isLastAxis}, temporary);
}
}  // namespace detail

template <class T, const CumSumConfig& config = defaultCumSumConfig>
[[gnu::always_inline]] inline void CumSum(const LocalTensor<T>& dstTensor,
                                          const LocalTensor<T>& lastRowTensor,
                                          const LocalTensor<T>& srcTensor,
                                          const LocalTensor<uint8_t>& sharedTmpBuffer,
                                          const CumSumInfo& cumSumInfo) {
  detail::cumsum<config>(dstTensor, lastRowTensor, srcTensor, detail::temporary(sharedTmpBuffer), cumSumInfo);
}
template <class T, const CumSumConfig& config = defaultCumSumConfig>
[[gnu::always_inline]] inline void CumSum(const LocalTensor<T>& dstTensor,
                                          const LocalTensor<T>& lastRowTensor,
                                          const LocalTensor<T>& srcTensor, const CumSumInfo& cumSumInfo) {
  detail::cumsum<config>(dstTensor, lastRowTensor, srcTensor, toprope::lib::Temporary(), cumSumInfo);
}

}  // namespace AscendC
