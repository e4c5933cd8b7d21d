#include "driver/launches.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace toprope::driver {
namespace {

// Words that end an expression on its left: what follows them starts a new one.
constexpr std::array<std::string_view, 22> kNotCallees = {
    "return",   "else",      "do",       "case", "if",     "while",   "for",   "switch",
    "throw",    "new",       "delete",   "goto", "sizeof", "default", "break", "continue",
    "co_await", "co_return", "co_yield", "and",  "or",     "not"};
bool is_control_word(const Token& token) {
  return token.kind == Kind::Identifier &&
         std::find(kNotCallees.begin(), kNotCallees.end(), token.text) != kNotCallees.end();
}

class Finder {
 public:
  explicit Finder(const Tokens& tokens) : tokens_(tokens) {}

  Launches run() {
    for (size_t i = 0; i + 2 < tokens_.size(); ++i) {
      if (!is(i, "<")) {
        continue;
      }
      const size_t length = run_length(i, '<');
      if (length == 3 && (i == 0 || !is(i - 1, "operator"))) {
        read(i);
      }
      i += length - 1;
    }
    return std::move(out_);
  }

 private:
  bool is(size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }
  bool adjacent_run(size_t left, size_t right, char c) const {
    return tokens_[left].text == std::string_view(&c, 1) && tokens_[right].text == std::string_view(&c, 1) &&
           adjacent(tokens_[left], tokens_[right]);
  }
  // How many touching `c` start at i.
  size_t run_length(size_t i, char c) const {
    size_t n = 1;
    while (i + n < tokens_.size() && adjacent_run(i + n - 1, i + n, c)) {
      ++n;
    }
    return n;
  }

  void fail(size_t token, std::string message) { out_.bad.push_back({token, std::move(message)}); }

  void read(size_t open) {
    const std::optional<size_t> callee = read_callee(open);
    if (!callee) {
      return fail(open, "a kernel's name belongs before '<<<'");
    }
    const std::optional<size_t> close = find_close(open);
    if (!close) {
      return;
    }
    if (!check_configuration(open, *close)) {
      return;
    }
    const size_t paren = *close + 3;
    if (!is(paren, "(")) {
      return fail(paren, "the kernel's arguments in parentheses belong after '>>>'");
    }
    const size_t end = closing_bracket(tokens_, paren);
    if (end == tokens_.size()) {
      return fail(paren, "this '(' of a kernel launch is never closed");
    }
    out_.good.push_back({*callee, open, *close, paren, end});
  }

  // First token of the postfix expression that ends before `open`: a name with qualifiers and template
  // arguments, members, subscripts, calls and parentheses.
  std::optional<size_t> read_callee(size_t open) const {
    std::optional<size_t> first;
    size_t i = open;  // one past what is still to be read
    while (i > 0) {
      const size_t last = i - 1;
      const Token& token = tokens_[last];
      size_t part;  // where this primary starts
      if (token.is(")") || token.is("]")) {
        part = opening_bracket(tokens_, last);
        if (part == tokens_.size() ||
            (first && token.is(")") && part > 0 && is_control_word(tokens_[part - 1]))) {
          break;  // `if (x) (k)<<<...`: the condition is no part of the callee
        }
        if (part > 0 && continues_left(part - 1)) {
          first = part;
          i = part;
          continue;
        }
      } else if (token.is(">")) {
        const std::optional<size_t> angle = opening_angle(last);
        if (!angle || *angle == 0 || tokens_[*angle - 1].kind != Kind::Identifier) {
          return std::nullopt;
        }
        part = *angle - 1;
      } else if (token.kind == Kind::Identifier && !is_control_word(token)) {
        part = last;
      } else {
        break;
      }
      first = part;
      i = part;
      if (i > 0 && is(i - 1, "template")) {
        --i;
        first = i;
      }
      if (i == 0) {
        break;
      }
      if (is(i - 1, "::")) {
        first = --i;
        const bool global = i == 0 || !(tokens_[i - 1].kind == Kind::Identifier || is(i - 1, ">")) ||
                            is_control_word(tokens_[i - 1]);
        if (global) {
          break;
        }
      } else if (is(i - 1, ".") || is(i - 1, "->")) {
        first = --i;
      } else {
        break;
      }
    }
    return first;
  }

