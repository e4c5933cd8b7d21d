#include "isa/array/layout.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "isa/array/elementwise.h"

namespace toprope::isa::array {
namespace {

/// A loop nest: sizes and source strides, outermost first; the destination is dense.
struct Nest {
  int rank = 0;
  int64_t size[kMaxRank], stride[kMaxRank];
};

/// Axes of size 1 dropped, and neighbours joined that are read as one.
Nest simplified(int rank, const int64_t* shape, const int64_t* strides) {
  Nest n;
  for (int i = 0; i < rank; ++i) {
    if (shape[i] == 1) continue;
    if (n.rank && n.stride[n.rank - 1] == strides[i] * shape[i]) {
      n.size[n.rank - 1] *= shape[i];
      n.stride[n.rank - 1] = strides[i];
    } else {
      n.size[n.rank] = shape[i];
      n.stride[n.rank++] = strides[i];
    }
  }
  return n;
}

/// dst[r, c] = src[r * row_stride + c * column_stride], in squares that stay in the cache.
template <class T>
void plane(T* dst, const T* src, int64_t rows, int64_t columns, int64_t row_stride, int64_t column_stride) {
  constexpr int64_t kSquare = 32;
  for (int64_t r0 = 0; r0 < rows; r0 += kSquare)
    for (int64_t c0 = 0; c0 < columns; c0 += kSquare) {
      const int64_t r1 = std::min(r0 + kSquare, rows), c1 = std::min(c0 + kSquare, columns);
      for (int64_t r = r0; r < r1; ++r)
        for (int64_t c = c0; c < c1; ++c) dst[r * columns + c] = src[r * row_stride + c * column_stride];
    }
}

template <class T>
void walk(const Nest& n, T*& dst, const T* src, int axis) {
  const int left = n.rank - axis;
  if (left == 0) {
    *dst++ = *src;
  } else if (left == 1) {
    const int64_t size = n.size[axis], stride = n.stride[axis];
    if (stride == 1)
      std::memcpy(dst, src, static_cast<size_t>(size) * sizeof(T));
    else if (stride == 0)
      std::fill_n(dst, size, *src);
    else
      for (int64_t i = 0; i < size; ++i) dst[i] = src[i * stride];
    dst += size;
  } else if (left == 2 && n.stride[axis + 1] > 1) {
    plane(dst, src, n.size[axis], n.size[axis + 1], n.stride[axis], n.stride[axis + 1]);
    dst += n.size[axis] * n.size[axis + 1];
  } else {
    for (int64_t i = 0; i < n.size[axis]; ++i) walk(n, dst, src + i * n.stride[axis], axis + 1);
  }
}

template <class T>
void run(const Nest& n, void* dst, const void* src) {
  T* out = static_cast<T*>(dst);
  walk(n, out, static_cast<const T*>(src), 0);
}

}  // namespace

void gather_strided(size_t element, void* dst, const void* src, int rank, const int64_t* shape,
                    const int64_t* strides) {
  if (rank < 0 || rank > kMaxRank) throw std::invalid_argument("a layout has 0 to 8 axes");
  for (int i = 0; i < rank; ++i)
    if (shape[i] == 0) return;
  const Nest n = simplified(rank, shape, strides);
  switch (element) {
    case 1:
      return run<uint8_t>(n, dst, src);
    case 2:
      return run<uint16_t>(n, dst, src);
    case 4:
      return run<uint32_t>(n, dst, src);
    case 8:
      return run<uint64_t>(n, dst, src);
    default:
      throw std::invalid_argument("elements have 1, 2, 4 or 8 bytes");
  }
}

void transpose(size_t element, void* dst, const void* src, int rank, const int64_t* shape, const int* perm) {
  if (rank < 0 || rank > kMaxRank) throw std::invalid_argument("a layout has 0 to 8 axes");
  int64_t dense[kMaxRank], sizes[kMaxRank], strides[kMaxRank];
  bool seen[kMaxRank] = {};
  int64_t stride = 1;
  for (int i = rank - 1; i >= 0; --i) {
    dense[i] = stride;
    stride *= shape[i];
  }
  for (int i = 0; i < rank; ++i) {
    if (perm[i] < 0 || perm[i] >= rank || seen[perm[i]])
      throw std::invalid_argument("perm is not a permutation");
    seen[perm[i]] = true;
    sizes[i] = shape[perm[i]];
    strides[i] = dense[perm[i]];
  }
  gather_strided(element, dst, src, rank, sizes, strides);
}

}  // namespace toprope::isa::array
