#include "trace/work.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "trace/banks.h"

namespace toprope::trace {
namespace {

uint64_t bytes_of(const Access& a) { return uint64_t{a.run} * a.blocks * a.repeats; }

/// A number that is the same for the same operands at the same addresses.
uint64_t layout_of(std::span<const Access> accesses) {
  uint64_t h = accesses.size() + 1;
  const auto mix = [&h](uint64_t v) {
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    h ^= h >> 29;
  };
  for (const Access& a : accesses) {
    mix(a.slice.at);
    mix(uint64_t{a.run} << 32 | a.blocks << 16 | a.repeats);
    mix(a.block_stride << 20 ^ a.repeat_stride ^ uint64_t{a.width} << 56);
  }
  return h;
}

/// The elements of one operand, whose parts may be told one by one; of the first where none has this name.
double elements_of(std::span<const Access> accesses, std::string_view name, uint32_t width) {
  double elements = 0;
  for (const Access& a : accesses)
    if (name == a.operand) elements += static_cast<double>(bytes_of(a)) / (a.width ? a.width : width);
  if (elements == 0 && name != accesses[0].operand) return elements_of(accesses, accesses[0].operand, width);
  return elements;
}

/// Bytes that an instruction touches in one memory, and one of the accesses there.
struct Side {
  uint64_t bytes = 0;
  const Access* one = nullptr;
};
Side side_in(std::span<const Access> accesses, Mem mem, bool write) {
  Side side;
  for (const Access& a : accesses)
    if (a.slice.mem == mem && a.write == write) {
      side.bytes += bytes_of(a);
      side.one = &a;
    }
  return side;
}

double rate_of(const VectorCost& cost, uint32_t width) {
  if (width <= 1) return cost.rate16;  // 8-bit operands go beside 16-bit ones
  if (width == 2) return cost.rate16;
  return width == 4 ? cost.rate32 : cost.rate32 / 2;
}

}  // namespace

const Rates& rates() {
  static const Rates r;
  return r;
}

Coster::Coster(const Instruction& instruction)
    : instruction_(instruction), cost_(vector_cost(instruction.name)) {
  const std::string_view name = instruction.name;
  passes_ = name == "ReduceSum" || name == "ReduceMax" || name == "ReduceMin";
}

Work Coster::work(std::span<const Access> accesses) {
  switch (instruction_.pipe) {
    case Pipe::V: {
      const uint64_t layout = layout_of(accesses);
      for (const Known& k : known_)
        if (k.layout == layout) return k.work;
      Known& slot = known_[next_++ % std::size(known_)];
      slot = {layout, vector(accesses)};
      return slot.work;
    }
    case Pipe::M:
      return cube(accesses);
    case Pipe::S: {
      Work w;
      w.busy = accesses.empty() ? rates().issue : rates().access;
      return w;
    }
    default:
      return copy(accesses);
  }
}

Work Coster::vector(std::span<const Access> accesses) {
  Work w;
  w.busy = cost_.head + cost_.tail;
  if (accesses.empty()) return w;
  const Rates& r = rates();
  uint32_t width = 0;
  for (const Access& a : accesses) width = std::max<uint32_t>(width, a.width);
  if (width == 0) width = 4;
  const BankUse banks = bank_use(accesses);
  // Elements of whole repeats: a masked lane takes as long as any other.
  double elements = elements_of(accesses, cost_.counts, width);
  w.operations = static_cast<uint64_t>(elements);
  const double repeat = r.repeat_bytes / width;  // elements a repeat
  const double whole = std::max(1.0, std::ceil(elements / repeat));
  Cycles plain = 0;
  do {
    const double repeats = std::max(1.0, std::ceil(elements / repeat));
    plain += repeats * repeat / rate_of(cost_, width);
    if (passes_) plain += repeats > 1 ? cost_.head + cost_.tail : 0;
    elements = repeats;
  } while (passes_ && elements > 1);
  w.conflicts = std::max(0.0, whole * banks.cycles - std::max(plain, whole));
  w.busy += plain + w.conflicts;
  return w;
}

Work Coster::copy(std::span<const Access> accesses) const {
  const Rates& r = rates();
  Work w;
  const Access *from = nullptr, *to = nullptr;
  for (const Access& a : accesses) {
    const Access*& side = a.write ? to : from;
    if (!side) side = &a;
  }
  if (!from || !to) {  // a local memory is filled
    w.busy = r.interval;
    return w;
  }
  w.gm_read = from->slice.mem == Mem::GM;
  w.gm_write = to->slice.mem == Mem::GM;
  const Access& near = w.gm_read ? *from : *to;
  w.bytes = side_in(accesses, near.slice.mem, near.write).bytes;
  const auto bytes = static_cast<double>(w.bytes);
  if (!w.gm_read && !w.gm_write) {
    const std::string path = std::string("path.") + name_of(from->slice.mem) + "." + name_of(to->slice.mem);
    w.busy = bytes / figure_or(path, r.l2_read);
    return w;
  }
  w.past_l2 = near.slice.past_l2;
  const auto off = [&](uint64_t alignment) {
    return near.slice.at % alignment != 0 || (near.blocks > 1 && near.block_stride % alignment != 0) ||
           (near.repeats > 1 && near.repeat_stride % alignment != 0);
  };
  w.unaligned = off(static_cast<uint64_t>(r.good_alignment));
  if (off(32)) w.stretch = r.unaligned;
  w.small = bytes < r.good_bytes;
  if (from->slice.mem == Mem::L0C)
    w.busy = bytes / figure("path.L0C.GM");
  else
    w.busy = bytes / (w.gm_read ? r.core_read : r.core_write);
  w.busy = std::max(w.busy * w.stretch, r.interval);
  w.late = r.miss;
  return w;
}

Work Coster::cube(std::span<const Access> accesses) const {
  // The cycles are the products of 16x16 fractals: A holds m1*k1 of 512 bytes, B k1*n1, C m1*n1 of 1024.
  Work w;
  w.busy = rates().mmad_head;
  const Side a = side_in(accesses, Mem::L0A, false), b = side_in(accesses, Mem::L0B, false),
             c = side_in(accesses, Mem::L0C, true);
  if (!a.one || !b.one || !c.one) return w;
  const auto fractals = [](const Side& s, uint64_t bytes) {
    return static_cast<double>((s.bytes + bytes - 1) / bytes);
  };
  const double products = std::sqrt(fractals(c, 1024) * fractals(a, 512) * fractals(b, 512));
  const uint32_t width = a.one->width ? a.one->width : 2;
  w.busy += products * (width == 4 ? rates().mmad_float : 1);
  w.operations = static_cast<uint64_t>(products * 2 * 16 * 16 * (32.0 / width));
  return w;
}

}  // namespace toprope::trace
