// What a user hands over as an operand: memory of numpy, of anything else with the buffer protocol, or with
// DLPack.
#pragma once
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <string>
#include <variant>

#include "pto/pto.h"

namespace pypto {

namespace nb = nanobind;

/// Borrowed memory with any strides. Keeps its owner alive.
class View {
 public:
  /// Takes what `object` offers; `role` begins the message of an error ("Insn add: operand 0 (src0)"),
  /// `expected` is what element types it could have. Raises pypto's errors.
  View(nb::handle object, const std::string& role, const std::string& expected);
  ~View();
  View(View&& other) noexcept;
  View& operator=(View&&) = delete;

  void* data = nullptr;
  int rank = 0;
  int64_t shape[PTO_MAX_RANK] = {};
  int64_t strides[PTO_MAX_RANK] = {};  ///< in bytes
  pto_dtype dtype = PTO_BOOL;
  bool read_only = false;

  bool contiguous() const;
  /// Copies between the view and dense memory.
  void gather(void* dense) const;
  void scatter(const void* dense) const;

 private:
  bool take_buffer(nb::handle object, const std::string& role, const std::string& expected);
  void take_dlpack(nb::handle object, const std::string& role, const std::string& expected);

  Py_buffer buffer_{};
  bool has_buffer_ = false;
  nb::ndarray<nb::ro> array_;
};

/// str(object).
std::string text_of(nb::handle object);

/// The element type of a struct-module format of native byte order; nothing for others.
std::optional<pto_dtype> dtype_of_format(const char* format, Py_ssize_t size);

}  // namespace pypto
