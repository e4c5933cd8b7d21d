#include "pto/builtin/complex.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "pto/status.h"

namespace pto::builtin {
namespace {

using toprope::DType;

/// How much of a row of `d` a source has: all of its columns in its own rows, none below them.
size_t reach(const Tensor& s, int64_t row) { return row < s.shape[0] ? static_cast<size_t>(s.shape[1]) : 0; }

/// One source must have dst's shape, the other may be smaller. Returns whether that is src0.
bool first_is_whole(const Tensor& a, const Tensor& b, const Tensor& d) {
  const auto whole = [&](const Tensor& s) { return s.shape[0] == d.shape[0] && s.shape[1] == d.shape[1]; };
  const auto within = [&](const Tensor& s) { return s.shape[0] <= d.shape[0] && s.shape[1] <= d.shape[1]; };
  if (whole(a) && within(b)) return true;
  if (whole(b) && within(a)) return false;
  throw Error(
      PTO_SHAPE_MISMATCH,
      fmt::format(
          "one source must have the shape of dst, [{}, {}], and the other may not be larger; they have "
          "[{}, {}] and [{}, {}]",
          d.shape[0], d.shape[1], a.shape[0], a.shape[1], b.shape[0], b.shape[1]));
}

/// Values with their indices: src0, src1, then their indices; dst and its indices. `wins` is how src1 must
/// compare to be taken.
void part_index(const Call& call, toprope::isa::Compare wins) {
  const Tensor &a = call.operands[0], &b = call.operands[1], &d = call.operands[4];
  const Tensor &ai = call.operands[2], &bi = call.operands[3], &di = call.operands[5];
  const bool first = first_is_whole(a, b, d);
  const Tensor &whole = first ? a : b, &whole_index = first ? ai : bi;
  const auto compare = array::compare(wins, type_of(d));
  const auto value = array::select(size_of(d.dtype)), index = array::select(size_of(di.dtype));
  const auto n = static_cast<size_t>(d.shape[1]);
  std::vector<uint8_t> mask(n);
  for (int64_t i = 0; i < d.shape[0]; ++i) {
    const size_t row = static_cast<size_t>(i) * n;
    const size_t both = std::min(reach(a, i), reach(b, i));
    const size_t ra = static_cast<size_t>(i * a.shape[1]), rb = static_cast<size_t>(i * b.shape[1]);
    if (both) {
      compare(mask.data(), at(b, rb), at(a, ra), both);
      value(out(d, row), mask.data(), at(b, rb), at(a, ra), both);
      index(out(di, row), mask.data(), at(bi, rb), at(ai, ra), both);
    }
    std::memcpy(out(d, row + both), at(whole, row + both), (n - both) * size_of(d.dtype));
    std::memcpy(out(di, row + both), at(whole_index, row + both), (n - both) * size_of(di.dtype));
  }
}

/// A sorted list's entry: 8 bytes, the value (half ones padded), then the index.
struct Pair {
  uint32_t value, index;
};

/// An order like the values': greater first, NaN before all; ties keep their index order where asked.
class Descending {
 public:
  explicit Descending(pto_dtype type) : half_(type == PTO_FLOAT16) {}
  bool operator()(const Pair& a, const Pair& b) const { return key(a) > key(b); }
  int64_t key(const Pair& p) const {
    const uint32_t bits = half_ ? p.value & 0xffff : p.value;
    const uint32_t sign = half_ ? 0x8000 : 0x80000000u, infinity = half_ ? 0x7c00 : 0x7f800000u;
    const uint32_t magnitude = bits & ~sign;
    if (magnitude > infinity) return INT64_MAX;
    return bits & sign ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
  }

