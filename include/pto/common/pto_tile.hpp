// Tile and GlobalTensor. Source: PTO Tile Lib, tile and GlobalTensor programming models.
#pragma once
#include <array>
#include <cstdint>
#include <type_traits>

#include "pto/common/constants.hpp"
#include "pto/common/type.hpp"
#include "toprope/isa/tile.h"
#include "toprope/machine/access.h"
#include "toprope/machine/host_core.h"

namespace pto {

enum class TileType : uint8_t { Vec, Mat, Left, Right, Acc, Bias, Scaling, ScaleLeft, ScaleRight, Ctrl };
enum class BLayout : uint8_t { RowMajor, ColMajor };
enum class SLayout : uint8_t { NoneBox, RowMajor, ColMajor };
enum class CompactMode : uint8_t { Null, Normal, RowPlusOne };

enum class Layout : uint8_t {
  ND,
  DN,
  NZ,
  SCALE,
  MX_A_ZZ,
  MX_A_ND,
  MX_A_DN,
  MX_B_NN,
  MX_B_ND,
  MX_B_DN,
  NHWC,
  NCHW,
  NCDHW,
  NC1HWC0,
  NDC1HWC0,
  FRACTAL_Z,
  FRACTAL_Z_3D,
  GNCHW,
  GNC1HWC0,
  MAX
};

struct TileConfig {
  static constexpr int alignedSize =
      32;  ///< bytes that a row (or column) of an unboxed tile is a multiple of
  static constexpr int fixedRowSize = 16;  ///< rows of a box
  static constexpr int fixedColSize = 16;
  static constexpr int fixedMxRowSize = 16;
  static constexpr int fixedMxColSize = 2;
  static constexpr int fractalABSize = 512;  ///< bytes of an operand's box
  static constexpr int fractalCSize = 1024;  ///< and of an accumulator's
  static constexpr int fractalMxSize = 32;
};

namespace detail {

constexpr toprope::Mem memory_of(TileType type) {
  switch (type) {
    case TileType::Mat:
      return toprope::Mem::L1;
    case TileType::Left:
    case TileType::ScaleLeft:
      return toprope::Mem::L0A;
    case TileType::Right:
    case TileType::ScaleRight:
      return toprope::Mem::L0B;
    case TileType::Acc:
      return toprope::Mem::L0C;
    case TileType::Bias:
      return toprope::Mem::BT;
    case TileType::Scaling:
      return toprope::Mem::FB;
    default:
      return toprope::Mem::UB;
  }
}

/// Rows and columns of a box of `bytes` bytes; a tile with fewer rows (a vector of a GEMV) has lower boxes.
constexpr int across_box(int bytes, int element) { return bytes / TileConfig::fixedRowSize / element; }

/// A scalar element of a tile: the place checked in a kernel, as it is where host code runs the program.
template <class T>
[[gnu::always_inline]] inline T& element(T* at, toprope::Mem mem, bool write) {
  if (!toprope::current_core) return *at;
  const toprope::Core& core = *toprope::current_core;
  const auto place = static_cast<uint64_t>(reinterpret_cast<uint8_t*>(at) - core.base[static_cast<int>(mem)]);
  return *static_cast<T*>(
      toprope::scalar_access({place, 0, core.capacity[static_cast<int>(mem)], mem}, sizeof(T), write));
}

}  // namespace detail

/// A 2-D buffer of Rows_ x Cols_ elements in a local memory, of which the first GetValidRow() x GetValidCol()
/// mean something. TASSIGN gives it its place.
template <TileType Loc_, class Element_, int Rows_, int Cols_, BLayout BFractal_ = BLayout::RowMajor,
          int RowValid_ = Rows_, int ColValid_ = Cols_, SLayout SFractal_ = SLayout::NoneBox,
          int SFractalSize_ = TileConfig::fractalABSize, PadValue PadVal_ = PadValue::Null,
          CompactMode Compact_ = CompactMode::Null>
class Tile {
 public:
  using DType = Element_;
  using TileDType = DType*;
  static constexpr TileType Loc = Loc_;
  static constexpr int Rows = Rows_, Cols = Cols_, RowStride = BFractal_ == BLayout::RowMajor ? Cols_ : 1,
                       ColStride = BFractal_ == BLayout::RowMajor ? 1 : Rows_;
  static constexpr int ValidRow = RowValid_, ValidCol = ColValid_;
  static constexpr int Numel = Rows_ * Cols_;
  static constexpr BLayout BFractal = BFractal_;
  static constexpr SLayout SFractal = SFractal_;
  static constexpr int SFractalSize = SFractalSize_;
  static constexpr PadValue PadVal = PadVal_;
  static constexpr CompactMode Compact = Compact_;
  static constexpr bool isRowMajor = BFractal_ == BLayout::RowMajor;
  static constexpr bool isBoxedLayout = SFractal_ != SLayout::NoneBox;
  static constexpr bool isInnerRowMajor = SFractal_ == SLayout::RowMajor;
  static constexpr bool isInnerColMajor = SFractal_ == SLayout::ColMajor;
  static constexpr int InnerRows = !isBoxedLayout ? 1
                                   : isInnerRowMajor
                                       ? (Rows_ < TileConfig::fixedRowSize ? Rows_ : TileConfig::fixedRowSize)
                                       : detail::across_box(SFractalSize_, sizeof(DType));
  static constexpr int InnerCols =
      !isBoxedLayout    ? 1
      : isInnerRowMajor ? detail::across_box(SFractalSize_, sizeof(DType))
                        : (Cols_ < TileConfig::fixedColSize ? Cols_ : TileConfig::fixedColSize);
  static constexpr int bufferSize = Numel * static_cast<int>(sizeof(DType));

