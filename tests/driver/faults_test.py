"""Wrong kernels end to end: compiled by bisheng, run on libascendcl. Each names instruction, operand, the user's line,
kernel, block and cure; its stream carries the runtime's code; the next launch on a fresh stream works.

One program holds every kernel and takes a kernel's name. The instruction at fault stands last in its kernel, where a
compiler that may replace a call by a jump would lose its line, and is compiled with and without optimisation."""

from __future__ import annotations

import dataclasses
import re

import pytest

EXCEPTION, TIMEOUT, REFUSED = 507015, 507014, 107000


@dataclasses.dataclass(frozen=True)
class Wrong:
    """`body` is the kernel's; its last statement is at fault. `report` are parts of what is shown."""

    body: str
    report: tuple[str, ...]
    code: int = EXCEPTION
    blocks: int = 2


QUEUE = "TPipe pipe; TQue<TPosition::VECIN, 1> q; pipe.InitBuffer(q, 1, 256);"
F32 = "LocalTensor<float> t(TPosition::VECCALC, 0, 128), d(TPosition::VECCALC, 512, 64);"
GM = "GlobalTensor<float> g; g.SetGlobalBuffer((__gm__ float*)gm, 64);"

#: The misuses that every kernel author meets.
COMMON = {
    "wait_without_set": Wrong(
        "WaitFlag<HardEvent::MTE2_V>(0);", ("WaitFlag<MTE2_V>(0): no SetFlag<MTE2_V>(0) came before it",), TIMEOUT
    ),
    "set_twice": Wrong(
        "SetFlag<HardEvent::V_MTE3>(1); SetFlag<HardEvent::V_MTE3>(1);",
        ("SetFlag<V_MTE3>(1): this flag is set already",),
    ),
    "deque_of_an_empty_queue": Wrong(QUEUE + "q.DeQue<float>();", ("DeQue: the queue is empty",)),
    "free_twice": Wrong(
        QUEUE + "auto x = q.AllocTensor<float>(); q.FreeTensor(x); q.FreeTensor(x);",
        ("FreeTensor: the tensor was freed before, at ",),
    ),
    "ub_overflow": Wrong(
        "TPipe pipe; TQue<TPosition::VECIN, 1> q; TBuf<TPosition::VECCALC> b;"
        "pipe.InitBuffer(q, 2, 96 * 1024); pipe.InitBuffer(b, 20);",
        (
            "InitBuffer: a buffer of 20 bytes on VECCALC needs 32 bytes",
            "0 of the 196608 bytes of UB are left: 32 too many",
            "2 buffers of 98304 bytes on VECIN",
        ),
    ),
    "misaligned": Wrong(
        F32 + "Add(d, t[1], t, 64);", ("Add: src0 starts at byte 4 of UB, which is not 32-byte aligned",)
    ),
    "count_beyond": Wrong(F32 + "Add(d, d, t, 65);", ("Add: dst ends 4 bytes past its tensor",)),
    "copy_beyond": Wrong(GM + F32 + "DataCopy(t, g, 72);", ("DataCopy: src ends 32 bytes past its tensor",)),
    "assertion": Wrong('ascendc_assert(GetBlockNum() == 3, "three blocks, please");', ("three blocks, please",)),
    "exception": Wrong("throw 5;", ("a C++ exception left the kernel",)),
    "deadlock": Wrong("if (GetBlockIdx() == 0) SyncAll();", ("deadlock", "SyncAll"), TIMEOUT),
}

HALF = "LocalTensor<half> h(TPosition::VECCALC, 1024, 64); LocalTensor<uint8_t> m(TPosition::VECCALC, 2048, 32);"
#: One instruction of each header of the front end, with a tensor that ends too early.
FAMILIES = {
    "unary": "Exp(d, t, 65);",
    "scalar": "Adds(d, t, 1.0f, 65);",
    "ternary": "Axpy(d, t, 1.0f, 65);",
    "operators": "d = t + t; d = d + t[96];",
    "duplicate": "Duplicate(d, 1.0f, 65);",
    "brcb": "Brcb(d, t, 2, {1, 8});",
    "cast": "Cast(h, t, RoundMode::CAST_RINT, 65);",
    "compare": "Compare(m, t, d, CMPMODE::LT, 128);",
    "select": "Select(d, m, t, d, SELMODE::VSEL_TENSOR_TENSOR_MODE, 65);",
    "reduce": "ReduceSum(d, t, t, 129);",
    "whole_reduce": "WholeReduceSum(d, t, 64, 3, 1, 1, 8);",
    "copy_pad": "DataCopyPad(d, g, DataCopyExtParams(1, 260, 0, 0, 0), DataCopyPadExtParams<float>(false, 0, 0, 0));",
    "copy_out": "DataCopy(g, t, 72);",
    "copy_masked": "Copy(d, t, 64, 2, {1, 1, 8, 8});",
    "get_value": "g.SetValue(0, d.GetValue(64));",
    "set_value": "d.SetValue(64, 1.0f);",
    "tensor": "LocalTensor<float> past(TPosition::VECCALC, 196608, 8);",
}

