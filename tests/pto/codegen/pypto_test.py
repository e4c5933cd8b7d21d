"""Target pypto: the generated file compiles with the documented line, loads, and computes what PyTorch computes."""

from __future__ import annotations

import subprocess
import sysconfig
from pathlib import Path

import pytest
from operators import COMMON, WHOLE, Case, check
from pto.codegen import generate, main
from pto.codegen.build import prefix
from pto.idl import Source, load

import torch

pypto = pytest.importorskip("pypto")

CASES = COMMON + WHOLE


@pytest.fixture(scope="module")
def libraries(tmp_path_factory) -> Path:
    """A directory with every case's library, built with --build."""
    directory = tmp_path_factory.mktemp("pypto")
    idl = directory / "all.idl"
    idl.write_text("package test.cases;\n" + "\n".join(case.text for case in CASES))
    assert main(["--idl", str(idl), "--output_dir", str(directory), "--target", "pypto", "--build"]) == 0
    pypto.init()
    for case in CASES:
        assert pypto.load_custom_insn(directory / f"{case.name.lower()}_pypto.so") == 1
    return directory


def run(case: Case, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
    """The outputs of a case's instruction."""
    insn = pypto.load_insn(case.name)
    outputs = [torch.full(t.shape, 77).to(t.dtype) for t in shaped(case, inputs)]
    insn(*inputs, *outputs, **case.attrs)
    return outputs


def shaped(case: Case, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
    """What is expected, in the shapes that the IDL declares."""
    operator = load(Source("case.idl", case.text)).operators[0]
    expected = case.expected(*inputs, **case.attrs)
    declared = [len(p.shape) for p in operator.outputs]
    return [
        t if t.dim() == rank else t.reshape([s for s in t.shape if s != 1][:rank])
        for t, rank in zip(expected, declared)
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_numbers(libraries, case):
    for sizes in case.sizes:
        inputs = [t.contiguous() for t in case.inputs(*sizes)]
        check(case, run(case, [t.clone() for t in inputs]), inputs)


def test_the_documented_line_compiles_without_warnings(tmp_path):
    """g++ -shared with the include directories and libraries of the requirement; -fPIC is what this platform adds."""
    program = load(Source("matmul.idl", "package cann.pto;\n" + WHOLE[0].text.replace("MatMul", "MatMul2")))
    for name, text in generate(program, "pypto").items():
        (tmp_path / name).write_text(text)
    home = prefix()
    line = ["g++", "-shared", "-o", "matmul2_pypto.so", "matmul2_pypto.cpp", f"-I{home}/include", f"-L{home}/lib64"]
    line += ["-lpto", "-lpypto", f"-I{sysconfig.get_paths()['include']}", "-fPIC", "-Wall", "-Wextra", "-Werror"]
    done = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert pypto.load_custom_insn(tmp_path / "matmul2_pypto.so") == 1
    pypto.init()
    a = pypto.Tensor([[1, 2], [3, 4], [5, 6]], dtype=pypto.float32)
    b = pypto.Tensor([[7, 8, 9], [10, 11, 12]], dtype=pypto.float32)
    c = pypto.Tensor([[0, 0, 0]] * 3, dtype=pypto.float32)
    insn = pypto.load_insn("MatMul2")
    for index, operand in enumerate((a, b, c)):
        insn.set_operand(index, operand)
    insn.execute()
    assert c.numpy().tolist() == [[27, 30, 33], [61, 68, 75], [95, 106, 117]]


def test_an_output_may_lie_over_an_input(libraries):
    """Fused chains write tile by tile; what is read later must still be there."""
    x = torch.linspace(-3, 3, 50000)
    z = x + 1
    expected = 2 * x - (z + 0.5) / 4
    pypto.load_insn("Axpb")(x, z, x, b=0.5)
    torch.testing.assert_close(x, expected)
    matrix = torch.randn(40, 300)
    expected = torch.softmax(matrix, 1)
    pypto.load_insn("Softmax")(matrix, matrix)
    torch.testing.assert_close(matrix, expected)


def test_wrong_operands_are_refused(libraries):
    insn = pypto.load_insn("Pairs")
    good = [torch.zeros(3, 9), torch.zeros(4, 2), torch.zeros(3, 9), torch.zeros(4, 2), torch.zeros(27)]
    insn(*good)
    with pytest.raises(ValueError, match="Pairs"):
        insn(torch.zeros(3, 8), *good[1:])
    with pytest.raises(ValueError, match="Pairs"):
        insn(*good[:4], torch.zeros(26))
    with pytest.raises(TypeError, match="float32"):
        insn(good[0].double(), *good[1:])


def test_a_missing_attribute_is_named(libraries):
    x = torch.zeros(4)
    with pytest.raises(ValueError, match="'?b'?"):
        pypto.load_insn("Axpb")(x, x.clone(), x.clone())