  static_assert(Rows_ > 0 && Cols_ > 0, "a tile has at least one row and one column");
  static_assert(RowValid_ == DYNAMIC || (RowValid_ >= 0 && RowValid_ <= Rows_),
                "a tile's valid rows lie within its rows");
  static_assert(ColValid_ == DYNAMIC || (ColValid_ >= 0 && ColValid_ <= Cols_),
                "a tile's valid columns lie within its columns");
  static_assert(isBoxedLayout || !isRowMajor || Cols_ * sizeof(DType) % TileConfig::alignedSize == 0,
                "a row of an unboxed row-major tile is a multiple of 32 bytes");
  static_assert(isBoxedLayout || isRowMajor || Rows_ * sizeof(DType) % TileConfig::alignedSize == 0,
                "a column of an unboxed column-major tile is a multiple of 32 bytes");

  /// What the type says, for the library.
  static constexpr toprope::isa::TileShape shape = {detail::dtype<DType>(),
                                                    detail::memory_of(Loc_),
                                                    !isRowMajor,
                                                    isInnerColMajor,
                                                    static_cast<uint16_t>(isBoxedLayout ? InnerRows : 0),
                                                    static_cast<uint16_t>(isBoxedLayout ? InnerCols : 0),
                                                    static_cast<uint32_t>(Rows_),
                                                    static_cast<uint32_t>(Cols_)};

  Tile() = default;
  /// The valid extents known at run time: rows, columns, or both.
  explicit Tile(size_t valid)
    requires((RowValid_ == DYNAMIC) != (ColValid_ == DYNAMIC))
  {
    (RowValid_ == DYNAMIC ? valid_row_ : valid_col_) = static_cast<int>(valid);
  }
  Tile(size_t rows, size_t columns)
    requires(RowValid_ == DYNAMIC || ColValid_ == DYNAMIC)
      : valid_row_(static_cast<int>(rows)), valid_col_(static_cast<int>(columns)) {}