WRONG = {
    f"wrong_{name}": wrong
    for name, wrong in (COMMON | {name: Wrong(GM + F32 + HALF + body, ()) for name, body in FAMILIES.items()}).items()
}

MAIN = r"""
__global__ __vector__ void right(GM_ADDR gm) {
  GlobalTensor<float> g;
  g.SetGlobalBuffer((__gm__ float*)gm);
  g.SetValue(0, 7.0f);
}

int main(int, char** arguments) {
  if (int code = aclInit(nullptr)) {
    std::printf("aclInit %d %s\n", code, aclGetRecentErrMsg());
    return 1;
  }
  aclrtSetDevice(0);
  void* memory;
  aclrtMalloc(&memory, 4096, ACL_MEM_MALLOC_HUGE_FIRST);
  auto* gm = static_cast<uint8_t*>(memory);
  aclrtStream stream, fresh;
  aclrtCreateStream(&stream);
  const std::string name = arguments[1];
  const uint32_t blocks = std::atoi(arguments[2]);
  LAUNCHES
  int code = aclrtSynchronizeStream(stream);
  const char* text = aclGetRecentErrMsg();
  std::printf("code %d\n%s\n", code, text ? text : "");
  aclrtCreateStream(&fresh);
  right<<<1, nullptr, fresh>>>(gm);
  code = aclrtSynchronizeStream(fresh);
  float value = 0;
  aclrtMemcpy(&value, 4, memory, 4, ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("then %d %g\n", code, value);
}
"""


def program() -> str:
    """Every kernel of WRONG, its statements on one line each, and a main that launches the one that is named."""
    kernels = "".join(
        f"__global__ __vector__ void {name}([[maybe_unused]] GM_ADDR gm) {{\n  "
        + wrong.body.replace("; ", ";\n  ")
        + f"  // {name} is wrong here\n}}\n"
        for name, wrong in WRONG.items()
    )
    launches = "".join(f'if (name == "{name}") {name}<<<blocks, nullptr, stream>>>(gm);\n  ' for name in WRONG)
    return (
        '#include <cstdio>\n#include <cstdlib>\n#include <string>\n#include "acl/acl.h"\n#include "kernel_operator.h"\n'
        "using namespace AscendC;\n" + kernels + MAIN.replace("LAUNCHES", launches)
    )


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def wrong_program(request, tmp_path_factory, shell_in):
    """A shell with ./wrong in it."""
    shell = shell_in(tmp_path_factory.mktemp("faults"))
    shell.write("wrong.asc", program())
    shell.ok("bisheng", request.param, "wrong.asc", "-o", "wrong")
    return shell


def line_of(name: str) -> int:
    lines = program().splitlines()
    return next(i for i, line in enumerate(lines, 1) if line.endswith(f"// {name} is wrong here"))


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_kernel_is_named_located_and_survived(wrong_program, name):
    wrong = WRONG[name]
    done = wrong_program.run("./wrong", name, str(wrong.blocks))
    shown = done.stderr
    for part in wrong.report:
        assert part in shown
    assert shown.startswith("toprope: error: ")
    assert re.search(rf"in kernel {name}, (block \d+|{wrong.blocks} blocks)", shown), shown
    if name not in ("wrong_exception", "wrong_assertion"):
        assert f"wrong.asc:{line_of(name)}" in shown, shown
    launched = next(i for i, line in enumerate(program().splitlines(), 1) if f'"{name}"' in line)
    assert f"launched at wrong.asc:{launched}" in shown, shown
    if wrong.code == EXCEPTION:
        assert "cure: " in shown, shown
    assert f"code {wrong.code}\n" in done.stdout, done.stdout
    assert f"in kernel {name}" in done.stdout, "aclGetRecentErrMsg tells it too: " + done.stdout
    assert done.stdout.endswith("then 0 7\n"), done.stdout
    assert done.returncode == 0


@pytest.mark.parametrize("blocks", ["0", "65536"])
def test_refused_numbers_of_blocks(wrong_program, blocks):
    done = wrong_program.run("./wrong", "wrong_misaligned", blocks)
    assert f"launch of wrong_misaligned refused: the number of blocks is {blocks}; it must be 1 to 65535" in done.stderr
    launched = next(i for i, line in enumerate(program().splitlines(), 1) if '"wrong_misaligned"' in line)
    assert f"wrong.asc:{launched}" in done.stderr
    assert f"code {REFUSED}\n" in done.stdout
    assert done.stdout.endswith("then 0 7\n"), done.stdout


def test_an_unknown_soc(wrong_program):
    done = wrong_program.run("./wrong", "wrong_misaligned", "1", TOPROPE_SOC="Ascend910B33")
    assert done.returncode == 1
    for part in ('unknown SoC "Ascend910B33"', "nearest known names: Ascend910B3,", "Ascend950DT_9581"):
        assert part in done.stdout + done.stderr
