// How TopK and Sort work: named by kernels and by tiling functions.
// Source: Ascend C API, high-level API, sorting, TopK, GetSortMaxMinTmpSize.
#pragma once
#include <cstdint>

namespace AscendC {

/// Small: rows of 32 elements.
enum class TopKMode { TOPK_NORMAL, TOPK_NSMALL };

enum class TopKAlgo { RADIX_SELECT, MERGE_SORT };
enum class TopKOrder { UNSET, LARGEST, SMALLEST };
struct TopKConfig {
  TopKAlgo algo = TopKAlgo::MERGE_SORT;
  TopKOrder order = TopKOrder::UNSET;
  bool sorted = true;
};
inline constexpr TopKConfig defaultTopKConfig{};

enum class SortType { RADIX_SORT, MERGE_SORT };
struct SortConfig {
  SortType type = SortType::RADIX_SORT;
  bool isDescend = false;
  bool hasSrcIndex = false, hasDstIndex = false;
};

}  // namespace AscendC
