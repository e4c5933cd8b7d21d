#include "driver/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "base/soc.h"

namespace toprope::driver {
namespace {

enum class Meaning : uint8_t { Preprocessor, Common, Link, Positional, Ignored };

struct Flag {
  std::string_view spelling;
  Meaning meaning;
};

// The value follows as the next argument, or is part of the same one: `-I dir`, `-Idir`.
constexpr std::array<Flag, 13> kJoinedOrSeparate = {{{"-isystem", Meaning::Preprocessor},
                                                     {"-iquote", Meaning::Preprocessor},
                                                     {"-idirafter", Meaning::Preprocessor},
                                                     {"-include", Meaning::Preprocessor},
                                                     {"-imacros", Meaning::Preprocessor},
                                                     {"-isysroot", Meaning::Common},
                                                     {"--param", Meaning::Common},
                                                     {"-I", Meaning::Preprocessor},
                                                     {"-D", Meaning::Preprocessor},
                                                     {"-U", Meaning::Preprocessor},
                                                     {"-L", Meaning::Link},
                                                     {"-l", Meaning::Positional},
                                                     {"-B", Meaning::Common}}};
// The value is always the next argument.
constexpr std::array<Flag, 9> kSeparate = {{{"-Xlinker", Meaning::Positional},
                                            {"-Xpreprocessor", Meaning::Preprocessor},
                                            {"-Xassembler", Meaning::Common},
                                            {"-T", Meaning::Link},
                                            {"-u", Meaning::Link},
                                            {"-z", Meaning::Link},
                                            {"-e", Meaning::Link},
                                            {"-mllvm", Meaning::Ignored},
                                            {"-Xclang", Meaning::Ignored}}};
// One argument, by its beginning; the first that fits counts.
constexpr std::array<Flag, 20> kPrefixes = {{{"--cce-", Meaning::Ignored},
                                             {"-cce-", Meaning::Ignored},
                                             {"--gcc-toolchain=", Meaning::Ignored},
                                             {"--sanitizer", Meaning::Ignored},
                                             {"-sanitizer", Meaning::Ignored},
                                             {"-forward-options-to-host-compiler", Meaning::Ignored},
                                             {"-Wl,", Meaning::Positional},
                                             {"-Wp,", Meaning::Preprocessor},
                                             {"-W", Meaning::Common},
                                             {"-f", Meaning::Common},
                                             {"-m", Meaning::Common},
                                             {"-g", Meaning::Common},
                                             {"-pedantic", Meaning::Common},
                                             {"-save-temps", Meaning::Common},
                                             {"-coverage", Meaning::Common},
                                             {"--coverage", Meaning::Common},
                                             {"--sysroot=", Meaning::Common},
                                             {"-static-lib", Meaning::Link},
                                             {"-undef", Meaning::Preprocessor},
                                             {"-nostdinc", Meaning::Preprocessor}}};
// One argument, whole.
constexpr std::array<Flag, 17> kWhole = {{{"-w", Meaning::Common},
                                          {"-pipe", Meaning::Common},
                                          {"-pthread", Meaning::Common},
                                          {"-p", Meaning::Common},
                                          {"-pg", Meaning::Common},
                                          {"-P", Meaning::Preprocessor},
                                          {"-C", Meaning::Preprocessor},
                                          {"-CC", Meaning::Preprocessor},
                                          {"-H", Meaning::Preprocessor},
                                          {"-static", Meaning::Link},
                                          {"-pie", Meaning::Link},
                                          {"-no-pie", Meaning::Link},
                                          {"-static-pie", Meaning::Link},
                                          {"-rdynamic", Meaning::Link},
                                          {"-s", Meaning::Link},
                                          {"-nostdlib", Meaning::Link},
                                          {"-nodefaultlibs", Meaning::Link}}};
// What is read below by its full spelling; known here for suggestions.
constexpr std::array<std::string_view, 24> kOwn = {"--npu-arch",
                                                   "--npu-soc",
                                                   "--run-mode",
                                                   "--enable-simt",
                                                   "--sanitizer",
                                                   "--cce-auto-sync",
                                                   "--gcc-toolchain",
                                                   "-shared",
                                                   "--shared",
                                                   "-dc",
                                                   "-lib",
                                                   "--cce-build-static-lib",
                                                   "-std",
                                                   "-help",
                                                   "--help",
                                                   "--version",
                                                   "-x",
                                                   "-o",
                                                   "-c",
                                                   "-S",
                                                   "-E",
                                                   "-fPIC",
                                                   "-pthread",
                                                   "--cce-disable-asc-reserved-ubuf"};

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string unknown_option(const std::string& argument) {
  const std::string_view name = std::string_view(argument).substr(0, argument.find('='));
  std::string message = fmt::format("unknown option '{}'", argument);
  const auto nearest =
      std::min_element(kOwn.begin(), kOwn.end(), [&](std::string_view a, std::string_view b) {
        return edit_distance(name, a) < edit_distance(name, b);
      });
  const size_t distance = edit_distance(name, *nearest);
  if (distance <= 3 && distance * 2 < name.size()) {
    message += fmt::format("; did you mean '{}'?", *nearest);
  }
  return message + " (bisheng -help lists what is accepted)";
}

std::string known_archs() {
  std::set<std::string> archs;
  for (const SocInfo* soc : all_socs()) {
    archs.insert(soc->arch);
  }
  std::string out;
  for (const std::string& arch : archs) {
    out += (out.empty() ? "" : ", ") + arch;
  }
  return out;
}

Language language_of(std::string_view path) {
  const size_t dot = path.rfind('.');
  const std::string_view extension = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  if (extension == "asc") {
    return Language::Asc;
  }
  if (extension == "c") {
    return Language::C;
  }
  if (extension == "s" || extension == "S" || extension == "sx") {
    return Language::Assembler;
  }
  for (std::string_view cxx : {"cpp", "cc", "cxx", "c++", "C", "cp", "CPP", "ii"}) {
    if (extension == cxx) {
      return Language::Cxx;
    }
  }
  if (extension == "aicpu") {
    throw UsageError(fmt::format("'{}' is an AI CPU source; Toprope runs AI Core kernels (.asc) only", path));
  }
  return Language::None;
}

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

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) { expand(arguments, arguments_, 0); }

