// The C API of vector kernels: functions on bare pointers. One more face of the instructions of
// include/toprope/isa. Source: C API.
#pragma once
#include "c_api/atomic.h"
#include "c_api/cache_ctrl.h"
#include "c_api/scalar_compute.h"
#include "c_api/sync.h"
#include "c_api/sys_var.h"
#include "c_api/vector_compute.h"
#include "c_api/vector_datamove.h"
