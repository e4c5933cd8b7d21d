"""`toprope coverage`: counts of device lines by hand, the listing, lcov, and a program built elsewhere."""

import os
import subprocess
import sys

import pytest
from toprope import coverage
from toprope.env import prefix

SOURCE = """#include "acl/acl.h"
#include "kernel_operator.h"

template <class T>
class Scale {
public:
    __aicore__ inline void
    Init(__gm__ T* x)
    {
        gm.SetGlobalBuffer(x + AscendC::GetBlockIdx() * 64, 64);
    }
    __aicore__ inline void Process(int rounds)
    {
        AscendC::LocalTensor<T> t(AscendC::TPosition::VECCALC, 0, 64);
        AscendC::DataCopy(t, gm, 64);
        AscendC::PipeBarrier<PIPE_ALL>();
        for (int i = 0; i < rounds; ++i) {
            AscendC::Muls(t, t, T(2), 64);
        }
        if (rounds > 3) {
            AscendC::PipeBarrier<PIPE_V>();
        }
        AscendC::PipeBarrier<PIPE_ALL>();
        AscendC::DataCopy(gm, t, 64);
    }
    AscendC::GlobalTensor<T> gm;
};

__aicore__ inline void Unused(int& value)
{
    value = 7;
}

__global__ __vector__ void scale(__gm__ float* x, int rounds)
{
    Scale<float> op;
    op.Init(x);
    op.Process(rounds);
}

int on_the_host(int value)
{
    return value + 1;
}

int main(int argc, char**)
{
    float* x = nullptr;
    aclrtSetDevice(0);
    aclrtMalloc(reinterpret_cast<void**>(&x), 4096, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(x, 4096, 0, 4096);
    scale<<<8, nullptr, nullptr>>>(x, argc + on_the_host(0));
    return aclrtSynchronizeStream(nullptr);
}
"""
#: What 8 blocks with 2 rounds each do, line by line.
COUNTS = {10: 8, 14: 8, 15: 8, 16: 8, 18: 16, 20: 8, 21: 0, 23: 8, 24: 8, 36: 8, 37: 8}


def line_of(text: str) -> int:
    """The number of the one line of SOURCE with this text."""
    (number,) = [i for i, line in enumerate(SOURCE.splitlines(), 1) if text in line]
    return number


def run(directory, *words, **environment):
    return subprocess.run(
        [sys.executable, "-m", "toprope", "coverage", *words],
        cwd=directory,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def directory(tmp_path):
    (tmp_path / "scale.asc").write_text(SOURCE)
    return tmp_path


def counted(directory):
    """line → count, from the lcov file."""
    lines = (directory / "toprope-coverage" / "coverage.info").read_text().splitlines()
    return {int(n): int(c) for n, c in (line[3:].split(",") for line in lines if line.startswith("DA:"))}


def test_a_source_file(directory):
    answer = run(directory, "scale.asc")
    assert answer.returncode == 0, answer.stderr
    counts = counted(directory)
    assert {n: counts.get(n) for n in COUNTS} == COUNTS
    assert line_of("return value + 1") not in counts, "host code is not device code"
    head, row = answer.stdout.splitlines()[:2]
    assert row.startswith("scale.asc  3 of 3"), answer.stdout
    assert row.endswith("21")
    listing = (directory / "toprope-coverage" / "scale.asc.txt").read_text().splitlines()
    assert listing[20].split(maxsplit=2)[:2] == ["#####", "21"]
    assert listing[17].split(maxsplit=2)[:2] == ["16", "18"]
    names = (directory / "toprope-coverage" / "coverage.info").read_text()
    assert "FNDA:8,Scale<float>::Process(int)" in names


def test_a_program_built_elsewhere(directory):
    environment = {**os.environ, "TOPROPE_COVERAGE": "1"}
    bisheng = prefix() / "bin" / "bisheng"
    build = directory / "build"
    build.mkdir()
    subprocess.run([bisheng, "-c", "../scale.asc", "-o", "scale.o"], cwd=build, env=environment, check=True)
    subprocess.run([bisheng, "scale.o", "-o", "scale"], cwd=build, env=environment, check=True)
    answer = run(directory, "--", "build/scale", "one", "two")
    assert answer.returncode == 0, answer.stderr
    counts = counted(directory)
    assert (counts[18], counts[21]) == (32, 8)
    assert "none" in answer.stdout.splitlines()[1]


def test_a_program_without_counts_says_how_to_build_it(directory):
    subprocess.run([prefix() / "bin" / "bisheng", "scale.asc", "-o", "scale"], cwd=directory, check=True)
    answer = run(directory, "--", "./scale")
    assert answer.returncode == 1
    assert "Build the program with TOPROPE_COVERAGE=1" in answer.stderr


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ((), 2, "no command"),
        (("absent.asc",), 2, "absent.asc: no such file"),
        (("--", "no-such-program"), 127, "cannot run no-such-program"),
    ],
)
def test_wrong_command_lines(directory, words, code, message):
    answer = run(directory, *words)
    assert answer.returncode == code
    assert message in answer.stderr
    assert "Traceback" not in answer.stderr


def test_device_functions_are_known_by_their_words():
    text = SOURCE.splitlines()
    assert coverage.is_device(text, line_of("Init(__gm__ T* x)"))  # the word stands on the line before
    assert coverage.is_device(text, line_of("void Process"))
    assert coverage.is_device(text, line_of("void scale"))
    assert not coverage.is_device(text, line_of("int on_the_host"))
    assert not coverage.is_device(text, line_of("int main"))


def test_missed_lines_are_joined():
    source = coverage.Source("a", {1: 1, 3: 0, 4: 0, 7: 0, 8: 2, 9: 0})
    assert (source.missed, source.reached) == ("3-7, 9", 2)
