#include "driver/rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "driver/launch_headers.h"
#include "driver/launches.h"
#include "driver/lexer.h"
#include "driver/local_arrays.h"

namespace toprope::driver {
namespace {

// Replaces text[offset, offset + erase) by `with`.
struct Edit {
  size_t offset, erase;
  std::string with;
  bool keep_columns;  ///< `with` may stand on lines of its own
};

// The name at the end of a callee and how many template arguments it has been given; name empty when the
// callee is an expression.
struct Callee {
  std::string_view name;
  size_t template_arguments = 0;
};

Callee read_callee(const Tokens& tokens, size_t begin, size_t end) {
  size_t name = end - 1;
  Callee out;
  if (tokens[name].is(">")) {
    for (name = begin; name < end && !(tokens[name].is("<") && closing_angle(tokens, name, end) == end - 1);
         ++name) {
    }
    if (name == end || name == begin) {
      return out;
    }
    out.template_arguments = name + 1 == end - 1 ? 0 : 1;
    for (size_t i = name + 1; i + 1 < end; ++i) {
      if (tokens[i].is("(") || tokens[i].is("{") || tokens[i].is("[")) {
        i = closing_bracket(tokens, i);
      } else if (tokens[i].is("<")) {
        i = std::min(closing_angle(tokens, i, end), end);
      } else if (tokens[i].is(",")) {
        ++out.template_arguments;
      } else if (tokens[i].is("...")) {
        return {};
      }
    }
    --name;
  }
  for (size_t i = begin; i < name; ++i) {
    if (tokens[i].is(".") || tokens[i].is("->") || tokens[i].is("(") || tokens[i].is("[")) {
      return {};
    }
  }
  if (tokens[name].kind == Kind::Identifier) {
    out.name = tokens[name].text;
  }
  return out;
}

class Rewriter {
 public:
  Rewriter(std::string_view text, const std::string& file) : source_(text, file), lexed_(lex(source_)) {}

  Rewritten run(bool stubs, bool manual_sync) {
    out_.kernels = find_kernels(source_, lexed_, out_.diagnostics);
    for (const Macro& macro : lexed_.macros) {
      read_macro(macro);
    }
    const Launches launches = find_launches(lexed_.tokens);
    for (const LaunchError& bad : launches.bad) {
      const bool at_end = bad.token >= lexed_.tokens.size();
      out_.diagnostics.push_back(
          source_.error(at_end ? lexed_.tokens.back().end : lexed_.tokens[bad.token].begin, bad.message));
    }
    mark_parentheses();
    for (const Launch& launch : launches.good) {
      replace(lexed_.tokens, launch, false);
    }
    for (const LocalDeclaration& local : find_local_declarations(lexed_.tokens)) {
      replace(local);
    }
    out_.text = apply();
    out_.text += trailer(stubs, manual_sync);
    std::stable_sort(out_.diagnostics.begin(), out_.diagnostics.end(), [](const auto& a, const auto& b) {
      return a.where.file == b.where.file && a.where.line < b.where.line;
    });
    return std::move(out_);
  }

 private:
  void read_macro(const Macro& macro) {
    const Launches launches = find_launches(macro.body);
    const bool kernel = std::any_of(macro.body.begin(), macro.body.end(),
                                    [](const Token& token) { return token.is("__global__"); });
    const bool local = !find_local_declarations(macro.body, true).empty();
    out_.needs_expansion = out_.needs_expansion || kernel || local || !launches.bad.empty();
    for (const Launch& launch : launches.good) {
      replace(macro.body, launch, true);
    }
  }

  // Which tokens stand inside parentheses: those may be a macro's arguments, where no line marker may come.
  void mark_parentheses() {
    in_parentheses_.resize(lexed_.tokens.size());
    size_t depth = 0;
    for (size_t i = 0; i < lexed_.tokens.size(); ++i) {
      in_parentheses_[i] = depth > 0;
      if (lexed_.tokens[i].is("(")) {
        ++depth;
      } else if (lexed_.tokens[i].is(")") && depth > 0) {
        --depth;
      }
    }
  }

  void replace(const Tokens& tokens, const Launch& launch, bool in_macro) {
    const Callee callee = read_callee(tokens, launch.callee, launch.open);
    const bool direct = names_one_function(callee);
    if (!in_macro) {  // there, the callee may be a parameter of the macro
      check_target(tokens, launch, callee);
    }
    const bool keep_columns = !in_macro && !in_parentheses_[launch.callee];
    const size_t begin = tokens[launch.callee].begin;
    const std::string name = text_of(tokens, launch.callee, launch.open);
    const std::string site = fmt::format("{{TOPROPE_TEXT_OF({}), __FILE__, __LINE__}}, ", name);
    const size_t open = tokens[launch.open].begin, close = tokens[launch.close].begin;
    const size_t arguments = tokens[launch.paren].end;
    if (direct) {
      edit(begin, 0, "::toprope::known_kernel(" + site, keep_columns);
      edit(open, 3, ").launch(::toprope::launch_config(", keep_columns);
    } else {
      edit(begin, 0, "::toprope::launch_call(" + site + "[=](auto... toprope_args) -> void { ", keep_columns);
      edit(open, 3, "(toprope_args...); }, ::toprope::launch_config(", keep_columns);
    }
    edit(close, arguments - close, launch.no_arguments() ? ")" : "), ", keep_columns);
  }

  void replace(const LocalDeclaration& local) {
    const size_t begin = lexed_.tokens[local.begin].begin, end = lexed_.tokens[local.end].end;
    if (!local.error.empty()) {
      out_.diagnostics.push_back(source_.error(begin, local.error));
      return;
    }
    edit(begin, end - begin, local.text, true);
  }

