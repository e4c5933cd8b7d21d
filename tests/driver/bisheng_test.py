"""The bisheng command, from source to running program."""

import re

import pytest

HELLO = """#include <cstdio>
#include "kernel.h"
__global__ __vector__ void hello(int n) { printf("hello %d\\n", n); }
int main()
{
    hello<<<3, 0, nullptr>>>(WHAT);
    return 0;
}
"""


def test_compiles_and_runs_in_one_step(shell):
    shell.write("inc/kernel.h", "#define WHAT 5\n")
    shell.write("hello.asc", HELLO)
    shell.ok("bisheng", "hello.asc", "recorder.cpp", "--npu-arch=dav-2201", "-Iinc", "-o", "demo")
    assert shell.launched("demo") == [
        "declare hello 0 1",
        "launch hello hello.asc:6 blocks=3 ub=0 stream=0",
        *["hello 5"] * 3,
    ]


def test_arguments_convert_and_are_copied_at_the_launch(shell):
    shell.write(
        "a.asc",
        r"""
#include <cstdio>
#include <cstddef>
#include <cstdint>
struct Tiling { uint32_t n; float f; };
struct dim3 { unsigned x, y, z; dim3(unsigned a, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {} };
__global__ __vector__ void plain(float* x, const Tiling& t, uint8_t narrow) {
  printf("plain %d %u %g %d\n", x != nullptr, t.n, t.f, narrow);
}
__global__ __vector__ void mutates(Tiling t) { printf("mutates %u\n", t.n++); }
__global__ void over(int*) { printf("over int\n"); }
__global__ void over(float*) { printf("over float\n"); }
template <class T> __global__ void deduced(T*, T value) { printf("deduced %zu %g\n", sizeof(T), double(value)); }
template <class T, int N> __global__ void full(T* x) { printf("full %zu %d\n", sizeof(T), N); }
#define LAUNCH(k, ...) k<<<1, nullptr, stream>>>(__VA_ARGS__)
template <class T> void from_template(T* x, void* stream) { full<T, int(sizeof(T)) * 2><<<1, 0, stream>>>(x); }
int main() {
  float x = 0; int i = 0; void* stream = &x; Tiling t{1, 2.5f};
  plain<<<1, 0, stream>>>(&x, {7, 0.5f}, 300 - 45);
  plain<<<1, nullptr, 0>>>(nullptr, t, 1);
  plain<<<1, 0>>>(0, t, 1);
  plain<<<1, 0, NULL>>>(NULL, Tiling{3, 4}, 1);
  mutates<<<2, 64, stream>>>(t);
  over<<<1, 0, stream>>>(&i);
  over<<<1, 0, stream>>>(&x);
  deduced<<<1, 0, stream>>>(&x, 1.5f);
  deduced<double><<<1, 0, stream>>>(nullptr, 2.5);
  full<char, (4 > 3) ? 9 : 8><<<1, 0, stream>>>(nullptr);
  LAUNCH(deduced<float>, nullptr, 3); LAUNCH(over, &i);
  from_template(&x, stream);
  [&] { auto pointer = &mutates; pointer<<<1, 0, stream>>>(t); }();
  switch (i) { case 0: mutates<<<1, 0, stream>>>(t); }
  full<int, 1><<<dim3(2, 3), dim3(4, 5, 6), 32, stream>>>(&i);
}
""",
    )
    shell.ok("bisheng", "a.asc", "recorder.cpp", "-o", "demo")
    lines = [line for line in shell.launched("demo") if not line.startswith("declare")]
    printed = [line for line in lines if not line.startswith("launch")]
    assert printed == [
        "plain 1 7 0.5 255",
        "plain 0 1 2.5 1",
        "plain 0 1 2.5 1",
        "plain 0 3 4 1",
        "mutates 1",
        "mutates 1",
        "over int",
        "over float",
        "deduced 4 1.5",
        "deduced 8 2.5",
        "full 1 9",
        "deduced 4 3",
        "over int",
        "full 4 8",
        "mutates 1",
        "mutates 1",
        *["full 4 1"] * 6,
    ]
    launches = [line for line in lines if line.startswith("launch")]
    assert "launch mutates a.asc:23 blocks=2 ub=64 stream=1" in launches
    assert "launch deduced<float> a.asc:29 blocks=1 ub=0 stream=1" in launches
    assert launches[-1] == "launch full<int, 1> a.asc:33 blocks=6 ub=32 stream=1 grid=2,3,1 threads=4,5,6"