  static constexpr int GetSizeInBytes() { return bufferSize; }
  int GetValidRow() const { return RowValid_ == DYNAMIC ? valid_row_ : RowValid_; }
  int GetValidCol() const { return ColValid_ == DYNAMIC ? valid_col_ : ColValid_; }
  void SetValidRow(int rows) { valid_row_ = rows; }
  void SetValidCol(int columns) { valid_col_ = columns; }
  /// Whether a matrix product takes K in whole boxes.
  void SetKAligned(bool aligned) { k_aligned_ = aligned; }
  bool GetKAligned() const { return k_aligned_; }

  TileDType data() const { return data_; }
  void assignData(DType* data) { data_ = data; }

  /// One element, by its place in memory.
  DType GetValue(uint32_t offset) const { return detail::element(data_ + offset, shape.mem, false); }
  void SetValue(uint32_t offset, DType value) { detail::element(data_ + offset, shape.mem, true) = value; }

 private:
  DType* data_ = nullptr;
  int valid_row_ = RowValid_ == DYNAMIC ? Rows_ : RowValid_,
      valid_col_ = ColValid_ == DYNAMIC ? Cols_ : ColValid_;
  bool k_aligned_ = false;
};

template <class Element_, int Rows_, int Cols_, int RowValid_ = Rows_, int ColValid_ = Cols_>
using TileLeft = Tile<TileType::Left, Element_, Rows_, Cols_, BLayout::ColMajor, RowValid_, ColValid_,
                      SLayout::RowMajor, TileConfig::fractalABSize>;
template <class Element_, int Rows_, int Cols_, int RowValid_ = Rows_, int ColValid_ = Cols_>
using TileRight = Tile<TileType::Right, Element_, Rows_, Cols_, BLayout::RowMajor, RowValid_, ColValid_,
                       SLayout::ColMajor, TileConfig::fractalABSize>;
template <class Element_, int Rows_, int Cols_, int RowValid_ = Rows_, int ColValid_ = Cols_>
using TileAcc = Tile<TileType::Acc, Element_, Rows_, Cols_, BLayout::ColMajor, RowValid_, ColValid_,
                     SLayout::RowMajor, TileConfig::fractalCSize>;

namespace detail {

/// Up to five numbers, each known at compile time or given (DYNAMIC) to the constructor in their order.
template <int... N>
struct Dims {
  static constexpr int count = sizeof...(N);
  static constexpr int dynamic = ((N == DYNAMIC ? 1 : 0) + ...);
  static constexpr std::array<int64_t, 5> fixed = {N...};
  std::array<int64_t, 5> values = {(N == DYNAMIC ? 1 : N)...};
  constexpr Dims() = default;
  template <class... Values>
  constexpr explicit Dims(Values... given) {
    static_assert(sizeof...(Values) == dynamic || sizeof...(Values) == count,
                  "give as many values as the type has dynamic dimensions");
    const int64_t in[] = {static_cast<int64_t>(given)...};
    int next = 0;
    for (int i = 0; i < count; ++i)
      if (sizeof...(Values) == count || fixed[i] == DYNAMIC) values[i] = in[next++];
  }
};

}  // namespace detail

/// Five extents, the innermost last.
template <int N1 = DYNAMIC, int N2 = DYNAMIC, int N3 = DYNAMIC, int N4 = DYNAMIC, int N5 = DYNAMIC>
struct Shape : detail::Dims<N1, N2, N3, N4, N5> {
  using detail::Dims<N1, N2, N3, N4, N5>::Dims;
  static constexpr int staticShape[5] = {N1, N2, N3, N4, N5};
};

/// Five steps in elements.
template <int N1 = DYNAMIC, int N2 = DYNAMIC, int N3 = DYNAMIC, int N4 = DYNAMIC, int N5 = DYNAMIC>
struct Stride : detail::Dims<N1, N2, N3, N4, N5> {
  using detail::Dims<N1, N2, N3, N4, N5>::Dims;
  static constexpr int staticStride[5] = {N1, N2, N3, N4, N5};
};

template <class... Values>
Shape(Values...) -> Shape<>;
template <class... Values>
Stride(Values...) -> Stride<>;

namespace detail {

template <class T>
inline constexpr int c0 = 32 / static_cast<int>(sizeof(T));
constexpr int times(int a, int b) { return a == DYNAMIC || b == DYNAMIC ? DYNAMIC : a * b; }
constexpr int by(int a, int b) { return a == DYNAMIC ? DYNAMIC : a / b; }

template <class T, int Rows, int Cols, Layout layout>
struct Shape2D {
  using type = Shape<1, 1, 1, Rows, Cols>;
};
template <class T, int Rows, int Cols>
struct Shape2D<T, Rows, Cols, Layout::NZ> {
  using type = Shape<1, by(Cols, c0<T>), by(Rows, 16), 16, c0<T>>;
};
template <class T, int Rows, int Cols, Layout layout>
struct Stride2D {
  using type = Stride<times(Rows, Cols), times(Rows, Cols), times(Rows, Cols), Cols, 1>;
};
template <class T, int Rows, int Cols>
struct Stride2D<T, Rows, Cols, Layout::DN> {
  using type = Stride<times(Rows, Cols), times(Rows, Cols), times(Rows, Cols), 1, Rows>;
};
template <class T, int Rows, int Cols>
struct Stride2D<T, Rows, Cols, Layout::NZ> {
  using type = Stride<times(Rows, Cols), times(Rows, c0<T>), 16 * c0<T>, c0<T>, 1>;
};

}  // namespace detail

/// The shape of a rows x cols piece, and the steps of the matrix it lies in.
template <class T, int Rows = DYNAMIC, int Cols = DYNAMIC, Layout layout = Layout::ND>
struct TileShape2D : detail::Shape2D<T, Rows, Cols, layout>::type {
  using Base = typename detail::Shape2D<T, Rows, Cols, layout>::type;
  using Base::Base;
  TileShape2D() = default;
  TileShape2D(int rows, int cols)
    requires(Base::dynamic > 0)
      : Base() {
    if constexpr (layout == Layout::NZ)
      this->values = {1, cols / detail::c0<T>, rows / 16, 16, detail::c0<T>};
    else
      this->values = {1, 1, 1, rows, cols};
  }
};
template <class T, int Rows = DYNAMIC, int Cols = DYNAMIC, Layout layout = Layout::ND>
struct BaseShape2D : detail::Stride2D<T, Rows, Cols, layout>::type {
  using Base = typename detail::Stride2D<T, Rows, Cols, layout>::type;
  using Base::Base;
  BaseShape2D() = default;
  BaseShape2D(int rows, int cols)
    requires(Base::dynamic > 0)
      : Base() {
    const int64_t all = int64_t{rows} * cols;
    if constexpr (layout == Layout::NZ)
      this->values = {all, int64_t{rows} * detail::c0<T>, 16 * detail::c0<T>, detail::c0<T>, 1};
    else if constexpr (layout == Layout::DN)
      this->values = {all, all, all, 1, rows};
    else
      this->values = {all, all, all, cols, 1};
  }
};

namespace detail {

/// A scalar element in global memory, which observers see in a kernel.
template <class T>
[[gnu::always_inline]] inline T* global_element(T* at, bool write) {
  if (!toprope::current_core) return at;
  return static_cast<T*>(
      toprope::scalar_access({reinterpret_cast<uintptr_t>(at), 0, 0, toprope::Mem::GM}, sizeof(T), write));
}

}  // namespace detail

enum GlobalTensorDim : int { DIM_0, DIM_1, DIM_2, DIM_3, DIM_4, TOTAL_DIM };

/// A 5-D tensor in global memory: a pointer, extents and steps in elements, and a name for the layout.
template <class Element_, class Shape_, class Stride_, Layout Layout_ = Layout::ND>
class GlobalTensor {
 public:
  using DType = Element_;
  using RawDType = std::remove_cv_t<Element_>;
  using Shape = Shape_;
  using Stride = Stride_;
  static constexpr Layout layout = Layout_;
  static constexpr auto& staticShape = Shape_::staticShape;
  static constexpr auto& staticStride = Stride_::staticStride;
  static constexpr bool isDynamicShape = Shape_::dynamic != 0;

