// How the C API answers: a status, and a text for the calling thread. Errors travel as exceptions inside
// libpto and end at its border.
#pragma once
#include <exception>
#include <new>
#include <string>

#include "pto/pto.h"

namespace pto {

struct Error : std::exception {
  pto_status status;
  std::string text;
  Error(pto_status s, std::string t) : status(s), text(std::move(t)) {}
  const char* what() const noexcept override { return text.c_str(); }
};

/// Keeps the text for pto_last_error; returns `status`.
pto_status fail(pto_status status, const char* text) noexcept;

/// Runs the body of a C function; what it throws becomes its answer.
template <class F>
pto_status guarded(F&& body) noexcept {
  try {
    body();
    return PTO_OK;
  } catch (const Error& e) {
    return fail(e.status, e.what());
  } catch (const std::bad_alloc&) {
    return fail(PTO_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& e) {
    return fail(PTO_EXECUTION_FAILED, e.what());
  } catch (...) {
    return fail(PTO_EXECUTION_FAILED, "the instruction threw something that is not a std::exception");
  }
}

}  // namespace pto
