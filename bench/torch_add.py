"""What does an add kernel behind a torch operator cost against torch.add on the same machine?"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "operators"))
from harness import load_operators, paired, report  # noqa: E402

load_operators()
import torch  # noqa: E402

custom = torch.ops.toprope_bench


def against_torch(case, dtype, shape, threads, target, blocks, tile):
    torch.set_num_threads(threads)
    x, y = (torch.rand(shape, dtype=dtype) for _ in range(2))
    out = torch.empty_like(x)
    xn, yn, on = x.npu(), y.npu(), out.npu()
    assert torch.equal(custom.add.out(xn, yn, blocks, tile, out=on).cpu(), torch.add(x, y))
    ours, theirs, ratio = paired(lambda: custom.add.out(xn, yn, blocks, tile, out=on), lambda: torch.add(x, y, out=out))
    report(case, ratio, "x torch.add's speed", target, ours_us=ours * 1e6, torch_us=theirs * 1e6)


against_torch("add f32 64 MiB, 1 thread", torch.float32, 1 << 24, 1, 0.7, 8, 4096)
against_torch("add f32 64 MiB, 2 threads", torch.float32, 1 << 24, 2, 0.85, 8, 4096)
against_torch("add f16 [8,2048], 1 thread", torch.float16, (8, 2048), 1, 1.3, 8, 2048)
against_torch("add f16 [8,2048], 2 threads", torch.float16, (8, 2048), 2, 1.3, 8, 2048)

torch.set_num_threads(1)
x, y = torch.rand(16), torch.rand(16)
xn, yn, out, on = x.npu(), y.npu(), torch.empty(16), torch.empty(16).npu()
_, _, ratio = paired(lambda: custom.add(xn, yn, 1, 64), lambda: torch.add(x, y))
report("custom op, 16 elements", 1 / ratio, "x torch.add's time", 4, "lower")
_, _, ratio = paired(lambda: torch.add(xn, yn, out=on), lambda: torch.add(x, y, out=out))
report("ATen add(out=) on npu, 16 elements", 1 / ratio, "x the CPU op's time", 2, "lower")