  GlobalTensor() = default;
  GlobalTensor(DType* data) : data_(data) {}
  GlobalTensor(DType* data, const Shape_& shape) : data_(data), shape_(shape) {}
  GlobalTensor(DType* data, const Shape_& shape, const Stride_& stride)
      : data_(data), shape_(shape), stride_(stride) {}

  DType* data() const { return data_; }
  void SetAddr(DType* data) { data_ = data; }
  int64_t GetShape(int dimension) const { return shape_.values[dimension]; }
  int64_t GetStride(int dimension) const { return stride_.values[dimension]; }
  template <int dimension>
  static constexpr int64_t GetShape() {
    static_assert(staticShape[dimension] != DYNAMIC, "this extent is only known at run time");
    return staticShape[dimension];
  }
  template <int dimension>
  static constexpr int64_t GetStride() {
    static_assert(staticStride[dimension] != DYNAMIC, "this step is only known at run time");
    return staticStride[dimension];
  }
  /// One element, by its place in memory.
  DType GetElement(int64_t offset) const { return *detail::global_element(data_ + offset, false); }
  void SetElement(int64_t offset, DType value) { *detail::global_element(data_ + offset, true) = value; }
  const std::array<int64_t, 5>& shape() const { return shape_.values; }
  const std::array<int64_t, 5>& stride() const { return stride_.values; }

