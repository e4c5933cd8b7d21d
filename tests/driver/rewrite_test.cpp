#include "driver/rewrite.h"

#include <gtest/gtest.h>

#include <string>

namespace toprope::driver {
namespace {

const std::string kKernel = "__global__ __vector__ void k(int* x, int n) {}\n";

Rewritten rewritten(const std::string& text) { return rewrite(text, "t.asc"); }

// The text without the line markers, the padding and the trailer that a rewrite adds: blanks collapse to one.
std::string essence(const std::string& text) {
  std::string out;
  size_t at = 0;
  while (at < text.size()) {
    size_t end = text.find('\n', at);
    end = end == std::string::npos ? text.size() : end;
    const std::string line = text.substr(at, end - at);
    at = end + 1;
    if (line == "# 1 \"<toprope>\" 3") {
      break;
    }
    if (line.rfind("# ", 0) != 0) {
      out += line + " ";
    }
  }
  std::string collapsed;
  for (char c : out) {
    if (c != ' ' || (!collapsed.empty() && collapsed.back() != ' ')) {
      collapsed += c;
    }
  }
  return collapsed;
}

std::string body(const std::string& statement) {
  const Rewritten out = rewritten(kKernel + "void f() { " + statement + " }");
  EXPECT_TRUE(out.diagnostics.empty()) << format(out.diagnostics.at(0));
  const std::string all = essence(out.text);
  return all.substr(all.find("void f()"));
}

// A launch of the one known function `callee`.
std::string direct(const std::string& callee, const std::string& rest) {
  return "::toprope::known_kernel({TOPROPE_TEXT_OF(" + callee + "), __FILE__, __LINE__}, " + callee +
         " ).launch(::toprope::launch_config( " + rest;
}
// A launch of what only a call can name.
std::string by_call(const std::string& callee, const std::string& rest) {
  return "::toprope::launch_call({TOPROPE_TEXT_OF(" + callee +
         "), __FILE__, __LINE__}, [=](auto... toprope_args) -> void { " + callee +
         " (toprope_args...); }, ::toprope::launch_config( " + rest;
}

TEST(Rewrite, TwoThreeAndFourValues) {
  EXPECT_EQ(body("k<<<8, 0>>>(p, 1);"), "void f() { " + direct("k", "8, 0 ), p, 1); } "));
  EXPECT_EQ(body("k<<<8, nullptr, s>>>(p, 1);"), "void f() { " + direct("k", "8, nullptr, s ), p, 1); } "));
  EXPECT_EQ(body("k<<<g, b, 0, s>>>(p, 1);"), "void f() { " + direct("k", "g, b, 0, s ), p, 1); } "));
}

TEST(Rewrite, NoArguments) {
  const Rewritten out = rewritten("__global__ void k() {}\nvoid f() { k<<<8, 0>>>(); }");
  EXPECT_NE(essence(out.text).find("launch_config( 8, 0 ) ); }"), std::string::npos) << out.text;
}

TEST(Rewrite, TemplateArguments) {
  const std::string kernel = "template <class T, int N> __global__ __vector__ void t(T* x) {}\n";
  const auto launch = [&](const std::string& callee) {
    const Rewritten out = rewritten(kernel + "void f() { " + callee + "<<<1, 0>>>(p); }");
    EXPECT_TRUE(out.diagnostics.empty());
    const std::string all = essence(out.text);
    return all.substr(all.find("void f()"));
  };
  for (const char* callee : {"t<float, 4>", "t<std::vector<std::pair<int, int>>, 4>", "t<float, (4 > 3)>",
                             "t<decltype(a << b), sizeof(x)>", "ns::t<A<B<int>>, 2>", "::t<int, 8 / 2>"}) {
    EXPECT_EQ(launch(callee), "void f() { " + direct(callee, "1, 0 ), p); } ")) << callee;
  }
  // Not all of the template's arguments are given: the call deduces them.
  EXPECT_EQ(launch("t<float>"), "void f() { " + by_call("t<float>", "1, 0 ), p); } "));
  EXPECT_EQ(launch("t"), "void f() { " + by_call("t", "1, 0 ), p); } "));
}

TEST(Rewrite, OverloadsAreCalled) {
  const Rewritten out = rewritten(kKernel + "__global__ void k(float* x) {}\nvoid f() { k<<<1, 0>>>(p); }");
  EXPECT_NE(essence(out.text).find(by_call("k", "1, 0 ), p);")), std::string::npos) << out.text;
}

TEST(Rewrite, DeclarationAndDefinitionAreOneKernel) {
  const Rewritten out =
      rewritten("extern __global__ void k(int* x, int);\n" + kKernel + "void f() { k<<<1, 0>>>(p, 1); }");
  EXPECT_NE(essence(out.text).find(direct("k", "1, 0 ), p, 1);")), std::string::npos) << out.text;
}

TEST(Rewrite, Callees) {
  for (const char* callee : {"kernel_pointer", "table[i]", "config.kernel", "config->kernel", "(pick)",
                             "pick(1, 2)", "a.b[c].d", "NAME(add)", "A<int>::template t<float>"}) {
    EXPECT_EQ(body(std::string(callee) + "<<<1, 0>>>(p);"), "void f() { " + by_call(callee, "1, 0 ), p); } "))
        << callee;
  }
}

TEST(Rewrite, WhatStandsBeforeTheCallee) {
  for (const char* before :
       {"case ns::X: ", "default: ", "label: ", "return ", "else ", "if (x) ", "for (;;) ", "a, ",
        "x ? y : ", "(", "{ ", "do ", "while (f(x)) ", "[&] { ", "case X: return "}) {
    const std::string after = std::string(before) == "(" ? ")" : "";
    const std::string out = body(std::string(before) + "k<<<1, 0>>>(p, 1)" + after + ";");
    const size_t last = std::string(before).find_last_not_of(' ');
    EXPECT_NE(out.find(std::string(before).substr(0, last + 1)), std::string::npos) << out;
    EXPECT_NE(out.find("known_kernel({TOPROPE_TEXT_OF(k)"), std::string::npos) << out;
  }
  EXPECT_EQ(body("if (x) (k)<<<1, 0>>>(p);"), "void f() { if (x) " + by_call("(k)", "1, 0 ), p); } "));
}

TEST(Rewrite, ConfigurationsWithAnglesAndCommas) {
  for (const char* config :
       {"(n + 7) / 8, 0", "n >> 3, 0", "std::max<int>(a, b), 0, s", "f<A<B<int>>>(), 0, s",
        "a < b ? 1 : 2, 0", "sizeof(A<B<C<int>>>), 0", "dim3{1, 2, 3}, dim3(4, 5), 0, s",
        "[&] { return g(1, 2); }(), 0", "N<int>, 0", "x->y, 0", "a >= b, 0"}) {
    EXPECT_EQ(body("k<<<" + std::string(config) + ">>>(p, 1);"),
              "void f() { " + direct("k", std::string(config) + " ), p, 1); } "))
        << config;
  }
  EXPECT_EQ(body("k<<<1, N<int>>>>(p, 1);"), "void f() { " + direct("k", "1, N<int> ), p, 1); } "));
}

TEST(Rewrite, LaunchInAnArgument) {
  const std::string out = body("run([&] { k<<<1, 0>>>(p, 1); }, k<<<2, 0>>>(q, 2));");
  EXPECT_NE(out.find("1, 0), p, 1); }, ::toprope::known_kernel("), std::string::npos) << out;
  EXPECT_EQ(out.find('#'), std::string::npos) << "no line marker may stand in what may be a macro's argument";
}

TEST(Rewrite, NestedLaunch) {
  const std::string out = body("k<<<count([&] { k<<<1, 0>>>(p, 1); }), 0>>>(p, 2);");
  EXPECT_EQ(out.find("<<<"), std::string::npos);
}

TEST(Rewrite, MacroBodies) {
  const Rewritten out = rewritten("#define LAUNCH(k, n) \\\n  k<<<n, nullptr, \\\n  s>>>(x)\nint a;\n");
  EXPECT_FALSE(out.needs_expansion);
  EXPECT_EQ(
      out.text,
      "#define LAUNCH(k, n) \\\n  ::toprope::launch_call({TOPROPE_TEXT_OF(k), __FILE__, __LINE__}, "
      "[=](auto... toprope_args) -> void { k(toprope_args...); }, ::toprope::launch_config(n, nullptr, \\\n"
      "  s), x)\nint a;\n");
}

TEST(Rewrite, PartsOfLaunchesAndKernelsInMacrosNeedExpansion) {
  EXPECT_TRUE(rewritten("#define CFG <<<8, 0, s>>>\n").needs_expansion);
  EXPECT_TRUE(rewritten("#define L(k) k<<<8, 0, s>>>\n").needs_expansion);
  EXPECT_TRUE(rewritten("#define K(n) __global__ void n() {}\n").needs_expansion);
  EXPECT_FALSE(rewritten("#define SHIFT(a, b) ((a) << (b) >> 1)\n").needs_expansion);
}

TEST(Rewrite, WhatIsNoLaunchStays) {
  for (const char* text : {"", "int main() {}\n", "// k<<<1>>>(x)\n", "const char* s = \"k<<<1>>>(x)\";",
                           "auto r = R\"(k<<<)\";\n", "std::cout << x << y;",
                           "template <class T> std::ostream& operator<<<T>(std::ostream&, T);",
                           "a << b >> c;\r\n", "<<<<<<< HEAD\n", "#if 0\ndon't\n#endif\n", "int x = 1'000;\n",
                           "no newline at the end", "\xef\xbb\xbfint x;\n"}) {
    const Rewritten out = rewritten(text);
    EXPECT_EQ(out.text, text);
    EXPECT_TRUE(out.diagnostics.empty()) << text;
  }
}

// Every token after a rewritten launch must be reported at its own line and column.
TEST(Rewrite, KeepsLinesAndColumns) {
  const std::string text = kKernel +
                           "void f() {\n  int a; k<<<1,\n    0 /* two */,\n  s>>>(first,\n  second); int b;\n"
                           "  k<<<8, 0>>>(third, 2); int c;\n}\nint d;\n";
  const Source before(text, "t.asc");
  const Rewritten out = rewritten(text);
  const Source after(out.text, "t.asc");
  for (const char* word : {"int a", "s>>>", "first", "second", "int b", "third", "int c", "int d"}) {
    const std::string name = std::string(word) == "s>>>" ? "s\n" : word;
    const Position old_place = before.position(text.find(word));
    const Position new_place = after.position(out.text.find(name));
    EXPECT_EQ(new_place.file, old_place.file) << word;
    EXPECT_EQ(new_place.line, old_place.line) << word;
    EXPECT_EQ(new_place.column, old_place.column) << word;
  }
}

TEST(Rewrite, ManualSync) {
  const std::string text = "__global__ __vector__ void a() {}\ntemplate <class T> __global__ void b(T*) {}\n";
  EXPECT_EQ(rewrite(text, "t.asc").text.find("manual_sync"), std::string::npos);
  const std::string manual = rewrite(text, "t.asc", false, true).text;
  for (const char* kernel : {"a", "b"})
    EXPECT_NE(manual.find("::toprope_declare_manual_sync(\"" + std::string(kernel) + "\");"),
              std::string::npos)
        << manual;
}

TEST(Rewrite, KernelCores) {
  const auto trailer = [](const std::string& text) {
    const std::string out = rewritten(text).text;
    const size_t at = out.find("\n# 1 \"<toprope>\" 3\n");
    return at == std::string::npos ? "" : out.substr(at);
  };
  const auto declares = [&](const std::string& text, const std::string& call) {
    return trailer(text).find("::toprope_declare_kernel(" + call + ");") != std::string::npos;
  };
  EXPECT_TRUE(declares("__global__ __vector__ void a() {}", "\"a\", 0, 1"));
  EXPECT_TRUE(declares("__vector__ __global__ __aicore__ void a() {}", "\"a\", 0, 1"));
  EXPECT_TRUE(declares("extern \"C\" __global__ __cube__ void a(GM_ADDR x) {}", "\"a\", 1, 0"));
  EXPECT_TRUE(declares("template <typename T> __schedmode__(1) __global__ __mix__(1, 2) void a(T* x) {}",
                       "\"a\", 1, 2"));
  EXPECT_TRUE(
      declares("namespace x { inline namespace y { __global__ __mix__(1,1) void a() {} } }", "\"a\", 1, 1"));
  EXPECT_TRUE(declares("__global__ __mix__(1, kVectors) void a() {}", "\"a\", 1, kVectors"));
  EXPECT_TRUE(declares("__global__ __vector__ __launch_bounds__(512) void a() {}", "\"a\", 0, 1"));
  EXPECT_TRUE(declares("__global__ __attribute__((noinline)) __vector__ static void a() {}", "\"a\", 0, 1"));
  const struct {
    const char* type;
    const char* cores;
  } types[] = {{"KERNEL_TYPE_AIV_ONLY", "0, 1"},    {"KERNEL_TYPE_AIC_ONLY", "1, 0"},
               {"KERNEL_TYPE_MIX_AIV_1_0", "0, 1"}, {"KERNEL_TYPE_MIX_AIC_1_0", "1, 0"},
               {"KERNEL_TYPE_MIX_AIC_1_1", "1, 1"}, {"KERNEL_TYPE_MIX_AIC_1_2", "1, 2"}};
  for (const auto& [type, cores] : types) {
    EXPECT_TRUE(declares(std::string("extern \"C\" __global__ __aicore__ void a(GM_ADDR x) { int b; "
                                     "KERNEL_TASK_TYPE_DEFAULT(") +
                             type + "); }",
                         std::string("\"a\", ") + cores))
        << type;
  }
  // A declaration runs nothing, and a kernel that does not say is left to the runtime.
  EXPECT_EQ(trailer("extern __global__ __cube__ void a();"), "");
  EXPECT_EQ(trailer("__global__ __aicore__ void a() {}"), "");
}

TEST(Rewrite, WithoutAutomaticSyncEveryKernelSaysSo) {
  const std::string text = "__global__ __aicore__ void a() {}\nextern __global__ void b();\n" + kKernel;
  EXPECT_EQ(rewritten(text).text.find("toprope_declare_manual_sync"), std::string::npos);
  const std::string manual = rewrite(text, "t.asc", false, true).text;
  EXPECT_NE(manual.find("::toprope_declare_manual_sync(\"a\");"), std::string::npos);
  EXPECT_EQ(manual.find("::toprope_declare_manual_sync(\"b\");"), std::string::npos);
  EXPECT_NE(manual.find("::toprope_declare_manual_sync(\"k\");"), std::string::npos);
}

TEST(Rewrite, AFunctionPointerRunsOnTheCoresOfTheFilesKernels) {
  const std::string cubes = "__global__ __cube__ void a() {}\n__global__ __cube__ void b() {}\n";
  EXPECT_NE(rewritten(cubes + "void f() { p<<<1, 0>>>(); }").text.find("toprope_declare_kernel(\"p\", 1, 0)"),
            std::string::npos);
  const Rewritten mixed = rewritten(cubes + kKernel + "void f() { p<<<1, 0>>>(); }");
  ASSERT_EQ(mixed.diagnostics.size(), 1u);
  EXPECT_TRUE(mixed.diagnostics[0].warning);
  EXPECT_EQ(format(mixed.diagnostics[0]),
            "t.asc:4:12: warning: the kernels in this file run on different cores and nothing tells which of "
            "them 'p' "
            "is; it will run on one vector core a block. Launch each kernel by its name\n"
            "    4 | void f() { p<<<1, 0>>>(); }\n      |            ^\n");
}

TEST(Rewrite, Parameters) {
  const Rewritten out = rewritten(
      "extern \"C\" __global__ __aicore__ void a(GM_ADDR x, __gm__ uint8_t* __restrict__ y, const Tiling& t, "
      "unsigned "
      "int, float w = 1.0f, std::pair<int, int> q, uint32_t, int z[4]) {}");
  ASSERT_EQ(out.kernels.size(), 1u);
  const auto& parameters = out.kernels[0].parameters;
  ASSERT_EQ(parameters.size(), 8u);
  const struct {
    const char *type, *name;
    bool pointer;
  } expected[] = {{"GM_ADDR", "x", true},        {"uint8_t* __restrict__", "y", true},
                  {"const Tiling&", "t", false}, {"unsigned int", "", false},
                  {"float", "w", false},         {"std::pair<int, int>", "q", false},
                  {"uint32_t", "", false},       {"int*", "z", true}};
  for (size_t i = 0; i < parameters.size(); ++i) {
    EXPECT_EQ(parameters[i].type, expected[i].type);
    EXPECT_EQ(parameters[i].name, expected[i].name);
    EXPECT_EQ(parameters[i].pointer, expected[i].pointer) << parameters[i].type;
  }
}

struct Mistake {
  const char* text;
  const char* message;
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreNamedAndLocated) {
  const Rewritten out = rewritten(GetParam().text);
  ASSERT_EQ(out.diagnostics.size(), 1u);
  EXPECT_EQ(format(out.diagnostics[0]), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Driver, Mistakes,
    testing::Values(
        Mistake{"  k<<<8>>>(x);",
                "t.asc:1:4: error: a launch takes 2, 3 or 4 values between '<<<' and '>>>', not 1: "
                "<<<blocks, dynamic "
                "UB>>>, <<<blocks, dynamic UB, stream>>> or <<<blocks, threads, dynamic UB, stream>>>\n"
                "    1 |   k<<<8>>>(x);\n      |    ^\n"},
        Mistake{"k<<<1, 2, 3, 4, 5>>>(x);",
                "t.asc:1:2: error: a launch takes 2, 3 or 4 values between '<<<' and '>>>', not 5: "
                "<<<blocks, dynamic "
                "UB>>>, <<<blocks, dynamic UB, stream>>> or <<<blocks, threads, dynamic UB, stream>>>\n"
                "    1 | k<<<1, 2, 3, 4, 5>>>(x);\n      |  ^\n"},
        Mistake{"k<<<>>>(x);",
                "t.asc:1:5: error: a launch takes 2, 3 or 4 values between '<<<' and '>>>', not 0\n"
                "    1 | k<<<>>>(x);\n      |     ^\n"},
        Mistake{"k<<<8, , s>>>(x);",
                "t.asc:1:8: error: a value is missing here between '<<<' and '>>>'\n"
                "    1 | k<<<8, , s>>>(x);\n      |        ^\n"},
        Mistake{"k<<<8, 0, >>>(x);",
                "t.asc:1:11: error: a value is missing here between '<<<' and '>>>'\n"
                "    1 | k<<<8, 0, >>>(x);\n      |           ^\n"},
        Mistake{"int a;\n\tk<<<8, 0>>(x);\n",
                "t.asc:2:3: error: this '<<<' has no '>>>' in the same statement\n"
                "    2 | \tk<<<8, 0>>(x);\n      | \t ^\n"},
        Mistake{"k<<<8, f(0>>>(x);",
                "t.asc:1:2: error: this '<<<' has no '>>>' in the same statement\n"
                "    1 | k<<<8, f(0>>>(x);\n      |  ^\n"},
        Mistake{"k<<<8, 0>>>;",
                "t.asc:1:12: error: the kernel's arguments in parentheses belong after '>>>'\n"
                "    1 | k<<<8, 0>>>;\n      |            ^\n"},
        Mistake{"k<<<8, 0>>>",
                "t.asc:1:12: error: the kernel's arguments in parentheses belong after '>>>'\n"
                "    1 | k<<<8, 0>>>\n      |            ^\n"},
        Mistake{"k<<<8, 0>>>(x",
                "t.asc:1:12: error: this '(' of a kernel launch is never closed\n"
                "    1 | k<<<8, 0>>>(x\n      |            ^\n"},
        Mistake{"{ <<<8, 0>>>(x); }",
                "t.asc:1:3: error: a kernel's name belongs before '<<<'\n"
                "    1 | { <<<8, 0>>>(x); }\n      |   ^\n"},
        Mistake{"return <<<8, 0>>>(x);",
                "t.asc:1:8: error: a kernel's name belongs before '<<<'\n"
                "    1 | return <<<8, 0>>>(x);\n      |        ^\n"},
        Mistake{
            "# 40 \"sub/add.h\" 1\n\n  k<<<1>>>(x);",
            "sub/add.h:41:4: error: a launch takes 2, 3 or 4 values between '<<<' and '>>>', not 1: "
            "<<<blocks, "
            "dynamic UB>>>, <<<blocks, dynamic UB, stream>>> or <<<blocks, threads, dynamic UB, stream>>>\n"
            "   41 |   k<<<1>>>(x);\n      |    ^\n"},
        Mistake{"__global__ __mix__(2, 1) void k() {}",
                "t.asc:1:12: error: __mix__(2, 1): a block has (1, 0), (0, 1), (1, 1) or (1, 2) cube and "
                "vector cores\n"
                "    1 | __global__ __mix__(2, 1) void k() {}\n      |            ^\n"},
        Mistake{"__global__ __mix__(2) void k() {}",
                "t.asc:1:12: error: __mix__ takes two numbers: __mix__(cubes, vectors)\n"
                "    1 | __global__ __mix__(2) void k() {}\n      |            ^\n"},
        Mistake{"extern __global__ __aicpu__ uint32_t k(void* x);\nvoid f() { k<<<1, 0, s>>>(&a, 4); }",
                "t.asc:2:12: error: 'k' is an AI CPU kernel (__aicpu__); Toprope runs AI Core kernels only\n"
                "    2 | void f() { k<<<1, 0, s>>>(&a, 4); }\n      |            ^\n"}));

std::string placed(const std::string& type, const std::string& name, const std::string& bounds,
                   const std::string& memory = "UB") {
  return "typedef " + type + " toprope_type_" + name + bounds +
         "; ::toprope::LocalArray<::toprope::Mem::" + memory + ", toprope_type_" + name + "> toprope_array_" +
         name + "; auto& " + name + " = toprope_array_" + name + ".object;";
}

TEST(Rewrite, VariablesInLocalMemories) {
  EXPECT_EQ(body("__ubuf__ float x[256];"), "void f() { " + placed("float", "x", "[256]") + " } ");
  EXPECT_EQ(body("__ubuf__ const ns::T<(1 > 0)> x[A * 2], y;"),
            "void f() { " + placed("const ns::T<(1 > 0)>", "x", "[A * 2]") +
                placed("const ns::T<(1 > 0)>", "y", "") + " } ");
  EXPECT_EQ(
      body("__cbuf__ half m[2][3]; if (a) { __ubuf__ Pair p{}; }"),
      "void f() { " + placed("half", "m", "[2][3]", "L1") + " if (a) { " + placed("Pair", "p", "") + " } } ");
}

TEST(Rewrite, WhatOnlyNamesALocalMemory) {
  for (const char* text : {"__ubuf__ float* p = x;", "auto p = (__ubuf__ float*)0;", "g<__ubuf__ float*>(p);",
                           "__ubuf__ float *a, *b;", "__ubuf__ float* list[4] = {a, b};"})
    EXPECT_EQ(body(text), "void f() { " + std::string(text) + " } ");
  const std::string outside =
      "__aicore__ inline void g(__ubuf__ float x[4], __gm__ int* y);\n"
      "struct S { __ubuf__ float* p; };\n__ubuf__ float* h() { return 0; }\n";
  EXPECT_EQ(rewritten(outside).text, outside);
}

TEST(Rewrite, LocalVariablesOfTemplatesAndMembers) {
  const Rewritten out = rewritten(
      "template <class T> struct S { template <int N> void run() const noexcept { __ubuf__ T x[N]; } };\n");
  EXPECT_NE(essence(out.text).find(placed("T", "x", "[N]")), std::string::npos) << out.text;
}

TEST(Rewrite, LocalVariablesHaveNoInitialValues) {
  for (const char* text :
       {"__ubuf__ float x[2] = {1, 2};", "__ubuf__ int n = 3;", "__ubuf__ Pair p{1, 2};"}) {
    const Rewritten out = rewritten(kKernel + "void f() {\n  " + text + "\n}");
    ASSERT_EQ(out.diagnostics.size(), 1u) << text;
    EXPECT_EQ(out.diagnostics[0].where.line, 3u);
    EXPECT_NE(out.diagnostics[0].message.find("starts with no values"), std::string::npos);
  }
}

TEST(Rewrite, LocalVariablesOfMacros) {
  EXPECT_TRUE(rewritten("#define BUFFER(n) __ubuf__ float n[256]\n" + kKernel).needs_expansion);
  EXPECT_FALSE(rewritten("#define UB_PTR __ubuf__ float*\n#define UB __ubuf__\n" + kKernel).needs_expansion);
}

}  // namespace
}  // namespace toprope::driver
