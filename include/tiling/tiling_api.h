// Everything that host code needs to compute tilings: the tiling functions of high-level functions, their
// data, the chip. Families add their host headers here, in the order of the documentation.
#pragma once
#include "ascendc/host_api/tiling/activation.h"
#include "ascendc/host_api/tiling/filter.h"
#include "ascendc/host_api/tiling/math.h"
#include "ascendc/host_api/tiling/normalization.h"
#include "ascendc/host_api/tiling/quantization.h"
#include "ascendc/host_api/tiling/reduction.h"
#include "ascendc/host_api/tiling/softmax.h"
#include "ascendc/host_api/tiling/sort.h"
#include "ascendc/host_api/tiling/tensor_shape.h"
#include "ascendc/host_api/tiling/transform.h"
#include "kernel_tiling/kernel_tiling.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_data.h"
