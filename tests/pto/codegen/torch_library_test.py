"""Target ascendc's torch.library operators: built with --build, called from PyTorch, refused where they must be."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from operators import COMMON
from pto.codegen import main

torch_npu = pytest.importorskip("torch_npu")

#: Runs in a process of its own, with two devices.
PROGRAM = """
import sys
import torch
import torch_npu
from torch.library import opcheck

torch.ops.load_library(sys.argv[1])
axpb, norm = torch.ops.test_cases.axpb, torch.ops.test_cases.layernorm

x, z = torch.randn(5000), torch.randn(5000)
torch.testing.assert_close(axpb(x.npu(), z.npu(), b=0.5).cpu(), 2 * x - (z + 0.5) / 4)
torch.testing.assert_close(axpb(x.npu(), z.npu(), a=0.5, b=-1.0).cpu(), 0.5 * x - (z - 1.0) / 4)
assert axpb(x[:0].npu(), z[:0].npu(), b=0.5).shape == (0,)

r, g, b = torch.randn(3, 4, 40), torch.randn(40), torch.randn(40)
y, rstd = norm(r.npu(), g.npu(), b.npu())
torch.testing.assert_close(y.cpu(), torch.layer_norm(r, (40,), g, b), rtol=1e-5, atol=1e-5)
assert rstd.shape == (3, 4) and y.device.type == "npu"
y1, _ = norm(r.to("npu:1"), g.to("npu:1"), b.to("npu:1"))
assert y1.device == torch.device("npu:1") and torch.equal(y1.cpu(), y.cpu())

for op, tensors, attributes in ((axpb, (x.npu(), z.npu()), {"b": 0.5}), (norm, (r.npu(), g.npu(), b.npu()), {})):
    opcheck(op, tensors, attributes, test_utils=("test_schema", "test_faketensor"))
compiled = torch.compile(lambda a, c: axpb(a, c, b=0.5) * 2, fullgraph=True, backend="eager", dynamic=True)
for n in (7, 9):
    torch.testing.assert_close(compiled(x[:n].npu(), z[:n].npu()).cpu(), 2 * (2 * x[:n] - (z[:n] + 0.5) / 4))


def refused(text, call):
    try:
        call()
    except (RuntimeError, NotImplementedError) as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"not refused: {text}")


refused("Axpb: x is float32, got Half", lambda: axpb(x.half().npu(), z.npu(), b=0.5))
refused("Axpb: z has shape [N], got [4999]", lambda: axpb(x.npu(), z[1:].npu(), b=0.5))
refused("LayerNorm: x has shape [B, M, N], got [5000]", lambda: norm(x.npu(), g.npu(), b.npu()))
refused("Axpb: x is not contiguous", lambda: axpb(torch.randn(10).npu()[::2], z[:5].npu(), b=0.5))
refused("Axpb: z is on another device", lambda: axpb(x.npu(), z.to("npu:1"), b=0.5))
refused("CPU", lambda: axpb(x, z, b=0.5))
refused("Axpb: x requires a gradient", lambda: axpb(x.npu().requires_grad_(), z.npu(), b=0.5))
print("done")
"""


def test_operators_in_pytorch(tmp_path, capfd):
    cases = {case.name: case.text for case in COMMON}
    idl = tmp_path / "two.idl"
    idl.write_text(f"package test.cases;\n{cases['Axpb']}\n{cases['LayerNorm']}\n")
    assert main(["--idl", str(idl), "--output_dir", str(tmp_path / "out"), "--target", "ascendc", "--build"]) == 0
    library = tmp_path / "out/build/libtest_cases_ops.so"
    assert str(library) in capfd.readouterr().out
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, library],
        env={**os.environ, "TOPROPE_DEVICES": "2"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert "done" in done.stdout