def test_block_counts_that_do_not_fit_are_not_wrapped(shell):
    shell.write(
        "a.asc",
        "#include <cstdint>\n__global__ __vector__ void k() {}\nint main() { int minus = -1; int64_t big = (1ll << 32) + 8;\n"
        "k<<<minus, 0>>>(); k<<<big, 0>>>(); k<<<0, 0>>>(); k<<<8, minus>>>(); }\n",
    )
    shell.ok("bisheng", "a.asc", "recorder.cpp", "-o", "demo")
    assert re.findall(r"blocks=(\d+) ub=(\d+)", shell.ok("./demo")) == [
        ("0", "0"),
        ("4294967295", "0"),
        ("0", "0"),
        ("8", str(2**64 - 1)),
    ]


def test_launches_and_kernels_in_headers_and_macros(shell):
    shell.write("sub/launcher.h", "#pragma once\ninline void go(int* x) {\n  add<<<1, 0>>>(x); }\n")
    shell.write("sub/outer.h", '#include "launcher.h"\n')
    shell.write(
        "a.asc",
        "#include <cstdio>\n"
        "#define KERNEL(name, v) __global__ __cube__ void name(int* x) { *x += v; }\n"
        "#define TWICE <<<2, nullptr, nullptr>>>\n"
        "#if 0\ndon't read this\n#endif\n"
        "KERNEL(add, 10)\n"
        '#include "sub/outer.h"\n'
        'int main() { int x = 0; go(&x); add TWICE (&x); printf("%d %d\\n", x, __LINE__); }\n',
    )
    shell.ok("bisheng", "a.asc", "recorder.cpp", "-o", "demo")
    assert shell.launched("demo") == [
        "declare add 1 0",
        "launch add sub/launcher.h:3 blocks=1 ub=0 stream=0",
        "launch add a.asc:9 blocks=2 ub=0 stream=0",
        "30 9",
    ]


def test_objects_libraries_and_other_languages(shell):
    shell.write("k.asc", "__global__ __vector__ void k(int* x) { ++*x; }\nvoid run(int* x) { k<<<1, 0>>>(x); }\n")
    shell.write(
        "k2.cpp", "__global__ __vector__ void k2(int* x) { *x += 10; }\nvoid run2(int* x) { k2<<<1, 0>>>(x); }\n"
    )
    shell.write("c.c", "int c_function(void) { int new = 100; return new; }\n")
    shell.write(
        "main.cpp",
        '#include <cstdio>\nvoid run(int*); void run2(int*); extern "C" int c_function();\n'
        'int main() { int x = 0; run(&x); run2(&x); printf("%d\\n", x + c_function()); }\n',
    )
    shell.ok("bisheng", "-dc", "k.asc")
    shell.ok("bisheng", "-c", "-x", "asc", "k2.cpp", "-o", "k2.o")
    shell.ok("bisheng", "-c", "main.cpp", "c.c")
    shell.ok("bisheng", "k.o", "k2.o", "main.o", "c.o", "recorder.cpp", "-o", "objects")
    assert shell.launched("objects")[-1] == "111"

    shell.ok("bisheng", "-shared", "-fPIC", "k.asc", "-o", "libk.so", "--npu-arch=dav-2201")
    shell.ok("bisheng", "-lib", "-x", "asc", "k2.cpp", "-o", "libk2.a")
    shell.ok("bisheng", "main.o", "c.o", "recorder.cpp", "-L.", "-lk", "-lk2", "-Wl,-rpath,$ORIGIN", "-o", "libraries")
    assert shell.launched("libraries") == [
        "declare k 0 1",
        "declare k2 0 1",
        "launch k k.asc:2 blocks=1 ub=0 stream=0",
        "launch k2 k2.cpp:2 blocks=1 ub=0 stream=0",
        "111",
    ]


