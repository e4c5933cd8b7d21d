#include "driver/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace toprope::driver {
namespace {

struct Cores {
  std::string_view type, cubes, vectors;
};
// KERNEL_TASK_TYPE_DEFAULT's types for chips with separate cube and vector cores. The types of chips that
// have both in one core say nothing here and are left out.
constexpr std::array<Cores, 6> kTaskTypes = {{{"KERNEL_TYPE_AIV_ONLY", "0", "1"},
                                              {"KERNEL_TYPE_AIC_ONLY", "1", "0"},
                                              {"KERNEL_TYPE_MIX_AIV_1_0", "0", "1"},
                                              {"KERNEL_TYPE_MIX_AIC_1_0", "1", "0"},
                                              {"KERNEL_TYPE_MIX_AIC_1_1", "1", "1"},
                                              {"KERNEL_TYPE_MIX_AIC_1_2", "1", "2"}}};
// The pairs that __mix__ takes (SIMD built-in words, "__mix__(cube, vec)").
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kMixes = {
    {{"1", "0"}, {"0", "1"}, {"1", "1"}, {"1", "2"}}};

constexpr std::array<std::string_view, 21> kTypeWords = {
    "const",    "volatile", "struct", "class",        "enum",       "union",    "typename",
    "unsigned", "signed",   "int",    "char",         "short",      "long",     "float",
    "double",   "bool",     "auto",   "__restrict__", "__restrict", "register", "void"};
bool is_type_word(std::string_view word) {
  return std::find(kTypeWords.begin(), kTypeWords.end(), word) != kTypeWords.end();
}

class Finder {
 public:
  Finder(const Source& source, const Tokens& tokens, std::vector<Diagnostic>& errors)
      : source_(source), tokens_(tokens), errors_(errors) {}

  std::vector<Kernel> run() {
    size_t statement = 0;  // first token after the last `;`, `{` or `}`
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      if (token.is("{")) {
        scopes_.push_back(namespace_before(statement, i));
      } else if (token.is("}")) {
        if (!scopes_.empty()) {
          scopes_.pop_back();
        }
      } else if (token.is("__global__")) {
        if (const size_t head = read(statement, i); head > i) {
          i = head - 1;  // at the body's brace or the semicolon
        }
        continue;
      } else if (!token.is(";")) {
        continue;
      }
      statement = i + 1;
    }
    return std::move(kernels_);
  }

 private:
  const Token& at(size_t i) const { return tokens_[i]; }
  bool is(size_t i, std::string_view spelling) const { return i < tokens_.size() && tokens_[i].is(spelling); }

  // "a::b" when tokens[begin, brace) is a namespace's head; empty otherwise.
  std::string namespace_before(size_t begin, size_t brace) const {
    if (is(begin, "inline")) {
      ++begin;
    }
    return is(begin, "namespace") ? text_of(tokens_, begin + 1, brace) : std::string();
  }

  std::string scope() const {
    std::string out;
    for (const std::string& name : scopes_) {
      if (!name.empty()) {
        out += (out.empty() ? "" : "::") + name;
      }
    }
    return out;
  }

  // Reads the declaration that starts at `begin` and has `__global__` at `word`. Returns the index of what
  // ends it
  // (`{` or `;`), or 0 when it is none.
  size_t read(size_t begin, size_t word) {
    Kernel kernel;
    kernel.scope = scope();
    size_t i = begin;
    while (is(i, "template") && is(i + 1, "<")) {
      const size_t close = closing_angle(tokens_, i + 1, tokens_.size());
      if (close == tokens_.size()) {
        return 0;
      }
      read_template(kernel, i + 1, close);
      i = close + 1;
    }
    const size_t name = find_name(std::max(i, begin), word);
    if (name == tokens_.size()) {
      return 0;
    }
    size_t open = name + 1;
    if (is(open, "<")) {
      open = closing_angle(tokens_, open, tokens_.size()) + 1;  // an explicit specialisation
    }
    const size_t close = open < tokens_.size() ? closing_bracket(tokens_, open) : tokens_.size();
    if (close == tokens_.size()) {
      return 0;
    }
    kernel.name = at(name).text;
    kernel.offset = at(name).begin;
    read_parameters(kernel, open, close);
    size_t end = close + 1;
    while (end < tokens_.size() && !is(end, "{") && !is(end, ";") && !is(end, "}")) {
      ++end;
    }
    kernel.defined = is(end, "{");
    read_words(kernel, i, name);
    if (kernel.defined && kernel.cubes.empty()) {
      read_task_type(kernel, end);
    }
    kernels_.push_back(std::move(kernel));
    return end;
  }

