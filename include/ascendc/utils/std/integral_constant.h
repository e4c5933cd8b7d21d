// AscendC::Std::integral_constant and Int. Source: Ascend C API, utilities, C++ standard library, type
// traits.
#pragma once
#include <cstddef>
#include <type_traits>

namespace AscendC::Std {

using std::integral_constant;

template <size_t v>
using Int = integral_constant<size_t, v>;

}  // namespace AscendC::Std
