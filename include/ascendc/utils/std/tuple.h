// AscendC::Std::tuple and its functions. Source: Ascend C API, utilities, C++ standard library, containers.
#pragma once
#include <tuple>

namespace AscendC::Std {

using std::get;
using std::make_tuple;
using std::tuple;

}  // namespace AscendC::Std
