#include "opapi/formats.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace toprope::opapi {
namespace {

int64_t blocks(int64_t size, int64_t block) { return (size + block - 1) / block; }

int64_t product(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

// Row-major strides of a storage shape.
Shape strides_of(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

// Convolution formats see a tensor of fewer dimensions as C, CH or CHW with the others 1.
std::optional<Shape> as_nchw(const Shape& shape) {
  switch (shape.size()) {
    case 0:
      return Shape{1, 1, 1, 1};
    case 1:
      return Shape{1, shape[0], 1, 1};
    case 2:
      return Shape{1, shape[0], shape[1], 1};
    case 3:
      return Shape{1, shape[0], shape[1], shape[2]};
    case 4:
      return shape;
    default:
      return std::nullopt;
  }
}

// FRACTAL_NZ holds matrices; a row or a number is a matrix with ones behind it.
Shape as_matrices(Shape shape) {
  while (shape.size() < 2) shape.push_back(1);
  return shape;
}

Axis whole(int64_t size, int64_t stride) { return {size, std::max<int64_t>(size, 1), 0, stride}; }

std::optional<Layout> plain_layout(aclFormat format, const Shape& shape) {
  Shape order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  if (format == ACL_FORMAT_NHWC || format == ACL_FORMAT_NDHWC) {
    if (shape.size() != (format == ACL_FORMAT_NHWC ? 4u : 5u)) return std::nullopt;
    std::rotate(order.begin() + 1, order.begin() + 2, order.end());  // the channels go last
  }
  Layout layout{std::vector<Axis>(shape.size()), product(shape)};
  int64_t stride = 1;
  for (size_t i = order.size(); i-- > 0;) {
    layout.axes[order[i]] = whole(shape[order[i]], stride);
    stride *= shape[order[i]];
  }
  return layout;
}

bool is_nz(aclFormat format) {
  switch (format) {
    case ACL_FORMAT_FRACTAL_NZ:
    case ACL_FORMAT_FRACTAL_NZ_C0_16:
    case ACL_FORMAT_FRACTAL_NZ_C0_32:
    case ACL_FORMAT_FRACTAL_NZ_C0_2:
    case ACL_FORMAT_FRACTAL_NZ_C0_4:
    case ACL_FORMAT_FRACTAL_NZ_C0_8:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string format_name(aclFormat format) {
  switch (format) {
    case ACL_FORMAT_ND:
      return "ND";
    case ACL_FORMAT_NCHW:
      return "NCHW";
    case ACL_FORMAT_NHWC:
      return "NHWC";
    case ACL_FORMAT_NCDHW:
      return "NCDHW";
    case ACL_FORMAT_NDHWC:
      return "NDHWC";
    case ACL_FORMAT_NC1HWC0:
      return "NC1HWC0";
    case ACL_FORMAT_FRACTAL_Z:
      return "FRACTAL_Z";
    case ACL_FORMAT_NDC1HWC0:
      return "NDC1HWC0";
    case ACL_FRACTAL_Z_3D:
      return "FRACTAL_Z_3D";
    case ACL_FORMAT_FRACTAL_NZ:
      return "FRACTAL_NZ";
    default:
      return is_nz(format) ? "FRACTAL_NZ_C0" : "format " + std::to_string(static_cast<int>(format));
  }
}

int64_t default_c0(int64_t item) { return 32 / std::min<int64_t>(item, 2); }

std::optional<Shape> storage_shape(aclFormat format, const Shape& shape, int64_t c0) {
  constexpr int64_t kBlock = 16;
  if (is_plain(format)) {
    Shape storage = shape;
    if (format == ACL_FORMAT_NHWC || format == ACL_FORMAT_NDHWC) {
      if (shape.size() != (format == ACL_FORMAT_NHWC ? 4u : 5u)) return std::nullopt;
      std::rotate(storage.begin() + 1, storage.begin() + 2, storage.end());
    }
    return storage;
  }
  if (is_nz(format)) {
    Shape storage = as_matrices(shape);
    const int64_t width = storage.back();
    storage.pop_back();
    const int64_t height = storage.back();
    storage.back() = blocks(width, c0);
    storage.insert(storage.end(), {blocks(height, kBlock), kBlock, c0});
    return storage;
  }
  if (format == ACL_FORMAT_NC1HWC0 || format == ACL_FORMAT_FRACTAL_Z) {
    const auto nchw = as_nchw(shape);
    if (!nchw) return std::nullopt;
    const auto& s = *nchw;
    if (format == ACL_FORMAT_NC1HWC0) return Shape{s[0], blocks(s[1], c0), s[2], s[3], c0};
    return Shape{blocks(s[1], c0) * s[2] * s[3], blocks(s[0], kBlock), kBlock, c0};
  }
  if ((format == ACL_FORMAT_NDC1HWC0 || format == ACL_FRACTAL_Z_3D) && shape.size() == 5) {
    const auto& s = shape;
    if (format == ACL_FORMAT_NDC1HWC0) return Shape{s[0], s[2], blocks(s[1], c0), s[3], s[4], c0};
    return Shape{s[2] * blocks(s[1], c0) * s[3] * s[4], blocks(s[0], kBlock), kBlock, c0};
  }
  return std::nullopt;
}

std::optional<Layout> layout_of(aclFormat format, const Shape& shape, const Shape& storage) {
  if (is_plain(format)) return plain_layout(format, shape);
  if (storage.empty()) return std::nullopt;
  const int64_t c0 = storage.back();
  const auto expected = storage_shape(format, shape, c0);
  if (!expected || *expected != storage) return std::nullopt;
  const Shape at = strides_of(storage);
  Layout layout{{}, product(storage)};
  auto& axes = layout.axes;
  const size_t n = storage.size();
  if (is_nz(format)) {
    const Shape s = as_matrices(shape);
    for (size_t i = 0; i + 2 < s.size(); ++i) axes.push_back(whole(s[i], at[i]));
    axes.push_back({s[s.size() - 2], storage[n - 2], at[n - 3], at[n - 2]});
    axes.push_back({s[s.size() - 1], c0, at[n - 4], 1});
    axes.resize(shape.size());  // a vector is a column of the matrix: its own axis is the rows'
    return layout;
  }
  const bool deep = format == ACL_FORMAT_NDC1HWC0 || format == ACL_FRACTAL_Z_3D;
  const Shape s = deep ? shape : *as_nchw(shape);
  const int64_t height = s[s.size() - 2];
  const int64_t width = s[s.size() - 1];
  Axis batch, channel, depth{}, row, column;
  if (format == ACL_FORMAT_NC1HWC0) {
    batch = whole(s[0], at[0]);
    channel = {s[1], c0, at[1], 1};
    row = whole(height, at[2]);
    column = whole(width, at[3]);
  } else if (format == ACL_FORMAT_NDC1HWC0) {
    batch = whole(s[0], at[0]);
    depth = whole(s[2], at[1]);
    channel = {s[1], c0, at[2], 1};
    row = whole(height, at[3]);
    column = whole(width, at[4]);
  } else {
    batch = {s[0], storage[2], at[1], at[2]};
    column = whole(width, at[0]);
    row = whole(height, width * at[0]);
    channel = {s[1], c0, height * width * at[0], 1};
    if (deep) depth = whole(s[2], blocks(s[1], c0) * height * width * at[0]);
  }
  if (deep) {
    axes = {batch, channel, depth, row, column};
  } else {
    const std::vector<Axis> all{batch, channel, row, column};
    if (shape.size() == 4) {
      axes = all;
    } else {
      axes.assign(all.begin() + 1, all.begin() + 1 + static_cast<std::ptrdiff_t>(shape.size()));
    }
  }
  return layout;
}

void convert(const void* from, const Layout& from_layout, void* to, const Layout& to_layout, int64_t item) {
  const auto place = [](const Axis& axis, int64_t index) {
    return index / axis.block * axis.outer + index % axis.block * axis.inner;
  };
  const size_t dims = from_layout.axes.size();
  int64_t count = 1;
  for (const Axis& axis : from_layout.axes) count *= axis.size;
  if (to_layout.elements != count) std::memset(to, 0, to_layout.elements * item);
  if (count == 0) return;
  if (dims == 0) {
    std::memcpy(to, from, item);
    return;
  }
  // The offsets along the last axis, once; the other axes count like an odometer.
  const Axis& from_last = from_layout.axes[dims - 1];
  const Axis& to_last = to_layout.axes[dims - 1];
  std::vector<int64_t> from_row(from_last.size), to_row(from_last.size);
  for (int64_t i = 0; i < from_last.size; ++i) {
    from_row[i] = place(from_last, i) * item;
    to_row[i] = place(to_last, i) * item;
  }
  const char* source = static_cast<const char*>(from);
  char* target = static_cast<char*>(to);
  std::vector<int64_t> index(dims - 1, 0);
  for (int64_t row = 0; row < count / from_last.size; ++row) {
    int64_t from_base = 0, to_base = 0;
    for (size_t d = 0; d + 1 < dims; ++d) {
      from_base += place(from_layout.axes[d], index[d]);
      to_base += place(to_layout.axes[d], index[d]);
    }
    for (int64_t i = 0; i < from_last.size; ++i) {
      std::memcpy(target + to_base * item + to_row[i], source + from_base * item + from_row[i], item);
    }
    for (size_t d = dims - 1; d-- > 0;) {
      if (++index[d] < from_layout.axes[d].size) break;
      index[d] = 0;
    }
  }
}

}  // namespace toprope::opapi
