#include "isa/walk.h"

#include <algorithm>

#include "isa/blocks_table.h"

namespace toprope::isa {
namespace {

constexpr uint32_t kBatch = 8;  // repeats brought together before one kernel call

uint32_t blocks_of(const Plan& plan, const Row& row) { return plan.full * row.element / kBlockBytes; }
uint32_t bytes_of(const Plan& plan, const Row& row) { return plan.full * row.element; }

Grid grid_of(const Row& row, uint32_t blocks) { return {blocks, row.block_stride, row.repeat_stride}; }

uint64_t span_of_repeat(const Plan& plan, const Row& row) {
  return uint64_t{blocks_of(plan, row) - 1} * row.block_stride + kBlockBytes;
}

uint64_t span_of_all(const Plan& plan, const Row& row) {
  return uint64_t{plan.repeats - 1} * row.repeat_stride + span_of_repeat(plan, row);
}

bool overlap(const Plan& plan, const Row& a, const Row& b) {
  return a.at < b.at + span_of_all(plan, b) && b.at < a.at + span_of_all(plan, a);
}

/// Whether no two blocks of an operand are the same memory.
bool distinct(const Plan& plan, const Row& row) {
  const bool in_repeat = blocks_of(plan, row) == 1 || row.block_stride > 0;
  if (plan.repeats == 1) return in_repeat;
  const uint64_t across = uint64_t{plan.repeats - 1} * row.repeat_stride + kBlockBytes;
  return in_repeat && (row.repeat_stride >= span_of_repeat(plan, row) ||
                       (row.repeat_stride > 0 && row.block_stride >= across));
}

/// Whether the order of repeats and blocks makes no difference: no block is read after it was written, unless
/// by the elements that it came from.
bool independent(const Plan& plan, const Row* rows, int count, Destination destination) {
  const Row& d = rows[0];
  bool in_place = destination == Destination::ReadToo;
  for (int i = 1; i < count; ++i) {
    const Row& s = rows[i];
    if (!overlap(plan, d, s)) continue;
    if (d.at != s.at || d.element != s.element || d.block_stride != s.block_stride ||
        d.repeat_stride != s.repeat_stride)
      return false;
    in_place = true;
  }
  return !in_place || distinct(plan, d);
}

/// Whether the operand's elements lie in a row inside each repeat.
bool dense(const Plan& plan, const Row& row) {
  return row.block_stride == kBlockBytes || blocks_of(plan, row) == 1;
}

/// `count` repeats from `first` on, which all have the elements `taking`.
const uint8_t* rows_of(const Plan& plan, const Row& row, uint32_t first, uint32_t count, const Taking& taking,
                       uint8_t* scratch) {
  const uint8_t* at = row.at + size_t{first} * row.repeat_stride;
  const uint32_t bytes = bytes_of(plan, row), blocks = reached_blocks(taking, row.element);
  if (dense(plan, row) && blocks * kBlockBytes == bytes && (count == 1 || row.repeat_stride == bytes))
    return at;
  block_kernels().gather(scratch, bytes, at, grid_of(row, blocks), count);
  return scratch;
}

/// Repeats through scratch memory: any stride, any mask, and with batches of one any overlap.
void walk_gathered(const Plan& plan, const Row* rows, int count, uint32_t first, uint32_t batch,
                   const Kernel& kernel) {
  alignas(64) uint8_t scratch[kMostOperands][kBatch * kRepeatBytes], mask[kRepeatBytes + kMaskSlack];
  const BlocksTable& blocks = block_kernels();
  const Row& d = rows[0];
  const uint32_t row = bytes_of(plan, d);
  uint32_t masked = ~0u;  // the last element that `mask` was made for
  for (uint32_t r = first; r < plan.repeats;) {
    const Taking part = taking(plan, r);
    const uint32_t here = std::min(batch, alike_from(plan, r));
    const Grid grid = grid_of(d, reached_blocks(part, d.element));
    uint8_t* const to = d.at + size_t{r} * d.repeat_stride;
    const bool whole_blocks = plan.prefix && part.end() * d.element % kBlockBytes == 0;
    uint8_t* at[kMostOperands];
    at[0] = scratch[0];
    for (int i = 1; i < count; ++i)
      at[i] = const_cast<uint8_t*>(rows_of(plan, rows[i], r, here, part, scratch[i]));
    if (kernel.destination == Destination::ReadToo) blocks.gather(at[0], row, to, grid, here);
    kernel.row(kernel.self, at, size_t{here} * plan.full);
    if (whole_blocks) {
      blocks.scatter(to, grid, at[0], row, here);
    } else {
      if (masked != part.end()) blocks.spread(mask, part.bits, d.element, plan.full), masked = part.end();
      blocks.blend(to, grid, at[0], row, mask, here);
    }
    r += here;
  }
}

/// Repeats where they lie, as many from the first on as have their elements spread over the whole repeat;
/// returns how many that were.
uint32_t walk_blocks(const Plan& plan, const Row* rows, int count, const Kernel& kernel) {
  const Taking part = taking(plan, 0);
  const bool whole = plan.prefix && part.end() == plan.full;
  for (int i = 0; i < count; ++i)
    if (reached_blocks(part, rows[i].element) != blocks_of(plan, rows[i])) return 0;
  const uint32_t repeats = alike_from(plan, 0);
  alignas(64) uint8_t mask[kRepeatBytes + kMaskSlack];
  Apart extent{plan.full, {}};
  if (!whole) {
    block_kernels().spread(mask, part.bits, rows[0].element, plan.full);
    extent.mask = mask;
    extent.mask_bytes = bytes_of(plan, rows[0]);
  }
  uint8_t* at[kMostOperands];
  bool even = true;  // from the last block of a repeat to the next repeat is the same stride
  for (int i = 0; i < count; ++i) {
    at[i] = rows[i].at;
    extent.stride[i] = rows[i].block_stride;
    if (blocks_of(plan, rows[i]) == 1) extent.stride[i] = rows[i].repeat_stride;
    even &= uint64_t{extent.stride[i]} * blocks_of(plan, rows[i]) == rows[i].repeat_stride;
  }
  if (even) {
    extent.n *= repeats;
    kernel.blocks(kernel.self, at, extent);
    return repeats;
  }
  for (uint32_t r = 0; r < repeats; ++r) {
    kernel.blocks(kernel.self, at, extent);
    for (int i = 0; i < count; ++i) at[i] += rows[i].repeat_stride;
  }
  return repeats;
}

/// Elements in a row as repeats, for operands that overlap in part: repeat by repeat, as the device goes.
void walk_overlapping(Plan plan, const Row* rows, int count, const Kernel& kernel) {
  plan.consecutive = false;
  plan.lanes = plan.full;
  plan.repeats = static_cast<uint32_t>((plan.count + plan.full - 1) / plan.full);
  plan.last = static_cast<uint32_t>(plan.count - uint64_t{plan.repeats - 1} * plan.full);
  Row in_rows[kMostOperands];
  for (int i = 0; i < count; ++i)
    in_rows[i] = {rows[i].at, rows[i].element, kBlockBytes, plan.full * rows[i].element};
  walk_gathered(plan, in_rows, count, 0, 1, kernel);
}

}  // namespace

const uint8_t* rows_of(const Plan& plan, const Row& row, uint32_t first, uint32_t count, uint8_t* scratch) {
  return rows_of(plan, row, first, count, taking(plan, first), scratch);
}

void walk(const Plan& plan, const Row* rows, int count, const Kernel& kernel) {
  if (plan.empty()) return;
  if (plan.consecutive) {
    walk_overlapping(plan, rows, count, kernel);
    return;
  }
  if (!independent(plan, rows, count, kernel.destination)) {
    walk_gathered(plan, rows, count, 0, 1, kernel);
    return;
  }
  bool all_dense = plan.prefix, all_rows = plan.lanes == plan.full;
  for (int i = 0; i < count; ++i) {
    all_dense &= dense(plan, rows[i]);
    all_rows &= rows[i].repeat_stride == bytes_of(plan, rows[i]);
  }
  uint8_t* at[kMostOperands];
  if (all_dense && all_rows) {
    for (int i = 0; i < count; ++i) at[i] = rows[i].at;
    kernel.row(kernel.self, at, size_t{plan.repeats - 1} * plan.full + plan.last);
    return;
  }
  const bool row_by_row = all_dense && plan.lanes == plan.full;
  const uint32_t done = kernel.blocks && !row_by_row ? walk_blocks(plan, rows, count, kernel) : 0;
  if (!all_dense) {
    walk_gathered(plan, rows, count, done, kBatch, kernel);
    return;
  }
  for (uint32_t r = done; r < plan.repeats; ++r) {
    for (int i = 0; i < count; ++i) at[i] = rows[i].at + size_t{r} * rows[i].repeat_stride;
    kernel.row(kernel.self, at, r + 1 == plan.repeats ? plan.last : plan.lanes);
  }
}

}  // namespace toprope::isa
