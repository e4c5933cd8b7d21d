#include "driver/host_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace toprope::driver {
namespace {

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
// What bisheng reads itself (options.cpp); known here for suggestions.
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

}  // namespace

std::optional<HostFlag> find_host_flag(std::string_view argument) {
  for (const Flag& flag : kSeparate) {
    if (argument == flag.spelling) {
      return HostFlag{flag.meaning, true};
    }
  }
  for (const Flag& flag : kWhole) {
    if (argument == flag.spelling) {
      return HostFlag{flag.meaning, false};
    }
  }
  // Before -I, -D and the like, which would swallow them.
  for (const Flag& flag : kPrefixes) {
    if (starts_with(argument, flag.spelling)) {
      return HostFlag{flag.meaning, false};
    }
  }
  for (const Flag& flag : kJoinedOrSeparate) {
    if (starts_with(argument, flag.spelling)) {
      return HostFlag{flag.meaning, argument.size() == flag.spelling.size()};
    }
  }
  return std::nullopt;
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

}  // namespace toprope::driver
