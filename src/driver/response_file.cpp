#include "driver/response_file.h"

#include <fmt/format.h>

#include <fstream>
#include <istream>

#include "driver/options.h"

namespace toprope::driver {
namespace {

// Splits a response file as GCC does: blanks separate, quotes and backslashes protect.
std::vector<std::string> split_response(std::istream& in) {
  std::vector<std::string> out;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (char c; in.get(c);) {
    if (c == '\\' && in.get(c)) {
      word += c;
      in_word = true;
    } else if (quote != 0) {
      c == quote ? static_cast<void>(quote = 0) : word.push_back(c);
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      if (in_word) {
        out.push_back(std::move(word));
      }
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) {
    out.push_back(std::move(word));
  }
  return out;
}

void expand(const std::vector<std::string>& arguments, std::vector<std::string>& out, int depth) {
  for (const std::string& argument : arguments) {
    if (argument.size() < 2 || argument[0] != '@') {
      out.push_back(argument);
      continue;
    }
    std::ifstream file(argument.substr(1));
    if (!file) {
      throw UsageError(fmt::format("cannot read the response file '{}'", argument.substr(1)));
    }
    if (depth > 20) {
      throw UsageError(fmt::format("the response file '{}' includes itself", argument.substr(1)));
    }
    expand(split_response(file), out, depth + 1);
  }
}

}  // namespace

std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments) {
  std::vector<std::string> out;
  expand(arguments, out, 0);
  return out;
}

}  // namespace toprope::driver