  Options run() {
    for (at_ = 0; at_ < arguments_.size(); ++at_) {
      const std::string argument = arguments_[at_];
      if (argument.size() < 2 || argument[0] != '-') {
        file(argument);
      } else if (!own(argument) && !stage(argument) && !dependency(argument) && !passed_on(argument)) {
        throw UsageError(unknown_option(argument));
      }
    }
    if (!arch_given_ && !soc_arch_.empty()) {
      out_.arch = soc_arch_;
    }
    if (!out_.help && !out_.version && !out_.print_arch) {
      check();
    }
    return std::move(out_);
  }

 private:
  std::string next(const std::string& flag) {
    if (at_ + 1 >= arguments_.size()) {
      throw UsageError(fmt::format("'{}' needs a value after it", flag));
    }
    return arguments_[++at_];
  }

  // The value of `--flag=value` or `--flag value`; nothing when the argument is another flag.
  std::optional<std::string> value_of(const std::string& argument, std::string_view flag) {
    if (argument == flag) {
      return next(argument);
    }
    if (starts_with(argument, flag) && argument.size() > flag.size() && argument[flag.size()] == '=') {
      return argument.substr(flag.size() + 1);
    }
    return std::nullopt;
  }

  void file(const std::string& path) {
    const Language language = forced_ != Language::None ? forced_
                              : path == "-"             ? Language::None
                                                        : language_of(path);
    if (path == "-" && language == Language::None) {
      throw UsageError("reading the source from '-' needs its language: -x asc -");
    }
    out_.inputs.push_back({path, language, true});
  }

