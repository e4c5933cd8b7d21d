#include "python/tensor.h"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "pto/insn.hpp"
#include "python/errors.h"
#include "python/view.h"

namespace pypto {
namespace {

const std::string kAnyType =
    "float32, float16, bfloat16, int8 to int64, uint8 to uint64 or bool (give dtype= to convert)";

pto_dtype dtype_named(const std::string& name) {
  for (int t = 0; t < PTO_DTYPE_COUNT; ++t)
    if (name == pto_dtype_name(static_cast<pto_dtype>(t))) return static_cast<pto_dtype>(t);
  raise(PTO_TYPE_MISMATCH, fmt::format("{} is no element type of PTO: expected {}", name, kAnyType));
}

/// A pypto.DType, or anything that numpy knows as a type.
pto_dtype dtype_from(nb::handle object) {
  pto_dtype t;
  if (nb::try_cast(object, t, false)) return t;
  if (PyUnicode_Check(object.ptr())) return dtype_named(nb::cast<std::string>(object));
  std::string name = text_of(object);
  if (name.rfind("torch.", 0) == 0) return dtype_named(name.substr(6));
  nb::object numpy_type = nb::module_::import_("numpy").attr("dtype")(object);
  return dtype_named(text_of(numpy_type));
}

int device_from(nb::handle object) {
  int current = 0;
  check(pto_get_device(&current));
  if (object.is_none()) return current;
  int index;
  if (nb::try_cast(object, index, false)) return index;
  std::string text = text_of(object);
  if (text == "npu") return current;
  if (text.rfind("npu:", 0) == 0 && text.size() > 4 && text.find_first_not_of("0123456789", 4) == text.npos &&
      text.size() < 12)
    return std::stoi(text.substr(4));
  raise(PTO_NOT_FOUND,
        fmt::format("device {} does not exist: expected a number, \"npu\" or \"npu:0\"", text));
}

/// The thread's device for as long as this lives.
class OnDevice {
 public:
  explicit OnDevice(nb::handle device) {
    check(pto_get_device(&before_));
    check(pto_set_device(device_from(device)));
  }
  ~OnDevice() { pto_set_device(before_); }

