// AscendC::Std: traits of types, sequences of integers, max, min, abs and sqrt. Source: Ascend C API,
// utilities, C++ standard library.
#pragma once
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
struct remove_cvref {  // of C++20, and kernels may be C++17
  using type = std::remove_cv_t<std::remove_reference_t<T>>;
};
template <class T>
using remove_cvref_t = typename remove_cvref<T>::type;
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
/// Of an integer, the whole part. The builtins spare every kernel <cmath>, half of what this header costs.
template <class T>
inline T sqrt(const T src) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(__builtin_sqrt(static_cast<double>(src)));
  else
    return static_cast<T>(__builtin_sqrtf(static_cast<float>(src)));
}

}  // namespace AscendC::Std
