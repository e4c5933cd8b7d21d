// How tiling functions of high-level functions are told the shape and type of a tensor.
// Source: Ascend C API, TensorShape, TensorDataType.
#pragma once
#include "graph/tensor.h"
#include "graph/types.h"

namespace AscendC {
using TensorShape = ge::Shape;
using TensorDataType = ge::DataType;
}  // namespace AscendC
