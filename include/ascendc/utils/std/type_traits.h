// AscendC::Std: traits of types, sequences of integers, max, min, abs and sqrt. Source: Ascend C API,
// utilities, C++ standard library.
#pragma once
#include <cmath>
#include <type_traits>
#include <utility>

#include "utils/std/integral_constant.h"

namespace AscendC::Std {

using std::add_const;
using std::add_const_t;
using std::add_lvalue_reference;
using std::add_lvalue_reference_t;
using std::add_pointer;
using std::add_pointer_t;
using std::add_rvalue_reference;
using std::add_rvalue_reference_t;
using std::add_volatile;
using std::add_volatile_t;
using std::conditional;
using std::conditional_t;
using std::enable_if;
using std::enable_if_t;
using std::false_type;
using std::is_array;
using std::is_array_v;
using std::is_base_of;
using std::is_base_of_v;
using std::is_const;
using std::is_const_v;
using std::is_convertible;
using std::is_convertible_v;
using std::is_floating_point;
using std::is_floating_point_v;
using std::is_integral;
using std::is_integral_v;
using std::is_pointer;
using std::is_pointer_v;
using std::is_reference;
using std::is_reference_v;
using std::is_same;
using std::is_same_v;
using std::is_void;
using std::is_void_v;
using std::remove_const;
using std::remove_const_t;
using std::remove_cv;
using std::remove_cv_t;
using std::remove_pointer;
using std::remove_pointer_t;
using std::remove_reference;
using std::remove_reference_t;
using std::remove_volatile;
using std::remove_volatile_t;
using std::true_type;
template <class T>
using remove_cvref = std::remove_cv<std::remove_reference_t<T>>;  // the library has it from C++20 on
template <class T>
using remove_cvref_t = std::remove_cv_t<std::remove_reference_t<T>>;
template <class T>
using add_cv = std::add_cv<T>;
template <class T>
using add_cv_t = std::add_cv_t<T>;

using std::forward;
using std::index_sequence;
using std::make_index_sequence;

/// The larger, in the type that both convert to.
template <class T, class U>
constexpr auto max(const T& src0, const U& src1) {
  return src0 > src1 ? src0 : src1;
}
/// The smaller, in the type that both convert to.
template <class T, class U>
constexpr auto min(const T& src0, const U& src1) {
  return src0 < src1 ? src0 : src1;
}
template <class T>
inline T abs(const T src) {
  return src < T(0) ? -src : src;
}
/// Of an integer, the whole part.
template <class T>
inline T sqrt(const T src) {
  return static_cast<T>(
      std::sqrt(static_cast<std::conditional_t<std::is_integral_v<T>, double, float>>(src)));
}

}  // namespace AscendC::Std
