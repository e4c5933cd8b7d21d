// Memory layouts of device tensors, and moving elements between them. In every format the place of an element
// is a sum over its axes: axis i contributes (index / block) * outer + (index % block) * inner. Shapes as in
// the vendor's "data formats" page: FRACTAL_NZ [..., W1, H1, 16, C0], NC1HWC0, FRACTAL_Z [C1*H*W, N1, 16,
// C0], NDC1HWC0, FRACTAL_Z_3D.
#pragma once
#include <acl/acl_base.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace toprope::opapi {

using Shape = std::vector<int64_t>;

struct Axis {
  int64_t size;   ///< of the tensor, unpadded
  int64_t block;  ///< elements that lie `inner` apart
  int64_t outer;  ///< from block to block, in elements
  int64_t inner;
};

struct Layout {
  std::vector<Axis> axes;  ///< in the order of the tensor's own shape
  int64_t elements;        ///< of the storage, padding included
};

/// Whether the memory of a format is the tensor's elements in some plain order without padding.
constexpr bool is_plain(aclFormat format) {
  switch (format) {
    case ACL_FORMAT_UNDEFINED:
    case ACL_FORMAT_ND:
    case ACL_FORMAT_NCHW:
    case ACL_FORMAT_NHWC:
    case ACL_FORMAT_NCDHW:
    case ACL_FORMAT_NDHWC:
      return true;
    default:
      return false;
  }
}

/// "FRACTAL_NZ"; the number as text for a format without a name here.
std::string format_name(aclFormat format);

/// Elements that share a 32-byte row of the cube's operand: what torch_npu takes for a data type of `item`
/// bytes (four-byte types are laid out as two-byte ones).
int64_t default_c0(int64_t item);

/// The storage shape of a tensor of `shape` in `format`; none where the format does not hold such a tensor.
std::optional<Shape> storage_shape(aclFormat format, const Shape& shape, int64_t c0);

/// The layout of a tensor of `shape` whose storage has `storage` as its shape; none as above.
std::optional<Layout> layout_of(aclFormat format, const Shape& shape, const Shape& storage);

/// Moves every element from one layout to the other; padding of `to` becomes zero. The layouts must have
/// equal axes sizes, `item` bytes an element (1, 2, 4, 8 or 16); the memories must not overlap.
void convert(const void* from, const Layout& from_layout, void* to, const Layout& to_layout, int64_t item);

}  // namespace toprope::opapi
