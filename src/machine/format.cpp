#include "machine/format.h"

#include <cstdio>
#include <cstring>

namespace toprope {
namespace {

struct Conversion {
  std::string flags;  // flags, width and precision, as C takes them
  char letter = 0;
  bool narrow = true;  // no l, ll, z, j or t in front of the letter
};

template <class V>
void append(std::string& text, const std::string& spec, V value) {
  char small[128];
  const int n = std::snprintf(small, sizeof small, spec.c_str(), value);
  if (n < 0) return;
  if (static_cast<size_t>(n) < sizeof small) {
    text.append(small, static_cast<size_t>(n));
    return;
  }
  std::string large(static_cast<size_t>(n) + 1, '\0');
  std::snprintf(large.data(), large.size(), spec.c_str(), value);
  text.append(large.data(), static_cast<size_t>(n));
}

const char* kind_name(const PrintArgument& a) {
  switch (a.kind) {
    case PrintArgument::Signed:
    case PrintArgument::Unsigned:
      return "an integer";
    case PrintArgument::Real:
      return "a floating-point number";
    case PrintArgument::Pointer:
      return "a pointer";
    default:
      return "a string";
  }
}

bool is_integer(const PrintArgument& a) { return a.kind <= PrintArgument::Unsigned; }

void misfit(std::string& text, const Conversion& c, const PrintArgument& a) {
  text += std::string("<%") + c.letter + " got " + kind_name(a) + ">";
}

/// The value as 64 bits. %u of a signed value keeps the value's own width; %x is 64 bits wide on the device.
uint64_t unsigned_value(const Conversion& c, const PrintArgument& a) {
  const auto value = static_cast<uint64_t>(a.integer);
  if (c.letter == 'u' && c.narrow && a.bytes < 8)
    return value & ((uint64_t{1} << 8 * (a.bytes < 4 ? 4 : a.bytes)) - 1);
  return value;
}

void convert(std::string& text, const Conversion& c, const PrintArgument& a) {
  const std::string spec = "%" + c.flags;
  switch (c.letter) {
    case 'd':
    case 'i':
      if (!is_integer(a)) return misfit(text, c, a);
      return append(text, spec + "lld", static_cast<long long>(a.integer));
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      if (a.kind == PrintArgument::Pointer)
        return append(text, spec + "ll" + c.letter,
                      static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(a.pointer)));
      if (!is_integer(a)) return misfit(text, c, a);
      return append(text, spec + "ll" + c.letter, static_cast<unsigned long long>(unsigned_value(c, a)));
    case 'c':
      if (!is_integer(a)) return misfit(text, c, a);
      return append(text, spec + 'c', static_cast<int>(a.integer));
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      if (a.kind != PrintArgument::Real) return misfit(text, c, a);
      return append(text, spec + c.letter, a.real);
    case 's':
      if (a.kind != PrintArgument::Text) return misfit(text, c, a);
      return append(text, spec + 's', a.pointer ? static_cast<const char*>(a.pointer) : "(null)");
    case 'p':
      if (a.kind == PrintArgument::Real) return misfit(text, c, a);
      return append(text, spec + 'p', is_integer(a) ? reinterpret_cast<const void*>(a.integer) : a.pointer);
    default:
      text += std::string("<%") + c.letter + " is not a conversion>";
  }
}

}  // namespace

std::string formatted(const char* format, const PrintArgument* arguments, size_t count) {
  std::string text;
  size_t used = 0;
  const auto number = [&](std::string& flags) {
    if (used < count && is_integer(arguments[used])) flags += std::to_string(arguments[used].integer);
    ++used;
  };
  for (const char* at = format ? format : "(null)"; *at;) {
    if (*at != '%') {
      const size_t plain = std::strcspn(at, "%");
      text.append(at, plain);
      at += plain;
      continue;
    }
    if (at[1] == '%') {
      text += '%';
      at += 2;
      continue;
    }
    Conversion c;
    ++at;
    for (; *at && std::strchr("-+ #0123456789.*", *at); ++at)
      if (*at == '*')
        number(c.flags);
      else
        c.flags += *at;
    for (; *at && std::strchr("hljztLq", *at); ++at)
      if (*at != 'h') c.narrow = false;
    if (!*at) {
      text += "<% without a conversion>";
      break;
    }
    c.letter = *at++;
    if (used >= count) {
      text += std::string("<%") + c.letter + " has no argument>";
      continue;
    }
    convert(text, c, arguments[used++]);
  }
  return text;
}

}  // namespace toprope
