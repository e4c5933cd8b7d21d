#include "python/insn.h"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "pto/pto.h"
#include "python/errors.h"
#include "python/tensor.h"
#include "python/view.h"

namespace pypto {
namespace {

/// An execution that took longer than this the first time runs without the GIL from then on.
constexpr auto kQuick = std::chrono::microseconds(3);

/// An operand that is not a Tensor: memory of the caller, or a dense copy of it where it has gaps.
struct Foreign {
  View view;
  pto_tensor* tensor = nullptr;
  bool copied = false;

  explicit Foreign(View&& v) : view(std::move(v)) {}
  ~Foreign() { pto_tensor_free(tensor); }
  Foreign(const Foreign&) = delete;
};

class Insn {
 public:
  explicit Insn(const std::string& name) {
    if (!pto_is_initialized())
      raise(PTO_NOT_INITIALIZED, fmt::format("Insn {} not found: call pypto.init() first", name));
    check(pto_insn_load(name.c_str(), &handle_));
    const int n = pto_insn_operand_count(handle_);
    info_.resize(static_cast<size_t>(n));
    foreign_.resize(static_cast<size_t>(n));
    elements_.resize(static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) check(pto_insn_operand(handle_, i, &info_[static_cast<size_t>(i)]));
  }
  ~Insn() { pto_insn_free(handle_); }
  Insn(const Insn&) = delete;

  pto_insn* handle() const { return handle_; }
  const std::vector<pto_operand_info>& info() const { return info_; }

  void set_operand(int index, nb::handle object) {
    not_running();
    Tensor* tensor;
    if (nb::try_cast(object, tensor, false) && tensor) {  // None casts to a null pointer
      set_tensor(index, *tensor);
      return;
    }
    set_foreign(index, object);
  }

  void set_attribute(const std::string& name, nb::handle value) {
    not_running();
    if (PyUnicode_Check(value.ptr())) {
      check(pto_insn_set_choice(handle_, name.c_str(), nb::cast<std::string>(value).c_str()));
    } else if (nb::object whole = nb::steal(PyNumber_Index(value.ptr())); whole.is_valid()) {
      int overflow = 0;
      const long long i = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
      if (overflow)
        check(pto_insn_set_float(handle_, name.c_str(), PyLong_AsDouble(whole.ptr())));
      else
        check(pto_insn_set_int(handle_, name.c_str(), i));
    } else {
      PyErr_Clear();
      const double d = PyFloat_AsDouble(value.ptr());
      if (PyErr_Occurred()) throw nb::python_error();
      check(pto_insn_set_float(handle_, name.c_str(), d));
    }
  }

  void execute() {
    not_running();
    const bool copies = copied_ != 0;
    if (copies) copy_in();
    if (total_ <= quick_) [[likely]] {
      check(pto_insn_execute(handle_));
    } else {
      execute_without_gil();
    }
    if (copies) copy_out();
  }

  /// A tensor for an output that is not bound, as the bound operands ask for; it is bound.
  Tensor make_output(int index) {
    not_running();
    pto_dtype dtype;
    int rank = 0;
    int64_t shape[PTO_MAX_RANK];
    check(pto_insn_infer(handle_, index, &dtype, &rank, shape));
    Tensor t(dtype, std::vector<int64_t>(shape, shape + rank));
    set_tensor(index, t);
    return t;
  }

 private:
  void set_tensor(int index, const Tensor& tensor) {
    check(pto_insn_bind(handle_, index, tensor.handle()));
    if (foreign_[index]) {
      copied_ -= foreign_[index]->copied;
      foreign_[index].reset();
    }
    note_elements(index, tensor.handle());
  }

  void not_running() const {
    if (running_) [[unlikely]]
      raise(PTO_INVALID_ARGUMENT,
            fmt::format("Insn {} is executing in another thread: load one in each thread",
                        pto_insn_name(handle_)));
  }

  void note_elements(int index, const pto_tensor* t) {
    const int64_t n = static_cast<int64_t>(pto_tensor_bytes(t) / pto_dtype_size(pto_tensor_dtype(t)));
    total_ += n - elements_[index];
    elements_[index] = n;
  }

  void set_foreign(int index, nb::handle object) {
    if (index < 0 || static_cast<size_t>(index) >= info_.size()) {
      pto_operand_info unused;
      check(pto_insn_operand(handle_, index, &unused));
    }
    const pto_operand_info& o = info_[index];
    const std::string role = fmt::format("Insn {}: operand {} ({})", pto_insn_name(handle_), index, o.name);
    auto f = std::make_unique<Foreign>(View(object, role, types_of(o)));
    View& v = f->view;
    const bool output = o.direction != PTO_IN;
    if (v.contiguous()) {
      check(pto_tensor_wrap(v.dtype, v.rank, v.shape, v.data, v.read_only, &f->tensor));
    } else {
      if (output && v.read_only) raise(PTO_READ_ONLY, role + " is an output, and the array is read-only");
      check(pto_tensor_create(v.dtype, v.rank, v.shape, &f->tensor));
      f->copied = true;
    }
    check(pto_insn_bind(handle_, index, f->tensor));
    copied_ += f->copied - (foreign_[index] && foreign_[index]->copied);
    note_elements(index, f->tensor);
    foreign_[index] = std::move(f);
  }

