"""`toprope run`: when it compiles, when it does not, and what the user sees of compiler and program.

The cache is tested with a compiler of a few lines, a shell script around the host's C++ compiler that counts its calls;
the last tests use the real one.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from toprope import run as runner
from toprope.env import prefix

COUNTING_COMPILER = """#!/bin/sh
echo "$@" >> "$(dirname "$0")/calls"
exec g++ -x c++ "$@"
"""


class Bench:
    """A fake prefix, a cache of its own and a directory for sources."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.home = directory / "ascend"
        (self.home / "bin").mkdir(parents=True)
        (self.home / "lib64").mkdir()
        (self.home / "include").mkdir()
        compiler = self.home / "bin" / "bisheng"
        compiler.write_text(COUNTING_COMPILER)
        compiler.chmod(0o755)

    def write(self, name: str, text: str) -> None:
        (self.directory / name).write_text(text)

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        program = (
            "import sys, pathlib, toprope.env, toprope.run as r\n"
            f"home = pathlib.Path({str(self.home)!r})\n"
            "toprope.env.prefix = r.prefix = lambda: home\n"
            "sys.exit(r.run(sys.argv[1:]))"
        )
        environment = {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(self.directory / "cache")}
        return subprocess.run(
            [sys.executable, "-c", program, *arguments],
            cwd=self.directory,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    @property
    def compilations(self) -> int:
        calls = self.home / "bin" / "calls"
        return len(calls.read_text().splitlines()) if calls.exists() else 0


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)


ECHO = (
    '#include <cstdio>\n#include "answer.h"\nint main(int c, char** v) {\n  printf("%d", ANSWER);\n'
    '  for (int i = 1; i < c; ++i) printf(" %s", v[i]);\n  return c;\n}\n'
)


def test_compiles_once_and_passes_arguments_and_exit_code(bench):
    bench.write("answer.h", "#define ANSWER 42\n")
    bench.write("echo.asc", ECHO)
    for _ in range(2):
        answer = bench.run("echo.asc", "one", "-O0", "two words")
        assert (answer.stdout, answer.returncode, answer.stderr) == ("42 one -O0 two words", 4, "")
    assert bench.compilations == 1


def test_an_edit_to_the_source_or_to_what_it_includes_compiles_again(bench):
    bench.write("answer.h", "#define ANSWER 1\n")
    bench.write("echo.asc", ECHO)
    assert bench.run("echo.asc").stdout == "1"
    bench.write("answer.h", '#include "deeper.h"\n')
    bench.write("deeper.h", "#define ANSWER 2\n")
    assert bench.run("echo.asc").stdout == "2"
    bench.write("deeper.h", "#define ANSWER 3\n")
    assert bench.run("echo.asc").stdout == "3"
    bench.write("echo.asc", ECHO.replace('"%d"', '"<%d>"'))
    assert bench.run("echo.asc").stdout == "<3>"
    assert bench.compilations == 4


def test_going_back_to_an_earlier_text_needs_no_compilation(bench):
    bench.write("echo.asc", ECHO)
    for text in ("1", "2", "1"):
        bench.write("answer.h", f"#define ANSWER {text}\n")
        assert bench.run("echo.asc").stdout == text
    assert bench.compilations == 2


def test_headers_in_include_directories_count(bench):
    (bench.directory / "inc").mkdir()
    bench.write("inc/answer.h", "#define ANSWER 5\n")
    bench.write("echo.asc", ECHO)
    for flags in (("-Iinc",), ("-I", "inc")):
        assert bench.run(*flags, "echo.asc").stdout == "5"
    bench.write("inc/answer.h", "#define ANSWER 6\n")
    assert bench.run("-I", "inc", "echo.asc").stdout == "6"


def test_flags_before_the_file_are_the_compiler_s(bench):
    bench.write("echo.asc", ECHO.replace('#include "answer.h"\n', ""))
    assert bench.run("-DANSWER=7", "echo.asc").stdout == "7"
    assert bench.run("-DANSWER=8", "echo.asc").stdout == "8"


def test_a_new_compiler_or_library_compiles_again(bench):
    bench.write("echo.asc", ECHO.replace('#include "answer.h"\n', "").replace("ANSWER", "0"))
    bench.run("echo.asc")
    (bench.home / "lib64" / "libtoprope.so").write_text("another")
    bench.run("echo.asc")
    (bench.home / "include" / "kernel_operator.h").write_text("// another")
    bench.run("echo.asc")
    assert bench.compilations == 3


def test_a_failed_compilation_shows_the_compiler_s_words_and_leaves_nothing(bench):
    bench.write("bad.asc", "int main() { return missing; }\n")
    for _ in range(2):
        answer = bench.run("bad.asc")
        assert answer.returncode == 1
        assert "bad.asc:1:" in answer.stderr
        assert "missing" in answer.stderr
    assert bench.compilations == 2
    assert list((bench.directory / "cache" / "toprope" / "run").iterdir()) == []


def test_the_cache_keeps_the_latest_used(bench, monkeypatch, tmp_path):
    entries = tmp_path / "entries"
    entries.mkdir()
    for age in range(runner.KEPT + 3):
        entry = entries / str(age)
        entry.mkdir()
        stamp = 1_000_000_000 - age
        os.utime(entry, (stamp, stamp))
    runner.prune(entries)
    assert sorted(int(entry.name) for entry in entries.iterdir()) == list(range(runner.KEPT))


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["a.asc"], ([], "a.asc", [])),
        (["-O2", "a.asc", "b.asc"], (["-O2"], "a.asc", ["b.asc"])),
        (["--npu-arch=dav-2201", "-I", "dir", "k.cpp", "-x"], (["--npu-arch=dav-2201", "-I", "dir"], "k.cpp", ["-x"])),
        (["-o", "x"], (["-o", "x"], None, [])),
    ],
)
def test_split(arguments, expected):
    assert runner.split(arguments) == expected


KERNEL = """#include "kernel_operator.h"
#include "acl/acl.h"
#include <cstdio>
#include <cstdlib>

extern "C" __global__ __aicore__ void fill(GM_ADDR out, int32_t value) {
  AscendC::GlobalTensor<int32_t> z;
  z.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(out));
  z.SetValue(AscendC::GetBlockIdx(), value + static_cast<int32_t>(AscendC::GetBlockIdx()));
}

int main(int argc, char** argv) {
  aclInit(nullptr);
  aclrtSetDevice(0);
  void* device = nullptr;
  aclrtMalloc(&device, 4 * sizeof(int32_t), ACL_MEM_MALLOC_HUGE_FIRST);
  fill<<<4, nullptr, nullptr>>>(static_cast<uint8_t*>(device), atoi(argv[1]));
  if (aclrtSynchronizeStream(nullptr) != ACL_SUCCESS) return 1;
  int32_t host[4];
  aclrtMemcpy(host, sizeof host, device, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST);
  printf("%d %d %d %d\\n", host[0], host[1], host[2], host[3]);
  aclrtFree(device);
  aclrtResetDevice(0);
  aclFinalize();
}
"""


def test_a_kernel_runs_in_one_go(tmp_path):
    """With the real compiler and libraries, in an environment that knows nothing of Ascend."""
    (tmp_path / "fill.asc").write_text(KERNEL)
    environment = {"PATH": "/usr/bin:/bin", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "toprope", "run", "fill.asc", "40"]
    answer = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (answer.stdout, answer.stderr, answer.returncode) == ("40 41 42 43\n", "", 0)


def test_the_installed_compiler_is_an_executable_file():
    assert (prefix() / "bin" / "bisheng").stat().st_mode & 0o111 == 0o111
