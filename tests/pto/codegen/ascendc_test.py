"""Target ascendc: the kernels compute what PyTorch computes, are free of races, and what has no form is refused."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import pytest
from ascendc_runner import Acl, build, run
from interpreter import SIZES, assert_agrees, inputs_of
from operators import COMMON, WHOLE, check
from pto.codegen import generate
from pto.idl import IdlErrors, Source, load
from random_operators import operator_text

SEEDS = range(100, 116)


def accepted(seed: int) -> bool:
    """Whether target ascendc has a form for a random operator."""
    try:
        generate(load(Source("random.idl", operator_text(seed, whole=False))), "ascendc")
    except IdlErrors:
        return False
    return True


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Path:
    texts = [case.text for case in COMMON] + [operator_text(s, whole=False) for s in SEEDS if accepted(s)]
    return build(tmp_path_factory.mktemp("ascendc"), texts)


@pytest.fixture(scope="module")
def kernels(library) -> ctypes.CDLL:
    return ctypes.CDLL(str(library))


@pytest.fixture(scope="module")
def acl() -> Acl:
    return Acl()


@pytest.mark.parametrize("case", COMMON, ids=lambda case: case.name)
def test_numbers(acl, kernels, case):
    for sizes in case.sizes:
        inputs = [t.contiguous() for t in case.inputs(*sizes)]
        check(case, run(acl, kernels, case.text, [t.clone() for t in inputs], case.attrs), inputs)


def test_most_random_operators_have_a_form():
    assert sum(map(accepted, SEEDS)) >= len(SEEDS) * 2 / 3


@pytest.mark.parametrize("seed", [s for s in SEEDS if accepted(s)])
def test_random_operators(acl, kernels, seed):
    text = operator_text(seed, whole=False)
    operator = load(Source("random.idl", text)).operators[0]
    for sizes in SIZES:
        inputs = inputs_of(operator, sizes)
        assert_agrees(run(acl, kernels, text, [t.clone() for t in inputs], {}), operator, inputs, sizes, text)


def test_kernels_have_no_race_and_read_nothing_uninitialised(library):
    runner = Path(__file__).with_name("ascendc_runner.py")
    done = subprocess.run(
        [sys.executable, runner, library],
        env={**os.environ, "TOPROPE_CHECK": "race,init"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert "done" in done.stdout
    assert "toprope check: 0 findings" in done.stderr + done.stdout, done.stderr[-3000:]


#: Operators that have no form: (text with «…» at the place, message).
REFUSED = [
    ("FLOAT32", "y = «x @ x»;", "a matrix product runs on the cube core"),
    ("FLOAT32", "y = «transpose(x)»;", "a transposition has no form"),
    ("FLOAT32", "y = x - «max(x, axis=0)»;", "this reduces over an axis that is not the last"),
    ("INT32", "y = x - «max(x, axis=1)»;", "dav-2201 has no instruction for max(x, N) of INT32"),
    ("INT64", "y = «x + 1»;", "dav-2201 has no instruction for a + b of INT64"),
    ("INT32", "y = where(«x < 3», x, 0);", "dav-2201 has no instruction for a < b of INT32"),
    (
        "FLOAT32",
        "y = cast(«cast(x, INT8)», FLOAT32);",
        "dav-2201 has no conversion of FLOAT32 to INT8 that rounds once",
    ),
    ("FLOAT32", "y = cast(«cast(x, INT32, odd)», FLOAT32);", "Cast from FLOAT32 to INT32 has no mode odd"),
    ("FLOAT32", "y = where(«max(x, axis=1) > 0», x, 0);", "a condition with one element a row"),
]


@pytest.mark.parametrize(("dtype", "statement", "message"), REFUSED)
def test_refusals_are_located(dtype, statement, message):
    text = f"operator R {{ input {{ Tensor x, {dtype} [M, M]; }} output {{ Tensor y, {dtype} [M, M]; }}\n computation {{ {statement} }} }}"
    start, end = text.index("«"), text.index("»") - 1
    text = text.replace("«", "").replace("»", "")
    with pytest.raises(IdlErrors) as caught:
        generate(load(Source("r.idl", text)), "ascendc")
    (error,) = caught.value.errors
    assert (error.span.start, error.span.end) == (start, end)
    assert f"target ascendc: {message}" in str(error).split("\n")[0]
    assert "cure: " in str(error)


def test_an_infinite_default_is_refused():
    text = COMMON[0].text.replace("FLOAT32 b;", "FLOAT32 b = -inf;")
    with pytest.raises(IdlErrors, match="the default of 'b' is infinite"):
        generate(load(Source("r.idl", text)), "ascendc")


@pytest.mark.parametrize("case", WHOLE, ids=lambda case: case.name)
def test_whole_tensor_operators_are_refused(case):
    with pytest.raises(IdlErrors, match="target ascendc: "):
        generate(load(Source("w.idl", case.text)), "ascendc")