  bool own(const std::string& argument) {
    if (auto arch = value_of(argument, "--npu-arch")) {
      const auto socs = all_socs();
      if (std::none_of(socs.begin(), socs.end(), [&](const SocInfo* soc) { return *arch == soc->arch; })) {
        throw UsageError(
            fmt::format("--npu-arch={}: no such architecture; known are {}", *arch, known_archs()));
      }
      out_.arch = *arch;
      arch_given_ = true;
    } else if (auto soc = value_of(argument, "--npu-soc")) {
      const SocInfo* info = find_soc(*soc);
      if (info == nullptr) {
        throw UsageError(fmt::format("--npu-soc={}: {}", *soc, unknown_soc_message(*soc)));
      }
      soc_arch_ = info->arch;
    } else if (auto mode = value_of(argument, "--run-mode")) {
      if (*mode != "npu" && *mode != "cpu" && *mode != "sim") {
        throw UsageError(fmt::format("--run-mode={}: it takes npu, cpu or sim", *mode));
      }
      out_.cpu_mode = *mode == "cpu";
    } else if (argument == "--enable-simt") {
      out_.simt = true;
    } else if (argument == "-help" || argument == "--help" || argument == "-h") {
      out_.help = true;
    } else if (argument == "--version" || argument == "-version") {
      out_.version = true;
    } else if (argument == "-v") {
      out_.verbose = true;
    } else if (argument == "-###") {
      out_.dry_run = true;
    } else if (argument == "-x" || (starts_with(argument, "-x") && argument.size() > 2)) {
      force(argument == "-x" ? next(argument) : argument.substr(2));
    } else if (argument == "-o" || (starts_with(argument, "-o") && argument.size() > 2)) {
      out_.output = argument == "-o" ? next(argument) : argument.substr(2);
    } else if (argument == "--toprope-print-arch") {
      out_.print_arch = true;
    } else if (argument == "--toprope-launch-functions") {
      out_.launch_functions = true;
    } else if (argument == "--toprope-list-kernels") {
      out_.list_kernels = true;
    } else if (starts_with(argument, "--toprope-expect=")) {
      out_.expected_kernels.push_back(argument.substr(argument.find('=') + 1));
    } else if (starts_with(argument, "--toprope-launch-headers=")) {
      out_.launch_header_directory = argument.substr(argument.find('=') + 1);
    } else {
      return false;
    }
    return true;
  }

  void force(const std::string& language) {
    if (language == "asc") {
      forced_ = Language::Asc;
    } else if (language == "c++") {
      forced_ = Language::Cxx;
    } else if (language == "c") {
      forced_ = Language::C;
    } else if (language == "none") {
      forced_ = Language::None;
    } else if (language == "aicpu") {
      throw UsageError("-x aicpu: Toprope runs AI Core kernels (-x asc) only");
    } else {
      throw UsageError(fmt::format("-x {}: the languages are asc, c++, c and none", language));
    }
  }

  bool stage(const std::string& argument) {
    if (argument == "-c" || argument == "-dc") {
      out_.stage = Stage::Object;
    } else if (argument == "-S") {
      out_.stage = Stage::Assembly;
    } else if (argument == "-E") {
      out_.stage = Stage::Preprocess;
    } else if (argument == "-lib" || argument == "--cce-build-static-lib") {
      out_.stage = Stage::StaticLibrary;
    } else if (argument == "--cce-auto-sync=off" || argument == "--cce-auto-sync=on") {
      out_.auto_sync = argument.back() == 'n';
    } else if (argument == "-shared" || argument == "--shared") {
      out_.shared = true;
      out_.link.push_back("-shared");
    } else if (starts_with(argument, "-std=") || starts_with(argument, "--std=")) {
      out_.standard = argument.substr(argument.find('=') + 1);
    } else if (starts_with(argument, "-O")) {
      out_.optimisation = argument;
    } else {
      return false;
    }
    return true;
  }

  bool dependency(const std::string& argument) {
    if (argument == "-MF") {
      out_.dependency_file = next(argument);
    } else if (argument == "-MT" || argument == "-MQ") {
      out_.dependency_targets.push_back(argument);
      out_.dependency_targets.push_back(next(argument));
    } else if (argument == "-M" || argument == "-MM") {
      out_.dependencies.push_back(argument);
      out_.only_dependencies = true;
    } else if (argument == "-MD" || argument == "-MMD" || argument == "-MP" || argument == "-MG") {
      out_.dependencies.push_back(argument);
    } else {
      return false;
    }
    return true;
  }

