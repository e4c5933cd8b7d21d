#include "driver/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "driver/launch_headers.h"
#include "driver/process.h"
#include "driver/rewrite.h"

namespace toprope::driver {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void append(Words& to, const Words& more) { to.insert(to.end(), more.begin(), more.end()); }

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw std::runtime_error(fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) {
    throw std::runtime_error(fmt::format("cannot write '{}': {}", path, std::strerror(errno)));
  }
}

class Compilation {
 public:
  explicit Compilation(const Options& options) : options_(options), compiler_(host_compiler()) {
    const std::string include = install_prefix() + "/include";
    // -isystem: mistakes and warnings in there are not the user's.
    if (include != "/usr/include") {
      prefix_includes_ = {
          "-isystem", include + "/ascendc", "-isystem", include + "/ascendc/basic_api", "-isystem", include};
    }
  }

  int run() {
    if (options_.stage == Stage::Preprocess || options_.only_dependencies) {
      return each_source([this](const Input& input) { return preprocess_only(input); });
    }
    if (options_.list_kernels) {
      return each_source([](const Input& input) {
        for (const Kernel& kernel : rewrite(read_file(input.text), input.text).kernels) {
          if (has_launch_function(kernel)) {
            fmt::print("{}\n", kernel.name);
          }
        }
        return 0;
      });
    }
    if (!options_.launch_header_directory.empty()) {
      return each_source([this](const Input& input) { return write_launch_headers(input); });
    }
    if (options_.stage == Stage::Object || options_.stage == Stage::Assembly) {
      return each_source([this](const Input& input) {
        const std::string extension = options_.stage == Stage::Object ? ".o" : ".s";
        return compile_to(input, options_.output.empty() ? fs::path(input.text).stem().string() + extension
                                                         : options_.output);
      });
    }
    return options_.stage == Stage::StaticLibrary ? archive() : link();
  }

 private:
  template <class Action>
  int each_source(Action action) {
    for (const Input& input : options_.inputs) {
      if (input.is_file && input.language != Language::None) {
        if (const int status = action(input); status != 0) {
          return status;
        }
      }
    }
    return 0;
  }

  Finished execute(const Words& command, bool capture = false) const {
    if (options_.verbose || options_.dry_run) {
      std::string line;
      for (const std::string& word : command) {
        line += ' ';
        line += word.find(' ') == std::string::npos ? word : string_literal(word);
      }
      fmt::print(stderr, "{}\n", line);
    }
    return options_.dry_run ? Finished{} : driver::run(command, capture);
  }

  // Flags of every compilation step: language version, optimisation, debug information.
  Words base_flags(Language language) const {
    Words out;
    if (language == Language::Asc || language == Language::Cxx) {
      out.push_back(fmt::format("-std={}", options_.standard.empty() ? "c++17" : options_.standard));
    } else if (!options_.standard.empty() && options_.standard.find("++") == std::string::npos) {
      out.push_back(fmt::format("-std={}", options_.standard));
    }
    out.push_back(coverage_ ? "-O0" : options_.optimisation.empty() ? "-O2" : options_.optimisation);
    // Reports name source lines, so debug information is always there (a -g of the user's may ask for more),
    // no tail call hides the line that made it, and equal calls of two branches stay two.
    append(out, {"-g", "-fno-optimize-sibling-calls", "-fno-crossjumping", "-fno-tree-tail-merge"});
    append(out, options_.common);
    return out;
  }

  // With TOPROPE_COVERAGE=1 the program counts the lines it runs. gcov's notes lie beside the output, since
  // the text that is compiled and often the object are temporary files.
  Words coverage_flags(const Input& input) const {
    if (!coverage_) {
      return {};
    }
    const std::string stem = fs::path(input.text).stem().string();
    const std::string output = !options_.output.empty()          ? options_.output
                               : options_.stage == Stage::Object ? stem + ".o"
                                                                 : "a.out";
    return {"--coverage", "-fprofile-abs-path", "-fprofile-update=atomic",
            "-dumpdir",   output + ".",         "-dumpbase",
            stem};
  }

  Words definitions(Language language) const {
    Words out;
    if (language == Language::Asc) {
      out.push_back(fmt::format("-D__NPU_ARCH__={}", options_.arch.substr(options_.arch.find('-') + 1)));
      if (options_.cpu_mode) {
        out.push_back("-DASCENDC_CPU_DEBUG=1");
      }
    }
    if (coverage_) {
      // The line of a call that is always inlined would count nothing: its code belongs to our header's
      // lines.
      append(out, {"-Dalways_inline=noinline", "-Wno-attributes"});
    }
    append(out, options_.preprocessor);
    append(out, prefix_includes_);
    return out;
  }

