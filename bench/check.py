"""What do the checks cost on add_custom with tiles of 8 KiB and on a matmul, and what does it cost that they could be on?

The last question is put to a library that is built once more with `false` in place of each branch that asks for an
observer.
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "operators"))
from harness import ROOT, report  # noqa: E402

BUILD = ROOT / "build" / "bench-check"
ADD, MATMUL = BUILD / "add_custom", BUILD / "matmul"
UNWATCHED = BUILD / "unwatched"
SIZES = (("256 KiB", 1 << 16, 400), ("64 MiB", 1 << 24, 7))
ONE = {"OMP_NUM_THREADS": "1"}

_ASKS = re.compile(r"\b(?:\w+(?:\.|->))+watched\b(?!\s*=)")


def run(*command: str | Path) -> None:
    """Runs a command of the build, silently where it works."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def build_unwatched() -> dict[str, str]:
    """Builds the library without observers; the environment that puts it in the other one's place."""
    copy = UNWATCHED / "source"
    branches = 0
    for name in ("src", "include", "cmake", "tools", "python", "spec"):
        shutil.copytree(ROOT / name, copy / name, dirs_exist_ok=True, ignore=shutil.ignore_patterns("ascend"))
    shutil.copy(ROOT / "CMakeLists.txt", copy)
    for path in (*copy.glob("src/machine/*.*"), *copy.glob("src/isa/*.*"), *copy.glob("include/toprope/*/*.h")):
        text, count = _ASKS.subn("false", path.read_text())
        branches += count
        path.write_text(text)
    assert branches > 10, f"{branches} branches ask for an observer: the pattern is out of date"
    tree = UNWATCHED / "build"
    run("cmake", "-S", copy, "-B", tree, "-DCMAKE_BUILD_TYPE=Release", "-DTOPROPE_TESTS=OFF", "-DTOPROPE_TORCH=OFF")
    run("cmake", "--build", tree, "--target", "toprope", "ascendcl")
    return {"LD_LIBRARY_PATH": f"{tree / 'ascend' / 'lib64'}:{os.environ.get('LD_LIBRARY_PATH', '')}"}


def seconds(program: Path, size: int, launches: int, environment: dict[str, str]) -> float:
    """The median launch of one process."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TOPROPE_CHECK")}
    done = subprocess.run(
        [program, str(size), str(launches)],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return float(done.stdout.split()[-1])


def ratio(program: Path, rounds: int, size: int, launches: int, a: dict[str, str], b: dict[str, str]) -> float:
    """Median over pairs of processes, in turn, of the time with a over the time with b."""
    run = (program, size, launches)
    return statistics.median(seconds(*run, a) / seconds(*run, b) for _ in range(rounds))


BUILD.mkdir(parents=True, exist_ok=True)
for name, program in (("add_program", ADD), ("matmul_program", MATMUL)):
    source = Path(__file__).parent / "operators" / f"{name}.asc"
    run("bisheng", "-x", "asc", "-std=c++20", "--npu-arch=dav-2201", "-O2", source, "-o", program)
for size, elements, launches in SIZES:
    for checks in ("all", "race"):
        value = ratio(ADD, 7, elements, launches, {**ONE, "TOPROPE_CHECK": checks}, ONE)
        target = {"target": 3.0, "better": "lower"} if checks == "all" else {}
        report(f"add_custom f32 {size}, TOPROPE_CHECK={checks}", value, "x the time without", **target)
for n, launches in ((256, 50), (1024, 5)):
    value = ratio(MATMUL, 7, n, launches, {**ONE, "TOPROPE_CHECK": "all"}, ONE)
    report(f"tile matmul f16 {n}^3, TOPROPE_CHECK=all", value, "x the time without", 5.0, "lower")
unwatched = build_unwatched()
for size, elements, launches in SIZES:
    value = ratio(ADD, 25, elements, launches, ONE, {**ONE, **unwatched})
    report(f"add_custom f32 {size}, no check on", value, "x a library without observers", 1.02, "lower")
