// The options of the host compiler that bisheng hands on, and the ones of the vendor's that mean nothing
// here.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace toprope::driver {

/// Which steps of a compilation get the option. Positional: its place among the files matters.
enum class Meaning : uint8_t { Preprocessor, Common, Link, Positional, Ignored };

struct HostFlag {
  Meaning meaning;
  bool value_follows;  ///< the next argument belongs to it
};

/// What becomes of `argument`; nothing when it is not such an option.
std::optional<HostFlag> find_host_flag(std::string_view argument);

/// What to tell somebody about an option that nobody knows: the nearest one that bisheng has, if any is near.
std::string unknown_option(const std::string& argument);

}  // namespace toprope::driver
