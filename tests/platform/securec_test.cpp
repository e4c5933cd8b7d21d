// C11 annex K: what fits is copied; what does not leaves an empty destination and an error.
#include "securec.h"

#include <gtest/gtest.h>

#include <string>

namespace {

TEST(Securec, MemoryIsCopiedWhenItFits) {
  char to[4] = {1, 1, 1, 1};
  EXPECT_EQ(memcpy_s(to, sizeof to, "abc", 3), EOK);
  EXPECT_EQ(std::string(to, 4), std::string("abc\1"));
  EXPECT_EQ(memcpy_s(to, sizeof to, "abcde", 5), ERANGE_AND_RESET);
  EXPECT_EQ(std::string(to, 4), std::string(4, '\0'));
  EXPECT_EQ(memcpy_s(to, sizeof to, nullptr, 1), EINVAL_AND_RESET);
  EXPECT_EQ(memcpy_s(nullptr, 4, "a", 1), EINVAL);
  EXPECT_EQ(memcpy_s(to, 0, "a", 1), ERANGE);
}

TEST(Securec, OnlyMemmoveTakesOverlap) {
  char text[] = "abcdef";
  EXPECT_EQ(memmove_s(text + 1, 5, text, 5), EOK);
  EXPECT_STREQ(text, "aabcde");
  EXPECT_EQ(memcpy_s(text + 1, 5, text, 5), EOVERLAP_AND_RESET);
  EXPECT_STREQ(text, "a");
}

TEST(Securec, SettingStopsAtTheEnd) {
  char to[4] = {};
  EXPECT_EQ(memset_s(to, 3, 'x', 9), ERANGE_AND_RESET);
  EXPECT_STREQ(to, "xxx");
}

TEST(Securec, StringsKeepTheirEnd) {
  char to[6];
  EXPECT_EQ(strcpy_s(to, sizeof to, "abc"), EOK);
  EXPECT_EQ(strcat_s(to, sizeof to, "de"), EOK);
  EXPECT_STREQ(to, "abcde");
  EXPECT_EQ(strcat_s(to, sizeof to, "f"), ERANGE_AND_RESET);
  EXPECT_STREQ(to, "");
  EXPECT_EQ(strncpy_s(to, sizeof to, "abcdefgh", 5), EOK);
  EXPECT_STREQ(to, "abcde");
  EXPECT_EQ(strcpy_s(to, sizeof to, "abcdef"), ERANGE_AND_RESET);
  EXPECT_STREQ(to, "");
}

TEST(Securec, FormattedTextFitsOrIsRefused) {
  char to[6];
  EXPECT_EQ(sprintf_s(to, sizeof to, "%d", 12345), 5);
  EXPECT_STREQ(to, "12345");
  EXPECT_EQ(sprintf_s(to, sizeof to, "%d", 123456), -1);
  EXPECT_STREQ(to, "");
  EXPECT_EQ(snprintf_s(to, sizeof to, 3, "%d", 12345), -1);
  EXPECT_STREQ(to, "123");
}

}  // namespace
