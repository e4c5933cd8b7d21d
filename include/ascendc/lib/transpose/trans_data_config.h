// Which formats TransData converts: named by kernels and by tiling functions.
// Source: Ascend C API, high-level API, tensor transformation, TransData.
#pragma once
#include "../../basic_api/kernel_struct_shape.h"

namespace AscendC {

struct TransDataConfig {
  DataFormat srcFormat;
  DataFormat dstFormat;
};

}  // namespace AscendC
