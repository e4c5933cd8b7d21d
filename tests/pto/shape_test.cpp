// Symbolic shapes: what they accept, what they solve, what they say.
#include "pto/shape.h"

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

namespace {

using pto::Given;
using pto::ShapeSpec;

struct Match {
  std::vector<std::string> symbols;
  std::vector<ShapeSpec> specs;
  std::vector<std::vector<int64_t>> shapes;
  std::vector<int64_t> values;
  std::string why;

  int run(std::initializer_list<std::pair<const char*, std::vector<int64_t>>> operands) {
    for (const auto& [spec, shape] : operands) {
      specs.push_back(pto::compile_shape(spec, symbols));
      shapes.push_back(shape);
    }
    values.resize(symbols.size());
    std::vector<Given> given;
    static constexpr int64_t kNoSizes = 0;  // a shape without sizes is known, too
    for (size_t i = 0; i < specs.size(); ++i)
      given.push_back(
          {&specs[i], static_cast<int>(shapes[i].size()), shapes[i].empty() ? &kNoSizes : shapes[i].data()});
    return pto::match_shapes(given.data(), static_cast<int>(given.size()), symbols, values.data(), why);
  }
};

TEST(Shape, BindsSymbols) {
  Match m;
  EXPECT_EQ(m.run({{"[M, K]", {2, 3}}, {"[K, N]", {3, 4}}, {"[M, N]", {2, 4}}}), -1);
  EXPECT_EQ(m.values, (std::vector<int64_t>{2, 3, 4}));
}

TEST(Shape, SolvesLinearExpressionsInAnyOrder) {
  Match m;
  EXPECT_EQ(m.run({{"[2 * (N + 1) - M]", {8}}, {"[M / 2]", {3}}, {"[N]", {6}}, {"[M - 1, 4]", {5, 4}}}), -1)
      << m.why;
  EXPECT_EQ(m.values, (std::vector<int64_t>{6, 6}));  // N, M
  Match uneven;
  EXPECT_EQ(uneven.run({{"[N]", {6}}, {"[2 * N - M]", {7}}, {"[M / 2]", {2}}}), 2) << "5 / 2 is no size";
}

TEST(Shape, NamesTheOperandThatDoesNotFit) {
  Match m;
  EXPECT_EQ(m.run({{"[M, K]", {3, 2}}, {"[K, N]", {3, 3}}, {"[M, N]", {3, 3}}}), 1);
  EXPECT_EQ(m.why, "expected [K, N] with K = 2 from operand 0");
  Match odd;
  EXPECT_EQ(odd.run({{"[2 * N]", {5}}}), 0);
  Match fixed;
  EXPECT_EQ(fixed.run({{"[N]", {5}}, {"[N, 16]", {5, 17}}}), 1);
  Match none;
  EXPECT_EQ(none.run({{"[M * M]", {9}}}), 0);
  EXPECT_EQ(none.why, "[M * M] cannot be solved for its symbols");
}

TEST(Shape, LeadingSizesAreShared) {
  Match m;
  EXPECT_EQ(
      m.run({{"[..., N]", {2, 3, 5}}, {"[..., 1]", {2, 3, 1}}, {"[...]", {2, 3}}, {"[*]", {7, 7, 7, 7}}}), -1)
      << m.why;
  Match n;
  EXPECT_EQ(n.run({{"[..., N]", {2, 3, 5}}, {"[..., 1]", {3, 2, 1}}}), 1);
  EXPECT_EQ(n.why, "expected [..., 1] with ... = [2, 3] as in operand 0");
  Match rank;
  EXPECT_EQ(rank.run({{"[..., N]", {}}}), 0);
  Match scalar;
  EXPECT_EQ(scalar.run({{"[]", {}}}), -1);
}

TEST(Shape, HugeSizesDoNotWrap) {
  Match m;
  EXPECT_NE(m.run({{"[N]", {int64_t{1} << 62}}, {"[4 * N]", {0}}}), -1);
}

TEST(Shape, SyntaxErrorsSayWhere) {
  std::vector<std::string> symbols;
  for (const auto& [text, place] :
       std::initializer_list<std::pair<const char*, const char*>>{{"", "position 1"},
                                                                  {"[M", "position 3"},
                                                                  {"[M,]", "position 4"},
                                                                  {"[M] x", "position 5"},
                                                                  {"[(M]", "position 4"},
                                                                  {"[1234567890123456]", "position 18"},
                                                                  {"[2M]", "position 4"},
                                                                  {"[M + ]", "position 6"},
                                                                  {"[..., ...]", "position 7"}}) {
    try {
      pto::compile_shape(text, symbols);
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& e) {
      EXPECT_NE(std::string(e.what()).find(place), std::string::npos) << text << ": " << e.what();
    }
  }
}

TEST(Shape, AnyTextIsCompiledOrRefused) {
  std::mt19937 random(1);
  const std::string letters = "[]().,+-*/MN12 _";
  for (int i = 0; i < 20000; ++i) {
    std::string text = "[";
    for (unsigned k = random() % 12; k > 0; --k) text += letters[random() % letters.size()];
    std::vector<std::string> symbols;
    try {
      pto::compile_shape(text, symbols);
    } catch (const std::invalid_argument&) {
    }
  }
  EXPECT_THROW(
      {
        std::vector<std::string> symbols;
        pto::compile_shape("[" + std::string(100000, '(') + "1", symbols);
      },
      std::invalid_argument);
}

}  // namespace
