"""What do kernels in PTO's tile language cost against torch on one thread? (PTO's own CPU simulator: 3.5 times slower
than torch.add, 80 to 100 times slower than torch.matmul.)
"""

import ctypes
import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")
sys.path.insert(0, str(Path(__file__).parent / "operators"))
from harness import paired, report  # noqa: E402

import torch  # noqa: E402

TILE = 32 * 256  # elements that the add kernel takes at a time
torch.set_num_threads(1)


def build(directory: str) -> ctypes.CDLL:
    """The kernels as a library."""
    library = Path(directory) / "libpto_tile.so"
    source = Path(__file__).parent / "operators" / "pto_tile.asc"
    subprocess.run(
        ["bisheng", "-x", "asc", "-std=c++20", "--npu-arch=dav-2201", "-O2", "-fPIC", "-shared", source, "-o", library],
        check=True,
    )
    return ctypes.CDLL(str(library))


def run(function, *arguments):
    """Calls a kernel with tensors' addresses."""
    status = function(*(ctypes.c_void_p(a.data_ptr()) if isinstance(a, torch.Tensor) else a for a in arguments))
    assert status == 0, f"the kernel failed with {status}"


with tempfile.TemporaryDirectory() as directory:
    kernels = build(directory)
    run(kernels.start)
    for elements, label in ((TILE * 8, "256 KiB"), (TILE * 512, "16 MiB")):
        x, y = torch.randn(elements), torch.randn(elements)
        z = torch.empty_like(x)
        ours = partial(run, kernels.run_add, x, y, z, elements // TILE)
        ours()
        assert torch.equal(z, x + y)
        _, _, ratio = paired(ours, lambda x=x, y=y, z=z: torch.add(x, y, out=z))
        report(f"tile add f32, {label}", ratio, "x torch.add's speed")
    for n in (256, 1024):
        a, b = torch.randn(n, n).half(), torch.randn(n, n).half()
        c = torch.empty(n, n)
        wide_a, wide_b, wide_c = a.float(), b.float(), torch.empty(n, n)
        ours = partial(run, kernels.run_matmul, a, b, c, n)
        ours()
        assert torch.allclose(c, wide_a @ wide_b, atol=1e-3, rtol=1e-4)
        _, _, ratio = paired(ours, lambda a=wide_a, b=wide_b, c=wide_c: torch.matmul(a, b, out=c), rounds=7)
        report(f"tile matmul f16 to f32, {n}^3", ratio, "x torch.matmul's speed (f32)")
