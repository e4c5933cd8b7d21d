#include "driver/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "base/soc.h"
#include "driver/host_flags.h"
#include "driver/response_file.h"

namespace toprope::driver {
namespace {

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

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

class Parser {
 public:
  explicit Parser(const std::vector<std::string>& arguments) : arguments_(expand_response_files(arguments)) {}

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
    } else if (argument == "--cce-auto-sync" || starts_with(argument, "--cce-auto-sync=")) {
      const std::string value = argument.substr(std::min(argument.size(), sizeof "--cce-auto-sync"));
      if (!value.empty() && value != "on" && value != "off") {
        throw UsageError(fmt::format("{}: it takes on or off", argument));
      }
      out_.automatic_sync = value != "off";
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
    const std::optional<HostFlag> flag = find_host_flag(argument);
    if (!flag) {
      return false;
    }
    std::vector<std::string> words = {argument};
    if (flag->value_follows) {
      words.push_back(next(argument));
    }
    pass(words, flag->meaning);
    return true;
  }

  void pass(const std::vector<std::string>& words, Meaning meaning) {
    switch (meaning) {
      case Meaning::Preprocessor:
        out_.preprocessor.insert(out_.preprocessor.end(), words.begin(), words.end());
        break;
      case Meaning::Common:
        out_.common.insert(out_.common.end(), words.begin(), words.end());
        break;
      case Meaning::Link:
        out_.link.insert(out_.link.end(), words.begin(), words.end());
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
      "-D -U -I -L -l -g -f* -m* -W* -M* -E -S -Xlinker and their like are the host compiler's.\n"
      "--cce-auto-sync=off tells the race check that no synchronisation is put in for you.\n"
      "Other --cce-*, --gcc-toolchain=, --sanitizer and -mllvm X are accepted and mean nothing here.\n",
      known_archs());
}

}  // namespace toprope::driver
