"""Every operation of the table in docs/idl.md, in every element type that it names there, on both targets."""

from __future__ import annotations

import ctypes
import importlib.util
import re
from pathlib import Path

import pytest
from ascendc_runner import Acl, build, run
from interpreter import interpret
from operators import rand
from pto.codegen import generate, main
from pto.idl import IdlErrors, Source, load

import torch

pypto = pytest.importorskip("pypto")

ROOT = Path(__file__).resolve().parents[3]
MARKS = {"●": ("pypto", "ascendc"), "○": ("pypto",), "": ()}
#: An operation as written in the table → as an expression of x, y [M, N] and the condition c.
EXPRESSIONS = {
    "neg(x), -x": "-x",
    "cast(x, FLOAT16, rint)": "cast(x, {other})",
    "transpose(x), transpose(x, N, M)": "transpose(x)",
    "reshape(x, [M, N])": "reshape(x, [N, M])",
    "where(c, a, b)": "where(c, x, y)",
    "a @ b": "x @ transpose(y)",
}


def table() -> dict[tuple[str, str], tuple[str, ...]]:
    """(operation, element type) → targets."""
    text = (ROOT / "docs/idl.md").read_text()
    rows = [
        line.strip("|").split("|")
        for line in text.split("<!-- table -->")[1].split("<!-- /table -->")[0].split("\n")
        if "|" in line
    ]
    header = [cell.strip() for cell in rows[0]][2:]
    return {
        (row[0].strip(" `"), dtype): MARKS[cell.strip()]
        for row in rows[2:]
        for dtype, cell in zip(header, row[2:], strict=True)
    }


TABLE = table()
DTYPES = list(dict.fromkeys(dtype for _, dtype in TABLE))


def expression(operation: str, dtype: str) -> str:
    """The operation on the operands of `operator`."""
    text = EXPRESSIONS.get(operation) or re.sub(r"\b[ab]\b", lambda m: {"a": "x", "b": "y"}[m.group()], operation)
    return text.format(other="FLOAT32" if dtype not in ("FLOAT32", "INT64") else "INT32")


def result_type(operation: str, dtype: str) -> str:
    """The element type of the result."""
    if operation.startswith("cast"):
        return "FLOAT32" if dtype not in ("FLOAT32", "INT64") else "INT32"
    return "BOOL" if re.search(r"[<>=]", operation) else dtype


def operator(name: str, operations: list[str], dtype: str) -> str:
    """An operator with an output for each operation."""
    shapes = {"transpose(x), transpose(x, N, M)": "[N, M]", "reshape(x, [M, N])": "[N, M]", "a @ b": "[M, M]"}
    outputs, statements = [], []
    for index, operation in enumerate(operations):
        shape = shapes.get(operation, "[M, 1]" if "(x, N)" in operation else "[M, N]")
        outputs.append(f"Tensor o{index}, {result_type(operation, dtype)} {shape};")
        statements.append(f"o{index} = {expression(operation, dtype)};")
    return (
        f"operator {name} {{ input {{ Tensor x, {dtype} [M, N]; Tensor y, {dtype} [M, N]; Tensor c, BOOL [M, N]; }}\n"
        f"output {{ {' '.join(outputs)} }}\ncomputation {{ {' '.join(statements)} }} }}\n"
    )


def operands(dtype: str) -> list[torch.Tensor]:
    """x, y and c."""
    type_ = getattr(torch, dtype.lower())
    if type_.is_floating_point:
        x, y = rand(6, 50, dtype=type_), rand(50, 6, dtype=type_).T.contiguous()
        x[0, :4] = y[1, :4] = torch.tensor([0.0, -0.0, float("inf"), float("nan")]).to(type_)
    else:
        low = 0 if dtype.startswith("UINT") or dtype == "BOOL" else -100
        high = 1 if dtype == "BOOL" else 100
        x = rand(6, 50, dtype=torch.int64, low=low, high=high).to(type_)
        y = rand(50, 6, dtype=torch.int64, low=low, high=high).T.contiguous().to(type_)
    return [x, y, rand(6, 50) > 0]


