// printf's formats over typed values, against C's own snprintf.
#include "machine/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace toprope {
namespace {

template <class... Args>
std::string ours(const char* format, Args... args) {
  const PrintArgument list[] = {print_argument(args)..., PrintArgument{}};
  return formatted(format, list, sizeof...(Args));
}

template <class... Args>
std::string cs(const char* format, Args... args) {
  char text[512];
  std::snprintf(text, sizeof text, format, args...);
  return text;
}

TEST(Format, AgreesWithC) {
  EXPECT_EQ(ours("%d|%+5d|% d|%-8i|", -3, 42, 7, 9), cs("%d|%+5d|% d|%-8i|", -3, 42, 7, 9));
  EXPECT_EQ(ours("%ld %lld %zu %hhu", 1L << 40, -5LL, sizeof(int), static_cast<unsigned char>(200)),
            cs("%ld %lld %zu %hhu", 1L << 40, -5LL, sizeof(int), static_cast<unsigned char>(200)));
  EXPECT_EQ(ours("%x %X %#x %08x %o", 255u, 255u, 255u, 48879u, 8u),
            cs("%x %X %#x %08x %o", 255u, 255u, 255u, 48879u, 8u));
  EXPECT_EQ(ours("%f %.3f %10.2f %e %g %a", 3.14159, 2.0 / 3, -1.5, 12345.678, 0.0001, 0.75),
            cs("%f %.3f %10.2f %e %g %a", 3.14159, 2.0 / 3, -1.5, 12345.678, 0.0001, 0.75));
  EXPECT_EQ(ours("%s|%10s|%-10s|%.2s|%c", "abc", "abc", "abc", "abc", 'z'),
            cs("%s|%10s|%-10s|%.2s|%c", "abc", "abc", "abc", "abc", 'z'));
  EXPECT_EQ(ours("%p 100%% %*d %-*d|", static_cast<void*>(nullptr), 5, 1, 5, 2),
            cs("%p 100%% %*d %-*d|", static_cast<void*>(nullptr), 5, 1, 5, 2));
  EXPECT_EQ(ours("%f %f", HUGE_VALF, -HUGE_VALF), "inf -inf");
  EXPECT_EQ(ours("%s", std::string(1000, 'y').c_str()), std::string(1000, 'y'));
}

TEST(Format, OddEnds) {
  EXPECT_EQ(ours("no conversion"), "no conversion");
  EXPECT_EQ(ours(""), "");
  EXPECT_EQ(ours("%d"), "<%d has no argument>");
  EXPECT_EQ(ours("end %"), "end <% without a conversion>");
  EXPECT_EQ(ours("%k", 1), "<%k is not a conversion>");
  EXPECT_EQ(ours("%s", static_cast<const char*>(nullptr)), "(null)");
  EXPECT_EQ(formatted(nullptr, nullptr, 0), "(null)");
}

}  // namespace
}  // namespace toprope
