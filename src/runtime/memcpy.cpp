// Copies: at once or in a stream's order, plain, in rows, in batches.
#include <cstring>

#include "acl/acl_rt.h"
#include "runtime/context.h"
#include "runtime/error.h"
#include "runtime/memory.h"
#include "runtime/stream.h"
#include "runtime/tell.h"

namespace toprope {

aclError sides_of(const char* api, aclrtMemcpyKind kind, CopySides& sides) {
  switch (kind) {
    case ACL_MEMCPY_HOST_TO_HOST:
      sides = {Side::Host, Side::Host};
      return ACL_SUCCESS;
    case ACL_MEMCPY_HOST_TO_DEVICE:
    case ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE:
      sides = {Side::Device, Side::Host};
      return ACL_SUCCESS;
    case ACL_MEMCPY_DEVICE_TO_HOST:
      sides = {Side::Host, Side::Device};
      return ACL_SUCCESS;
    case ACL_MEMCPY_DEVICE_TO_DEVICE:
    case ACL_MEMCPY_INNER_DEVICE_TO_DEVICE:
    case ACL_MEMCPY_INTER_DEVICE_TO_DEVICE:
      sides = {Side::Device, Side::Device};
      return ACL_SUCCESS;
    case ACL_MEMCPY_DEFAULT:
      sides = {Side::Any, Side::Any};
      return ACL_SUCCESS;
  }
  return fail(ACL_ERROR_INVALID_PARAM, api, "kind {} is no aclrtMemcpyKind", static_cast<int>(kind));
}

}  // namespace toprope

using namespace toprope;

namespace {

/// The call that asks for a copy.
struct Call {
  const char* api;
  const void* site;
};

/// A checked copy of `height` rows.
struct Copy {
  char* dst = nullptr;
  const char* src = nullptr;
  size_t dst_pitch, src_pitch, width, height;
  Call call;
  bool src_watched = is_watched(src), dst_watched = is_watched(dst);

  void operator()() const {
    const auto told = [this](HostEvent::Kind kind, const void* at, size_t pitch) {
      const auto first = reinterpret_cast<uintptr_t>(at);  // between the rows nothing is touched
      const bool dense = pitch == width;
      for (size_t row = 0; row < (dense ? 1 : height); ++row)
        tell({kind, first + row * pitch, dense ? width * height : width, 0, call.api}, call.site);
    };
    if (src_watched) [[unlikely]]
      told(HostEvent::Read, src, src_pitch);
    if (dst_watched) [[unlikely]]
      told(HostEvent::Write, dst, dst_pitch);
    for (size_t row = 0; row < height; ++row)
      std::memmove(dst + row * dst_pitch, src + row * src_pitch, width);
  }
};

aclError check_copy(const char* api, void* dst, size_t room, const void* src, size_t count,
                    aclrtMemcpyKind kind) {
  if (!dst || !src) return fail(ACL_ERROR_INVALID_PARAM, api, "{} is null", dst ? "src" : "dst");
  if (count > room)
    return fail(ACL_ERROR_INVALID_PARAM, api, "{} bytes do not fit in the {} that destMax gives", count,
                room);
  CopySides sides;
  if (aclError error = sides_of(api, kind, sides)) return error;
  if (aclError error = check_range(api, "dst", dst, count, sides.dst)) return error;
  return check_range(api, "src", src, count, sides.src);
}

aclError make_copy(Call call, void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind kind,
                   Copy& copy) {
  copy = {static_cast<char*>(dst), static_cast<const char*>(src), count, count, count, 1, call};
  return tell_refusal(HostEvent::RefusedCopy, dst, call.api,
                      check_copy(call.api, dst, room, src, count, kind), call.site);
}

aclError check_copy_2d(const char* api, void* dst, size_t dpitch, const void* src, size_t spitch,
                       size_t width, size_t height, aclrtMemcpyKind kind) {
  if (!dst || !src) return fail(ACL_ERROR_INVALID_PARAM, api, "{} is null", dst ? "src" : "dst");
  if (width == 0 || height == 0 || width > dpitch || width > spitch)
    return fail(ACL_ERROR_INVALID_PARAM, api,
                "width {} and height {} must be positive, pitches {} and {} at least width", width, height,
                dpitch, spitch);
  if (kind != ACL_MEMCPY_HOST_TO_DEVICE && kind != ACL_MEMCPY_DEVICE_TO_HOST &&
      kind != ACL_MEMCPY_DEVICE_TO_DEVICE && kind != ACL_MEMCPY_DEFAULT)
    return fail(ACL_ERROR_INVALID_PARAM, api, "kind {} is not served for rows", static_cast<int>(kind));
  CopySides sides;
  if (aclError error = sides_of(api, kind, sides)) return error;
  if (aclError error = check_range(api, "dst", dst, dpitch * (height - 1) + width, sides.dst)) return error;
  return check_range(api, "src", src, spitch * (height - 1) + width, sides.src);
}

aclError make_copy_2d(Call call, void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                      size_t height, aclrtMemcpyKind kind, Copy& copy) {
  copy = {static_cast<char*>(dst), static_cast<const char*>(src), dpitch, spitch, width, height, call};
  return tell_refusal(HostEvent::RefusedCopy, dst, call.api,
                      check_copy_2d(call.api, dst, dpitch, src, spitch, width, height, kind), call.site);
}

aclError submit(aclrtStream handle, const Copy& copy) {
  const char* api = copy.call.api;
  aclError error;
  Stream* stream = find_stream(api, handle, error);
  if (!stream) return error;
  if (stream->immediate()) return stream->run_now(api, copy);
  return stream->submit(api, {"copy", [copy](Stream&) { copy(); }});
}

aclError copy_async(Call call, void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind kind,
                    aclrtStream stream) {
  return guarded(call.api, [&]() -> aclError {
    Copy copy;
    if (aclError error = make_copy(call, dst, room, src, count, kind, copy)) return error;
    return submit(stream, copy);
  });
}

/// The kind that a batch's attribute asks for.
aclrtMemcpyKind kind_of(const aclrtMemcpyBatchAttr& attr) {
  const bool to_device = attr.dstLoc.type == ACL_MEM_LOCATION_TYPE_DEVICE;
  const bool from_device = attr.srcLoc.type == ACL_MEM_LOCATION_TYPE_DEVICE;
  if (to_device) return from_device ? ACL_MEMCPY_DEVICE_TO_DEVICE : ACL_MEMCPY_HOST_TO_DEVICE;
  return from_device ? ACL_MEMCPY_DEVICE_TO_HOST : ACL_MEMCPY_HOST_TO_HOST;
}

/// Checks every copy, then hands each to `act`; `fail_index` gets the first refused one.
template <class Act>
aclError batch(Call call, void** dsts, size_t* rooms, void** srcs, size_t* sizes, size_t count,
               aclrtMemcpyBatchAttr* attrs, size_t* indexes, size_t num_attrs, size_t* fail_index,
               Act&& act) {
  const char* api = call.api;
  return guarded(api, [&]() -> aclError {
    if (!dsts || !rooms || !srcs || !sizes || !attrs || !indexes || !fail_index || count == 0 ||
        num_attrs == 0 || num_attrs > count || indexes[0] != 0)
      return fail(
          ACL_ERROR_INVALID_PARAM, api,
          "an array is null or empty, there are more attributes than copies, or attrsIndexes[0] is not 0");
    std::vector<Copy> copies(count);
    size_t attr = 0;
    for (size_t i = 0; i < count; ++i) {
      while (attr + 1 < num_attrs && indexes[attr + 1] <= i) ++attr;
      *fail_index = i;
      if (aclError error =
              make_copy(call, dsts[i], rooms[i], srcs[i], sizes[i], kind_of(attrs[attr]), copies[i]))
        return error;
    }
    for (size_t i = 0; i < count; ++i) {
      *fail_index = i;
      if (aclError error = act(copies[i])) return error;
    }
    *fail_index = SIZE_MAX;
    return ACL_SUCCESS;
  });
}

}  // namespace