def expected(text: str, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
    """The interpreter's results; integers are computed in 64 bits and wrap at the end."""
    program = load(Source("t.idl", text)).operators[0]
    integer = not inputs[0].is_floating_point() and inputs[0].dtype != torch.bool
    wide = [t.long() if integer and t.dtype != torch.bool else t for t in inputs]
    made = interpret(program, wide, {"M": 6, "N": 50})
    return [t.to(getattr(torch, p.dtype.name.lower())) for t, p in zip(made, program.outputs)]


def compare(text: str, made: list[torch.Tensor], inputs: list[torch.Tensor]) -> None:
    """Half precision and reductions within their rounding, the rest nearly exactly."""
    for index, (actual, wanted) in enumerate(zip(made, expected(text, inputs))):
        close = {torch.float16: 2e-3, torch.bfloat16: 1.6e-2, torch.float32: 2e-5}.get(actual.dtype, 0)
        if actual.dtype in (torch.uint16, torch.uint32, torch.uint64):
            actual, wanted = actual.long(), wanted.long()
        torch.testing.assert_close(
            actual,
            wanted.reshape(actual.shape),
            rtol=close,
            atol=close,
            equal_nan=True,
            msg=lambda m, i=index: f"o{i} of {text}: {m}",
        )


def of(dtype: str, target: str) -> list[str]:
    """The operations that a target takes for an element type."""
    return [operation for (operation, d), targets in TABLE.items() if d == dtype and target in targets]


def test_the_page_is_what_its_generator_makes():
    spec = importlib.util.spec_from_file_location("generate_idl", ROOT / "spec/generate_idl.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.page(module.PAGE.read_text()) == module.PAGE.read_text()


def test_examples_of_the_page_are_right():
    blocks = re.findall(r"```idl\n(.*?)```", (ROOT / "docs/idl.md").read_text(), re.DOTALL)
    assert blocks
    for block in blocks:
        for target in ("pypto", "ascendc"):
            generate(load(Source("page.idl", block)), target)


@pytest.fixture(scope="module")
def pypto_libraries(tmp_path_factory) -> None:
    directory = tmp_path_factory.mktemp("pypto_operations")
    (directory / "all.idl").write_text("".join(operator(f"All_{d}", of(d, "pypto"), d) for d in DTYPES))
    options = ["--idl", str(directory / "all.idl"), "--output_dir", str(directory), "--target", "pypto", "--build"]
    assert main(options) == 0
    pypto.init()
    for dtype in DTYPES:
        pypto.load_custom_insn(directory / f"all_{dtype.lower()}_pypto.so")


@pytest.mark.parametrize("dtype", DTYPES)
def test_pypto(pypto_libraries, dtype):
    text, inputs = operator(f"All_{dtype}", of(dtype, "pypto"), dtype), operands(dtype)
    outputs = [torch.empty_like(t) for t in expected(text, inputs)]
    pypto.load_insn(f"All_{dtype}")(*inputs, *outputs)
    compare(text, outputs, inputs)


@pytest.fixture(scope="module")
def kernels(tmp_path_factory) -> ctypes.CDLL:
    texts = [operator(f"All_{d}", of(d, "ascendc"), d) for d in DTYPES if of(d, "ascendc")]
    return ctypes.CDLL(str(build(tmp_path_factory.mktemp("ascendc_operations"), texts)))


@pytest.mark.parametrize("dtype", [d for d in DTYPES if of(d, "ascendc")])
def test_ascendc(kernels, dtype):
    text, inputs = operator(f"All_{dtype}", of(dtype, "ascendc"), dtype), operands(dtype)
    compare(text, run(Acl(), kernels, text, [t.clone() for t in inputs], {}), inputs)


@pytest.mark.parametrize("dtype", DTYPES)
def test_what_the_table_leaves_out_is_refused(dtype):
    for (operation, d), targets in TABLE.items():
        if d != dtype or targets == ("pypto", "ascendc"):
            continue
        text = operator("Out", [operation], dtype)
        with pytest.raises(IdlErrors):
            program = load(Source("out.idl", text))
            assert targets, operation
            generate(program, "pypto")
            generate(program, "ascendc")