def test_a_library_named_before_the_sources_counts(shell):
    shell.write("k.asc", "int value() { return 7; }\n")
    shell.write("main.asc", "int value();\nint main() { return value(); }\n")
    shell.ok("bisheng", "-shared", "-fPIC", "k.asc", "-o", "libk.so")
    shell.ok("bisheng", "-L.", "-lk", "-Wl,-rpath,$ORIGIN", "main.asc", "-o", "demo")
    assert shell.run("./demo").returncode == 7


def test_what_the_source_can_ask(shell):
    shell.write(
        "a.asc",
        '#include <cstdio>\nint main() { printf("%d %ld", __NPU_ARCH__, __cplusplus);\n'
        '#ifdef ASCENDC_CPU_DEBUG\nprintf(" cpu");\n#endif\n#ifdef __OPTIMIZE__\nprintf(" fast");\n#endif\n}\n',
    )
    shell.ok("bisheng", "a.asc", "-o", "demo")
    assert shell.ok("./demo") == "2201 201703 fast"
    shell.ok("bisheng", "a.asc", "--npu-soc=Ascend950PR_9599", "--run-mode=cpu", "-std=c++20", "-O0", "-o", "demo")
    assert shell.ok("./demo") == "3510 202002 cpu"


def test_dependencies(shell):
    shell.write("inc/a.h", "")
    shell.write("a.asc", '#include "inc/a.h"\n__global__ void k() {}\n')
    shell.ok("bisheng", "-c", "a.asc", "-o", "out.o", "-MD")
    assert re.fullmatch(r"out\.o: a\.asc.*inc/a\.h.*", (shell.directory / "out.d").read_text(), re.S)
    shell.ok("bisheng", "-c", "a.asc", "-o", "out.o", "-MD", "-MT", "target", "-MF", "x.dep")
    assert (shell.directory / "x.dep").read_text().startswith("target: a.asc")
    assert "inc/a.h" in shell.ok("bisheng", "-M", "a.asc")


def test_driver_errors_name_file_line_and_column(shell):
    shell.write("a.asc", "__global__ void k(int* x) {}\nvoid f(int* x) {\n    k<<<8>>>(x);\n    k<<<8, 0>>(x);\n}\n")
    done = shell.run("bisheng", "-c", "a.asc")
    assert done.returncode == 1
    assert done.stderr == (
        "a.asc:3:6: error: a launch takes 2, 3 or 4 values between '<<<' and '>>>', not 1: <<<blocks, dynamic UB>>>, "
        "<<<blocks, dynamic UB, stream>>> or <<<blocks, threads, dynamic UB, stream>>>\n"
        "    3 |     k<<<8>>>(x);\n      |      ^\n"
        "a.asc:4:6: error: this '<<<' has no '>>>' in the same statement\n"
        "    4 |     k<<<8, 0>>(x);\n      |      ^\n"
    )
    assert not (shell.directory / "a.o").exists()


@pytest.mark.parametrize(
    ("statement", "where", "what"),
    [
        ("k<<<8, 0>>>(p, 1); int y = oops;", "a.asc:5:28", "'oops' was not declared"),
        ("k<<<8, 0>>>(p, oops);", "a.asc:5:16", "'oops' was not declared"),
        ('k<<<8, 0>>>(p, "text");', "a.asc:5:16", "invalid conversion from 'const char*' to 'int'"),
        ("k<<<8, 0>>>(p);", "a.asc:5:", "no matching function"),
        ("nothing<<<8, 0>>>(p);", "a.asc:5:", "'nothing' was not declared"),
        ("k<<<MAX(oops, 1), 0>>>(p, 1);", "a.asc:5:9", "'oops' was not declared"),
        ("k<<<2.5, 0>>>(p, 1);", "a.asc:5:", "the first launch value is the number of blocks"),
        ("k<<<1, 2.5>>>(p, 1);", "a.asc:5:", "the second launch value is the number of bytes of dynamic UB"),
        ("k<<<1, 0, 2.5>>>(p, 1);", "a.asc:5:", "the last launch value is the stream"),
        ("not_void<<<1, 0>>>();", "a.asc:5:", "a kernel returns void"),
    ],
)
def test_compiler_errors_point_into_the_users_file(shell, statement, where, what):
    shell.write(
        "a.asc",
        "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n__global__ void k(int*, int) {}\nint not_void() { return 1; }\n"
        f"void f(int* p) {{\n{statement}\n}}\n".replace("int not_void", "__global__ int not_void"),
    )
    done = shell.run("bisheng", "-c", "a.asc")
    assert done.returncode != 0
    assert where in done.stderr
    assert what in done.stderr


