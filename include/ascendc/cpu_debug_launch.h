// Programs built for the vendor's CPU mode (CMAKE_ASC_RUN_MODE=cpu) include this where they launch kernels
// with
// <<<…>>>. Source: Ascend C guide, CPU twin debugging.
#pragma once
#include "toprope/driver/submit.h"
