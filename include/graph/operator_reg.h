// REG_OP declares prototypes of graph nodes. Toprope has no graph engine.
#pragma once
#if __has_include_next("graph/operator_reg.h")
#include_next "graph/operator_reg.h"
#else
#error \
    "Toprope has no graph engine (GE): call the operator through its aclnn interface, or launch the kernel with <<<>>>"
#endif