def test_unknown_flags_and_architectures_are_refused(shell):
    shell.write("a.asc", "int main() {}\n")
    for flag, message in {
        "--npu-arhc=dav-2201": "bisheng: error: unknown option '--npu-arhc=dav-2201'; did you mean '--npu-arch'? "
        "(bisheng -help lists what is accepted)\n",
        "--npu-arch=dav-1": "bisheng: error: --npu-arch=dav-1: no such architecture; known are dav-2201, dav-3510\n",
    }.items():
        done = shell.run("bisheng", "a.asc", flag)
        assert (done.returncode, done.stderr) == (1, message)
    done = shell.run("bisheng", "a.asc", "--npu-soc=Ascend910B33")
    assert done.returncode == 1
    for part in ('unknown SoC "Ascend910B33"', "nearest known names: Ascend910B3,", "Ascend950DT_9581"):
        assert part in done.stderr
    assert shell.run("bisheng", "a.asc", "-fno-such-thing").returncode != 0
    shell.ok(
        "bisheng",
        "a.asc",
        "--cce-auto-sync",
        "--gcc-toolchain=/usr",
        "--sanitizer",
        "-mllvm",
        "-cce-x",
        "--enable-simt",
    )


def test_automatic_sync_reaches_the_runtime(shell):
    shell.write("inc/kernel.h", "#define WHAT 5\n")
    shell.write("hello.asc", HELLO)
    for flags, said in ((["--cce-auto-sync=off"], ["manual sync hello"]), (["--cce-auto-sync=on"], []), ([], [])):
        shell.ok("bisheng", "hello.asc", "recorder.cpp", "-Iinc", *flags, "-o", "demo")
        assert [line for line in shell.launched("demo") if line.startswith("manual")] == said


def test_missing_source(shell):
    done = shell.run("bisheng", "none.asc")
    assert done.returncode != 0
    assert "none.asc: No such file or directory" in done.stderr


def test_clang_in_cxx_is_not_used(shell):
    shell.write("a.asc", "int main() {}\n")
    shell.ok("bisheng", "a.asc", "-o", "demo", CXX="clang++-no-such")


def test_help_and_version(shell):
    assert "--npu-arch=ARCH        dav-2201, dav-3510" in shell.ok("bisheng", "-help")
    assert re.match(r"bisheng \(Toprope\) \d+\.\d+\.\d+\n", shell.ok("bisheng", "--version"))


def test_no_temporary_files_stay(shell):
    shell.write("a.asc", "int main() {}\n")
    (shell.directory / "tmp").mkdir()
    shell.ok("bisheng", "a.asc", "-o", "demo", TMPDIR=str(shell.directory / "tmp"))
    shell.run("bisheng", "a.asc", "-include", "nothing.h", TMPDIR=str(shell.directory / "tmp"))
    assert list((shell.directory / "tmp").iterdir()) == []


def test_debugger_and_coverage_see_the_users_lines(shell):
    shell.write("inc/kernel.h", "#define WHAT 5\n")
    shell.write("hello.asc", HELLO)
    shell.ok("bisheng", "-c", "hello.asc", "-Iinc", "--coverage", "-o", "hello.o")
    shell.ok("bisheng", "hello.o", "recorder.cpp", "--coverage", "-o", "demo")
    shell.ok("./demo")
    coverage = shell.ok("gcov", "-t", "hello.o")
    assert re.search(r"^ +3\*?: +3:__global__", coverage, re.M), coverage
    lines = shell.ok("objdump", "--dwarf=decodedline", "hello.o")
    assert re.search(r"hello\.asc +6\b", lines), lines