  static std::string types_of(const pto_operand_info& o) {
    std::string text;
    constexpr pto_dtype order[] = {PTO_FLOAT32, PTO_FLOAT16, PTO_BFLOAT16, PTO_INT8,   PTO_INT16,  PTO_INT32,
                                   PTO_INT64,   PTO_UINT8,   PTO_UINT16,   PTO_UINT32, PTO_UINT64, PTO_BOOL};
    pto_dtype_set left = o.dtypes;
    for (const pto_dtype t : order) {
      if (!(left >> t & 1)) continue;
      left &= ~(1u << t);
      text += fmt::format("{}{}", text.empty() ? "" : left ? ", " : " or ", pto_dtype_name(t));
    }
    return text;
  }

  void copy_in() {
    for (const auto& f : foreign_)
      if (f && f->copied) f->view.gather(pto_tensor_data(f->tensor));
  }

  void copy_out() {
    for (size_t i = 0; i < foreign_.size(); ++i)
      if (foreign_[i] && foreign_[i]->copied && info_[i].direction != PTO_IN)
        foreign_[i]->view.scatter(pto_tensor_data(foreign_[i]->tensor));
  }

  void execute_without_gil() {
    running_ = true;
    pto_status status;
    std::chrono::steady_clock::duration took;
    std::string text;
    {
      nb::gil_scoped_release release;
      const auto start = std::chrono::steady_clock::now();
      status = pto_insn_execute(handle_);
      took = std::chrono::steady_clock::now() - start;
      if (status != PTO_OK) text = pto_last_error();
    }
    running_ = false;
    if (status != PTO_OK) raise(status, text);
    if (took < kQuick) quick_ = total_;
  }

  pto_insn* handle_ = nullptr;
  std::vector<pto_operand_info> info_;
  std::vector<std::unique_ptr<Foreign>> foreign_;
  std::vector<int64_t> elements_;
  int64_t total_ = 0;   ///< elements of all operands
  int64_t quick_ = -1;  ///< with so many an execution was found to be quick
  int copied_ = 0;
  bool running_ = false;
};

/// The call that loops make. A plain method of the type: nanobind's dispatch would cost as much again as the
/// rest of an execution of a few numbers.
PyObject* execute(PyObject* self, PyObject*) noexcept {
  if (!nb::inst_ready(self)) {
    PyErr_SetString(PyExc_TypeError, "Insn: __init__ was not called");
    return nullptr;
  }
  try {
    nb::inst_ptr<Insn>(self)->execute();
    Py_RETURN_NONE;
  } catch (nb::python_error& e) {
    e.restore();
  } catch (const std::exception& e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  }
  return nullptr;
}

PyMethodDef methods[] = {{"execute", execute, METH_NOARGS, "Runs the instruction on its operands."},
                         {nullptr, nullptr, 0, nullptr}};
PyType_Slot slots[] = {{Py_tp_methods, methods}, {0, nullptr}};

}  // namespace

void bind_insn(nb::module_& m) {
  nb::enum_<pto_direction>(m, "Direction")
      .value("IN", PTO_IN)
      .value("OUT", PTO_OUT)
      .value("INOUT", PTO_INOUT);

  nb::class_<pto_operand_info>(m, "OperandInfo")
      .def_prop_ro("name", [](const pto_operand_info& o) { return o.name; })
      .def_prop_ro("direction", [](const pto_operand_info& o) { return o.direction; })
      .def_prop_ro("dtypes",
                   [](const pto_operand_info& o) {
                     nb::list types;
                     for (int t = 0; t < PTO_DTYPE_COUNT; ++t)
                       if (o.dtypes >> t & 1) types.append(static_cast<pto_dtype>(t));
                     return nb::tuple(types);
                   })
      .def_prop_ro("dtype_symbol", [](const pto_operand_info& o) { return o.dtype_symbol; })
      .def_prop_ro(
          "rank",
          [](const pto_operand_info& o) { return o.rank < 0 ? nb::object(nb::none()) : nb::int_(o.rank); })
      .def_prop_ro("shape", [](const pto_operand_info& o) { return o.shape; })
      .def("__repr__", [](const pto_operand_info& o) {
        constexpr const char* directions[] = {"in", "out", "inout"};
        return fmt::format("<operand {}: {} {}>", o.name, directions[o.direction], o.shape);
      });

  nb::class_<Insn>(m, "Insn", nb::type_slots(slots))
      .def(nb::init<const std::string&>(), nb::arg("name"))
      .def_prop_ro("name", [](const Insn& i) { return pto_insn_name(i.handle()); })
      .def_prop_ro("_id", [](const Insn& i) { return pto_insn_id(i.handle()); })
      .def_prop_ro("summary", [](const Insn& i) { return pto_insn_summary(i.handle()); })
      .def_prop_ro("num_operands", [](const Insn& i) { return pto_insn_operand_count(i.handle()); })
      .def_prop_ro("operands",
                   [](const Insn& i) {
                     nb::list all;
                     for (const pto_operand_info& o : i.info()) all.append(nb::cast(o));
                     return nb::tuple(all);
                   })
      .def_prop_ro("attributes",
                   [](const Insn& i) {
                     nb::dict all;
                     for (int k = 0; k < pto_insn_attribute_count(i.handle()); ++k) {
                       pto_attribute_info a;
                       check(pto_insn_attribute(i.handle(), k, &a));
                       constexpr const char* kinds[] = {"int", "float", "bool", "scalar", ""};
                       all[a.name] = a.kind == PTO_ATTRIBUTE_CHOICE
                                         ? nb::object(nb::str(a.choices).attr("split")())
                                         : nb::object(nb::str(kinds[a.kind]));
                     }
                     return all;
                   })
      .def("set_operand", &Insn::set_operand, nb::arg("index"), nb::arg("data").none())
      .def("set_attr", &Insn::set_attribute, nb::arg("name"), nb::arg("value").none())
      .def("_make_output", &Insn::make_output, nb::arg("index"));
}

}  // namespace pypto
