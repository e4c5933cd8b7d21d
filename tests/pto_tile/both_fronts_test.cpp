// The same operation through both front ends gives the same bytes: tails, special values, every element type
// that both have. Ascend C's own results are tested against the documents in tests/isa.
#include <functional>

#include "kernel_operator.h"
#include "pto_tile/tiles.h"

namespace toprope::test {
namespace {

constexpr int kRows = 5, kColumns = 64;

template <class T>
using Data = DynamicTile<T, kRows, kColumns>;
template <class T>
using Tensor = AscendC::LocalTensor<T>;

template <class T>
Tensor<T> row_tensor(const Data<T>& tile, int row, int valid) {
  const auto offset = static_cast<uint32_t>(reinterpret_cast<uint8_t*>(&at(tile, row, 0)) -
                                            static_cast<uint8_t*>(tile_address(Mem::UB, 0)));
  return Tensor<T>(AscendC::TPosition::VECCALC, offset, static_cast<uint32_t>(valid));
}

/// Runs a tile instruction and, row by row, its Ascend C twin on the same operands.
template <class T>
void compare(const char* name, int rows, int columns,
             const std::function<void(Data<T>&, Data<T>&, Data<T>&)>& tile,
             const std::function<void(const Tensor<T>&, const Tensor<T>&, const Tensor<T>&, int)>& vector) {
  expect_runs([&] {
    Data<T> a(rows, columns), b(rows, columns), got(rows, columns), want(rows, columns);
    uint32_t place = 0;
    for (auto* t : {&a, &b, &got, &want}) {
      TASSIGN(*t, place);
      place += Data<T>::GetSizeInBytes();
    }
    const std::vector<T> values = special<T>();
    fill(a, [&](int r, int c) { return values[static_cast<size_t>(r * 7 + c) % values.size()]; });
    fill(b, [&](int r, int c) { return values[static_cast<size_t>(r * 3 + c * 5 + 1) % values.size()]; });
    fill(got, [](int, int) { return T(77); });
    fill(want, [](int, int) { return T(77); });
    tile(got, a, b);
    for (int r = 0; r < rows; ++r)
      vector(row_tensor(want, r, columns), row_tensor(a, r, columns), row_tensor(b, r, columns), columns);
    for (int r = 0; r < kRows; ++r)
      for (int c = 0; c < kColumns; ++c)
        ASSERT_TRUE(same(at(got, r, c), at(want, r, c)))
            << name << " of " << rows << " x " << columns << " at (" << r << ", " << c
            << "): " << static_cast<double>(at(got, r, c)) << " and " << static_cast<double>(at(want, r, c));
  });
}

/// Whole tiles, tails, one element, nothing.
template <class T, class TileOp, class VectorOp>
void compare_sizes(const char* name, TileOp tile, VectorOp vector) {
  for (auto [rows, columns] : {std::pair{kRows, kColumns}, {kRows, 17}, {3, 63}, {1, 1}, {0, 0}}) {
    compare<T>(name, rows, columns, tile, vector);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

#define TWIN_BINARY(Type, tile, vector)                                           \
  compare_sizes<Type>(                                                            \
      #tile "<" #Type ">", [](auto& d, auto& a, auto& b) { pto::tile(d, a, b); }, \
      [](const auto& d, const auto& a, const auto& b, int n) { AscendC::vector(d, a, b, n); })
#define TWIN_UNARY(Type, tile, vector)                                       \
  compare_sizes<Type>(                                                       \
      #tile "<" #Type ">", [](auto& d, auto& a, auto&) { pto::tile(d, a); }, \
      [](const auto& d, const auto& a, const auto&, int n) { AscendC::vector(d, a, n); })
#define TWIN_SCALAR(Type, tile, vector)                                               \
  compare_sizes<Type>(                                                                \
      #tile "<" #Type ">", [](auto& d, auto& a, auto&) { pto::tile(d, a, Type(3)); }, \
      [](const auto& d, const auto& a, const auto&, int n) { AscendC::vector(d, a, Type(3), n); })

TEST(BothFronts, TwoSources) {
  TWIN_BINARY(float, TADD, Add);
  TWIN_BINARY(half, TADD, Add);
  TWIN_BINARY(int16_t, TADD, Add);
  TWIN_BINARY(int32_t, TADD, Add);
  TWIN_BINARY(float, TSUB, Sub);
  TWIN_BINARY(half, TSUB, Sub);
  TWIN_BINARY(float, TMUL, Mul);
  TWIN_BINARY(half, TMUL, Mul);
  TWIN_BINARY(int32_t, TMUL, Mul);
  TWIN_BINARY(float, TDIV, Div);
  TWIN_BINARY(half, TDIV, Div);
  TWIN_BINARY(float, TMAX, Max);
  TWIN_BINARY(half, TMAX, Max);
  TWIN_BINARY(int32_t, TMAX, Max);
  TWIN_BINARY(float, TMIN, Min);
  TWIN_BINARY(half, TMIN, Min);
  TWIN_BINARY(int16_t, TAND, And);
  TWIN_BINARY(int16_t, TOR, Or);
  TWIN_BINARY(half, TSUBRELU, SubRelu);
}

TEST(BothFronts, OneSource) {
  TWIN_UNARY(float, TABS, Abs);
  TWIN_UNARY(half, TABS, Abs);
  TWIN_UNARY(float, TEXP, Exp);
  TWIN_UNARY(half, TEXP, Exp);
  TWIN_UNARY(float, TLOG, Ln);
  TWIN_UNARY(half, TLOG, Ln);
  TWIN_UNARY(float, TSQRT, Sqrt);
  TWIN_UNARY(half, TRSQRT, Rsqrt);
  TWIN_UNARY(float, TRECIP, Reciprocal);
  TWIN_UNARY(half, TRELU, Relu);
  TWIN_UNARY(int32_t, TRELU, Relu);
  TWIN_UNARY(int16_t, TNOT, Not);
}

TEST(BothFronts, AScalar) {
  TWIN_SCALAR(float, TADDS, Adds);
  TWIN_SCALAR(half, TADDS, Adds);
  TWIN_SCALAR(int32_t, TADDS, Adds);
  TWIN_SCALAR(float, TMULS, Muls);
  TWIN_SCALAR(half, TMULS, Muls);
  TWIN_SCALAR(int16_t, TMULS, Muls);
  TWIN_SCALAR(float, TMAXS, Maxs);
  TWIN_SCALAR(half, TMINS, Mins);
}

TEST(BothFronts, TheDestinationTakesPart) {
  TWIN_BINARY(float, TMULADDDST, MulAddDst);
  TWIN_BINARY(half, TMULADDDST, MulAddDst);
  TWIN_BINARY(float, TFUSEDMULADD, FusedMulAdd);
  TWIN_BINARY(half, TFUSEDMULADDRELU, MulAddRelu);
}

TEST(BothFronts, SumsOfRows) {
  compare<float>(
      "TROWSUM", kRows, kColumns, [](auto& d, auto& a, auto& b) { pto::TROWSUM(d, a, b); },
      [](const auto& d, const auto& a, const auto& b, int n) { AscendC::ReduceSum(d, a, b, n); });
}

}  // namespace
}  // namespace toprope::test