  // Whether the callee can be converted to one function pointer as it stands.
  bool names_one_function(const Callee& callee) const {
    size_t definitions = 0;
    std::set<size_t> parameters, template_parameters;
    for (const Kernel& kernel : out_.kernels) {
      if (kernel.name == callee.name) {
        definitions += kernel.defined ? 1 : 0;
        parameters.insert(kernel.parameters.size());
        template_parameters.insert(kernel.template_parameters);
        if (kernel.variadic_template) {
          return false;
        }
      }
    }
    return definitions <= 1 && parameters.size() == 1 && template_parameters.size() == 1 &&
           *template_parameters.begin() == callee.template_arguments;
  }

  // A callee that is no kernel of this file is a function pointer, whose cores nothing tells: when all
  // kernels here run on the same ones, so does it.
  void check_target(const Tokens& tokens, const Launch& launch, const Callee& callee) {
    std::set<std::pair<std::string, std::string>> cores;
    for (const Kernel& kernel : out_.kernels) {
      if (kernel.name == callee.name) {
        if (kernel.aicpu) {
          out_.diagnostics.push_back(source_.error(
              tokens[launch.callee].begin,
              fmt::format("'{}' is an AI CPU kernel (__aicpu__); Toprope runs AI Core kernels only",
                          callee.name)));
        }
        return;
      }
      if (!kernel.cubes.empty()) {
        cores.insert({kernel.cubes, kernel.vectors});
      }
    }
    const std::string name(callee.name);
    if (name.empty() || callee.template_arguments > 0) {
      return;
    }
    if (cores.size() == 1) {
      aliases_.push_back({name, *cores.begin()});
    } else if (cores.size() > 1) {
      Diagnostic doubt = source_.error(
          tokens[launch.callee].begin,
          fmt::format(
              "the kernels in this file run on different cores and nothing tells which of them '{}' is; it "
              "will run on one vector core a block. Launch each kernel by its name",
              name));
      doubt.warning = true;
      out_.diagnostics.push_back(std::move(doubt));
    }
  }

  void edit(size_t offset, size_t erase, std::string with, bool keep_columns) {
    edits_.push_back({offset, erase, std::move(with), keep_columns});
  }

  std::string marker(const Position& at) const {
    return fmt::format("\n# {} {}\n{}", at.line, string_literal(at.file), std::string(at.column - 1, ' '));
  }

  // The line breaks of an erased text, with the backslashes that continue a directive over them.
  static std::string line_breaks(std::string_view erased) {
    std::string out;
    for (size_t i = 0; i < erased.size(); ++i) {
      if (erased[i] == '\n') {
        out += i > 0 && erased[i - 1] == '\\' ? "\\\n" : "\n";
      }
    }
    return out;
  }

  std::string apply() {
    std::stable_sort(edits_.begin(), edits_.end(),
                     [](const Edit& a, const Edit& b) { return a.offset < b.offset; });
    std::string text;
    size_t at = 0;
    for (const Edit& edit : edits_) {
      text += source_.text().substr(at, edit.offset - at);
      at = edit.offset + edit.erase;
      if (edit.keep_columns) {
        text += marker(source_.position(edit.offset)) + edit.with + marker(source_.position(at));
      } else {
        text += edit.with + line_breaks(source_.text().substr(edit.offset, edit.erase));
      }
    }
    text += source_.text().substr(at);
    return text;
  }

  // What follows the user's text: the kernels' cores and, on demand, the launch functions.
  std::string trailer(bool stubs, bool manual_sync) const {
    std::string body;
    size_t count = 0;
    const auto declare = [&](const std::string& name, const std::string& cubes, const std::string& vectors) {
      body += fmt::format("[[maybe_unused]] const int cores_{} = ::toprope_declare_kernel({}, {}, {});\n",
                          count++, string_literal(name), cubes, vectors);
    };
    for (const Kernel& kernel : out_.kernels) {
      if (kernel.defined && !kernel.cubes.empty()) {
        declare(kernel.name, kernel.cubes, kernel.vectors);
      }
    }
    for (const auto& [name, cores] : aliases_) {
      declare(name, cores.first, cores.second);
    }
    if (manual_sync) {
      std::set<std::string> names;
      for (const Kernel& kernel : out_.kernels) {
        if (kernel.defined) {
          names.insert(kernel.name);
        }
      }
      for (const auto& [name, cores] : aliases_) {
        names.insert(name);
      }
      for (const std::string& name : names) {
        body += fmt::format("[[maybe_unused]] const int sync_{} = ::toprope_declare_manual_sync({});\n",
                            count++, string_literal(name));
      }
    }
    std::string out = body.empty() ? "" : "namespace { namespace toprope_kernels {\n" + body + "} }\n";
    if (stubs) {
      out += launch_functions(out_.kernels, source_);
    }
    return out.empty() ? out : "\n# 1 \"<toprope>\" 3\n" + out;
  }

  Source source_;
  Lexed lexed_;
  Rewritten out_;
  std::vector<Edit> edits_;
  std::vector<bool> in_parentheses_;
  std::vector<std::pair<std::string, std::pair<std::string, std::string>>> aliases_;
};

}  // namespace

Rewritten rewrite(std::string_view text, const std::string& file, bool stubs, bool manual_sync) {
  return Rewriter(text, file).run(stubs, manual_sync);
}

std::string string_literal(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  return out + '"';
}

}  // namespace toprope::driver