 private:
  int before_ = 0;
};

std::vector<int64_t> shape_from(nb::handle object) {
  int64_t size;
  if (nb::try_cast(object, size, false)) return {size};
  return nb::cast<std::vector<int64_t>>(object);
}

Tensor copy_of(const View& view) {
  Tensor t(view.dtype, std::vector<int64_t>(view.shape, view.shape + view.rank));
  view.gather(t.data());
  return t;
}

Tensor converted(const Tensor& from, pto_dtype to) {
  const int64_t* shape = pto_tensor_shape(from.handle());
  Tensor t(to, std::vector<int64_t>(shape, shape + pto_tensor_rank(from.handle())));
  const size_t n = pto_tensor_bytes(from.handle()) / pto_dtype_size(from.dtype());
  if (to == from.dtype())
    check(pto_tensor_copy(t.handle(), from.handle()));
  else
    pto::pto_block_cast(to, t.data(), from.dtype(), from.data(), pto::Round::Rint, n);
  return t;
}

bool is_array(nb::handle data) { return PyObject_CheckBuffer(data.ptr()) || nb::hasattr(data, "__dlpack__"); }

Tensor make(nb::handle data, nb::handle dtype, nb::handle device) {
  const OnDevice on(device);
  const bool typed = !dtype.is_none();
  const pto_dtype wanted = typed ? dtype_from(dtype) : PTO_FLOAT32;
  Tensor* other;
  if (nb::try_cast(data, other, false) && other) return converted(*other, typed ? wanted : other->dtype());
  nb::module_ numpy = nb::module_::import_("numpy");
  if (!is_array(data)) {
    // Numbers and nested lists. A bfloat16 is reached through float32, which numpy has.
    nb::object array =
        typed ? numpy.attr("asarray")(data, wanted == PTO_BFLOAT16 ? "float32" : pto_dtype_name(wanted))
              : numpy.attr("asarray")(data);
    const std::string name = text_of(array.attr("dtype"));
    if (!typed && name == "float64") array = array.attr("astype")("float32");
    Tensor t = copy_of(View(array, "Tensor", kAnyType));
    return typed && t.dtype() != wanted ? converted(t, wanted) : std::move(t);
  }
  if (typed && PyObject_CheckBuffer(data.ptr())) {
    nb::object array = numpy.attr("asarray")(data);
    const std::string name = text_of(array.attr("dtype"));
    if (name != "bfloat16" && name != pto_dtype_name(wanted) && wanted != PTO_BFLOAT16)
      return copy_of(View(array.attr("astype")(pto_dtype_name(wanted)), "Tensor", kAnyType));
    if (wanted == PTO_BFLOAT16 && name == "float64")
      return converted(copy_of(View(array.attr("astype")("float32"), "Tensor", kAnyType)), wanted);
  }
  Tensor t = copy_of(View(data, "Tensor", kAnyType));
  return typed && t.dtype() != wanted ? converted(t, wanted) : std::move(t);
}

nb::ndarray<> memory_of(nb::handle self, const Tensor& t) {
  const int rank = pto_tensor_rank(t.handle());
  size_t shape[PTO_MAX_RANK];
  for (int i = 0; i < rank; ++i) shape[i] = static_cast<size_t>(pto_tensor_shape(t.handle())[i]);
  const pto_dtype d = t.dtype();
  using Code = nb::dlpack::dtype_code;
  const Code code = d == PTO_BOOL      ? Code::Bool
                    : d >= PTO_FLOAT16 ? (d == PTO_BFLOAT16 ? Code::Bfloat : Code::Float)
                    : d % 2            ? Code::Int
                                       : Code::UInt;
  const nb::dlpack::dtype type{static_cast<uint8_t>(code), static_cast<uint8_t>(pto_dtype_size(d) * 8), 1};
  return nb::ndarray<>(t.data(), static_cast<size_t>(rank), shape, self, nullptr, type);
}

/// The array API's options: another device is not possible, a copy is made where asked for.
nb::object export_dlpack(nb::handle self, nb::kwargs options) {
  nb::handle device = options.contains("dl_device") ? nb::handle(options["dl_device"]) : nb::handle(Py_None);
  if (!device.is_none() && !device.equal(nb::make_tuple(static_cast<int>(nb::device::cpu::value), 0)))
    throw nb::buffer_error("a Tensor's memory is the host's: dl_device must be (1, 0)");
  if (options.contains("copy") && nb::handle(options["copy"]).is(nb::handle(Py_True))) {
    const Tensor& t = nb::cast<const Tensor&>(self);
    nb::object copy = nb::cast(converted(t, t.dtype()));
    return nb::cast(memory_of(copy, nb::cast<const Tensor&>(copy)));
  }
  return nb::cast(memory_of(self, nb::cast<const Tensor&>(self)));
}

/// A copy in host memory.
nb::object to_numpy(const Tensor& t) {
  nb::module_ numpy = nb::module_::import_("numpy");
  nb::object type;
  const bool bfloat = t.dtype() == PTO_BFLOAT16;
  if (bfloat) {
    try {
      type = nb::module_::import_("ml_dtypes").attr("bfloat16");
    } catch (nb::python_error& e) {
      if (!e.matches(PyExc_ImportError)) throw;
      return to_numpy(converted(t, PTO_FLOAT32));
    }
  } else {
    type = nb::str(pto_dtype_name(t.dtype()));
  }
  nb::object array = numpy.attr("empty")(t.shape(), bfloat ? nb::object(nb::str("uint16")) : type);
  const View view(array, "numpy", "");
  check(pto_tensor_read(t.handle(), view.data, pto_tensor_bytes(t.handle())));
  return bfloat ? nb::object(array.attr("view")(type)) : array;
}

std::string represent(const Tensor& t) {
  nb::module_ numpy = nb::module_::import_("numpy");
  const std::string values = nb::cast<std::string>(
      numpy.attr("array2string")(to_numpy(t), nb::arg("separator") = ", ", nb::arg("prefix") = "Tensor("));
  const int device = pto_tensor_device(t.handle());
  return fmt::format("Tensor({}, dtype=pypto.{}, device='npu:{}')", values, pto_dtype_name(t.dtype()),
                     device);
}

Tensor filled(nb::handle shape, nb::handle dtype, nb::handle device) {
  const OnDevice on(device);
  return Tensor(dtype.is_none() ? PTO_FLOAT32 : dtype_from(dtype), shape_from(shape));
}

}  // namespace

Tensor::Tensor(pto_dtype dtype, const std::vector<int64_t>& shape) : handle_(nullptr) {
  check(pto_tensor_create(dtype, static_cast<int>(shape.size()), shape.data(), &handle_));
}

nb::tuple Tensor::shape() const {
  nb::list sizes;
  for (int i = 0; i < pto_tensor_rank(handle_); ++i) sizes.append(pto_tensor_shape(handle_)[i]);
  return nb::tuple(sizes);
}

void bind_tensor(nb::module_& m) {
  nb::enum_<pto_dtype> dtype(m, "DType");
  for (int t = 0; t < PTO_DTYPE_COUNT; ++t)
    dtype.value(pto_dtype_name(static_cast<pto_dtype>(t)), static_cast<pto_dtype>(t));
  dtype.def("__str__", [](pto_dtype t) { return pto_dtype_name(t); });
  dtype.def("__repr__", [](pto_dtype t) { return fmt::format("pypto.{}", pto_dtype_name(t)); });
  dtype.def_prop_ro("itemsize", [](pto_dtype t) { return pto_dtype_size(t); });

  nb::class_<Tensor>(m, "Tensor")
      .def(
          "__init__",
          [](Tensor* self, nb::handle data, nb::handle dtype, nb::handle device) {
            new (self) Tensor(make(data, dtype, device));
          },
          nb::arg("data").none(), nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none())
      .def_prop_ro("shape", &Tensor::shape)
      .def_prop_ro("ndim", [](const Tensor& t) { return pto_tensor_rank(t.handle()); })
      .def_prop_ro("size",
                   [](const Tensor& t) { return pto_tensor_bytes(t.handle()) / pto_dtype_size(t.dtype()); })
      .def_prop_ro("dtype", &Tensor::dtype)
      .def_prop_ro("device",
                   [](const Tensor& t) { return fmt::format("npu:{}", pto_tensor_device(t.handle())); })
      .def("numpy", &to_numpy)
      .def("to",
           [](const Tensor& t, nb::handle device) {
             const OnDevice on(device);
             return converted(t, t.dtype());
           })
      .def(
          "__array__",
          [](const Tensor& t, nb::handle dtype, nb::handle copy) {
            if (nb::isinstance<nb::bool_>(copy) && !nb::cast<bool>(copy))
              raise(PTO_INVALID_ARGUMENT, "a Tensor lies on a device: its values can only be copied");
            nb::object array = to_numpy(t);
            return dtype.is_none() ? array : nb::object(array.attr("astype")(dtype));
          },
          nb::arg("dtype") = nb::none(), nb::arg("copy") = nb::none())
      .def("__dlpack__", &export_dlpack)
      .def("__dlpack_device__",
           [](const Tensor&) { return nb::make_tuple(static_cast<int>(nb::device::cpu::value), 0); })
      .def("__len__",
           [](const Tensor& t) {
             if (pto_tensor_rank(t.handle()) == 0) throw nb::type_error("a Tensor of rank 0 has no length");
             return pto_tensor_shape(t.handle())[0];
           })
      .def("__repr__", &represent);

  m.def("zeros", &filled, nb::arg("shape"), nb::arg("dtype") = nb::none(), nb::arg("device") = nb::none());
  m.def(
      "from_numpy", [](nb::handle array, nb::handle device) { return make(array, nb::none(), device); },
      nb::arg("array"), nb::arg("device") = nb::none());
}

}  // namespace pypto
