// Everything of Ascend C for kernels.
#pragma once
#include "basic_api/kernel_operator_vec_binary_intf.h"
#include "basic_api/kernel_tensor.h"