  void read_template(Kernel& kernel, size_t open, size_t close) {
    kernel.template_parameters = close == open + 1 ? 0 : 1;
    for (size_t i = open + 1; i < close; ++i) {
      if (is(i, "<")) {
        if (const size_t inner = closing_angle(tokens_, i, close); inner != close) {
          i = inner;
        }
      } else if (is(i, "(") || is(i, "{")) {
        i = closing_bracket(tokens_, i);
      } else if (is(i, ",")) {
        ++kernel.template_parameters;
      } else if (is(i, "...")) {
        kernel.variadic_template = true;
      }
    }
  }

  // The kernel's name: the last identifier before the first `(` that follows the return type. Words such as
  // __mix__(1, 2) and __launch_bounds__(512) have parentheses of their own and stand before the type or
  // before
  // `__global__`; a kernel returns void, one for the AI CPU an integer.
  size_t find_name(size_t begin, size_t word) const {
    size_t type = tokens_.size();
    for (size_t i = begin; i < tokens_.size() && !is(i, ";") && !is(i, "{") && !is(i, "}"); ++i) {
      if (is(i, "(")) {
        if (type != tokens_.size() || i == begin) {
          break;
        }
        i = closing_bracket(tokens_, i);
      } else if (is(i, "void") && type == tokens_.size()) {
        type = i;
      }
    }
    const bool has_type = type != tokens_.size();
    for (size_t i = has_type ? type + 1 : std::max(begin, word + 1);
         i + 1 < tokens_.size() && !is(i, ";") && !is(i, "{") && !is(i, "}"); ++i) {
      if (at(i).kind != Kind::Identifier || at(i).text.substr(0, 2) == "__") {
        continue;
      }
      if (is(i + 1, "(")) {
        return i;
      }
      if (is(i + 1, "<")) {
        const size_t close = closing_angle(tokens_, i + 1, tokens_.size());
        if (is(close + 1, "(")) {
          return i;
        }
      }
    }
    return tokens_.size();
  }

  void read_parameters(Kernel& kernel, size_t open, size_t close) {
    size_t begin = open + 1;
    for (size_t i = begin; i <= close; ++i) {
      if (is(i, "<")) {
        if (const size_t inner = closing_angle(tokens_, i, close); inner != close) {
          i = inner;
        }
      } else if (i < close && (is(i, "(") || is(i, "[") || is(i, "{"))) {
        i = closing_bracket(tokens_, i);
      } else if (i == close || is(i, ",")) {
        const bool nothing = begin == i || (i == begin + 1 && is(begin, "void"));
        if (!nothing) {
          kernel.parameters.push_back(read_parameter(begin, i));
        }
        begin = i + 1;
      }
    }
  }

  Parameter read_parameter(size_t begin, size_t end) const {
    Parameter out;
    size_t stop = begin;
    while (stop < end && !is(stop, "=")) {
      ++stop;
    }
    // The name is the last identifier that a type stands before.
    size_t name = end;
    bool type_seen = false;
    for (size_t i = begin; i < stop; ++i) {
      if (is(i, "<")) {
        i = std::min(closing_angle(tokens_, i, stop), stop);
      } else if (is(i, "*") || is(i, "&") || is(i, "&&")) {
        type_seen = true;
        out.pointer = out.pointer || is(i, "*");
        name = end;
      } else if (is(i, "[")) {
        out.pointer = true;
        stop = i;
      } else if (at(i).kind == Kind::Identifier) {
        if (at(i).is("const") || at(i).is("volatile") || at(i).is("struct") || at(i).is("typename") ||
            at(i).text.substr(0, 2) == "__") {
          continue;
        }
        const bool qualified = i > begin && is(i - 1, "::");
        if (is_type_word(at(i).text)) {
          type_seen = true;
        } else if (type_seen && !qualified) {
          name = i;
        } else {
          type_seen = true;
        }
        out.pointer = out.pointer || at(i).is("GM_ADDR");
      }
    }
    for (size_t i = begin; i < stop; ++i) {
      if (i == name) {
        out.name = at(i).text;
      } else if (!at(i).is("__gm__")) {
        const bool blank = !out.type.empty() && i > begin && !adjacent(at(i - 1), at(i));
        out.type += (blank ? " " : "") + std::string(at(i).text);
      }
    }
    if (is(stop, "[")) {
      out.type += "*";
    }
    return out;
  }

