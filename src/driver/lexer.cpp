#include "driver/lexer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace toprope::driver {
namespace {

bool is_identifier_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_identifier_part(char c) { return is_identifier_start(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }

constexpr std::array<std::string_view, 9> kLongPuncts = {
    "...", "::", "->", "<=", ">=", "==", "!=", "&&", "||"};

// Pairs the brackets. A closing one without an opening one of its kind stays alone; one that has it leaves
// alone what was opened in between.
void pair_brackets(Tokens& tokens) {
  constexpr std::string_view kOpening = "([{", kClosing = ")]}";
  std::vector<std::pair<size_t, size_t>> open;  // kind, index
  std::array<size_t, 3> waiting{};
  for (size_t i = 0; i < tokens.size(); ++i) {
    tokens[i].partner = SIZE_MAX;
    if (tokens[i].text.size() != 1) {
      continue;
    }
    const char c = tokens[i].text[0];
    if (const size_t kind = kOpening.find(c); kind != std::string_view::npos) {
      open.emplace_back(kind, i);
      ++waiting[kind];
    } else if (const size_t closed = kClosing.find(c);
               closed != std::string_view::npos && waiting[closed] > 0) {
      while (open.back().first != closed) {
        --waiting[open.back().first];
        open.pop_back();
      }
      tokens[i].partner = open.back().second;
      tokens[open.back().second].partner = i;
      --waiting[closed];
      open.pop_back();
    }
  }
}

// Reads one stretch of one file.
class Reader {
 public:
  Reader(std::string_view text, size_t begin, size_t end, Lexed& out)
      : text_(text.substr(0, end)), at_(begin), out_(out) {}

  void run() {
    bool line_start = true;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        line_start = true;
        ++at_;
      } else if (!skip_space()) {
        if (c == '#' && line_start) {
          directive();
        } else {
          out_.tokens.push_back(token());
        }
        line_start = false;
      }
    }
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  // Steps over one blank, comment or line continuation; false when there is none here.
  bool skip_space() {
    if (peek() == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\n' ? 2 : 3;
    } else if (peek() != '\n' && is_blank(peek())) {
      ++at_;
    } else if (peek() == '/' && peek(1) == '/') {
      at_ = line_end();
    } else if (peek() == '/' && peek(1) == '*') {
      const size_t close = text_.find("*/", at_ + 2);
      at_ = close == std::string_view::npos ? text_.size() : close + 2;
    } else {
      return false;
    }
    return true;
  }

  // End of the logical line: a newline that no backslash precedes, or the end.
  size_t line_end() const {
    size_t end = at_;
    while (end < text_.size() && text_[end] != '\n') {
      const bool continued = text_[end] == '\\' && end + 1 < text_.size();
      if (continued && text_[end + 1] == '\r' && end + 2 < text_.size() && text_[end + 2] == '\n') {
        end += 3;
      } else {
        end += continued ? 2 : 1;
      }
    }
    return std::min(end, text_.size());
  }

  // Steps over a directive; the body of a #define is kept.
  void directive() {
    Tokens line;
    ++at_;
    while (at_ < text_.size() && text_[at_] != '\n') {
      if (!skip_space()) {
        line.push_back(token());
      }
    }
    if (line.size() < 2 || !line[0].is("define")) {
      return;
    }
    pair_brackets(line);
    size_t body = 2;
    if (line.size() > 2 && line[2].is("(") && adjacent(line[1], line[2])) {
      body = std::min(closing_bracket(line, 2) + 1, line.size());
    }
    Macro macro{line[1].text, Tokens(line.begin() + static_cast<std::ptrdiff_t>(body), line.end())};
    pair_brackets(macro.body);
    out_.macros.push_back(std::move(macro));
  }

  Token token() {
    const size_t begin = at_;
    const char c = peek();
    Kind kind = Kind::Punct;
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      kind = Kind::Number;
      number();
    } else if (is_identifier_start(c)) {
      while (is_identifier_part(peek())) {
        ++at_;
      }
      kind = Kind::Identifier;
      const std::string_view word = text_.substr(begin, at_ - begin);
      if (peek() == '"' || peek() == '\'') {
        const bool raw = word.back() == 'R' && peek() == '"';
        const std::string_view encoding = raw ? word.substr(0, word.size() - 1) : word;
        if (encoding.empty() || encoding == "u8" || encoding == "u" || encoding == "U" || encoding == "L") {
          kind = Kind::Literal;
          raw ? raw_string() : quoted(peek());
        }
      }
    } else if (c == '"' || c == '\'') {
      kind = Kind::Literal;
      quoted(c);
    } else {
      const auto spelling = std::find_if(kLongPuncts.begin(), kLongPuncts.end(), [&](std::string_view punct) {
        return text_.substr(at_, punct.size()) == punct;
      });
      at_ += spelling == kLongPuncts.end() ? 1 : spelling->size();
    }
    return {kind, begin, at_, text_.substr(begin, at_ - begin), SIZE_MAX};
  }

  // A preprocessing number: 1'000, 0x1p-3, 1.5e+3f.
  void number() {
    while (at_ < text_.size()) {
      const char c = peek();
      if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') && (peek(1) == '+' || peek(1) == '-')) {
        at_ += 2;
      } else if (is_identifier_part(c) || c == '.' || (c == '\'' && is_identifier_part(peek(1)))) {
        ++at_;
      } else {
        return;
      }
    }
  }

  void quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == quote) {
        ++at_;
        return;
      }
    }
    at_ = std::min(at_, text_.size());
  }

  void raw_string() {
    const size_t open = text_.find('(', at_);
    // The standard allows 16 characters between the quote and the parenthesis; anything else is not a raw
    // string.
    if (open == std::string_view::npos || open - at_ > 17) {
      quoted('"');
      return;
    }
    std::string close = ")";
    close += text_.substr(at_ + 1, open - at_ - 1);
    close += '"';
    const size_t end = text_.find(close, open);
    at_ = end == std::string_view::npos ? text_.size() : end + close.size();
  }

  std::string_view text_;
  size_t at_;
  Lexed& out_;
};

}  // namespace

Lexed lex(const Source& source) {
  Lexed out;
  for (const Source::Stretch& stretch : source.stretches()) {
    if (!stretch.system) {
      Reader(source.text(), stretch.begin, stretch.end, out).run();
    }
  }
  pair_brackets(out.tokens);
  return out;
}

size_t closing_angle(const Tokens& tokens, size_t open, size_t end) {
  size_t depth = 0;
  for (size_t i = open; i < end; ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "<") {
      ++depth;
    } else if (text == ">") {
      if (--depth == 0) {
        return i;
      }
    } else if (text == "(" || text == "[" || text == "{") {
      i = closing_bracket(tokens, i);
    } else if (text == ")" || text == "]" || text == "}" || text == ";" || text == "&&" || text == "||") {
      return end;
    }
  }
  return end;
}

}  // namespace toprope::driver