 private:
  DType* data_ = nullptr;
  Shape_ shape_;
  Stride_ stride_;
};

namespace detail {

template <class T>
struct IsTile : std::false_type {};
template <TileType L, class E, int R, int C, BLayout B, int RV, int CV, SLayout S, int F, PadValue P,
          CompactMode M>
struct IsTile<Tile<L, E, R, C, B, RV, CV, S, F, P, M>> : std::true_type {};
template <class T>
struct IsGlobal : std::false_type {};
template <class E, class S, class St, Layout L>
struct IsGlobal<GlobalTensor<E, S, St, L>> : std::true_type {};

/// A tile as the library takes it.
template <class TileData>
[[gnu::always_inline]] inline toprope::isa::Tile ref(const TileData& tile) {
  return {&TileData::shape, tile.data(), static_cast<uint32_t>(tile.GetValidRow()),
          static_cast<uint32_t>(tile.GetValidCol())};
}

}  // namespace detail

template <class T>
inline constexpr bool is_tile_data_v = detail::IsTile<std::remove_cvref_t<T>>::value;
template <class T>
inline constexpr bool is_global_data_v = detail::IsGlobal<std::remove_cvref_t<T>>::value;

/// Places a tile at byte `address` of its memory (or where another tile's data() says), or points a
/// GlobalTensor at memory.
template <class T, class Address>
[[gnu::always_inline]] inline void TASSIGN(T& object, Address address) {
  if constexpr (is_global_data_v<T>) {
    static_assert(std::is_pointer_v<Address>, "TASSIGN of a GlobalTensor takes a pointer");
    object.SetAddr(address);
  } else if constexpr (std::is_pointer_v<Address>) {
    object.assignData(reinterpret_cast<typename T::DType*>(address));
  } else {
    static_assert(std::is_integral_v<Address>, "TASSIGN of a tile takes an address: an integer");
    object.assignData(
        static_cast<typename T::DType*>(toprope::tile_address(T::shape.mem, static_cast<uint64_t>(address))));
  }
}
template <size_t address, class T>
[[gnu::always_inline]] inline void TASSIGN(T& object) {
  static_assert(address % TileConfig::alignedSize == 0, "a tile starts at a multiple of 32 bytes");
  TASSIGN(object, address);
}

}  // namespace pto