extern "C" {

aclError aclrtMemcpy(void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind kind) {
  const Call call{"aclrtMemcpy", __builtin_return_address(0)};
  return guarded(call.api, [&]() -> aclError {
    Copy copy;
    if (aclError error = make_copy(call, dst, room, src, count, kind, copy)) return error;
    copy();
    return ACL_SUCCESS;
  });
}

aclError aclrtMemcpyAsync(void* dst, size_t room, const void* src, size_t count, aclrtMemcpyKind kind,
                          aclrtStream stream) {
  return copy_async({"aclrtMemcpyAsync", __builtin_return_address(0)}, dst, room, src, count, kind, stream);
}
aclError aclrtMemcpyAsyncWithCondition(void* dst, size_t room, const void* src, size_t count,
                                       aclrtMemcpyKind kind, aclrtStream stream) {
  return copy_async({"aclrtMemcpyAsyncWithCondition", __builtin_return_address(0)}, dst, room, src, count,
                    kind, stream);
}

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width, size_t height,
                       aclrtMemcpyKind kind) {
  const Call call{"aclrtMemcpy2d", __builtin_return_address(0)};
  return guarded(call.api, [&]() -> aclError {
    Copy copy;
    if (aclError error = make_copy_2d(call, dst, dpitch, src, spitch, width, height, kind, copy))
      return error;
    copy();
    return ACL_SUCCESS;
  });
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  const Call call{"aclrtMemcpy2dAsync", __builtin_return_address(0)};
  return guarded(call.api, [&]() -> aclError {
    Copy copy;
    if (aclError error = make_copy_2d(call, dst, dpitch, src, spitch, width, height, kind, copy))
      return error;
    return submit(stream, copy);
  });
}

aclError aclrtMemcpyBatch(void** dsts, size_t* rooms, void** srcs, size_t* sizes, size_t count,
                          aclrtMemcpyBatchAttr* attrs, size_t* indexes, size_t num_attrs,
                          size_t* fail_index) {
  return batch({"aclrtMemcpyBatch", __builtin_return_address(0)}, dsts, rooms, srcs, sizes, count, attrs,
               indexes, num_attrs, fail_index, [](const Copy& copy) -> aclError {
                 copy();
                 return ACL_SUCCESS;
               });
}

aclError aclrtMemcpyBatchAsync(void** dsts, size_t* rooms, void** srcs, size_t* sizes, size_t count,
                               aclrtMemcpyBatchAttr* attrs, size_t* indexes, size_t num_attrs,
                               size_t* fail_index, aclrtStream stream) {
  return batch({"aclrtMemcpyBatchAsync", __builtin_return_address(0)}, dsts, rooms, srcs, sizes, count, attrs,
               indexes, num_attrs, fail_index, [stream](const Copy& copy) { return submit(stream, copy); });
}

}  // extern "C"
