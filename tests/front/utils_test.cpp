// A type chosen at compile time.
#include <gtest/gtest.h>

#include <type_traits>

#include "kernel_operator.h"

TEST(Utils, ConditionalChooses) {
  EXPECT_TRUE((std::is_same<AscendC::Conditional<true, float, half>::type, float>::value));
  EXPECT_TRUE((std::is_same<AscendC::Conditional<false, float, half>::type, half>::value));
}
