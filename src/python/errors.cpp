#include "python/errors.h"

#include <nanobind/nanobind.h>

namespace pypto {

void raise(pto_status status, const std::string& text) {
  namespace nb = nanobind;
  nb::object by_status = nb::module_::import_("pypto.errors").attr("BY_STATUS");
  nb::object type = by_status[nb::int_(static_cast<int>(status))];
  PyErr_SetString(type.ptr(), text.c_str());
  throw nb::python_error();
}

}  // namespace pypto
