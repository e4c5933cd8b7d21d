#include "driver/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace toprope::driver {
namespace {

std::vector<std::string> texts(const Tokens& tokens) {
  std::vector<std::string> out;
  for (const Token& token : tokens) {
    out.emplace_back(token.text);
  }
  return out;
}

std::vector<std::string> lexed(std::string_view text) {
  const Source source(text, "t.asc");
  return texts(lex(source).tokens);
}

using Words = std::vector<std::string>;

TEST(Lexer, SplitsEveryAngle) {
  EXPECT_EQ(lexed("a<<<b>>>c"), (Words{"a", "<", "<", "<", "b", ">", ">", ">", "c"}));
}

TEST(Lexer, KeepsOperatorsThatHoldAnAngle) {
  EXPECT_EQ(lexed("a->b <= c >= d::e"), (Words{"a", "->", "b", "<=", "c", ">=", "d", "::", "e"}));
}

TEST(Lexer, DropsComments) {
  EXPECT_EQ(lexed("a // k<<<1>>>\nb /* k<<<1>>>(\n) */ c"), (Words{"a", "b", "c"}));
  EXPECT_EQ(lexed("a // continued \\\n k<<<\nb"), (Words{"a", "b"}));
}

TEST(Lexer, LiteralsAreOneToken) {
  EXPECT_EQ(lexed(R"x("a\"<<<" u8"b" L'<' '\'')x"), (Words{R"("a\"<<<")", "u8\"b\"", "L'<'", R"('\'')"}));
  EXPECT_EQ(lexed("R\"x(\")<<<)x\" y"), (Words{"R\"x(\")<<<)x\"", "y"}));
  EXPECT_EQ(lexed("u8R\"(\n<<<\n)\" y"), (Words{"u8R\"(\n<<<\n)\"", "y"}));
}

TEST(Lexer, NumbersKeepSeparatorsAndExponents) {
  EXPECT_EQ(lexed("1'000'000 0x1p-3 1.5e+3f .5"), (Words{"1'000'000", "0x1p-3", "1.5e+3f", ".5"}));
}

TEST(Lexer, UnterminatedLiteralEndsWithItsLine) {
  EXPECT_EQ(lexed("\"abc\nd"), (Words{"\"abc", "d"}));
  EXPECT_EQ(lexed("don't\nd"), (Words{"don", "'t", "d"}));
}

TEST(Lexer, DirectivesStandApart) {
  const Source source("#if A<<<B\n  # include <x>\nint a; # b\n#endif", "t.asc");
  EXPECT_EQ(texts(lex(source).tokens), (Words{"int", "a", ";", "#", "b"}));
}

TEST(Lexer, DefinesKeepTheirBodies) {
  const Source source("#define F(a, b) a + \\\n  b\n#define G (c)\n#undef G\n#define H\n", "t.asc");
  const Lexed out = lex(source);
  ASSERT_EQ(out.macros.size(), 3u);
  EXPECT_EQ(out.macros[0].name, "F");
  EXPECT_EQ(texts(out.macros[0].body), (Words{"a", "+", "b"}));
  EXPECT_EQ(texts(out.macros[1].body), (Words{"(", "c", ")"}));
  EXPECT_TRUE(out.macros[2].body.empty());
  EXPECT_TRUE(out.tokens.empty());
}

TEST(Lexer, SkipsSystemHeaders) {
  EXPECT_EQ(lexed("a\n# 1 \"/usr/include/x.h\" 1 3 4\nk<<<\n# 2 \"t.asc\" 2\nb"), (Words{"a", "b"}));
}

TEST(Source, PositionsFollowLineMarkers) {
  const std::string text = "ab\n# 7 \"dir/x \\\"y\\\".h\" 1\n\n  cd\n#line 30 \"z.h\"\ne";
  const Source source(text, "t.asc");
  const auto at = [&](const char* word) { return source.position(text.find(word)); };
  EXPECT_EQ(at("b").file, "t.asc");
  EXPECT_EQ(at("b").column, 2u);
  EXPECT_EQ(at("cd").file, "dir/x \"y\".h");
  EXPECT_EQ(at("cd").line, 8u);
  EXPECT_EQ(at("cd").column, 3u);
  EXPECT_EQ(source.position(text.size() - 1).file, "z.h");
  EXPECT_EQ(source.position(text.size() - 1).line, 30u);
}

TEST(Source, ErrorsShowTheLineAndACaret) {
  const Source source("x;\n\tab cd;\r\ny;", "t.asc");
  EXPECT_EQ(format(source.error(7, "wrong")), "t.asc:2:5: error: wrong\n    2 | \tab cd;\n      | \t   ^\n");
}

TEST(Brackets, MatchAcrossKinds) {
  const Source source("f(a[1], {b, (c)})", "t.asc");
  const Tokens tokens = lex(source).tokens;
  EXPECT_EQ(closing_bracket(tokens, 1), tokens.size() - 1);
  EXPECT_EQ(opening_bracket(tokens, tokens.size() - 1), 1u);
}

TEST(Brackets, AnglesOrLessThan) {
  const Source source("t<a<b>, (c > d)> x; e < f;", "t.asc");
  const Tokens tokens = lex(source).tokens;
  const size_t close = closing_angle(tokens, 1, tokens.size());
  ASSERT_LT(close, tokens.size());
  EXPECT_TRUE(tokens[close + 1].is("x"));
  size_t less = close;
  while (!tokens[less].is("<")) {
    ++less;
  }
  EXPECT_EQ(closing_angle(tokens, less, tokens.size()), tokens.size());
}

}  // namespace
}  // namespace toprope::driver
