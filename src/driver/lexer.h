// C++ tokens of the user's part of a translation unit: system headers are skipped whole, comments vanish,
// literals (raw strings included) are single tokens, directives stand apart from the stream.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/source.h"

namespace toprope::driver {

enum class Kind : uint8_t {
  Identifier,
  Number,
  Literal,  ///< string or character
  Punct,    ///< one character, except `::`, `->`, `<=`, `>=`, `==`, `!=`, `&&`, `||`, `...`; so `>>` is two
            ///< tokens
};

struct Token {
  Kind kind;
  size_t begin, end;
  std::string_view text;
  size_t partner = SIZE_MAX;  ///< index of the bracket that belongs to this one

  bool is(std::string_view spelling) const { return text == spelling; }
};

using Tokens = std::vector<Token>;

/// A `#define`.
struct Macro {
  std::string_view name;
  Tokens body;
};

struct Lexed {
  Tokens tokens;
  std::vector<Macro> macros;
};

/// Reads `source`. Never fails: an unterminated literal ends with its line, an unterminated comment with the
/// text.
Lexed lex(const Source& source);

/// Index of the bracket that closes tokens[open] (one of `(`, `[`, `{`), or tokens.size().
inline size_t closing_bracket(const Tokens& tokens, size_t open) {
  return std::min(tokens[open].partner, tokens.size());
}

/// Index of the bracket that opens what tokens[close] closes, or tokens.size().
inline size_t opening_bracket(const Tokens& tokens, size_t close) {
  return std::min(tokens[close].partner, tokens.size());
}

/// Index of the `>` that closes the template argument list opened at tokens[open], looked for in [open, end);
/// `end` when tokens[open] reads as less-than.
size_t closing_angle(const Tokens& tokens, size_t open, size_t end);

/// Whether the two tokens touch, as the three of `<<<` must.
inline bool adjacent(const Token& left, const Token& right) { return left.end == right.begin; }

}  // namespace toprope::driver