  bool passed_on(const std::string& argument) {
    for (const Flag& flag : kSeparate) {
      if (argument == flag.spelling) {
        pass({argument, next(argument)}, flag.meaning);
        return true;
      }
    }
    for (const Flag& flag : kWhole) {
      if (argument == flag.spelling) {
        pass({argument}, flag.meaning);
        return true;
      }
    }
    // Before -I, -D and the like, which would swallow them.
    for (const Flag& flag : kPrefixes) {
      if (starts_with(argument, flag.spelling)) {
        pass({argument}, flag.meaning);
        return true;
      }
    }
    for (const Flag& flag : kJoinedOrSeparate) {
      if (argument == flag.spelling) {
        pass({argument, next(argument)}, flag.meaning);
        return true;
      }
      if (starts_with(argument, flag.spelling)) {
        pass({argument}, flag.meaning);
        return true;
      }
    }
    return false;
  }

  void pass(std::initializer_list<std::string> words, Meaning meaning) {
    switch (meaning) {
      case Meaning::Preprocessor:
        out_.preprocessor.insert(out_.preprocessor.end(), words);
        break;
      case Meaning::Common:
        out_.common.insert(out_.common.end(), words);
        break;
      case Meaning::Link:
        out_.link.insert(out_.link.end(), words);
        break;
      case Meaning::Positional:
        for (const std::string& word : words) {
          out_.inputs.push_back({word, Language::None, false});
        }
        break;
      case Meaning::Ignored:
        break;
    }
  }

  void check() {
    const auto sources = std::count_if(out_.inputs.begin(), out_.inputs.end(), [](const Input& input) {
      return input.is_file && input.language != Language::None;
    });
    const auto files = std::count_if(out_.inputs.begin(), out_.inputs.end(),
                                     [](const Input& input) { return input.is_file; });
    if (files == 0) {
      throw UsageError("no input files");
    }
    if (out_.stage != Stage::Link && out_.stage != Stage::StaticLibrary && !out_.output.empty() &&
        sources > 1) {
      throw UsageError("-o names one output, but there are several sources; compile them one by one");
    }
    if (out_.stage == Stage::StaticLibrary && out_.output.empty()) {
      throw UsageError("-lib needs the library's name: -o libkernels.a");
    }
    static const std::set<std::string> old = {"c++98",   "c++03",   "c++0x",   "c++11",
                                              "c++1y",   "c++14",   "gnu++98", "gnu++03",
                                              "gnu++0x", "gnu++11", "gnu++1y", "gnu++14"};
    const bool asc = std::any_of(out_.inputs.begin(), out_.inputs.end(),
                                 [](const Input& input) { return input.language == Language::Asc; });
    if (asc && old.count(out_.standard) > 0) {
      throw UsageError(fmt::format("-std={}: Ascend C needs C++17 or later", out_.standard));
    }
  }

  std::vector<std::string> arguments_;
  size_t at_ = 0;
  Options out_;
  Language forced_ = Language::None;
  std::string soc_arch_;
  bool arch_given_ = false;
};

}  // namespace

Options parse(const std::vector<std::string>& arguments) { return Parser(arguments).run(); }

std::string help_text() {
  return fmt::format(
      "usage: bisheng [options] file...\n"
      "Compiles Ascend C for this computer's CPU.\n"
      "\n"
      "  -x asc                 the files that follow are Ascend C (so is every *.asc)\n"
      "  --npu-arch=ARCH        {} (default dav-2201)\n"
      "  --npu-soc=NAME         the chip instead, e.g. Ascend910B3; --npu-arch wins\n"
      "  --run-mode=MODE        npu (default), sim; cpu defines ASCENDC_CPU_DEBUG\n"
      "  --enable-simt          SIMT kernels\n"
      "  -o FILE                output\n"
      "  -c, -dc                object file\n"
      "  -shared, --shared      shared library\n"
      "  -lib                   static library\n"
      "  -O0 .. -O3             optimisation (default -O2)\n"
      "  -std=c++17             language (default c++17)\n"
      "  -v, -###               show the host compiler's commands; with -### do not run them\n"
      "  @FILE                  options from a file\n"
      "\n"
      "--cce-auto-sync=off makes the checks expect every wait in the source (default on).\n"
      "-D -U -I -L -l -g -f* -m* -W* -M* -E -S -Xlinker and their like are the host compiler's.\n"
      "Other --cce-*, --gcc-toolchain=, --sanitizer and -mllvm X are accepted and mean nothing here.\n",
      known_archs());
}

}  // namespace toprope::driver
