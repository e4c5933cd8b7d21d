"""What the Python benchmarks share: the operator library, paired timing, and the result lines that make bench reads."""

from __future__ import annotations

import ctypes
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "bench-operators"


def build(target: str) -> Path:
    """The library `target` of bench/operators, built where needed."""
    log = BUILD / "build.log"
    BUILD.mkdir(parents=True, exist_ok=True)
    with log.open("w") as out:
        for command in (
            ["cmake", "-S", Path(__file__).parent, "-B", BUILD, f"-DPython3_EXECUTABLE={sys.executable}"],
            ["cmake", "--build", BUILD, "-j", "--target", target],
        ):
            if subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, check=False).returncode:
                sys.exit(f"bench/operators did not build, see {log}\n{log.read_text()[-3000:]}")
    return BUILD / f"lib{target}.so"


def load_operators() -> None:
    """torch.ops.toprope_bench."""
    import torch_npu  # noqa: F401

    import torch

    torch.ops.load_library(build("bench_operators"))


def load_instructions() -> ctypes.CDLL:
    """Every vector instruction by number: bench_count(), bench_name(i), bench_run(i, form, times)."""
    library = ctypes.CDLL(str(build("bench_instructions")))
    library.bench_name.restype = ctypes.c_char_p
    return library


def seconds(call: Callable[[], object], times: int) -> float:
    """Seconds a call, over `times` calls in a row."""
    start = time.perf_counter()
    for _ in range(times):
        call()
    return (time.perf_counter() - start) / times


def paired(
    a: Callable[[], object], b: Callable[[], object], rounds: int = 15, each: float = 0.01
) -> tuple[float, float, float]:
    """Median over `rounds` of (seconds of a, seconds of b, b/a), the two in turn so that drift hits both."""
    counts = [max(1, int(each / max(seconds(f, 3), 1e-9))) for f in (a, b)]
    pairs = [(seconds(a, counts[0]), seconds(b, counts[1])) for _ in range(rounds)]
    return (
        statistics.median(p[0] for p in pairs),
        statistics.median(p[1] for p in pairs),
        statistics.median(p[1] / p[0] for p in pairs),
    )


def report(case: str, value: float, unit: str, target: float | None = None, better: str = "higher", **more) -> None:
    """One result line."""
    line = {"case": case, "value": value, "unit": unit, **more}
    if target is not None:
        line |= {"target": target, "better": better}
    print(json.dumps(line), flush=True)
