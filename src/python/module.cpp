// The native part of pypto: libpto's C API as Python objects. python/pypto/__init__.py is its face.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "pto/pto.h"
#include "python/errors.h"
#include "python/insn.h"
#include "python/tensor.h"

namespace nb = nanobind;

NB_MODULE(_core, m) {
  using namespace pypto;
  bind_tensor(m);
  bind_insn(m);
  m.def("init", [] { check(pto_init()); });
  m.def("finalize", [] { check(pto_finalize()); });
  m.def("is_initialized", [] { return pto_is_initialized() != 0; });
  m.def("get_device_count", [] {
    int count = 0;
    check(pto_device_count(&count));
    return count;
  });
  m.def("set_device", [](int index) { check(pto_set_device(index)); }, nb::arg("device"));
  m.def("get_device", [] {
    int index = 0;
    check(pto_get_device(&index));
    return index;
  });
  m.def("list_insns", [] {
    nb::list names;
    for (size_t i = 0; const char* name = pto_insn_name_at(i); ++i) names.append(name);
    return names;
  });
  m.def(
      "load_library",
      [](const std::string& path) {
        nb::gil_scoped_release release;
        int count = 0;
        const pto_status status = pto_library_load(path.c_str(), &count);
        nb::gil_scoped_acquire acquire;
        check(status);
        return count;
      },
      nb::arg("path"));
}
