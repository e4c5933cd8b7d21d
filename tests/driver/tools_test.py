"""The commands under the names that the vendor's tools have: they choose checks, or profile, and hand on the rest."""

from __future__ import annotations

import json

import pytest

SHOW = '#!/bin/sh\necho "$TOPROPE_CHECK|$*"\nexit ${STATUS:-0}\n'


@pytest.fixture
def show(shell):
    """A program that tells which checks it was started with."""
    shell.write("show", SHOW).chmod(0o755)
    return shell


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["./show", "a", "b"], "bounds,queue,host|a b"),
        (["--tool=racecheck", "./show"], "race|"),
        (["-t", "initcheck", "--", "./show", "--tool=mine"], "init|--tool=mine"),
        (["./show", "--tool=synccheck"], "sync|"),
        (["./show", "--leak-check=yes"], "bounds,queue,host,leak|"),
        (["./show", "--own-option", "--tool=racecheck"], "bounds,queue,host|--own-option --tool=racecheck"),
    ],
)
def test_mssanitizer_names_the_checks(show, arguments, said):
    assert show.ok("mssanitizer", *arguments) == said + "\n"


def test_mssanitizer_refuses_what_it_does_not_know(show):
    for arguments in (["--tool=nothing", "./show"], ["--no-such", "./show"], []):
        assert show.run("mssanitizer", *arguments).returncode == 2
    assert show.run("mssanitizer", "./show", STATUS="7").returncode == 7


KERNEL = """
#include "acl/acl.h"
#include "kernel_operator.h"
__global__ __vector__ void copy(__gm__ float* x) {
  AscendC::LocalTensor<float> t(AscendC::TPosition::VECCALC, 0, 64);
  AscendC::GlobalTensor<float> gm;
  gm.SetGlobalBuffer(x, 64);
  AscendC::DataCopy(t, gm, 64);
}
int main(int argc, char**) {
  void* x = nullptr;
  aclrtSetDevice(0);
  aclrtMalloc(&x, 256, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemset(x, 256, 0, 256);
  copy<<<1, nullptr, nullptr>>>(static_cast<float*>(x));
  aclrtSynchronizeStream(nullptr);
  return argc - 1;
}
"""


def test_msopprof_keeps_the_profile_and_the_exit_code(shell):
    shell.write("copy.asc", KERNEL)
    shell.ok("bisheng", "copy.asc", "-o", "demo")
    out = shell.ok("msopprof", "simulator", "--soc-version=Ascend910B1", "--output=here", "./demo")
    assert "[INFO] Profiling finished." in out
    (profile,) = (shell.directory / "here").glob("OPPROF_*/profile-*.json")
    assert "copy" in json.dumps(json.loads(profile.read_text()))
    assert shell.run("msopprof", "--output=there", "--application=./demo 1 2 3").returncode == 3
    silent = shell.run("msopprof", "true")
    assert (silent.returncode, silent.stderr) == (1, "msopprof: error: the program launched no kernel\n")


def test_msprof_is_msopprof_with_other_options(shell):
    shell.write("copy.asc", KERNEL)
    shell.ok("bisheng", "copy.asc", "-o", "demo")
    shell.ok("msprof", "op", "--output=one", "./demo")
    shell.ok("msprof", "--output=two", "--ascendcl=on", "./demo")
    assert shell.run("msprof", "--application=./demo 1 2", "--output=three").returncode == 2
    for directory in ("one", "two", "three"):
        assert list((shell.directory / directory).glob("OPPROF_*/profile-*.json"))
    assert shell.run("msprof", "--sys-hardware-mem=on", "./demo").returncode == 2
    assert shell.run("msprof").returncode == 2
