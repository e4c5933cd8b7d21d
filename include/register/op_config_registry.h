// REGISTER_OP_AICORE_CONFIG: what an operator declares otherwise for one chip, from a file of its own.
// Source: Ascend C API, REGISTER_OP_AICORE_CONFIG.
#pragma once
#include "register/op_def_registry.h"

/// `opFunc` answers an OpAICoreConfig; a configuration of the same chip by AddConfig counts more.
#define REGISTER_OP_AICORE_CONFIG(opType, socVersion, opFunc)             \
  [[maybe_unused]] static const bool opType##socVersion##_is_configured = \
      ::toprope::operators::add_configuration(#opType, #socVersion, opFunc)