  // Whether a `(` or `[` after token i belongs to the same expression: a call or a subscript.
  bool continues_left(size_t i) const {
    const Token& token = tokens_[i];
    if (token.is(")")) {
      const size_t open = opening_bracket(tokens_, i);
      return open != tokens_.size() && (open == 0 || !is_control_word(tokens_[open - 1]));
    }
    return token.is("]") || (token.kind == Kind::Identifier && !is_control_word(token));
  }

  // The `<` of the template arguments that end at tokens[close].
  std::optional<size_t> opening_angle(size_t close) const {
    size_t depth = 0;
    for (size_t i = close + 1; i-- > 0;) {
      const Token& token = tokens_[i];
      if (token.is(">")) {
        ++depth;
      } else if (token.is("<")) {
        if (--depth == 0) {
          return i;
        }
      } else if (token.is(")") || token.is("]") || token.is("}")) {
        i = opening_bracket(tokens_, i);
        if (i == tokens_.size()) {
          return std::nullopt;
        }
      } else if (token.is("(") || token.is("[") || token.is("{") || token.is(";")) {
        return std::nullopt;
      }
    }
    return std::nullopt;
  }

  // The first `>` of the closing `>>>`. `<<<f<A<int>>>(), 0, s>>>(x)` has two candidates: the right one
  // leaves no template argument list open behind it.
  std::optional<size_t> find_close(size_t open) {
    std::optional<size_t> first;
    for (size_t i = open + 3; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.is("(") || token.is("[") || token.is("{")) {
        const size_t close = closing_bracket(tokens_, i);
        if (close == tokens_.size()) {
          break;
        }
        i = close;
      } else if (token.is(";") || token.is("}") || token.is(")") || token.is("]") ||
                 (token.is("<") && run_length(i, '<') >= 3)) {
        break;
      } else if (token.is(">")) {
        const size_t length = run_length(i, '>');
        if (length >= 3) {
          const size_t close = i + length - 3;
          if (open_angles(open + 3, close) == 0) {
            return close;
          }
          first = first ? first : close;
        }
        i += length - 1;
      }
    }
    if (!first) {
      fail(open, "this '<<<' has no '>>>' in the same statement");
    }
    return first;
  }

  // How many `name<` in [begin, end) have no `>` there.
  size_t open_angles(size_t begin, size_t end) const {
    size_t open = 0;
    for (size_t i = begin; i < end; ++i) {
      if (is(i, "<") && i > begin && tokens_[i - 1].kind == Kind::Identifier) {
        ++open;
      } else if (is(i, ">") && open > 0) {
        --open;
      } else if (is(i, "(") || is(i, "[") || is(i, "{")) {
        i = closing_bracket(tokens_, i);
      }
    }
    return open;
  }

  // Counts the values between `<<<` and `>>>`.
  bool check_configuration(size_t open, size_t close) {
    size_t values = 1;
    size_t begin = open + 3;
    for (size_t i = begin; i <= close; ++i) {
      if (i == close || is(i, ",")) {
        if (i == begin) {
          const bool nothing = values == 1 && i == close;
          fail(i, nothing ? "a launch takes 2, 3 or 4 values between '<<<' and '>>>', not 0"
                          : "a value is missing here between '<<<' and '>>>'");
          return false;
        }
        values += i == close ? 0 : 1;
        begin = i + 1;
      } else if (is(i, "<") && i > open + 3 && tokens_[i - 1].kind == Kind::Identifier) {
        if (const size_t inner = closing_angle(tokens_, i, close); inner != close) {
          i = inner;
        }
      } else if (is(i, "(") || is(i, "[") || is(i, "{")) {
        i = closing_bracket(tokens_, i);
      }
    }
    if (values < 2 || values > 4) {
      fail(open, fmt::format("a launch takes 2, 3 or 4 values between '<<<' and '>>>', not {}: "
                             "<<<blocks, dynamic UB>>>, <<<blocks, dynamic UB, stream>>> or "
                             "<<<blocks, threads, dynamic UB, stream>>>",
                             values));
      return false;
    }
    return true;
  }

  const Tokens& tokens_;
  Launches out_;
};

}  // namespace

Launches find_launches(const Tokens& tokens) { return Finder(tokens).run(); }

}  // namespace toprope::driver
