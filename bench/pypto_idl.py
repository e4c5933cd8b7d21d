"""What do instructions generated from IDL cost against torch's operators on one thread?

A softmax (torch has it as one fused kernel), a layer norm likewise, and a chain of five elementwise operations, which torch
runs one by one through memory.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "operators"))
import pypto  # noqa: E402
from harness import paired, report  # noqa: E402
from pto.codegen import main  # noqa: E402

import torch  # noqa: E402

OPERATORS = """
operator BenchSoftmax { input { Tensor x, FLOAT32 [M, N]; } output { Tensor y, FLOAT32 [M, N]; }
  computation { e = exp(x - max(x, N)); y = e / sum(e, N); } }
operator BenchNorm { input { Tensor x, FLOAT32 [M, N]; Tensor g, FLOAT32 [N]; Tensor b, FLOAT32 [N]; }
  output { Tensor y, FLOAT32 [M, N]; }
  computation { d = x - mean(x, N); y = d * rsqrt(mean(d * d, N) + 1e-5) * g + b; } }
operator BenchChain { input { Tensor x, FLOAT32 [M, N]; Tensor z, FLOAT32 [M, N]; } output { Tensor y, FLOAT32 [M, N]; }
  computation { y = relu(x * 2 + z) * 0.5 - x; } }
"""

torch.set_num_threads(1)
pypto.init()
with tempfile.TemporaryDirectory() as directory:
    idl = Path(directory, "bench.idl")
    idl.write_text(OPERATORS)
    if main(["--idl", str(idl), "--output_dir", directory, "--target", "pypto", "--build"]):
        sys.exit("the operators did not build")
    for library in sorted(Path(directory).glob("*.so")):
        pypto.load_custom_insn(library)


def bound(name, *operands):
    """An instruction with its operands set: what is timed is execute()."""
    insn = pypto.load_insn(name)
    for index, operand in enumerate(operands):
        insn.set_operand(index, operand)
    return insn.execute


for rows, columns in ((4096, 64), (1024, 1024), (64, 16384), (8, 1 << 18)):
    x, z = torch.randn(rows, columns), torch.randn(rows, columns)
    g, b, y = torch.randn(columns), torch.randn(columns), torch.empty(rows, columns)

    def softmax(x=x, y=y):
        torch.softmax(x, 1, out=y)

    def norm(x=x, g=g, b=b, n=columns):
        torch.layer_norm(x, (n,), g, b, 1e-5)

    def chain(x=x, z=z):
        torch.relu(x * 2 + z) * 0.5 - x

    for name, operands, other in (
        ("BenchSoftmax", (x, y), softmax),
        ("BenchNorm", (x, g, b, y), norm),
        ("BenchChain", (x, z, y), chain),
    ):
        _, _, ratio = paired(bound(name, *operands), other)
        report(f"{name.removeprefix('Bench').lower()} f32 {rows} x {columns}", ratio, "x torch's speed")