  // -MD and friends for one source, with the names that GCC would have chosen from the object's.
  Words dependency_flags(const std::string& object) const {
    if (options_.dependencies.empty()) {
      return {};
    }
    Words out = options_.dependencies;
    append(out, {"-MF", options_.dependency_file.empty() ? fs::path(object).replace_extension(".d").string()
                                                         : options_.dependency_file});
    append(out, options_.dependency_targets.empty() ? Words{"-MT", object} : options_.dependency_targets);
    return out;
  }

  int preprocess_only(const Input& input) const {
    Words command = compiler_;
    append(command, base_flags(input.language));
    append(command, definitions(input.language));
    append(command, {"-E", "-x", input.language == Language::C ? "c" : "c++"});
    if (input.language == Language::Asc) {
      append(command, {"-include", "toprope/driver/words.h"});
    }
    append(command, options_.dependencies);
    if (!options_.dependency_file.empty()) {
      append(command, {"-MF", options_.dependency_file});
    }
    append(command, options_.dependency_targets);
    command.push_back(input.text);
    if (!options_.output.empty()) {
      append(command, {"-o", options_.output});
    }
    return execute(command).status;
  }

  // The source as C++ without directives to follow, or nothing after printing why not. First with macros
  // kept, so that the compiler can still say "in expansion of macro"; expanded when a macro hides a kernel or
  // a launch, or when GCC cannot keep them (it reads quotes even in text that #if leaves out).
  std::optional<Rewritten> rewritten(const Input& input, const Words& dependency_flags) {
    const std::string preprocessed = temporary_.file(".ii");
    const auto preprocess = [&](bool expand) {
      Words command = compiler_;
      append(command, base_flags(Language::Asc));
      append(command, definitions(Language::Asc));
      append(command, {"-E", "-x", "c++"});
      append(command, expand ? Words{"-DTOPROPE_KEEP_WORDS"}
                             : Words{"-fdirectives-only", "-include", "toprope/driver/words.h"});
      append(command, {"-include", "toprope/driver/submit.h"});
      append(command, dependency_flags);
      append(command, {input.text, "-o", preprocessed});
      return execute(command, true);
    };

    Finished result = preprocess(false);
    bool expanded = false;
    std::optional<Rewritten> out;
    if (result.status == 0) {
      out = rewrite(read_file(preprocessed), input.text, options_.launch_functions, !options_.automatic_sync);
    }
    if (result.status != 0 || out->needs_expansion) {
      result = preprocess(true);
      expanded = true;
      if (result.status == 0) {
        out =
            rewrite(read_file(preprocessed), input.text, options_.launch_functions, !options_.automatic_sync);
      }
    }
    fputs(result.errors.c_str(), stderr);
    if (result.status != 0) {
      return std::nullopt;
    }
    bool failed = false;
    for (const Diagnostic& diagnostic : out->diagnostics) {
      fputs(format(diagnostic).c_str(), stderr);
      failed = failed || !diagnostic.warning;
    }
    if (failed) {
      return std::nullopt;
    }
    if (expanded) {
      out->text = words() + out->text;
    }
    return out;
  }

