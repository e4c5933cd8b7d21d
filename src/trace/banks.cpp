#include "trace/banks.h"

#include <algorithm>
#include <array>

#include "trace/costs.h"

namespace toprope::trace {
namespace {

constexpr uint32_t kBlock = 32, kBlocks = 8, kMostGroups = 16;
/// Addresses repeat their groups after at most so many repeats.
constexpr uint32_t kPeriod = 16;

struct Geometry {
  uint32_t groups = static_cast<uint32_t>(figure("bank.groups"));
  uint64_t bank_bytes = static_cast<uint64_t>(figure("bank.bytes"));
};

const Geometry& geometry() {
  static const Geometry g;
  return g;
}

uint64_t bytes_of(const Access& a) { return uint64_t{a.run} * a.blocks * a.repeats; }

/// An operand as blocks of 32 bytes in each repeat.
struct Walk {
  uint64_t at = 0, block_step = kBlock, repeat_step = 0;
  uint32_t blocks = 0;
  bool write = false;

  Walk() = default;
  Walk(const Access& a, uint32_t repeats) : at(a.slice.at), write(a.write) {
    if (a.repeats == 1 && a.blocks == 1) {  // consecutive bytes, cut into repeats
      const uint64_t each = std::max<uint64_t>(1, (bytes_of(a) + repeats - 1) / repeats);
      repeat_step = repeats > 1 ? std::max<uint64_t>(kBlock, (each + kBlock - 1) / kBlock * kBlock) : 0;
      blocks = static_cast<uint32_t>(std::min<uint64_t>(kBlocks, (each + kBlock - 1) / kBlock));
      return;
    }
    block_step = a.block_stride;
    repeat_step = a.repeat_stride;
    // A stride of 0 reads its block once a repeat.
    blocks = a.blocks == 1 || block_step == 0 ? std::max(1u, std::min(kBlocks, (a.run + kBlock - 1) / kBlock))
                                              : std::min(a.blocks, kBlocks);
    if (a.blocks == 1 || block_step == 0) block_step = kBlock;
  }

  uint32_t row(uint32_t repeat, uint32_t block) const {
    return static_cast<uint32_t>((at + repeat * repeat_step + block * block_step) / kBlock);
  }
};

struct Bank {
  uint32_t group, bank;
  explicit Bank(uint32_t row)
      : group(row % geometry().groups),
        bank(group +
             geometry().groups * static_cast<uint32_t>(uint64_t{row} * kBlock / geometry().bank_bytes)) {}
};

/// Whether a write goes block for block to the banks that a read comes from.
bool put_off(const Walk& read, const Walk& write, uint32_t repeat) {
  if (read.blocks != write.blocks) return false;
  for (uint32_t b = 0; b < read.blocks; ++b)
    if (Bank(read.row(repeat, b)).bank != Bank(write.row(repeat, b)).bank) return false;
  return true;
}

uint32_t cycles_of_repeat(std::span<const Walk> walks, uint32_t repeat) {
  std::array<uint8_t, kMostGroups> reads{}, writes{};
  uint64_t read_banks = 0;
  for (const Walk& w : walks) {
    if (w.write || (w.repeat_step == 0 && repeat > 0)) continue;
    bool hidden = false;
    for (const Walk& d : walks) hidden |= d.write && put_off(w, d, repeat);
    for (uint32_t b = 0; b < w.blocks; ++b) {
      const Bank bank(w.row(repeat, b));
      ++reads[bank.group];
      if (!hidden) read_banks |= uint64_t{1} << (bank.bank & 63);
    }
  }
  bool meets = false;
  for (const Walk& w : walks) {
    if (!w.write) continue;
    for (uint32_t b = 0; b < w.blocks; ++b) {
      const Bank bank(w.row(repeat, b));
      ++writes[bank.group];
      meets |= read_banks >> (bank.bank & 63) & 1;
    }
  }
  const uint32_t most = std::max(*std::ranges::max_element(reads), *std::ranges::max_element(writes));
  return std::max(most, meets ? 2u : 1u);
}

}  // namespace

BankUse bank_use(std::span<const Access> accesses) {
  BankUse use;
  static const auto repeat_bytes = static_cast<uint64_t>(figure("vector.repeat"));
  for (const Access& a : accesses)
    use.repeats = std::max(use.repeats, a.repeats == 1 && a.blocks == 1
                                            ? static_cast<uint32_t>((a.run + repeat_bytes - 1) / repeat_bytes)
                                            : a.repeats);
  if (use.repeats == 0) return use;
  std::array<Walk, 6> walks;
  size_t count = 0;
  for (const Access& a : accesses)
    if (a.slice.mem == Mem::UB && count < walks.size()) walks[count++] = Walk(a, use.repeats);
  const uint32_t looked = std::min(use.repeats, kPeriod);
  uint32_t cycles = 0;
  for (uint32_t r = 0; r < looked; ++r) cycles += cycles_of_repeat({walks.data(), count}, r);
  use.cycles = static_cast<double>(cycles) / looked;
  return use;
}

}  // namespace toprope::trace
