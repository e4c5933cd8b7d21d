"""Random operators compute with target pypto what PyTorch computes: fusion, passes and buffers change no result."""

from __future__ import annotations

import pytest
from interpreter import SIZES, assert_agrees, inputs_of
from pto.codegen import main
from pto.idl import Source, load
from random_operators import operator_text

import torch

pypto = pytest.importorskip("pypto")

SEEDS = range(20)


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
        inputs = inputs_of(operator, sizes)
        outputs = [
            torch.full([int(d.evaluate(sizes)) for d in p.shape], 77).to(getattr(torch, p.dtype.name.lower()))
            for p in operator.outputs
        ]
        pypto.load_insn(operator.name)(*inputs, *outputs)
        assert_agrees(outputs, operator, inputs, sizes, operator_text(seed))
