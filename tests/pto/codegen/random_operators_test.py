"""Random operators compute with target pypto what PyTorch computes: fusion, passes and buffers change no result."""

from __future__ import annotations

import pytest
from interpreter import interpret
from operators import rand
from pto.codegen import main
from pto.idl import Source, load
from random_operators import operator_text

import torch

pypto = pytest.importorskip("pypto")

SEEDS = range(20)
SIZES = ({"A": 2, "B": 3, "C": 5}, {"A": 1, "B": 2, "C": 17000}, {"A": 3, "B": 1, "C": 1})


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> None:
    directory = tmp_path_factory.mktemp("random")
    (directory / "all.idl").write_text("".join(map(operator_text, SEEDS)))
    options = ["--idl", str(directory / "all.idl"), "--output_dir", str(directory), "--target", "pypto", "--build"]
    assert main(options) == 0
    pypto.init()
    for seed in SEEDS:
        pypto.load_custom_insn(directory / f"random{seed}_pypto.so")


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers(library, seed):
    operator = load(Source("random.idl", operator_text(seed))).operators[0]
    for sizes in SIZES:
        shapes = {p.name: [int(d.evaluate(sizes)) for d in p.shape] for p in (*operator.inputs, *operator.outputs)}
        dtypes = {p.name: getattr(torch, p.dtype.name.lower()) for p in (*operator.inputs, *operator.outputs)}
        inputs = [rand(*shapes[p.name], dtype=dtypes[p.name]) for p in operator.inputs]
        outputs = [torch.full(shapes[p.name], 77).to(dtypes[p.name]) for p in operator.outputs]
        pypto.load_insn(operator.name)(*inputs, *outputs)
        for actual, expected in zip(outputs, interpret(operator, inputs, sizes)):
            tolerance = {torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 6e-2}.get(actual.dtype, 0)
            torch.testing.assert_close(
                actual,
                expected.reshape(actual.shape),
                rtol=tolerance,
                atol=tolerance,
                msg=lambda m, s=sizes: f"{operator_text(seed)}{s}: {m}",
            )
