#include "isa/array/reduce.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "isa/array/elementwise.h"
#include "isa/reduce_table.h"

namespace toprope::isa::array {
namespace {

constexpr Binary joining(Reduce op) {
  constexpr Binary ops[] = {Binary::Add, Binary::Mul, Binary::Max, Binary::Min};
  return ops[static_cast<int>(op)];
}

constexpr isa::Reduce instruction(Reduce op) {
  return op == Reduce::Sum ? isa::Reduce::Sum : op == Reduce::Max ? isa::Reduce::Max : isa::Reduce::Min;
}

BinaryFunction join_of(Reduce op, DType type, Spread spread = Spread::No) {
  const BinaryFunction join = binary(joining(op), type, spread);
  if (!join) throw std::invalid_argument(std::string("no reduction takes ") + name_of(type));
  return join;
}

/// A row of half or float by the instructions' trees over repeats of 256 bytes.
class Trees {
 public:
  Trees(Reduce op, DType type)
      : op_(op),
        element_(size_of(type)),
        width_(kRepeatBytes / element_),
        join_(join_of(op, type)),
        tree_(static_cast<const ReduceTable*>(reduce_table.get())
                  ->tree[static_cast<int>(instruction(op))][static_cast<int>(type)]),
        running_(static_cast<const ReduceTable*>(reduce_table.get())->running_sum[static_cast<int>(type)]) {}

  void row(uint8_t* dst, const uint8_t* src, size_t n) const {
    op_ == Reduce::Sum ? sum(dst, src, n) : extreme(dst, src, n);
  }

 private:
  static constexpr size_t kBatch = 32;  ///< repeats of a sum whose trees are made at once
  static constexpr size_t kLanes = 512;

  /// Repeat by repeat, the results added in order.
  void sum(uint8_t* dst, const uint8_t* src, size_t n) const {
    bool first = true;
    for (size_t at = 0; at < n; at += kBatch * width_) {
      const size_t here = std::min<size_t>(kBatch * width_, n - at), whole = here / width_,
                   rest = here % width_;
      alignas(64) uint8_t values[(kBatch + 1) * 4];
      if (whole) tree_(values, src + at * element_, whole, width_, false);
      if (rest) padded(values + whole * element_, src + (at + whole * width_) * element_, rest);
      const size_t results = whole + (rest != 0);
      if (first) std::memcpy(dst, values, element_);
      running_(dst, values + first * element_, results - first, false);
      first = false;
    }
  }

  /// The order does not matter: many lanes side by side, then halves, then one tree.
  void extreme(uint8_t* dst, const uint8_t* src, size_t n) const {
    if (n <= width_) return padded(dst, src, n);
    alignas(64) uint8_t block[kLanes * 4];
    size_t lanes = std::min(kLanes, n);
    std::memcpy(block, src, lanes * element_);
    for (size_t i = lanes; i < n; i += kLanes)
      join_(block, block, src + i * element_, std::min(kLanes, n - i));
    while (lanes > width_) {
      const size_t half = lanes / 2;
      join_(block, block, block + (lanes - half) * element_, half);
      lanes -= half;
    }
    padded(dst, block, lanes);
  }

  /// One tree over at most a repeat, filled up with what changes nothing.
  void padded(uint8_t* dst, const uint8_t* src, size_t n) const {
    alignas(64) uint8_t repeat[kRepeatBytes];
    std::memcpy(repeat, src, n * element_);
    fill(element_, repeat + n * element_, op_ == Reduce::Sum ? minus_zero() : src, width_ - n);
    alignas(64) uint8_t value[kRepeatBytes];
    tree_(value, repeat, 1, width_, false);
    std::memcpy(dst, value, element_);
  }

  const void* minus_zero() const {
    static constexpr float kFloat = -0.0f;
    static constexpr uint16_t kHalf = 0x8000;
    return element_ == 4 ? static_cast<const void*>(&kFloat) : &kHalf;
  }

  Reduce op_;
  size_t element_;
  uint32_t width_;
  BinaryFunction join_;
  TreeKernel tree_;
  RunningSumKernel running_;
};

/// A product of floating-point numbers: one for each place of a 32-byte block, then these in order.
void product_row(DType type, uint8_t* dst, const uint8_t* src, size_t n) {
  const size_t element = size_of(type), lanes = kBlockBytes / element;
  const BinaryFunction mul = binary(Binary::Mul, type);
  alignas(64) uint8_t block[kBlockBytes];
  neutral(Reduce::Prod, type, block);
  fill(element, block + element, block, lanes - 1);
  for (size_t i = 0; i < n; i += lanes) mul(block, block, src + i * element, std::min(lanes, n - i));
  std::memcpy(dst, block, element);
  for (size_t i = 1; i < std::min(lanes, n); ++i) mul(dst, dst, block + i * element, 1);
}

/// Integers, whose order does not matter: a block of running results, folded at the end.
void integer_row(BinaryFunction join, size_t element, uint8_t* dst, const uint8_t* src, size_t n) {
  constexpr size_t kBlock = 256;
  alignas(64) uint8_t block[kBlock * 8];
  size_t lanes = std::min(kBlock, n);
  std::memcpy(block, src, lanes * element);
  for (size_t i = lanes; i < n; i += kBlock) join(block, block, src + i * element, std::min(kBlock, n - i));
  while (lanes > 1) {
    const size_t half = lanes / 2;
    join(block, block, block + (lanes - half) * element, half);
    lanes -= half;
  }
  std::memcpy(dst, block, element);
}

/// bfloat16: in float, rounded once.
void bfloat_row(Reduce op, uint8_t* dst, const uint8_t* src, size_t n) {
  std::vector<float> wide(n);
  cast(DType::Float, wide.data(), DType::BFloat16, src, Round::None, n);
  float result;
  reduce(op, DType::Float, &result, wide.data(), 1, static_cast<int64_t>(n), 1);
  cast(DType::BFloat16, dst, DType::Float, &result, Round::Rint, 1);
}

void rows(Reduce op, DType type, uint8_t* dst, const uint8_t* src, size_t count, size_t n) {
  const size_t element = size_of(type);
  const BinaryFunction join = join_of(op, type);
  const Trees trees(op, type == DType::Half ? DType::Half : DType::Float);
  for (size_t r = 0; r < count; ++r, dst += element, src += n * element) {
    if (type == DType::BFloat16)
      bfloat_row(op, dst, src, n);
    else if (type != DType::Half && type != DType::Float)
      integer_row(join, element, dst, src, n);
    else if (op == Reduce::Prod)
      product_row(type, dst, src, n);
    else
      trees.row(dst, src, n);
  }
}

/// Whether b is better than a; NaN is best of all.
template <class T>
bool better(bool greatest, T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a) return false;
    if (b != b) return true;
  }
  return greatest ? b > a : b < a;
}