 private:
  bool half_;
};

size_t pairs_in(const Tensor& t, size_t elements) { return elements * size_of(t.dtype) / sizeof(Pair); }

void require_pairs(const char* insn, const Tensor& t) {
  if (static_cast<size_t>(t.shape[1]) * size_of(t.dtype) % sizeof(Pair))
    throw Error(PTO_SHAPE_MISMATCH,
                fmt::format("Insn {}: {} columns of {} are no whole number of 8-byte entries", insn,
                            t.shape[1], pto_dtype_name(t.dtype)));
}

/// Lists that are sorted one by one become one; of equal values the earlier list's comes first.
void merge(const Pair* const* lists, const size_t* sizes, size_t count, Pair* to, size_t room,
           const Descending& before) {
  std::array<size_t, 4> at{};
  for (size_t k = 0; k < room; ++k) {
    size_t best = count;
    for (size_t l = 0; l < count; ++l) {
      if (at[l] == sizes[l]) continue;
      if (best == count || before(lists[l][at[l]], lists[best][at[best]])) best = l;
    }
    to[k] = lists[best][at[best]++];
  }
}

}  // namespace

void part(const Call& call, array::Binary op) {
  const Tensor &a = call.operands[0], &b = call.operands[1], &d = call.operands[2];
  const Tensor& whole = first_is_whole(a, b, d) ? a : b;
  const auto f = array::binary(op, type_of(d));
  const auto n = static_cast<size_t>(d.shape[1]);
  for (int64_t i = 0; i < d.shape[0]; ++i) {
    const size_t row = static_cast<size_t>(i) * n, both = std::min(reach(a, i), reach(b, i));
    if (both)
      f(out(d, row), at(a, static_cast<size_t>(i * a.shape[1])), at(b, static_cast<size_t>(i * b.shape[1])),
        both);
    std::memcpy(out(d, row + both), at(whole, row + both), (n - both) * size_of(d.dtype));
  }
}

void part_greatest(const Call& call) { part_index(call, toprope::isa::Compare::GE); }
void part_least(const Call& call) { part_index(call, toprope::isa::Compare::LE); }

void sort_blocks(const Call& call) {
  const Tensor &s = call.operands[0], &index = call.operands[1], &d = call.operands[2];
  const size_t element = size_of(s.dtype);
  if (d.shape[1] != s.shape[1] * static_cast<int64_t>(sizeof(Pair) / element))
    throw Error(PTO_SHAPE_MISMATCH,
                fmt::format("Insn sort32: dst has {} columns; {} values of {} and their indices take {}",
                            d.shape[1], s.shape[1], pto_dtype_name(s.dtype),
                            s.shape[1] * static_cast<int64_t>(sizeof(Pair) / element)));
  const Descending before(s.dtype);
  const auto n = static_cast<size_t>(s.shape[1]);
  for (size_t row = 0; row < count(s); row += n)
    for (size_t i = 0; i < n; i += 32) {
      const size_t here = std::min<size_t>(32, n - i);
      Pair block[32] = {};
      for (size_t k = 0; k < here; ++k) {
        std::memcpy(&block[k].value, at(s, row + i + k), element);
        block[k].index = static_cast<const uint32_t*>(index.data)[row + i + k];
      }
      std::sort(block, block + here, [&](const Pair& a, const Pair& b) {
        return before(a, b) || (!before(b, a) && a.index < b.index);
      });
      std::memcpy(static_cast<Pair*>(d.data) + row + i, block, here * sizeof(Pair));
    }
}

void merge_blocks(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[1];
  const int64_t block = call.attributes[0].i;
  require_pairs("mrgsort", s);
  if (block <= 0 || static_cast<size_t>(block) * size_of(s.dtype) % sizeof(Pair) || s.shape[1] % (4 * block))
    throw Error(PTO_SHAPE_MISMATCH,
                fmt::format("Insn mrgsort: {} columns are no whole number of four blocks of block_len = {}",
                            s.shape[1], block));
  const size_t pairs = pairs_in(s, static_cast<size_t>(block));
  const Descending before(s.dtype);
  const auto* from = static_cast<const Pair*>(s.data);
  auto* to = static_cast<Pair*>(d.data);
  const size_t sizes[] = {pairs, pairs, pairs, pairs};
  for (size_t group = 0; group < pairs_in(s, count(s)); group += 4 * pairs) {
    const Pair* const lists[] = {from + group, from + group + pairs, from + group + 2 * pairs,
                                 from + group + 3 * pairs};
    merge(lists, sizes, 4, to + group, 4 * pairs, before);
  }
}

void merge_lists(const Call& call) {
  const Tensor &a = call.operands[0], &b = call.operands[1], &d = call.operands[2];
  for (const Tensor* t : {&a, &b, &d}) require_pairs("mrgsort2", *t);
  if (d.shape[1] > a.shape[1] + b.shape[1])
    throw Error(PTO_SHAPE_MISMATCH, fmt::format("Insn mrgsort2: dst has {} columns, the lists only {} and {}",
                                                d.shape[1], a.shape[1], b.shape[1]));
  const Pair* const lists[] = {static_cast<const Pair*>(a.data), static_cast<const Pair*>(b.data)};
  const size_t sizes[] = {pairs_in(a, count(a)), pairs_in(b, count(b))};
  merge(lists, sizes, 2, static_cast<Pair*>(d.data), pairs_in(d, count(d)), Descending(a.dtype));
}

void quantise(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[3];
  const auto divide = array::binary(array::Binary::Div, DType::Float, array::Spread::Second);
  const auto add = array::binary(array::Binary::Add, DType::Float, array::Spread::Second);
  const auto n = static_cast<size_t>(d.shape[1]);
  for (size_t row = 0; row < static_cast<size_t>(d.shape[0]); ++row)
    in_blocks(n, [&](size_t i, size_t here) {
      alignas(64) float t[kBlock], whole[kBlock];
      divide(t, at(s, row * n + i), at(call.operands[1], row), here);
      array::cast(DType::Float, whole, DType::Float, t, toprope::isa::Round::Rint, here);
      add(whole, whole, at(call.operands[2], row), here);
      array::cast(type_of(d), out(d, row * n + i), DType::Float, whole, toprope::isa::Round::Rint, here);
    });
}

void dequantise(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[3];
  const auto subtract = array::binary(array::Binary::Sub, DType::Float, array::Spread::Second);
  const auto multiply = array::binary(array::Binary::Mul, DType::Float, array::Spread::Second);
  const auto n = static_cast<size_t>(d.shape[1]);
  for (size_t row = 0; row < static_cast<size_t>(d.shape[0]); ++row) {
    uint8_t* to = out(d, row * n);
    array::cast(DType::Float, to, type_of(s), at(s, row * n), toprope::isa::Round::None, n);
    subtract(to, to, at(call.operands[2], row), n);
    multiply(to, to, at(call.operands[1], row), n);
  }
}

void histogram(const Call& call) {
  const Tensor &s = call.operands[0], &filter = call.operands[1], &d = call.operands[2];
  const auto bytes = static_cast<int64_t>(size_of(s.dtype)), byte = call.attributes[0].i;
  if (byte < 0 || byte >= bytes)
    throw Error(PTO_INVALID_ARGUMENT, fmt::format("Insn histogram: byte = {}; {} has bytes 0 to {}", byte,
                                                  pto_dtype_name(s.dtype), bytes - 1));
  const int64_t above = bytes - 1 - byte;
  if (filter.shape[1] < above)
    throw Error(PTO_SHAPE_MISMATCH,
                fmt::format("Insn histogram: idx has {} columns; byte {} of {} is filtered by {}",
                            filter.shape[1], byte, pto_dtype_name(s.dtype), above));
  const auto n = static_cast<size_t>(s.shape[1]);
  for (int64_t row = 0; row < s.shape[0]; ++row) {
    auto* bins = static_cast<uint32_t*>(d.data) + row * 256;
    std::memset(bins, 0, 256 * sizeof *bins);
    const uint8_t* wanted = at(filter, static_cast<size_t>(row * filter.shape[1]));
    for (size_t i = 0; i < n; ++i) {
      uint32_t value = 0;
      std::memcpy(&value, at(s, static_cast<size_t>(row) * n + i), static_cast<size_t>(bytes));
      bool counted = true;
      for (int64_t k = 0; k < above; ++k) counted &= (value >> (8 * (bytes - 1 - k)) & 0xff) == wanted[k];
      if (counted) ++bins[value >> (8 * byte) & 0xff];
    }
  }
}

}  // namespace pto::builtin
