#include "python/view.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <cstring>

#include "python/errors.h"

namespace pypto {
namespace {

[[noreturn]] void wrong_type(const std::string& role, const std::string& expected, const std::string& got) {
  raise(PTO_TYPE_MISMATCH, fmt::format("{}: expected {}, got {}", role, expected, got));
}

/// What numpy calls the type, or the format itself.
std::string name_of(nb::handle object, const char* format) {
  if (nb::hasattr(object, "dtype")) return text_of(object.attr("dtype"));
  return fmt::format("elements of format '{}'", format ? format : "B");
}

std::optional<pto_dtype> dtype_of(nb::dlpack::dtype t) {
  using nb::dlpack::dtype_code;
  if (t.lanes != 1) return std::nullopt;
  const auto of = [&](pto_dtype b8, pto_dtype b16, pto_dtype b32, pto_dtype b64) -> std::optional<pto_dtype> {
    switch (t.bits) {
      case 8:
        return b8;
      case 16:
        return b16;
      case 32:
        return b32;
      case 64:
        return b64;
      default:
        return std::nullopt;
    }
  };
  switch (static_cast<dtype_code>(t.code)) {
    case dtype_code::Int:
      return of(PTO_INT8, PTO_INT16, PTO_INT32, PTO_INT64);
    case dtype_code::UInt:
      return of(PTO_UINT8, PTO_UINT16, PTO_UINT32, PTO_UINT64);
    case dtype_code::Float:
      return t.bits == 16   ? std::optional(PTO_FLOAT16)
             : t.bits == 32 ? std::optional(PTO_FLOAT32)
                            : std::nullopt;
    case dtype_code::Bfloat:
      return t.bits == 16 ? std::optional(PTO_BFLOAT16) : std::nullopt;
    case dtype_code::Bool:
      return t.bits == 8 ? std::optional(PTO_BOOL) : std::nullopt;
    default:
      return std::nullopt;
  }
}

template <bool to_dense>
void copy(const View& v, int axis, char* at, char*& dense, size_t element) {
  if (axis == v.rank) {
    if (to_dense)
      std::memcpy(dense, at, element);
    else
      std::memcpy(at, dense, element);
    dense += element;
    return;
  }
  if (axis == v.rank - 1 && v.strides[axis] == static_cast<int64_t>(element)) {
    const size_t bytes = static_cast<size_t>(v.shape[axis]) * element;
    if (to_dense)
      std::memcpy(dense, at, bytes);
    else
      std::memcpy(at, dense, bytes);
    dense += bytes;
    return;
  }
  for (int64_t i = 0; i < v.shape[axis]; ++i)
    copy<to_dense>(v, axis + 1, at + i * v.strides[axis], dense, element);
}

}  // namespace

std::string text_of(nb::handle object) { return nb::cast<std::string>(nb::str(object)); }

std::optional<pto_dtype> dtype_of_format(const char* format, Py_ssize_t size) {
  if (!format) return PTO_UINT8;
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (std::strlen(format) != 1) return std::nullopt;
  const auto integer = [&](bool is_signed) -> std::optional<pto_dtype> {
    switch (size) {
      case 1:
        return is_signed ? PTO_INT8 : PTO_UINT8;
      case 2:
        return is_signed ? PTO_INT16 : PTO_UINT16;
      case 4:
        return is_signed ? PTO_INT32 : PTO_UINT32;
      case 8:
        return is_signed ? PTO_INT64 : PTO_UINT64;
      default:
        return std::nullopt;
    }
  };
  switch (*format) {
    case '?':
      return PTO_BOOL;
    case 'e':
      return PTO_FLOAT16;
    case 'f':
      return PTO_FLOAT32;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
      return integer(true);
    case 'B':
    case 'H':
    case 'I':
    case 'L':
    case 'Q':
      return integer(false);
    default:
      return std::nullopt;
  }
}

View::View(nb::handle object, const std::string& role, const std::string& expected) {
  if (take_buffer(object, role, expected)) return;
  take_dlpack(object, role, expected);
}

View::~View() {
  if (has_buffer_) PyBuffer_Release(&buffer_);
}

View::View(View&& other) noexcept
    : data(other.data),
      rank(other.rank),
      dtype(other.dtype),
      read_only(other.read_only),
      buffer_(other.buffer_),
      has_buffer_(std::exchange(other.has_buffer_, false)),
      array_(std::move(other.array_)) {
  std::memcpy(shape, other.shape, sizeof shape);
  std::memcpy(strides, other.strides, sizeof strides);
}

bool View::take_buffer(nb::handle object, const std::string& role, const std::string& expected) {
  nb::object bits;
  std::optional<pto_dtype> known;
  if (!PyObject_CheckBuffer(object.ptr())) return false;
  if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    // numpy's bfloat16 (ml_dtypes) has no format of its own: its bits are taken.
    const std::string name = name_of(object, nullptr);
    if (name != "bfloat16") wrong_type(role, expected, name);
    bits = object.attr("view")("uint16");
    known = PTO_BFLOAT16;
    if (PyObject_GetBuffer(bits.ptr(), &buffer_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) throw nb::python_error();
  }
  has_buffer_ = true;
  if (!known) known = dtype_of_format(buffer_.format, buffer_.itemsize);
  if (!known) wrong_type(role, expected, name_of(object, buffer_.format));
  if (buffer_.ndim > PTO_MAX_RANK)
    raise(PTO_SHAPE_MISMATCH,
          fmt::format("{}: {} dimensions, at most {} are possible", role, buffer_.ndim, PTO_MAX_RANK));
  dtype = *known;
  data = buffer_.buf;
  rank = buffer_.ndim;
  read_only = buffer_.readonly;
  for (int i = 0; i < rank; ++i) {
    shape[i] = buffer_.shape[i];
    strides[i] = buffer_.strides[i];
  }
  return true;
}

void View::take_dlpack(nb::handle object, const std::string& role, const std::string& expected) {
  nb::ndarray<> writable;
  read_only = object.is_none() || !nb::try_cast(object, writable, false);
  if (!read_only)
    array_ = nb::ndarray<nb::ro>(writable);
  else if (object.is_none() || !nb::try_cast(object, array_, false)) {
    PyErr_Clear();
    const std::string type = text_of(nb::type_name(object.type()));
    wrong_type(role, "a pypto.Tensor, a numpy array or anything with DLPack", type);
  }
  if (array_.device_type() != nb::device::cpu::value)
    raise(PTO_WRONG_DEVICE,
          fmt::format("{}: the array is not in host memory (DLPack device type {}); copy it to the CPU "
                      "first",
                      role, array_.device_type()));
  const auto known = dtype_of(array_.dtype());
  if (!known) wrong_type(role, expected, name_of(object, "?"));
  if (array_.ndim() > PTO_MAX_RANK)
    raise(PTO_SHAPE_MISMATCH,
          fmt::format("{}: {} dimensions, at most {} are possible", role, array_.ndim(), PTO_MAX_RANK));
  dtype = *known;
  data = const_cast<void*>(array_.data());
  rank = static_cast<int>(array_.ndim());
  for (int i = 0; i < rank; ++i) {
    shape[i] = static_cast<int64_t>(array_.shape(i));
    strides[i] = array_.stride(i) * static_cast<int64_t>(pto_dtype_size(dtype));
  }
}

bool View::contiguous() const {
  int64_t dense = static_cast<int64_t>(pto_dtype_size(dtype));
  for (int i = rank - 1; i >= 0; --i) {
    if (shape[i] == 0) return true;
    if (shape[i] != 1 && strides[i] != dense) return false;
    dense *= shape[i];
  }
  return reinterpret_cast<uintptr_t>(data) % pto_dtype_size(dtype) == 0;
}

void View::gather(void* dense) const {
  char* to = static_cast<char*>(dense);
  copy<true>(*this, 0, static_cast<char*>(data), to, pto_dtype_size(dtype));
}

void View::scatter(const void* dense) const {
  char* from = const_cast<char*>(static_cast<const char*>(dense));
  copy<false>(*this, 0, static_cast<char*>(data), from, pto_dtype_size(dtype));
}

}  // namespace pypto
