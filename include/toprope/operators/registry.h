// How host code of operators makes its definitions known (libnnopbase). A library that is being loaded as
// part of an operator package adds to that package; everything else adds to the program itself.
#pragma once
#include "register/op_def.h"

namespace toprope::operators {

/// Always true; a second definition of a type replaces the first.
bool add_operator(const char* type, ops::OpDef* (*make)());
bool add_configuration(const char* type, const char* unit, ops::OpAICoreConfig (*make)());

}  // namespace toprope::operators
