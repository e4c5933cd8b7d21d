#include "pto/builtin/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/array/layout.h"
#include "pto/status.h"

namespace pto::builtin {
namespace {

size_t rows(const Tensor& t) { return static_cast<size_t>(t.shape[0]); }
size_t columns(const Tensor& t) { return static_cast<size_t>(t.shape[1]); }

/// A window of rows × columns from one matrix to another, each from its own first element.
void copy_window(const Tensor& to, size_t to_first, const Tensor& from, size_t from_first, size_t high,
                 size_t wide) {
  const size_t element = size_of(to.dtype);
  for (size_t i = 0; i < high; ++i)
    std::memcpy(out(to, to_first + i * columns(to)), at(from, from_first + i * columns(from)),
                wide * element);
}

/// Throws unless the window fits.
void require_window(const char* insn, const Tensor& whole, const Tensor& part, int64_t row, int64_t column) {
  if (row < 0 || column < 0 || row + part.shape[0] > whole.shape[0] ||
      column + part.shape[1] > whole.shape[1])
    throw Error(PTO_SHAPE_MISMATCH,
                fmt::format("Insn {}: a window of [{}, {}] at row {}, column {} does not lie within [{}, {}]",
                            insn, part.shape[0], part.shape[1], row, column, whole.shape[0], whole.shape[1]));
}

int64_t index_at(const Tensor& t, size_t i) {
  switch (t.dtype) {
    case PTO_INT16:
      return static_cast<const int16_t*>(t.data)[i];
    case PTO_UINT16:
      return static_cast<const uint16_t*>(t.data)[i];
    case PTO_INT32:
      return static_cast<const int32_t*>(t.data)[i];
    default:
      return static_cast<const uint32_t*>(t.data)[i];
  }
}

[[noreturn]] void outside(const char* insn, int64_t index, size_t place, int64_t size) {
  throw Error(PTO_EXECUTION_FAILED,
              fmt::format("Insn {}: index {} at place {} is outside 0 to {}", insn, index, place, size - 1));
}

/// Words of the attribute `outside`.
enum Outside { Refuse, Clamp, Wrap, Zero };

/// The row that an index means; -1 where zeros take its place.
int64_t resolve(const char* insn, int64_t index, size_t place, int64_t size, int64_t how) {
  if (index >= 0 && index < size) return index;
  if (how == Zero) return -1;
  if (how == Refuse || size == 0) outside(insn, index, place, size);
  if (how == Clamp) return index < 0 ? 0 : size - 1;
  return (index % size + size) % size;
}

}  // namespace

void extract(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[1];
  const int64_t row = call.attributes[0].i, column = call.attributes[1].i;
  require_window("extract", s, d, row, column);
  copy_window(d, 0, s, static_cast<size_t>(row) * columns(s) + static_cast<size_t>(column), rows(d),
              columns(d));
}

void insert(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[1];
  const int64_t row = call.attributes[0].i, column = call.attributes[1].i;
  require_window("insert", d, s, row, column);
  copy_window(d, static_cast<size_t>(row) * columns(d) + static_cast<size_t>(column), s, 0, rows(s),
              columns(s));
}

void fill_pad(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[1];
  require_window("fillpad", d, s, 0, 0);
  const Element pad(d.dtype, call.attributes[0]);
  const size_t element = size_of(d.dtype), wide = columns(s);
  for (size_t i = 0; i < rows(d); ++i) {
    const size_t kept = i < rows(s) ? wide : 0;
    if (kept) std::memcpy(out(d, i * columns(d)), at(s, i * wide), kept * element);
    array::fill(element, out(d, i * columns(d) + kept), pad.bytes, columns(d) - kept);
  }
}

void move(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[1];
  if (s.data != d.data) std::memcpy(d.data, s.data, count(d) * size_of(d.dtype));
}

void reshape(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[1];
  const size_t from = count(s) * size_of(s.dtype), to = count(d) * size_of(d.dtype);
  if (from != to)
    throw Error(PTO_SHAPE_MISMATCH,
                fmt::format("Insn reshape: src has {} bytes and dst {}: they must be as many", from, to));
  std::memcpy(d.data, s.data, to);
}

void transpose(const Call& call) {
  const Tensor& s = call.operands[0];
  constexpr int perm[] = {1, 0};
  array::transpose(size_of(s.dtype), call.operands[1].data, s.data, 2, s.shape, perm);
}

void concat(const Call& call) {
  const Tensor &a = call.operands[0], &b = call.operands[1], &d = call.operands[2];
  copy_window(d, 0, a, 0, rows(a), columns(a));
  copy_window(d, columns(a), b, 0, rows(b), columns(b));
}

/// The stream a[0], b[0], a[1], b[1], … of each row; its halves go to the two destinations.
void interleave(const Call& call) {
  const Tensor &a = call.operands[0], &b = call.operands[1];
  const size_t n = static_cast<size_t>(call.symbols[0]), element = size_of(a.dtype);
  for (size_t row = 0; row < count(a); row += n)
    for (size_t k = 0; k < 2 * n; ++k)
      std::memcpy(out(call.operands[k < n ? 2 : 3], row + k % n), at(k % 2 ? b : a, row + k / 2), element);
}

void deinterleave(const Call& call) {
  const Tensor &a = call.operands[0], &b = call.operands[1];
  const size_t n = static_cast<size_t>(call.symbols[0]), element = size_of(a.dtype);
  for (size_t row = 0; row < count(a); row += n)
    for (size_t k = 0; k < 2 * n; ++k)
      std::memcpy(out(call.operands[k % 2 ? 3 : 2], row + k / 2), at(k < n ? a : b, row + k % n), element);
}

void pair_sum(const Call& call) {
  const Tensor &s = call.operands[0], &d = call.operands[1];
  const size_t n = static_cast<size_t>(call.symbols[0]), element = size_of(s.dtype), sums = (n + 1) / 2;
  const auto add = array::binary(array::Binary::Add, type_of(s));
  for (size_t row = 0; row < count(s); row += n)
    for (size_t i = 0; i < sums; i += kBlock) {
      alignas(64) uint8_t even[kBlock * 4], odd[kBlock * 4];
      const size_t here = std::min(kBlock, sums - i);
      std::memset(odd, 0, sizeof odd);
      for (size_t k = 0; k < here; ++k) {
        std::memcpy(even + k * element, at(s, row + 2 * (i + k)), element);
        if (2 * (i + k) + 1 < n) std::memcpy(odd + k * element, at(s, row + 2 * (i + k) + 1), element);
      }
      add(out(d, row + i), even, odd, here);
    }
  for (size_t row = 0; row < count(s); row += n) std::memset(out(d, row + sums), 0, (n - sums) * element);
}

void gather(const Call& call) {
  const Tensor &s = call.operands[0], &index = call.operands[1], &d = call.operands[2];
  const size_t element = size_of(d.dtype);
  for (size_t i = 0; i < count(d); ++i) {
    const int64_t k = index_at(index, i);
    if (k < 0 || k >= s.elements) outside("gather", k, i, s.elements);
    std::memcpy(out(d, i), at(s, static_cast<size_t>(k)), element);
  }
}

void gather_bytes(const Call& call) {
  const Tensor &s = call.operands[0], &offset = call.operands[1], &d = call.operands[2];
  const size_t element = size_of(d.dtype), bytes = count(s) * element;
  for (size_t i = 0; i < count(d); ++i) {
    const auto k = static_cast<size_t>(index_at(offset, i));
    if (k + element > bytes || k % element)
      throw Error(
          PTO_EXECUTION_FAILED,
          fmt::format(
              "Insn gatherb: offset {} at place {} is not that of an element: src has {} bytes, {} an "
              "element",
              k, i, bytes, element));
    std::memcpy(out(d, i), static_cast<const uint8_t*>(s.data) + k, element);
  }
}

void scatter(const Call& call) {
  const Tensor &s = call.operands[0], &index = call.operands[1], &d = call.operands[2];
  const size_t element = size_of(d.dtype), n = columns(s);
  for (size_t i = 0; i < count(s); ++i) {
    const int64_t row = index_at(index, i);
    if (row < 0 || row >= d.shape[0]) outside("scatter", row, i, d.shape[0]);
    std::memcpy(out(d, static_cast<size_t>(row) * n + i % n), at(s, i), element);
  }
}

void gather_rows(const Call& call) {
  const Tensor &table = call.operands[0], &index = call.operands[1], &d = call.operands[2];
  const size_t n = columns(table), bytes = n * size_of(d.dtype);
  for (size_t i = 0; i < rows(d); ++i) {
    const int64_t row = resolve("mgather", index_at(index, i), i, table.shape[0], call.attributes[0].i);
    if (row < 0)
      std::memset(out(d, i * n), 0, bytes);
    else
      std::memcpy(out(d, i * n), at(table, static_cast<size_t>(row) * n), bytes);
  }
}

void scatter_rows(const Call& call) {
  const Tensor &s = call.operands[0], &index = call.operands[1], &table = call.operands[2];
  const size_t n = columns(table);
  constexpr array::Binary joins[] = {array::Binary::Add, array::Binary::Add, array::Binary::Max,
                                     array::Binary::Min};
  const int64_t how = call.attributes[1].i;
  const auto join = array::binary(joins[how], type_of(table));
  for (size_t i = 0; i < rows(s); ++i) {
    const int64_t given = index_at(index, i);
    constexpr Outside words[] = {Refuse, Clamp, Wrap, Zero};  // the last one, skip, leaves the table alone
    const int64_t row = resolve("mscatter", given, i, table.shape[0], words[call.attributes[0].i]);
    if (row < 0) continue;
    uint8_t* to = out(table, static_cast<size_t>(row) * n);
    if (how == 0)
      std::memcpy(to, at(s, i * n), n * size_of(table.dtype));
    else
      join(to, to, at(s, i * n), n);
  }
}

void iota(const Call& call) {
  const Tensor& d = call.operands[0];
  const int64_t step = call.attributes[1].i ? -1 : 1;
  // Integers wrap as their type does; floating-point values are rounded one by one.
  for (size_t i = 0; i < count(d); ++i) {
    const int64_t k = step * static_cast<int64_t>(i);
    if (d.dtype >= PTO_FLOAT16) {
      pto_block_constant(d.dtype, out(d, i), {call.attributes[0].f + static_cast<double>(k), 0});
    } else {
      const uint64_t value = static_cast<uint64_t>(call.attributes[0].i) + static_cast<uint64_t>(k);
      std::memcpy(out(d, i), &value, size_of(d.dtype));
    }
  }
}

void triangle(const Call& call) {
  const Tensor& d = call.operands[0];
  const Element one(d.dtype, {1, 1});
  const size_t element = size_of(d.dtype);
  const auto n = d.shape[1];
  for (int64_t i = 0; i < d.shape[0]; ++i) {
    const int64_t edge = i + call.attributes[0].i;  // the last column that the lower triangle has
    const bool upper = call.attributes[1].i != 0;
    const int64_t split = std::clamp<int64_t>(upper ? edge : edge + 1, 0, n);
    uint8_t* row = out(d, static_cast<size_t>(i * n));
    const auto before = static_cast<size_t>(split), behind = static_cast<size_t>(n - split);
    if (upper) {
      std::memset(row, 0, before * element);
      array::fill(element, row + before * element, one.bytes, behind);
    } else {
      array::fill(element, row, one.bytes, before);
      std::memset(row + before * element, 0, behind * element);
    }
  }
}

}  // namespace pto::builtin
