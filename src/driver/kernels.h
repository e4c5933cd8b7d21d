// The kernels that a translation unit declares: what follows the word `__global__`.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/lexer.h"

namespace toprope::driver {

struct Parameter {
  std::string type;  ///< as written, without name, default and `__gm__`
  std::string name;  ///< empty when there is none
  bool pointer = false;
};

struct Kernel {
  std::string name;   ///< unqualified
  std::string scope;  ///< enclosing namespaces, "a::b" or empty
  std::vector<Parameter> parameters;
  std::string cubes, vectors;      ///< cores a block, as expressions; empty when the source does not say
  size_t template_parameters = 0;  ///< 0: not a template
  bool variadic_template = false;
  bool defined = false;  ///< has a body
  bool aicpu = false;
  size_t offset = 0;  ///< of the name
};

/// Reads every kernel; what is wrong with one is added to `errors`.
std::vector<Kernel> find_kernels(const Source& source, const Lexed& lexed, std::vector<Diagnostic>& errors);

/// Text of tokens[begin, end) with one blank where the source has any.
std::string text_of(const Tokens& tokens, size_t begin, size_t end);

}  // namespace toprope::driver
