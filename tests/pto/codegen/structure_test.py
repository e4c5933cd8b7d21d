"""What generated code is made of: one loop for a fused chain, no temporary of full size, the same text every time."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from pto.codegen import generate, main
from pto.codegen.plan import schedule
from pto.idl import Source, load


def body(inputs: str, outputs: str, computation: str, attrs: str = "") -> str:
    """One operator."""
    return f"operator Op {{ input {{ {inputs} }} output {{ {outputs} }} attr {{ {attrs} }} computation {{ {computation} }} }}"


X, Y = "Tensor x, FLOAT32 [M, N];", "Tensor y, FLOAT32 [M, N];"

#: Operators → (stages, temporaries in memory).
FUSED = {
    "chain": (body(X, Y, "t = exp(x) + 1; u = t * t; y = u / (u + x);"), 1, 0),
    "softmax": (body(X, Y, "e = exp(x - max(x, N)); y = e / sum(e, N);"), 1, 0),
    "layer norm": (
        body(X + "Tensor g, FLOAT32 [N];", Y, "d = x - mean(x, N); y = d * rsqrt(mean(d * d, N) + 1e-5) * g;"),
        1,
        0,
    ),
    "row results": (body(X, Y + "Tensor s, FLOAT32 [M];", "r = log(sum(exp(x), N)); y = x - r; s = r * 2;"), 1, 0),
    "whole rows": (body("Tensor x, FLOAT32 [B, M, N];", "Tensor s, FLOAT32 [B];", "s = mean(x, M, N);"), 1, 0),
    "columns": (body(X, "Tensor s, FLOAT32 [N];", "s = sum(exp(x), M);"), 1, 0),
    "softmax of columns": (body(X, Y, "e = exp(x - max(x, M)); y = e / sum(e, M);"), 3, 2),
    "vector first": (body(X + "Tensor g, FLOAT32 [N];", Y, "y = exp(x) * sqrt(g);"), 2, 1),
    "matmul": (body("Tensor a, FLOAT32 [M, K]; Tensor b, FLOAT32 [K, N];", Y, "y = a @ b;"), 1, 0),
    "view": (body(X, "Tensor y, FLOAT32 [M*N];", "y = exp(reshape(x, [M*N]));"), 2, 0),
}


@pytest.mark.parametrize("case", FUSED.values(), ids=FUSED.keys())
def test_fusion(case):
    text, stages, temporaries = case
    program = load(Source("op.idl", text))
    plan = schedule(program.operators[0])
    assert len(plan.stages) == stages
    assert len(plan.temporaries) == temporaries
    code = generate(program, "pypto")["op_pypto.cpp"]
    assert code.count("new ") == temporaries


def test_a_matrix_product_lies_in_the_output_that_is_computed_from_it():
    inputs = "Tensor a, FLOAT32 [M, K]; Tensor b, FLOAT32 [K, N]; Tensor bias, FLOAT32 [N];"
    for computation, memory in (
        ("y = relu(a @ b + bias);", 0),
        ("p = a @ b; t = p * 2; y = t + p;", 0),
        ("p = a @ b; y = p / sum(p, N);", 1),  # read again after the row's sum
    ):
        code = generate(load(Source("op.idl", body(inputs, Y, computation))), "pypto")["op_pypto.cpp"]
        assert code.count("new ") == memory, computation
    code = generate(
        load(Source("op.idl", body(inputs, Y + Y.replace("y", "z"), "p = a @ b; y = p + 1; z = p + 2;"))), "pypto"
    )
    assert re.search(r"matmul\(z,", code["op_pypto.cpp"]), "y is written before p is read for z"


def test_no_temporary_of_full_size():
    """What the column softmax keeps between its loops are the results over the columns."""
    (text, _, _) = FUSED["softmax of columns"]
    plan = schedule(load(Source("op.idl", text)).operators[0])
    assert all(value.shape[0].is_one() for value in plan.temporaries)


def test_a_row_is_computed_again_only_where_it_does_not_fit():
    program = load(Source("op.idl", FUSED["softmax"][0]))
    for target, file, exponential in (("pypto", "op_pypto.cpp", "Unary::Exp"), ("ascendc", "op.asc", "AscendC::Exp")):
        code = generate(program, target)[file]
        assert code.count(exponential) == 2
        again = code.split("if (!whole) {")
        assert len(again) >= 2 and exponential in again[-1].split("}")[0]


def test_operands_of_the_chain_lie_in_tile_buffers():
    code = generate(load(Source("op.idl", FUSED["chain"][0])), "pypto")["op_pypto.cpp"]
    tile = int(re.search(r"kTile = (\d+)", code).group(1))
    buffers = re.findall(r"alignas\(64\) float \w+\[kTile\]", code)
    assert 1 <= len(buffers) <= 2
    assert len(buffers) * tile * 4 <= 16 << 10


def test_names_of_the_file_cannot_break_the_code(tmp_path):
    """Words of C++, of the headers and of the generator as names of tensors, sizes and attributes."""
    text = body(
        "Tensor int, FLOAT32 [std, N]; Tensor run, FLOAT32 [N]; Tensor float16, FLOAT32 [std, 1];",
        "Tensor call, FLOAT32 [std, N]; Tensor kTile, FLOAT32 [std]; Tensor class, FLOAT32 [std, N];",
        "at = int * pto + run; n = exp(at - sum(at, N)); call = n / mean(n, N); kTile = sum(at, N) * M_PI; class = n * float16;",
        "FLOAT32 pto = 2; FLOAT32 M_PI = 3;",
    )
    program = load(Source("weird \\name\n$.idl", text))
    for target in ("pypto", "ascendc"):
        for name, code in generate(program, target).items():
            (tmp_path / name).write_text(code)
    include = Path(__file__).resolve().parents[3] / "include"
    done = subprocess.run(
        ["g++", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{include}", tmp_path / "op_pypto.cpp"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def test_the_text_does_not_depend_on_the_process(tmp_path):
    idl = tmp_path / "a.idl"
    idl.write_text(FUSED["layer norm"][0])
    made = []
    for seed in ("1", "2"):
        for target in ("pypto", "ascendc"):
            command = [
                sys.executable,
                "-m",
                "pto.codegen",
                "--idl",
                idl,
                "--output_dir",
                tmp_path / seed,
                "--target",
                target,
            ]
            source = Path(__file__).resolve().parents[3] / "python"
            subprocess.run(
                command, check=True, env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(source)}, capture_output=True
            )
        made.append({path.name: path.read_text() for path in sorted((tmp_path / seed).iterdir())})
    assert made[0] == made[1]


def test_command_line(tmp_path, capsys):
    idl = tmp_path / "two.idl"
    idl.write_text(f"{FUSED['chain'][0]}\n{FUSED['softmax'][0].replace('Op', 'Second')}")
    out = tmp_path / "made" / "here"
    assert main(["--idl", str(idl), "--output_dir", str(out), "--target", "pypto"]) == 0
    assert sorted(p.name for p in out.iterdir()) == ["op_pypto.cpp", "second_pypto.cpp"]
    assert capsys.readouterr().out.split() == [str(out / "op_pypto.cpp"), str(out / "second_pypto.cpp")]


def test_nothing_is_written_for_a_file_with_a_mistake(tmp_path, capsys):
    idl = tmp_path / "bad.idl"
    idl.write_text(
        f"{FUSED['chain'][0]}\n{FUSED['softmax'][0].replace('Op', 'Second').replace('e / sum', 'e + nothing / sum')}"
    )
    out = tmp_path / "out"
    assert main(["--idl", str(idl), "--output_dir", str(out), "--target", "pypto"]) == 1
    assert not out.exists()
    error = capsys.readouterr().err
    assert error.startswith(f"{idl}:2:") and "'nothing' is not known here" in error


def test_unreadable_and_unwritable_places_are_named(tmp_path, capsys):
    assert main(["--idl", str(tmp_path / "none.idl"), "--output_dir", str(tmp_path), "--target", "pypto"]) == 1
    assert f"cannot read {tmp_path / 'none.idl'}" in capsys.readouterr().err
    idl = tmp_path / "a.idl"
    idl.write_text(FUSED["chain"][0])
    assert main(["--idl", str(idl), "--output_dir", str(idl), "--target", "pypto"]) == 1
    assert f"cannot write to {idl}" in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        main(["--idl", str(idl), "--output_dir", str(tmp_path), "--target", "cuda"])
    assert caught.value.code == 2
