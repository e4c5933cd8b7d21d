// AscendC::Std::tuple and its functions. Source: Ascend C API, utilities, C++ standard library, containers.
#pragma once
#include <tuple>

namespace AscendC::Std {

using std::get;
using std::make_tuple;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
using std::tuple_size_v;

}  // namespace AscendC::Std
