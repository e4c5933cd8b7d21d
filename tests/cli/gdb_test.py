"""`toprope gdb`: a breakpoint in device code, tensors, numbers and queues as a person reads them, one process."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from toprope.env import prefix

KERNEL = """#include "acl/acl.h"
#include "kernel_operator.h"

class KernelAdd {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR z)
    {
        xGm.SetGlobalBuffer((__gm__ half*)x, 128);
        zGm.SetGlobalBuffer((__gm__ half*)z, 128);
        pipe.InitBuffer(in, 2, 256);
        pipe.InitBuffer(out, 1, 256);
    }
    __aicore__ inline void Process()
    {
        CopyIn();
        Compute();
        CopyOut();
    }

private:
    __aicore__ inline void CopyIn()
    {
        AscendC::LocalTensor<half> xLocal = in.AllocTensor<half>();
        AscendC::DataCopy(xLocal, xGm, 128);
        in.EnQue(xLocal);
    }
    __aicore__ inline void Compute()
    {
        const half one(1.5);
        const bfloat16_t two(-2.5f);
        AscendC::LocalTensor<half> xLocal = in.DeQue<half>();
        AscendC::LocalTensor<half> zLocal = out.AllocTensor<half>();
        AscendC::LocalTensor<half> none;
        AscendC::Adds(zLocal, xLocal, one, 128);
        out.EnQue(zLocal);
        in.FreeTensor(xLocal);
    }
    __aicore__ inline void CopyOut()
    {
        AscendC::LocalTensor<half> zLocal = out.DeQue<half>();
        AscendC::LocalTensor<int32_t> whole = zLocal.ReinterpretCast<int32_t>()[2];
        AscendC::DataCopy(zGm, zLocal, 128);
        out.FreeTensor(zLocal);
    }
    AscendC::TPipe pipe;
    AscendC::TQue<AscendC::TPosition::VECIN, 1> in;
    AscendC::TQue<AscendC::TPosition::VECOUT, 1> out;
    AscendC::GlobalTensor<half> xGm, zGm;
};

__global__ __vector__ void add_custom(GM_ADDR x, GM_ADDR z)
{
    KernelAdd op;
    op.Init(x, z);
    op.Process();
}

int main(int argc, char** argv)
{
    half host[128];
    for (int i = 0; i < 128; ++i) host[i] = half(i);
    aclrtSetDevice(0);
    uint8_t *x = nullptr, *z = nullptr;
    aclrtMalloc(reinterpret_cast<void**>(&x), sizeof host, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(reinterpret_cast<void**>(&z), sizeof host, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(x, sizeof host, host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE);
    add_custom<<<1, nullptr, nullptr>>>(x, z);
    return aclrtSynchronizeStream(nullptr) + argc - 1;
}
"""


def gdb(directory, *words, program=("demo.asc",)):
    """Runs `toprope gdb -batch -ex …`; its output."""
    commands = [part for word in words for part in ("-ex", word)]
    answer = subprocess.run(
        [sys.executable, "-m", "toprope", "gdb", "-nx", "-batch", *commands, *program],
        cwd=directory,
        env={**os.environ, "XDG_CACHE_HOME": str(directory / "cache")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return answer.stdout + answer.stderr


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    if shutil.which("gdb") is None:
        pytest.skip("gdb is not installed (tools/setup.py installs it)")
    where = tmp_path_factory.mktemp("gdb")
    (where / "demo.asc").write_text(KERNEL)
    return where


def test_break_and_print(directory):
    printed = ("zLocal", "xLocal", "none", "one", "two", "in", "out", "xGm")
    text = gdb(
        directory,
        "break KernelAdd::Compute",
        "run",
        *["next"] * 6,
        *(f"print {name}" for name in printed),
        "info inferiors",
        "backtrace",
    )
    assert "Breakpoint 1, KernelAdd::Compute" in text, text
    values = dict(zip(printed, re.findall(r"^\$\d+ = (.*)$", text, re.MULTILINE)))
    count = ", ".join(str(i) for i in range(16))
    halves = ", ".join(f"{i + 1.5:g}" for i in range(16))
    assert values["zLocal"] == f"LocalTensor<half>[128] at VECOUT in UB, byte 512 = {{{halves}, ...}}"
    assert values["xLocal"] == f"LocalTensor<half>[128] at VECIN in UB, byte 0 = {{{count}, ...}}"
    assert values["none"] == "LocalTensor<half> without memory"
    assert (values["one"], values["two"]) == ("1.5", "-2.5")
    assert values["in"] == "TQue on VECIN, depth 1: 2 buffers of 256 bytes, 1 free, 1 in use, 0 enqueued"
    assert values["out"] == "TQue on VECOUT, depth 1: 1 buffer of 256 bytes, 0 free, 1 in use, 0 enqueued"
    assert re.fullmatch(rf"GlobalTensor<half>\[128\] at GM 0x\w+ = {{{count}, ...}}", values["xGm"])
    assert len(re.findall(r"^[* ] \d+ +process", text, re.MULTILINE)) == 1, "one process"
    frames = re.findall(r"^#\d+ .*?(\w+)(?:\(.*?\))? \(", text, re.MULTILINE)
    assert frames == ["Compute", "Process", "add_custom"], "the launch's machinery is left out"


def test_views_and_other_types(directory):
    text = gdb(directory, "break KernelAdd::CopyOut", "run", "next", "next", "print whole")
    pair = [
        int.from_bytes(b"".join(bits.to_bytes(2, "little") for bits in two), "little") for two in ((0x4580, 0x4680),)
    ]
    assert f"LocalTensor<int>[62] at VECOUT in UB, byte 520 (from 512 on) = {{{pair[0]}, " in text, text


def test_outside_a_kernel_nothing_is_guessed(directory):
    text = gdb(directory, "break aclrtSynchronizeStream", "run", "up", "print x", "info locals")
    assert "Traceback" not in text and "Python Exception" not in text, text


def test_a_program_that_exists_and_its_arguments(directory):
    subprocess.run([prefix() / "bin" / "bisheng", "-O0", "demo.asc", "-o", "demo"], cwd=directory, check=True)
    text = gdb(directory, "break add_custom", "run", "continue", program=("--", "./demo", "a", "b"))
    assert "Breakpoint 1, add_custom" in text
    assert "exited with code 02" in text


def test_wrong_command_lines(directory):
    assert "no command" in gdb(directory, program=())
    assert "absent.asc: no such file" in gdb(directory, program=("absent.asc",))


def test_plain_gdb_loads_the_printers_beside_the_library(directory):
    subprocess.run([prefix() / "bin" / "bisheng", "-O0", "demo.asc", "-o", "plain"], cwd=directory, check=True)
    trusted = [part for path in (prefix(), *((prefix() / "lib64").glob("libtoprope.so*"))) for part in safe_path(path)]
    words = ["break KernelAdd::Compute", "run", "next", "next", "next", "print xLocal"]
    commands = [part for word in words for part in ("-ex", word)]
    answer = subprocess.run(
        ["gdb", "-nx", "-batch", *trusted, *commands, "./plain"],
        cwd=directory,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "= LocalTensor<half>[128] at VECIN in UB, byte 0 = {0, 1, 2, " in answer.stdout, (
        answer.stdout + answer.stderr
    )


def safe_path(path):
    """gdb's words that let it load scripts from where `path` really lies."""
    real = path.resolve()
    return ("-iex", f"add-auto-load-safe-path {real if real.is_dir() else real.parent}")