  void set_cores(Kernel& kernel, std::string cubes, std::string vectors) {
    kernel.cubes = std::move(cubes);
    kernel.vectors = std::move(vectors);
  }

  // __vector__, __cube__, __mix__(c, v) and __aicpu__ anywhere between the declaration's start and the name.
  void read_words(Kernel& kernel, size_t begin, size_t name) {
    for (size_t i = begin; i < name; ++i) {
      if (is(i, "__vector__")) {
        set_cores(kernel, "0", "1");
      } else if (is(i, "__cube__")) {
        set_cores(kernel, "1", "0");
      } else if (is(i, "__aicpu__")) {
        kernel.aicpu = true;
      } else if (is(i, "__mix__")) {
        read_mix(kernel, i);
      }
    }
  }

  void read_mix(Kernel& kernel, size_t word) {
    const size_t close = is(word + 1, "(") ? closing_bracket(tokens_, word + 1) : tokens_.size();
    size_t comma = word + 2;
    while (comma < close && !is(comma, ",")) {
      ++comma;
    }
    if (close == tokens_.size() || comma >= close || comma == word + 2 || comma + 1 == close) {
      errors_.push_back(source_.error(at(word).begin, "__mix__ takes two numbers: __mix__(cubes, vectors)"));
      return;
    }
    std::string cubes = text_of(tokens_, word + 2, comma), vectors = text_of(tokens_, comma + 1, close);
    const auto literal = [](const std::string& text) {
      return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
    };
    const bool known = std::any_of(kMixes.begin(), kMixes.end(), [&](const auto& mix) {
      return mix.first == cubes && mix.second == vectors;
    });
    if (literal(cubes) && literal(vectors) && !known) {
      errors_.push_back(source_.error(
          at(word).begin,
          fmt::format("__mix__({}, {}): a block has (1, 0), (0, 1), (1, 1) or (1, 2) cube and vector cores",
                      cubes, vectors)));
      return;
    }
    set_cores(kernel, std::move(cubes), std::move(vectors));
  }

  void read_task_type(Kernel& kernel, size_t brace) {
    const size_t end = closing_bracket(tokens_, brace);
    for (size_t i = brace; i + 2 < end; ++i) {
      if (!is(i, "KERNEL_TASK_TYPE_DEFAULT") || !is(i + 1, "(")) {
        continue;
      }
      const auto type = std::find_if(kTaskTypes.begin(), kTaskTypes.end(),
                                     [&](const Cores& cores) { return is(i + 2, cores.type); });
      if (type != kTaskTypes.end()) {
        set_cores(kernel, std::string(type->cubes), std::string(type->vectors));
      }
    }
  }

  const Source& source_;
  const Tokens& tokens_;
  std::vector<Diagnostic>& errors_;
  std::vector<std::string> scopes_;
  std::vector<Kernel> kernels_;
};

}  // namespace

std::vector<Kernel> find_kernels(const Source& source, const Lexed& lexed, std::vector<Diagnostic>& errors) {
  return Finder(source, lexed.tokens, errors).run();
}

std::string text_of(const Tokens& tokens, size_t begin, size_t end) {
  std::string out;
  for (size_t i = begin; i < end; ++i) {
    out += (i > begin && !adjacent(tokens[i - 1], tokens[i]) ? " " : "") + std::string(tokens[i].text);
  }
  return out;
}

}  // namespace toprope::driver
