// OP_ADD: makes the definition of an operator known. Source: Ascend C API, OP_ADD. Host code of operators
// includes this one file for everything it needs.
#pragma once
#include "register/op_def.h"
#include "register/tilingdata_base.h"
#include "tiling/platform/platform_ascendc.h"
#include "toprope/operators/registry.h"

/// `opType` is a class derived from ops::OpDef; its name is the operator's.
#define OP_ADD(opType)                                        \
  [[maybe_unused]] static const bool opType##_is_registered = \
      ::toprope::operators::add_operator(#opType, []() -> ::ops::OpDef* { return new opType(#opType); })
