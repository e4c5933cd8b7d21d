// Broken text of every kind: the rewriter must come back, and must leave alone what holds no launch and no
// kernel.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>

#include "driver/launches.h"
#include "driver/lexer.h"
#include "driver/rewrite.h"

namespace toprope::driver {
namespace {

const std::string kSample = R"x(#include "kernel_operator.h"
#define LAUNCH(k, ...) k<<<8, nullptr, stream>>>(__VA_ARGS__)
template <typename T, int N>
__schedmode__(1) __global__ __mix__(1, 2) void add(__gm__ T* x, const Tiling& t, T w = {1, 2}) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  auto s = R"raw(k<<<)raw"; char c = '<'; /* <<< */ // >>>
}
namespace a::b { extern "C" __global__ __aicore__ void mul(GM_ADDR x) {} }
void f() {
  switch (n) { case ns::X: add<std::vector<A<int>>, (3 > 2)><<<f<A<B<int>>>(), 0, s>>>(p, {1, 2}); }
  run([&] { a::b::mul<<<(n + 7) / 8, 0>>>(x); }); LAUNCH(mul, x); table[i]<<<g, b, 0, s>>>();
}
)x";

TEST(RewriteFuzz, EveryTruncation) {
  for (size_t length = 0; length <= kSample.size(); ++length) {
    rewrite(kSample.substr(0, length), "t.asc", true);
    rewrite(kSample.substr(length), "t.asc", true);
  }
}

TEST(RewriteFuzz, Mutations) {
  std::mt19937 random(1);
  const std::string alphabet = "<>(){}[],;:#\"'\\/*\n R.&=->__global__0a";
  const auto start = std::chrono::steady_clock::now();
  int clean = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text = kSample;
    for (unsigned change = random() % 8 + 1; change > 0; --change) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = alphabet[random() % alphabet.size()];
          break;
        case 1:
          text.erase(at, random() % 9 + 1);
          break;
        case 2:
          text.insert(at, 1, alphabet[random() % alphabet.size()]);
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), random() % 30));
      }
    }
    const Rewritten out = rewrite(text, "t.asc", true);
    // Without a mistake in it, no launch may be left for the host compiler.
    if (out.diagnostics.empty() && !out.needs_expansion) {
      const Source source(out.text, "t.asc");
      const Launches left = find_launches(lex(source).tokens);
      ASSERT_TRUE(left.good.empty() && left.bad.empty()) << text << "\n-----\n" << out.text;
      ++clean;
    }
  }
  EXPECT_GT(clean, 500) << "too few mutants are legal to say anything";
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(RewriteFuzz, NoiseWithoutLaunchComesBackUnchanged) {
  std::mt19937 random(2);
  for (int round = 0; round < 2000; ++round) {
    std::string text(random() % 300, '\0');
    for (char& c : text) {
      c = static_cast<char>(random() % 256);
    }
    if (text.find("<<<") == std::string::npos && text.find("__global__") == std::string::npos) {
      ASSERT_EQ(rewrite(text, "t.asc").text, text);
    }
  }
}

TEST(RewriteFuzz, DeepNestingTakesLinearSpaceAndModestTime) {
  const auto start = std::chrono::steady_clock::now();
  for (const char* piece :
       {"(", "<", "k<<<", "k<<<1,0>>>(", "{", "a<", "__global__ void k(", "[", "\"", "R\"("}) {
    std::string text;
    while (text.size() < 20000) {
      text += piece;
    }
    rewrite(text, "t.asc", true);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace toprope::driver
