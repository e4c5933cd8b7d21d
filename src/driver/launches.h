// Kernel launches in a token stream: `callee<<<configuration>>>(arguments)`.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "driver/lexer.h"

namespace toprope::driver {

/// Token indices of one launch; [callee, open) is the callee, (open + 3, close) the configuration, `paren`
/// the `(` after `>>>` and `end` its `)`.
struct Launch {
  size_t callee, open, close, paren, end;
  bool no_arguments() const { return paren + 1 == end; }
};

/// A `<<<` that does not make a launch.
struct LaunchError {
  size_t token;  ///< where the mistake shows; tokens.size() is the end
  std::string message;
};

struct Launches {
  std::vector<Launch> good;
  std::vector<LaunchError> bad;
};

Launches find_launches(const Tokens& tokens);

}  // namespace toprope::driver