  // words.h as text to stand before a preprocessed one.
  static std::string words() {
    const std::string text = read_file(install_prefix() + "/include/toprope/driver/words.h");
    std::string out = "# 1 \"<toprope>\" 3\n";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("#define", 0) == 0) {
        out += line + "\n";
      }
    }
    return out;
  }

  // An Ascend C source as a file for the host compiler; nothing after an error.
  std::optional<std::string> translate(const Input& input, const std::string& object) {
    if (options_.dry_run) {
      return fmt::format("<{}, rewritten>", input.text);
    }
    const std::optional<Rewritten> cxx = rewritten(input, dependency_flags(object));
    if (!cxx) {
      return std::nullopt;
    }
    const std::string path = temporary_.file(".ii");
    write_file(path, cxx->text);
    return path;
  }

  // GCC expands the macros that are left only when it is told that they are.
  static Words translated_flags() { return {"-x", "c++", "-fpreprocessed", "-fdirectives-only"}; }

  int compile_to(const Input& input, const std::string& output) {
    Words command = compiler_;
    append(command, base_flags(input.language));
    append(command, coverage_flags(input));
    command.push_back(options_.stage == Stage::Assembly ? "-S" : "-c");
    if (input.language == Language::Asc) {
      const std::optional<std::string> text = translate(input, output);
      if (!text) {
        return 1;
      }
      append(command, translated_flags());
      command.push_back(*text);
    } else {
      append(command, definitions(input.language));
      append(command, dependency_flags(output));
      if (input.language != Language::Assembler) {
        append(command, {"-x", input.language == Language::C ? "c" : "c++"});
      }
      command.push_back(input.text);
    }
    append(command, {"-o", output});
    return execute(command).status;
  }

  int archive() {
    Words command{"ar", "rcs", options_.output};
    for (const Input& input : options_.inputs) {
      if (!input.is_file) {
        continue;
      }
      if (input.language == Language::None) {
        command.push_back(input.text);
        continue;
      }
      command.push_back(temporary_.file(fmt::format("-{}.o", fs::path(input.text).stem().string())));
      if (const int status = compile_to(input, command.back()); status != 0) {
        return status;
      }
    }
    if (!options_.dry_run) {
      std::error_code ignored;
      fs::remove(options_.output, ignored);  // a member that is no longer asked for must not stay
    }
    return execute(command).status;
  }

  int link() {
    const std::string output = options_.output.empty() ? "a.out" : options_.output;
    // When all sources are Ascend C, one run of the host compiler compiles and links; otherwise the flags of
    // the languages would mix.
    const auto is_source = [](const Input& input) {
      return input.is_file && input.language != Language::None;
    };
    const bool together =
        std::count_if(options_.inputs.begin(), options_.inputs.end(), is_source) == 1 &&
        std::all_of(options_.inputs.begin(), options_.inputs.end(),
                    [&](const Input& input) { return !is_source(input) || input.language == Language::Asc; });
    Words command = compiler_;
    append(command, base_flags(Language::Asc));
    if (coverage_) {
      command.push_back("--coverage");
    }
    // As the vendor's linker does: a library named before the sources that need it counts, too.
    command.push_back("-Wl,--no-as-needed");
    append(command, options_.link);
    append(command, {"-o", output});
    for (const Input& input : options_.inputs) {
      if (!is_source(input)) {
        command.push_back(input.text);
        continue;
      }
      if (together) {
        const std::optional<std::string> text = translate(input, output);
        if (!text) {
          return 1;
        }
        append(command, coverage_flags(input));
        append(command, translated_flags());
        append(command, {*text, "-x", "none"});
      } else {
        command.push_back(temporary_.file(".o"));
        if (const int status = compile_to(input, command.back()); status != 0) {
          return status;
        }
      }
    }
    const std::string libraries = install_prefix() + "/lib64";
    append(command, {fmt::format("-L{}", libraries), fmt::format("-Wl,-rpath,{}", libraries), "-lascendcl",
                     "-ltoprope"});
    return execute(command).status;
  }

  int write_launch_headers(const Input& input) {
    const std::optional<Rewritten> cxx = rewritten(input, dependency_flags(input.text));
    if (!cxx) {
      return 1;
    }
    const std::string source = fs::path(input.text).filename().string();
    std::map<std::string, std::string> headers;
    for (const std::string& name : options_.expected_kernels) {
      headers[name] =
          fmt::format("#error {} defines no kernel {} with the definitions in force\n", source, name);
    }
    for (const Kernel& kernel : cxx->kernels) {
      if (has_launch_function(kernel)) {
        headers[kernel.name] = launch_header(kernel, source);
      }
    }
    std::error_code error;
    fs::create_directories(options_.launch_header_directory, error);
    for (const auto& [name, text] : headers) {
      const std::string path = fmt::format("{}/aclrtlaunch_{}.h", options_.launch_header_directory, name);
      // A file is touched only when its text changes, so that nothing is rebuilt for nothing.
      if (!fs::exists(path) || read_file(path) != text) {
        write_file(path, text);
      }
    }
    return 0;
  }

  static bool coverage_wanted() {
    const char* wanted = std::getenv("TOPROPE_COVERAGE");
    return wanted && *wanted && std::string(wanted) != "0";
  }

  const Options& options_;
  const bool coverage_ = coverage_wanted();
  Words compiler_;
  Words prefix_includes_;
  TemporaryDirectory temporary_;
};

}  // namespace

std::string install_prefix() {
  static const std::string prefix = [] {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (error) {
      throw std::runtime_error("cannot find where bisheng lies: /proc is not mounted");
    }
    return self.parent_path().parent_path().string();
  }();
  return prefix;
}

std::vector<std::string> host_compiler() {
  if (const char* cxx = std::getenv("CXX")) {
    std::istringstream in(cxx);
    const Words words{std::istream_iterator<std::string>(in), {}};
    const std::string name = words.empty() ? "" : fs::path(words.back()).filename().string();
    // Clang does not take its own text back with macros in it, and bisheng itself would never end.
    if (name.find("g++") != std::string::npos && name.find("clang") == std::string::npos) {
      return words;
    }
  }
  return {"g++"};
}

int compile(const Options& options) { return Compilation(options).run(); }

}  // namespace toprope::driver
