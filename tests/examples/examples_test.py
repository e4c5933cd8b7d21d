"""Every example passes as it stands, no check has anything to say about it, and its own check notices when its kernel is
wrong (facts G08: the kernel that is tested is the one that a device would run). examples/torch_library/test.py has the
refusals of facts E02, E04, E11, E12."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

#: Example → (file to break, text, replacement): a change that compiles and computes or prints something else.
BREAKS = {
    "broken_add": ("broken_add.asc", "#ifdef FIXED", "#ifdef NEVER"),
    "hello_kernel": ("hello.asc", "hello<<<8,", "hello<<<7,"),
    "pto_tile": ("softmax.asc", "TROWEXPANDDIV(tile, tile, sum)", "TROWEXPANDMUL(tile, tile, sum)"),
    "pybind_launch": ("add_custom.cpp", "AscendC::Add(z, x, y, tileLength)", "AscendC::Add(z, x, y, tileLength - 16)"),
    "pybind_asc": ("../torch_library/add_custom.asc", "AscendC::Add(z, x, y,", "AscendC::Sub(z, x, y,"),
    "pypto_add": ("add.py", 'load_insn("add")', 'load_insn("sub")'),
    "pypto_tensor": ("tensor.py", 'load_insn("rowsum")', 'load_insn("rowmin")'),  # a shift would cancel
    "pypto_matmul_idl": ("matmul.idl", "c = a @ b;", "c = a @ b + 1;"),
    "pypto_softmax_idl": ("softmax.idl", "e / sum(e, N)", "e / max(e, N)"),
    "torch_library": ("add_custom.asc", "AscendC::Add(z, x, y,", "AscendC::Sub(z, x, y,"),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """A copy of the examples without what an earlier run built; the broken builds reuse what the good ones compiled."""
    target = tmp_path_factory.mktemp("examples") / "examples"
    shutil.copytree(EXAMPLES, target, ignore=shutil.ignore_patterns("build", "__pycache__", "generated"))
    return target


def run(example: Path, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["bash", "run.sh"],
        cwd=example,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def test_every_example_has_a_break():
    assert {p.parent.name for p in EXAMPLES.glob("*/run.sh")} == set(BREAKS)


@pytest.mark.parametrize("name", sorted(BREAKS))
def test_passes_and_notices_a_broken_kernel(copy: Path, name: str):
    # broken_add calls the checks itself; every check is silent about the others.
    good = run(copy / name, **({} if name == "broken_add" else {"TOPROPE_CHECK": "all"}))
    said = good.stdout + good.stderr
    assert good.returncode == 0, said[-3000:]
    if name != "broken_add":
        assert set(re.findall(r"toprope check: .*", said)) == {"toprope check: 0 findings"}
    file, old, new = BREAKS[name]
    source = copy / name / file
    text = source.read_text()
    assert text.count(old) == 1
    source.write_text(text.replace(old, new))
    try:
        broken = run(copy / name)
    finally:
        source.write_text(text)
    assert broken.returncode != 0, "the example's own check did not notice:\n" + broken.stdout[-3000:]
