// DataCopyPad: rows of any number of bytes. UB holds every row from a multiple of 32 bytes on, GM holds them
// as dense as the kernel says.
#include <algorithm>
#include <string>

#include "isa/copy_runs.h"
#include "toprope/isa/copy.h"

namespace toprope::isa {
namespace {

constexpr Instruction kIn{"DataCopyPad", Pipe::MTE2}, kOut{"DataCopyPad", Pipe::MTE3},
    kSet{"SetPadValue", Pipe::S};

constexpr uint64_t round_up(uint64_t bytes) { return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes; }

void check_rows(Core& core, const Instruction& instruction, const RowMove& m, uint32_t element, Site site) {
  check_range(core, instruction, "blockCount", m.rows, 0, 4095, site);
  check_range(core, instruction, "blockLen", m.length, 0, 2097151, site);
  if (m.length % element)
    refuse(core, instruction.name,
           "blockLen is " + std::to_string(m.length) + " bytes, which is no multiple of the element's " +
               std::to_string(element),
           "blockLen counts bytes: give elements * sizeof(T)", site);
}

void check_padding(Core& core, const Padding& p, uint32_t element, Site site) {
  const uint32_t most = kBlockBytes / element;
  check_range(core, kIn, "leftPadding", p.left, 0, most, site);
  check_range(core, kIn, "rightPadding", p.right, 0, most, site);
  if (p.given && element == 8 && p.value.bits != 0)
    refuse(core, kIn.name, "paddingValue of a 64-bit type must be 0",
           "pad with 0, or set the elements afterwards", site);
}

/// The side in UB. The bytes up to the next multiple of 32 belong to no other tensor, so padding may lie in
/// them.
void check_padded_side(Core& core, const Instruction& instruction, const char* operand, const Slice& slice,
                       uint64_t reach, Site site) {
  Slice whole = slice;
  whole.end = round_up(whole.end);
  check_side(core, instruction, operand, whole, reach, kBlockBytes, site);
}

void check_memories(Core& core, const Instruction& instruction, const Slice& dst, const Slice& src, Mem to,
                    Mem from, Site site) {
  if (dst.mem == to && src.mem == from) return;
  refuse(core, instruction.name,
         std::string("there is no path from ") + name_of(src.mem) + " to " + name_of(dst.mem),
         "on this chip DataCopyPad copies GM to UB and UB to GM", site);
}

/// dst where padding is asked for, but not with what: random bytes on both sides of `length` bytes.
void add_random_padding(Footprint& f, Runs d, uint64_t left, uint64_t length) {
  const uint64_t right = d.run - left - length, first = d.slice.at;
  const auto add = [&](uint64_t from, uint64_t bytes, bool random) {
    if (!bytes) return;
    d.slice.at = first + from;
    d.run = bytes;
    Access a = access_of("dst", d, true);
    a.random = random;
    f.add(a);
  };
  add(left, length, false);
  add(0, left, true);
  add(left + length, right, true);
}

/// 64 bytes of the fill: padding and dummy at either side of a row are shorter than that.
struct Fill {
  uint8_t bytes[2 * kBlockBytes];
  Fill(const void* value, uint32_t element) {
    for (size_t i = 0; i < sizeof bytes; i += element) std::memcpy(bytes + i, value, element);
  }
};

}  // namespace

void copy_pad(const Slice& dst, const Slice& src, const RowMove& m, const Padding& p, uint32_t element) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  check_memories(core, kIn, dst, src, Mem::UB, Mem::GM, site);
  check_rows(core, kIn, m, element, site);
  check_padding(core, p, element, site);
  if (m.rows == 0 || m.length == 0) return;
  const size_t left = size_t{p.left} * element;
  const uint64_t row = round_up(left + m.length + size_t{p.right} * element);
  const Runs d{dst, row, m.rows, 1, row + uint64_t{m.dst_gap} * kBlockBytes, 0};
  const Runs s{src, m.length, m.rows, 1, uint64_t{m.length} + m.src_gap, 0};
  check_padded_side(core, kIn, "dst", dst, d.reach(), site);
  check_side(core, kIn, "src", src, s.reach(), 1, site);
  issue(
      core, kIn, site,
      [&](Footprint& f) {
        if (p.given || core.pad.set || !(p.left || p.right))
          f.add(access_of("dst", d, true));
        else
          add_random_padding(f, d, left, m.length);
        f.add(access_of("src", s, false));
      },
      [](Core* core, const Runs& d, const Runs& s, size_t left, uint32_t element, bool fixed,
         uint64_t value) {
        if (d.run == s.run) return move(*core, d, s, StoreAtomic{});
        uint8_t* to = host(*core, d.slice.mem, d.slice.at);
        const uint8_t* from = host(*core, s.slice.mem, s.slice.at);
        const size_t tail = d.run - left - s.run;
        Fill fill(fixed ? static_cast<const void*>(&value) : from, element);
        for (uint32_t r = 0; r < d.blocks; ++r, to += d.block_step, from += s.block_step) {
          if (!fixed && r) fill = Fill(from, element);
          std::memcpy(to, fill.bytes, left);
          std::memcpy(to + left, from, s.run);
          std::memcpy(to + left + s.run, fill.bytes, tail);
        }
      },
      &core, d, s, left, element, p.given || core.pad.set, p.given ? p.value.bits : core.pad.bits);
}

void copy_pad(const Slice& dst, const Slice& src, const RowMove& m, uint32_t element) {
  const Site site = __builtin_return_address(0);
  Core& core = toprope::core();
  check_memories(core, kOut, dst, src, Mem::GM, Mem::UB, site);
  check_rows(core, kOut, m, element, site);
  if (m.rows == 0 || m.length == 0) return;
  const Runs d{dst, m.length, m.rows, 1, uint64_t{m.length} + m.dst_gap, 0};
  const Runs s{src, m.length, m.rows, 1, round_up(m.length) + uint64_t{m.src_gap} * kBlockBytes, 0};
  check_side(core, kOut, "dst", dst, d.reach(), 1, site);
  check_padded_side(core, kOut, "src", src, s.reach(), site);
  issue_move(core, kOut, d, s, site);
}

void set_pad_value(Scalar value) {
  Core& core = toprope::core();
  issue_scalar(
      core, kSet, __builtin_return_address(0), [](Footprint&) {}, [&] { core.pad = {value.bits, true}; });
}

}  // namespace toprope::isa
