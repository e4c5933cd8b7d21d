// Normalisation functions of the high-level API, on operands in UB, and the temporary memory they need.
// `type` is half or float; half computes in float and is rounded at the end.
// Source: Ascend C API, high-level API, normalisation.
#pragma once
#include "toprope/lib/temporary.h"
#include "toprope/types/dtype.h"

namespace toprope::lib {

/// Rows that are normalised each for itself: `valid` of `width` elements of each count, width is a multiple
/// of 32 bytes.
struct NormRows {
  uint32_t rows, width, valid;
};

/// Temporary memory in bytes when `tile` rows are done at once (1: the minimum, all rows: the maximum).
/// `size`: bytes of an element.
namespace memory {
/// The largest tile, 1 … most, whose `need(tile)` bytes are there; 1 when not even that is. Hosts and kernels
/// agree on it.
template <class Need>
constexpr uint32_t largest_tile(uint64_t there, uint32_t most, Need need) {
  uint32_t tile = 1;
  for (uint32_t step = 1u << 31; step != 0; step /= 2)
    if (uint64_t{tile} + step <= most && need(tile + step) <= there) tile += step;
  return tile;
}

constexpr uint64_t floats(uint64_t count) { return (count + 7) / 8 * 32; }
/// A tile of rows, or a DataBlock for each of them.
constexpr uint64_t tile_or_blocks(uint32_t tile, uint32_t width) {
  const uint64_t values = floats(uint64_t{tile} * width), blocks = 8 * floats(tile);
  return values < blocks ? blocks : values;
}
constexpr uint64_t layer_norm_rstd(uint32_t size, const NormRows& n, uint32_t tile) {
  return floats(tile) + tile_or_blocks(tile, n.width) + (size == 4 ? 0 : floats(uint64_t{tile} * n.width));
}
constexpr uint64_t layer_norm(uint32_t size, const NormRows& n, uint32_t tile) {
  return (size == 4 ? 0 : 2 * floats(n.rows)) + layer_norm_rstd(size, n, tile);
}
constexpr uint64_t rms_norm(uint32_t size, const NormRows& n, uint32_t tile) {
  return layer_norm_rstd(size, n, tile);
}
constexpr uint64_t normalize(uint32_t size, const NormRows& n, uint32_t tile) {
  return 2 * 8 * floats(n.rows) + (size == 4 ? 1 : 2) * floats(uint64_t{tile} * n.width);
}
constexpr uint64_t layer_norm_grad(uint32_t size, const NormRows& n, uint32_t tile) {
  return 2 * 8 * floats(n.rows) + (size == 4 ? 1 : 2) * floats(n.rows) + 3 * floats(tile) +
         2 * floats(uint64_t{tile} * n.width) + tile_or_blocks(tile, n.width);
}
constexpr uint64_t layer_norm_grad_beta(uint32_t size, uint32_t width) {
  return (size == 4 ? 1 : 4) * floats(width);
}
/// `channels` of a group-normalised tensor.
constexpr uint64_t group_norm(uint32_t size, const NormRows& n, uint32_t channels, uint32_t tile) {
  return layer_norm(size, n, tile) + 32 + 2 * 8 * floats(channels) + (size == 4 ? 0 : floats(channels));
}
/// `batch` rows of which `tile` columns are done at once.
constexpr uint64_t batch_norm(uint32_t size, uint32_t batch, uint32_t tile) {
  return 32 + 2 * 8 * floats(batch) + (size == 4 ? 0 : floats(batch)) + 2 * floats(tile) +
         (size == 4 ? 0 : 2 * floats(tile) + floats(uint64_t{batch} * tile));
}
constexpr uint64_t welford_update(uint32_t tile) { return 2 * floats(tile); }
constexpr uint64_t welford_finalize(uint32_t length) { return 2 * floats(length) + 2 * 32 + 256; }
}  // namespace memory

/// What LayerNorm and its kin read and write. Statistics are float for the form with rstd, else of the type.
struct LayerNormOperands {
  Slice output, mean, variance, x, gamma, beta;
};

void layer_norm(DType type, const LayerNormOperands& o, float epsilon, const NormRows& rows,
                Temporary memory);

/// `variance` gets 1 / sqrt(variance + epsilon); `parameter`: the type of gamma and beta, either of which may
/// be absent.
void layer_norm_rstd(DType type, DType parameter, const LayerNormOperands& o, bool has_gamma, bool has_beta,
                     float epsilon, const NormRows& rows, Temporary memory);

/// LayerNorm of alpha * x + gx.
void deep_norm(DType type, const LayerNormOperands& o, const Slice& gx, float alpha, float epsilon,
               const NormRows& rows, Temporary memory);

void rms_norm(DType type, const Slice& output, const Slice& x, const Slice& gamma, float epsilon,
              const NormRows& rows, Temporary memory);

/// o.mean and o.variance are read, `rstd` is written; all three are float.
void normalize(DType type, DType parameter, const LayerNormOperands& o, const Slice& rstd, bool has_gamma,
               bool has_beta, float epsilon, const NormRows& rows, Temporary memory);

struct LayerNormGradOperands {
  Slice dx, res_for_gamma, dy, x, variance, mean, gamma;
};
void layer_norm_grad(DType type, const LayerNormGradOperands& o, float epsilon, const NormRows& rows,
                     Temporary memory);
/// Sums over all rows of dy * res_for_gamma, and of dy.
void layer_norm_grad_beta(DType type, const Slice& gamma, const Slice& beta, const Slice& res_for_gamma,
                          const Slice& dy, uint32_t rows, uint32_t width, Temporary memory);

/// Each of `width` columns over `batch` rows; gamma and beta have a value a row.
void batch_norm(DType type, const LayerNormOperands& o, float epsilon, uint32_t batch, uint32_t width,
                Temporary memory);

/// rows.rows groups of channels_of_group times `plane` elements; gamma and beta have a value a channel, of
/// `channels` in all.
void group_norm(DType type, const LayerNormOperands& o, float epsilon, const NormRows& rows,
                uint32_t channels, uint32_t channels_of_group, Temporary memory);

struct WelfordStep {
  Slice mean, variance, old_mean, old_variance, x;
  uint32_t length, computed;  ///< elements of all operands, and how many of them are updated
  float reciprocal;           ///< of the number of updates so far, this one included
  bool in_place;              ///< the rest of mean and variance is taken from the old ones
};
/// `type` is x's; everything else is float.
void welford_update(DType type, const WelfordStep& step, Temporary memory);

struct WelfordEnd {
  Slice mean, variance, means, variances;
  Slice counts;  ///< int32_t; not looked at without has_counts
  bool has_counts;
  uint32_t length, repeats;  ///< abLength, rnLength
  uint32_t head_count, head_length, tail_count;
  float reciprocal_length, reciprocal_total;
};
void welford_finalize(const WelfordEnd& end, Temporary memory);

}  // namespace toprope::lib
