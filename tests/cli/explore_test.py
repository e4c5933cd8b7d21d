"""Exploring schedules: a kernel that lacks a wait gives other numbers under some seed, its corrected twin under none."""

import os
import subprocess

import pytest
from toprope.env import prefix, settings
from toprope.explore import Outcome, difference, explore

SOURCE = """
#include <cstdio>
#include <cstdlib>
#include "acl/acl.h"
#include "kernel_operator.h"
using namespace AscendC;

__global__ __vector__ void scale(__gm__ float* x, float by)
{
    GlobalTensor<float> gm;
    gm.SetGlobalBuffer(x + GetBlockIdx() * 64, 64);
    LocalTensor<float> t(TPosition::VECCALC, 0, 64);
    DataCopy(t, gm, 64);
    %s
    Muls(t, t, by, 64);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gm, t, 64);
}

int main(int count, char**)
{
    float host[512], *x = nullptr;
    for (int i = 0; i < 512; ++i) host[i] = float(i + 1);
    aclrtSetDevice(0);
    aclrtMalloc(reinterpret_cast<void**>(&x), sizeof host, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(x, sizeof host, host, sizeof host, ACL_MEMCPY_HOST_TO_DEVICE);
    if (count < 2) scale<<<8, nullptr, nullptr>>>(x, 0.5f);
    aclrtSynchronizeStream(nullptr);
    aclrtMemcpy(host, sizeof host, x, sizeof host, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("last is %%g\\n", host[511]);
}
"""
WAIT = "SetFlag<HardEvent::MTE2_V>(EVENT_ID0); WaitFlag<HardEvent::MTE2_V>(EVENT_ID0);"


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    directory = tmp_path_factory.mktemp("explore")
    found = {}
    for name, wait in (("broken", ""), ("fixed", WAIT)):
        (directory / f"{name}.asc").write_text(SOURCE % wait)
        found[name] = str(directory / name)
        subprocess.run(
            [prefix() / "bin" / "bisheng", "--npu-arch=dav-2201", f"{name}.asc", "-o", name], cwd=directory, check=True
        )
    return found


@pytest.fixture(autouse=True)
def ascend_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in settings(os.environ).items():
        monkeypatch.setenv(name, value)


def test_a_missing_wait_is_found_and_repeats(programs: dict[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    assert explore([programs["broken"]], 20) == 1
    first = capfd.readouterr().err
    assert "kernel scale" in first and "a wait is missing" in first and "TOPROPE_SCHEDULE=" in first
    assert explore([programs["broken"]], 20) == 1
    assert capfd.readouterr().err == first


def test_the_corrected_twin_gives_the_same_numbers(programs: dict[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    assert explore([programs["fixed"]], 20) == 0
    out, err = capfd.readouterr()
    assert out == "last is 256\n"
    assert "20 schedules, all the same numbers" in err


def test_a_program_without_a_kernel_is_refused(programs: dict[str, str], capfd: pytest.CaptureFixture[str]) -> None:
    assert explore([programs["fixed"], "none"], 3) == 2
    assert "launched no kernel" in capfd.readouterr().err


def launch(number: int, value: int, kernel: str = "k") -> dict:
    return {
        "launch": number,
        "kernel": kernel,
        "file": "k.asc",
        "line": 7,
        "written": [{"offset": 64, "bytes": 32, "allocation": 4096, "hash": value}],
    }


@pytest.mark.parametrize(
    ("other", "text"),
    [
        (Outcome(0, b"1\n2\n", (launch(1, 5), launch(2, 9))), "launch 2, kernel k at k.asc:7: bytes 64 to 96"),
        (Outcome(0, b"1\n2\n", (launch(1, 5), launch(2, 6, "other"))), "launch 2 is of other instead of k"),
        (Outcome(0, b"1\n2\n", (launch(1, 5),)), "1 launches instead of 2"),
        (Outcome(3, b"1\n2\n", (launch(1, 5), launch(2, 6))), "exit code 3 instead of 0"),
        (Outcome(0, b"1\n3\n", (launch(1, 5), launch(2, 6))), "output differs"),
    ],
)
def test_the_first_difference_is_named(other: Outcome, text: str) -> None:
    found = difference(Outcome(0, b"1\n2\n", (launch(1, 5), launch(2, 6))), other)
    assert found is not None and text in found


def test_blocks_may_print_in_another_order() -> None:
    base = Outcome(0, b"1\n2\n", (launch(1, 5),))
    assert difference(base, Outcome(0, b"2\n1\n", (launch(1, 5),))) is None