template <class T>
void index_rows(bool greatest, int32_t* dst, const T* src, int64_t outer, int64_t n, int64_t inner) {
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i) {
      const T* column = src + o * n * inner + i;
      int64_t best = 0;
      for (int64_t k = 1; k < n; ++k)
        if (better(greatest, column[best * inner], column[k * inner])) best = k;
      dst[o * inner + i] = static_cast<int32_t>(best);
    }
}

}  // namespace

void neutral(Reduce op, DType type, void* dst) {
  const auto put = [&](auto least, auto most, auto one) {
    using T = decltype(one);
    const T v = op == Reduce::Sum ? T{0} : op == Reduce::Prod ? one : op == Reduce::Max ? least : most;
    std::memcpy(dst, &v, sizeof v);
  };
  const auto integer = [&](auto zero) {
    using L = std::numeric_limits<decltype(zero)>;
    put(L::min(), L::max(), decltype(zero){1});
  };
  switch (type) {
    case DType::Half:
      return put(uint16_t{0xfc00}, uint16_t{0x7c00}, uint16_t{0x3c00});
    case DType::BFloat16:
      return put(uint16_t{0xff80}, uint16_t{0x7f80}, uint16_t{0x3f80});
    case DType::Float:
      return put(-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity(), 1.0f);
    case DType::Int8:
      return integer(int8_t{});
    case DType::UInt8:
      return integer(uint8_t{});
    case DType::Int16:
      return integer(int16_t{});
    case DType::UInt16:
      return integer(uint16_t{});
    case DType::Int32:
      return integer(int32_t{});
    case DType::UInt32:
      return integer(uint32_t{});
    case DType::Int64:
      return integer(int64_t{});
    default:
      return integer(uint64_t{});
  }
}

void reduce(Reduce op, DType type, void* dst, const void* src, int64_t outer, int64_t n, int64_t inner) {
  auto* out = static_cast<uint8_t*>(dst);
  const auto* in = static_cast<const uint8_t*>(src);
  const size_t element = size_of(type), row = static_cast<size_t>(inner) * element;
  if (n == 0) {
    alignas(8) uint8_t nothing[8];
    neutral(op, type, nothing);
    return fill(element, dst, nothing, static_cast<size_t>(outer * inner));
  }
  if (inner == 1) return rows(op, type, out, in, static_cast<size_t>(outer), static_cast<size_t>(n));
  const BinaryFunction join = join_of(op, type);
  for (int64_t o = 0; o < outer; ++o, out += row) {
    std::memcpy(out, in, row);
    in += row;
    for (int64_t k = 1; k < n; ++k, in += row) join(out, out, in, static_cast<size_t>(inner));
  }
}

void reduce_index(Reduce op, DType type, int32_t* dst, const void* src, int64_t outer, int64_t n,
                  int64_t inner) {
  if (n == 0) throw std::invalid_argument("there is no greatest or least element of nothing");
  const bool greatest = op == Reduce::Max;
  const auto as = [&](auto zero) {
    index_rows(greatest, dst, static_cast<const decltype(zero)*>(src), outer, n, inner);
  };
  switch (type) {
    case DType::Half:
    case DType::BFloat16: {
      std::vector<float> wide(static_cast<size_t>(outer * n * inner));
      cast(DType::Float, wide.data(), type, src, Round::None, wide.size());
      return index_rows(greatest, dst, wide.data(), outer, n, inner);
    }
    case DType::Float:
      return as(float{});
    case DType::Int8:
      return as(int8_t{});
    case DType::UInt8:
      return as(uint8_t{});
    case DType::Int16:
      return as(int16_t{});
    case DType::UInt16:
      return as(uint16_t{});
    case DType::Int32:
      return as(int32_t{});
    case DType::UInt32:
      return as(uint32_t{});
    case DType::Int64:
      return as(int64_t{});
    default:
      return as(uint64_t{});
  }
}

}  // namespace toprope::isa::array
