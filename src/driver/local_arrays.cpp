#include "driver/local_arrays.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "driver/kernels.h"

namespace toprope::driver {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kMemories = {{{"__ubuf__", "UB"},
                                                                                     {"__cbuf__", "L1"},
                                                                                     {"__ca__", "L0A"},
                                                                                     {"__cb__", "L0B"},
                                                                                     {"__cc__", "L0C"},
                                                                                     {"__biasbuf__", "BT"},
                                                                                     {"__fbuf__", "FB"}}};

std::string_view memory_of(const Token& token) {
  for (const auto& [word, memory] : kMemories) {
    if (token.is(word)) {
      return memory;
    }
  }
  return {};
}

class Finder {
 public:
  Finder(const Tokens& tokens, bool anywhere) : tokens_(tokens), anywhere_(anywhere) {}

  std::vector<LocalDeclaration> run() {
    std::vector<bool> code;  // for each open brace, whether it is a function's or inside one
    size_t statement = 0;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      if (is(i, "{")) {
        code.push_back(is_code(statement, i, !code.empty() && code.back()));
      } else if (is(i, "}")) {
        if (!code.empty()) {
          code.pop_back();
        }
      } else if (i == statement && (anywhere_ || (!code.empty() && code.back())) &&
                 !memory_of(tokens_[i]).empty()) {
        if (const size_t end = read(i); end > i) {
          i = end;
        }
      }
      if (i < tokens_.size() && (is(i, ";") || is(i, "{") || is(i, "}"))) {
        statement = i + 1;
      }
    }
    return std::move(found_);
  }

 private:
  bool is(size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }

  // What the brace at `brace` opens, whose statement starts at `begin`.
  bool is_code(size_t begin, size_t brace, bool inside) const {
    while (is(begin, "template") && is(begin + 1, "<")) {
      begin = closing_angle(tokens_, begin + 1, brace) + 1;
    }
    if (is(begin, "namespace") || is(begin, "extern") ||
        (is(begin, "inline") && is(begin + 1, "namespace"))) {
      return false;
    }
    if (is(begin, "class") || is(begin, "struct") || is(begin, "union") || is(begin, "enum") ||
        is(begin, "typedef")) {
      for (size_t i = begin; i < brace; ++i) {
        if (is(i, "(")) {
          return true;  // a function that returns one
        }
      }
      return false;
    }
    if (inside) {
      return true;
    }
    for (size_t i = begin; i < brace; ++i) {
      if (is(i, "(")) {
        return true;
      }
    }
    return false;
  }

  // Reads a declaration whose first word is at `word`. Returns the index of its semicolon, or `word` when it
  // declares nothing that lies in the memory (a pointer into it, a function).
  size_t read(size_t word) {
    size_t i = word + 1;
    const size_t type = i;
    size_t name = 0;
    // The declarator's name is the last identifier before `[`, `{`, `=`, `,` or `;`.
    for (; i < tokens_.size(); ++i) {
      if (is(i, "<")) {
        i = closing_angle(tokens_, i, tokens_.size());
      } else if (is(i, "*") || is(i, "&") || is(i, "&&") || is(i, "(") || is(i, ")") || is(i, "}")) {
        return word;
      } else if (is(i, "[") || is(i, "{") || is(i, "=") || is(i, ",") || is(i, ";")) {
        break;
      } else if (tokens_[i].kind == Kind::Identifier) {
        name = i;
      }
    }
    if (name <= type || (i >= tokens_.size() && !anywhere_)) {
      return word;
    }
    LocalDeclaration out{word, word, {}, {}};
    const std::string of_type = text_of(tokens_, type, name);
    for (size_t declarator = name;;) {
      size_t end = declarator + 1;
      while (is(end, "[")) {
        end = closing_bracket(tokens_, end) + 1;
      }
      const std::string name_text(tokens_[declarator].text);
      add(out, memory_of(tokens_[word]), of_type, name_text, text_of(tokens_, declarator + 1, end));
      if (is(end, "=")) {
        ++end;
      }
      if (is(end, "{")) {
        const size_t close = closing_bracket(tokens_, end);
        if (close != end + 1) {
          out.error = not_initialised(name_text);
        }
        end = close + 1;
      } else if (!is(end, ";") && !is(end, ",")) {
        out.error = not_initialised(name_text);
        while (end < tokens_.size() && !is(end, ";")) {
          ++end;
        }
      }
      if (is(end, ",") && end + 1 < tokens_.size() && tokens_[end + 1].kind == Kind::Identifier) {
        declarator = end + 1;
        continue;
      }
      if (!is(end, ";") && !(anywhere_ && end >= tokens_.size())) {
        return word;  // a macro's body may leave the semicolon to its user
      }
      out.end = end;
      found_.push_back(std::move(out));
      return end;
    }
  }

  static std::string not_initialised(const std::string& name) {
    return fmt::format("'{}' lies in a local memory, which starts with no values; fill it in the kernel",
                       name);
  }

  static void add(LocalDeclaration& out, std::string_view memory, const std::string& type,
                  const std::string& name, const std::string& bounds) {
    out.text += fmt::format(
        "typedef {} toprope_type_{}{}; ::toprope::LocalArray<::toprope::Mem::{}, toprope_type_{}> "
        "toprope_array_{}; auto& {} = toprope_array_{}.object;",
        type, name, bounds, memory, name, name, name, name);
  }

  const Tokens& tokens_;
  bool anywhere_;
  std::vector<LocalDeclaration> found_;
};

}  // namespace

std::vector<LocalDeclaration> find_local_declarations(const Tokens& tokens, bool anywhere) {
  return Finder(tokens, anywhere).run();
}

}  // namespace toprope::driver
