// TransDataTo5HD: 16 blocks, wherever they lie, as columns.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "isa/copy_runs.h"
#include "isa/transpose.h"
#include "toprope/isa/transpose.h"

namespace toprope::isa {
namespace {

constexpr Instruction kTo5hd{"TransDataTo5HD", Pipe::V};

/// One side: 16 blocks, and how they move on.
struct Blocks {
  std::array<uint8_t*, kListed> at;
  uint64_t step;  ///< bytes from repeat to repeat
};

/// The 16 blocks as an observer sees them.
struct Listed {
  Slice slice;
  std::array<uint32_t, kListed> places;
};

/// In order of their addresses, from the first one on; `skip`: bytes of each block in front of what is used.
Listed listed(const Core& core, const Slice (&blocks)[kListed], uint64_t skip) {
  Listed all;
  std::array<uint64_t, kListed> at;
  bool one_tensor = true;
  for (uint32_t i = 0; i < kListed; ++i) {
    at[i] = blocks[i].at;
    one_tensor &= blocks[i].begin == blocks[0].begin && blocks[i].end == blocks[0].end;
  }
  std::ranges::sort(at);
  all.slice = one_tensor ? blocks[0] : Slice{0, 0, core.capacity[static_cast<int>(Mem::UB)], Mem::UB};
  all.slice.at = at[0] + skip;
  for (uint32_t i = 0; i < kListed; ++i) all.places[i] = static_cast<uint32_t>(at[i] - at[0]);
  return all;
}

void convert(const Blocks& dst, const Blocks& src, const To5hd& to, uint32_t element) {
  constexpr uint32_t half = kBlockBytes / 2;
  const uint32_t used = element == 1 ? half : kBlockBytes;
  alignas(64) uint8_t rows[kListed * kBlockBytes], columns[kListed * kBlockBytes];
  for (uint32_t r = 0; r < to.repeats; ++r) {
    const size_t turn = to.repeats == 1 ? 1 : r;  // a single repeat starts a stride further
    const size_t from = turn * src.step + (element == 1 && to.src_high ? half : 0);
    const size_t into = turn * dst.step + (element == 1 && to.dst_high ? half : 0);
    for (uint32_t i = 0; i < kListed; ++i) std::memcpy(rows + i * used, src.at[i] + from, used);
    transpose_matrix(columns, kListed * element, rows, used, kListed, used / element, element);
    for (uint32_t i = 0; i < kListed; ++i) std::memcpy(dst.at[i] + into, columns + i * used, used);
  }
}

void issue_5hd(Core& core, DType type, const Slice (&dst)[kListed], const Slice (&src)[kListed],
               const To5hd& to, const Slice* lists, Site site) {
  if (to.repeats == 0) return;
  const uint32_t element = size_of(type), used = element == 1 ? kBlockBytes / 2 : kBlockBytes;
  const uint64_t turns = to.repeats == 1 ? 1 : to.repeats - 1u;
  Blocks into{{}, uint64_t{to.dst_stride} * kBlockBytes}, from{{}, uint64_t{to.src_stride} * kBlockBytes};
  for (uint32_t i = 0; i < kListed; ++i) {
    check_side(core, kTo5hd, "dstList", dst[i], turns * into.step + kBlockBytes, kBlockBytes, site);
    check_side(core, kTo5hd, "srcList", src[i], turns * from.step + kBlockBytes, kBlockBytes, site);
    into.at[i] = host(core, dst[i].mem, dst[i].at);
    from.at[i] = host(core, src[i].mem, src[i].at);
  }
  Listed written, read;
  const auto access = [&](const char* name, Listed& all, const Slice(&blocks)[kListed], const Blocks& side,
                          bool high, bool write) {
    const uint64_t first = to.repeats == 1 ? side.step : 0;
    all = listed(core, blocks, first + (element == 1 && high ? kBlockBytes / 2 : 0));
    return Access{.operand = name,
                  .slice = all.slice,
                  .run = used,
                  .blocks = kListed,
                  .repeats = to.repeats,
                  .repeat_stride = side.step,
                  .places = all.places.data(),
                  .width = static_cast<uint8_t>(element),
                  .write = write};
  };
  issue(
      core, kTo5hd, site,
      [&](Footprint& f) {
        f.add(access("dstList", written, dst, into, to.dst_high, true));
        f.add(access("srcList", read, src, from, to.src_high, false));
        if (!lists) return;
        f.add(access_of("dst", Runs{lists[0], kListed * sizeof(uint64_t)}, false));
        f.add(access_of("src", Runs{lists[1], kListed * sizeof(uint64_t)}, false));
      },
      [](const Blocks& dst, const Blocks& src, const To5hd& to, uint32_t element) {
        convert(dst, src, to, element);
      },
      into, from, to, element);
}

void find_blocks(Core& core, const char* list, const uint64_t* addresses, Slice (&blocks)[kListed],
                 Site site) {
  const auto base = reinterpret_cast<uintptr_t>(core.base[static_cast<int>(Mem::UB)]);
  const uint32_t capacity = core.capacity[static_cast<int>(Mem::UB)];
  for (uint32_t i = 0; i < kListed; ++i) {
    if (addresses[i] - base >= capacity) [[unlikely]]
      refuse(core, kTo5hd.name,
             "address " + std::to_string(i) + " of " + list + " is " + std::to_string(addresses[i]) +
                 ", which is not in UB",
             "take addresses from LocalTensor::GetPhyAddr()", site);
    blocks[i] = {addresses[i] - base, 0, capacity, Mem::UB};
  }
}

}  // namespace

void trans_to_5hd(DType type, const Slice (&dst)[kListed], const Slice (&src)[kListed], const To5hd& to) {
  issue_5hd(toprope::core(), type, dst, src, to, nullptr, __builtin_return_address(0));
}

void trans_to_5hd(DType type, const uint64_t (&dst)[kListed], const uint64_t (&src)[kListed],
                  const To5hd& to) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  if (to.repeats == 0) return;
  Slice into[kListed], from[kListed];
  find_blocks(core, "dstList", dst, into, site);
  find_blocks(core, "srcList", src, from, site);
  issue_5hd(core, type, into, from, to, nullptr, site);
}

void trans_to_5hd(DType type, const Slice& dst, const Slice& src, const To5hd& to) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  if (to.repeats == 0) return;
  const Slice lists[] = {dst, src};
  Slice blocks[2][kListed];
  for (int side = 0; side < 2; ++side) {
    const char* name = side ? "src" : "dst";
    uint64_t addresses[kListed];
    check_side(core, kTo5hd, name, lists[side], sizeof addresses, kBlockBytes, site);
    std::memcpy(addresses, host(core, lists[side].mem, lists[side].at), sizeof addresses);
    find_blocks(core, name, addresses, blocks[side], site);
  }
  issue_5hd(core, type, blocks[0], blocks[1], to, lists, site);
}

}  // namespace toprope::isa
