// aclnnNpuFormatCast: a tensor's elements into memory of another format. Not a row of the table: it is about
// memory, which no torch operator sees.
#include <c10/core/ScalarType.h>

#include <memory>

#include "nnopbase/objects.h"
#include "opapi/formats.h"
#include "opapi/number.h"
#include "opapi/operand.h"
#include "opapi/status.h"

namespace toprope::opapi {
namespace {

int64_t item_of(aclDataType type) {
  const auto torch = scalar_type(type);
  return torch ? static_cast<int64_t>(c10::elementSize(*torch)) : 0;
}

// The variant of FRACTAL_NZ whose C0 is not the one that the data type alone would give.
aclFormat nz_variant(int64_t c0) {
  switch (c0) {
    case 2:
      return ACL_FORMAT_FRACTAL_NZ_C0_2;
    case 4:
      return ACL_FORMAT_FRACTAL_NZ_C0_4;
    case 8:
      return ACL_FORMAT_FRACTAL_NZ_C0_8;
    case 32:
      return ACL_FORMAT_FRACTAL_NZ_C0_32;
    default:
      return ACL_FORMAT_FRACTAL_NZ_C0_16;
  }
}

std::string described(const aclTensor& tensor) {
  std::string text = format_name(tensor.format) + " [";
  for (size_t i = 0; i < tensor.shape.size(); ++i) text += (i ? "," : "") + std::to_string(tensor.shape[i]);
  return text + "]";
}

struct Cast {
  aclTensor from, to;
  Layout from_layout, to_layout;
  int64_t item;
  void run() const { convert(from.data, from_layout, to.data, to_layout, item); }
};

}  // namespace
}  // namespace toprope::opapi

struct aclOpExecutor;
using namespace toprope::opapi;

#define TOPROPE_EXPORT extern "C" __attribute__((visibility("default")))

/// The storage shape and format that aclnnNpuFormatCast will want of its output. `additional` is the type
/// that decides C0. The caller frees the shape with delete[].
TOPROPE_EXPORT int aclnnNpuFormatCastCalculateSizeAndFormat(const aclTensor* from, int format,
                                                            aclDataType additional, int64_t** shape,
                                                            uint64_t* dims, int* actual) {
  static constexpr char kApi[] = "aclnnNpuFormatCastCalculateSizeAndFormat";
  return guarded_call(kApi, [&] {
    if (from == nullptr || shape == nullptr || dims == nullptr || actual == nullptr) {
      return refuse(kParamNull, kApi, "an argument is null");
    }
    const int64_t item = item_of(from->type);
    const int64_t deciding = item_of(additional) != 0 ? item_of(additional) : item;
    const auto target = static_cast<aclFormat>(format);
    const int64_t c0 = deciding != 0 ? 32 / deciding : 0;
    const auto storage = c0 == 0 ? std::nullopt : storage_shape(target, from->shape, c0);
    if (!storage) {
      return refuse(kParamInvalid, kApi,
                    "no cast of " + described(*from) + " of type " + type_name(from->type) + " to " +
                        format_name(target));
    }
    *shape = new int64_t[storage->size()];
    std::copy(storage->begin(), storage->end(), *shape);
    *dims = storage->size();
    *actual = target == ACL_FORMAT_FRACTAL_NZ && c0 != default_c0(item) ? nz_variant(c0) : target;
    return kSuccess;
  });
}

TOPROPE_EXPORT int aclnnNpuFormatCastGetWorkspaceSize(const aclTensor* from, aclTensor* to,
                                                      uint64_t* workspace, aclOpExecutor** executor) {
  static constexpr char kApi[] = "aclnnNpuFormatCast";
  return guarded_call(kApi, [&] {
    if (from == nullptr || to == nullptr || workspace == nullptr || executor == nullptr) {
      return refuse(kParamNull, kApi, "an argument is null");
    }
    auto from_layout = layout_of(from->format, from->shape, from->storage);
    auto to_layout = layout_of(to->format, from->shape, to->storage);
    if (!from_layout || !to_layout) {
      return refuse(kParamInvalid, kApi, "no cast of " + described(*from) + " to " + described(*to));
    }
    auto cast = std::make_unique<Cast>(Cast{*from, *to, *from_layout, *to_layout, item_of(from->type)});
    *workspace = 0;
    *executor = reinterpret_cast<aclOpExecutor*>(cast.release());
    return kSuccess;
  });
}

TOPROPE_EXPORT int aclnnNpuFormatCast(void*, uint64_t, aclOpExecutor* executor, void* stream) {
  std::shared_ptr<Cast> cast(reinterpret_cast<Cast*>(executor));
  return in_stream_order("aclnnNpuFormatCast", stream, [cast] { cast->run(); });
}
