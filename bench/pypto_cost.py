"""What do pypto and its instructions cost, against libpto's C API, numpy and torch on the same machine?"""

import ctypes
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")

import numpy as np  # noqa: E402
import pypto  # noqa: E402
from toprope.env import prefix  # noqa: E402

import torch  # noqa: E402

sys.path.insert(0, str(Path(__file__).parent / "operators"))
from harness import paired, report  # noqa: E402

torch.set_num_threads(1)
pypto.init()


def nanoseconds(f, repeats):
    """The best of several loops over f, the loop itself taken off."""

    def once(g):
        start = time.perf_counter_ns()
        for _ in range(repeats):
            g()
        return (time.perf_counter_ns() - start) / repeats

    return min(once(f) for _ in range(7))


def bound(name, *operands, **attributes):
    insn = pypto.load_insn(name)
    for key, value in attributes.items():
        insn.set_attr(key, value)
    for index, operand in enumerate(operands):
        insn.set_operand(index, operand)
    return insn


five = [pypto.Tensor([1.0, 2, 3, 4, 5]) for _ in range(3)]
add = bound("add", *five)
report("execute() of add, 5 floats", nanoseconds(add.execute, 200_000), "ns", 200, "lower")
first = five[0]
others = [pypto.Tensor([1.0, 2, 3, 4, 5]) for _ in range(2)]


def alternate():
    add.set_operand(0, others[0])
    add.set_operand(0, others[1])


report("set_operand() of a Tensor", nanoseconds(alternate, 100_000) / 2, "ns", 100, "lower")

LOOP = """
#include <pto/pto.h>
static pto_insn* insn;
int prepare(int n, void** data) {
  pto_tensor* t;
  int64_t shape[1];
  int i;
  shape[0] = n;
  if (pto_init() || pto_insn_load("add", &insn)) return 1;
  for (i = 0; i < 3; ++i)
    if (pto_tensor_wrap(PTO_FLOAT32, 1, shape, data[i], 0, &t) || pto_insn_bind(insn, i, t)) return 1;
  return 0;
}
int execute(int times) {
  int failed = 0;
  while (times--) failed |= pto_insn_execute(insn);
  return failed;
}
"""

with tempfile.TemporaryDirectory() as directory:
    source, library = Path(directory, "loop.c"), Path(directory, "loop.so")
    source.write_text(LOOP)
    home = prefix()
    flags = [f"-I{home}/include", f"-L{home}/lib64", "-lpto", f"-Wl,-rpath,{home}/lib64"]
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", source, "-o", library, *flags], check=True)
    loop = ctypes.CDLL(str(library))
    # The same memory for both: how fast 48 KiB are added depends on where they lie in a cache of as many.
    tensors = [pypto.zeros(4096) for _ in range(3)]
    assert loop.prepare(4096, (ctypes.c_void_p * 3)(*(np.from_dlpack(t).ctypes.data for t in tensors))) == 0
    insn = bound("add", *tensors)

    def python_loop():
        execute = insn.execute
        for _ in range(2000):
            execute()

    _, _, ratio = paired(python_loop, lambda: loop.execute(2000))
    report("pypto over the C API, add of 4096 floats", 1 / ratio, "x its time", 1.05, "lower")

x, y = (np.random.default_rng(k).random(1 << 24).astype(np.float32) for k in (1, 2))
out, mine = np.empty_like(x), np.empty_like(x)
insn = bound("add", x, y, mine)
_, _, ratio = paired(insn.execute, lambda: np.add(x, y, out=out))
assert (out == mine).all()
report("add f32 64 MiB", ratio, "x numpy's speed", 0.85)

a, b = (torch.rand(1024, 1024) for _ in range(2))
c, mine = torch.empty(1024, 1024), np.empty((1024, 1024), np.float32)
insn = bound("matmul", a.numpy(), b.numpy(), mine)
_, _, ratio = paired(insn.execute, lambda: torch.mm(a, b, out=c))
assert np.allclose(mine, c.numpy(), rtol=1e-4)
report("matmul 1024³ f32, 1 thread", ratio, "x torch.matmul's speed", 1.0)
for name in ("float16", "bfloat16"):
    insn = bound("matmul", pypto.Tensor(a, dtype=name), pypto.Tensor(b, dtype=name), mine)
    _, _, ratio = paired(insn.execute, lambda: torch.mm(a, b, out=c))
    report(f"matmul 1024³ {name} → f32, 1 thread", ratio, "x torch's f32 matmul", 1.2 if name == "float16" else None)
