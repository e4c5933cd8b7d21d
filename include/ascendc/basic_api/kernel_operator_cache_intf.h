// The scalar pipe's data cache and the instruction cache. Here scalar accesses reach memory at once and code
// needs no loading, so these order memory between cores and do nothing else; results are those of a correct
// kernel on the device. Source: Ascend C API, cache control.
#pragma once
#include "basic_api/kernel_tensor.h"
#include "toprope/machine/gm.h"

namespace AscendC {

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };
enum class DcciDst : uint64_t { CACHELINE_ALL = 0, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };

/// Writes back and drops the 64-byte line at dst, or the whole cache.
template <class T, CacheLine entireType, DcciDst dcciDst = DcciDst::CACHELINE_OUT>
[[gnu::always_inline]] inline void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
  toprope::clean_data_cache(dst.GetPhyAddr(), entireType == CacheLine::ENTIRE_DATA_CACHE);
}
template <class T, CacheLine entireType, DcciDst dcciDst>
[[gnu::always_inline]] inline void DataCacheCleanAndInvalid(const LocalTensor<T>&) {
  toprope::clean_data_cache(nullptr, entireType == CacheLine::ENTIRE_DATA_CACHE);
}

/// Loads the line that lies cacheOffset bytes behind src.
template <class T>
[[gnu::always_inline]] inline void DataCachePreload(const GlobalTensor<uint64_t>&, const T) {
  static_assert(std::is_same_v<T, int16_t> || std::is_same_v<T, int64_t>,
                "the offset is an int16_t or an int64_t");
}

[[gnu::always_inline]] inline void ICachePreLoad(const int64_t) {}
/// 0: finished.
[[gnu::always_inline]] inline int64_t GetICachePreloadStatus() { return 0; }

}  // namespace AscendC
