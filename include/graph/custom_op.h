// Operators that a graph engine runs by calling their Execute(). Toprope has no graph engine.
#pragma once
#if __has_include_next("graph/custom_op.h")
#include_next "graph/custom_op.h"
#else
#error \
    "Toprope has no graph engine (GE): call the operator through its aclnn interface, or launch the kernel with <<<>>>"
#endif
