"""What does one vector instruction cost in the first cache against torch's operator on one thread?

Two figures an instruction: torch on the same 2,048 elements (its dispatch included, as a user pays it) and torch on
131,072 elements, per element (its loop alone, from the second cache).
"""

import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "operators"))
from harness import load_operators, paired, report  # noqa: E402

load_operators()
import torch  # noqa: E402

MUL, EXP, CAST_UP, CAST_DOWN, REDUCE_SUM, ADD = range(6)
N, MANY, TIMES = 2048, 131072, 2000
torch.set_num_threads(1)


def torch_call(instruction, dtype, n):
    """torch's operator on n elements, into an output that exists."""
    x, y, z = (torch.full((n,), v, dtype=dtype) for v in (1.25, 0.75, 0))
    wide, total = torch.full((n,), 1.5), torch.zeros((), dtype=dtype)
    return {
        ADD: lambda: torch.add(x, y, out=z),
        MUL: lambda: torch.mul(x, y, out=z),
        EXP: lambda: torch.exp(x, out=z),
        CAST_UP: lambda: wide.copy_(x),
        CAST_DOWN: lambda: z.copy_(wide),
        REDUCE_SUM: lambda: torch.sum(x, dim=(0,), out=total),
    }[instruction]


for dtype, name, target in ((torch.float16, "f16", 1.0), (torch.float32, "f32", 0.8)):
    like = torch.zeros(1, dtype=dtype).npu()
    for instruction, label in (
        (EXP, "exp"),
        (MUL, "mul"),
        (ADD, "add"),
        (CAST_UP, "cast f16 to f32"),
        (CAST_DOWN, "cast f32 to f16"),
        (REDUCE_SUM, "reduce-sum"),
    ):
        if name == "f32" and instruction in (CAST_UP, CAST_DOWN):
            continue

        ours = partial(torch.ops.toprope_bench.repeat, like, instruction, N, TIMES)

        _, _, ratio = paired(ours, torch_call(instruction, dtype, N))
        report(f"{label} {name}, {N} elements", ratio * TIMES, "x torch's speed", target)
        _, _, ratio = paired(ours, torch_call(instruction, dtype, MANY))
        report(f"{label} {name}, torch's loop alone", ratio * TIMES * N / MANY, "x torch's speed")
