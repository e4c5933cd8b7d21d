// Declarations of variables in local memories: `__ubuf__ float x[256], y[256];` in a function's body.
#pragma once
#include <string>
#include <vector>

#include "driver/lexer.h"

namespace toprope::driver {

struct LocalDeclaration {
  size_t begin, end;  ///< tokens, from the memory's word to the semicolon
  std::string text;   ///< what takes their place; empty when `error` says why there is nothing
  std::string error;
};

/// Reads the declarations in functions. Those elsewhere (a macro's body is nowhere) are left out: `anywhere`
/// finds them, too.
std::vector<LocalDeclaration> find_local_declarations(const Tokens& tokens, bool anywhere = false);

}  // namespace toprope::driver
