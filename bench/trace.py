"""What does the profiler cost a kernel? The add kernel with tiles of 8 KiB, with TOPROPE_PROFILE and without, in turn.

Watched launches run on one thread, so both do.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "operators"))
from harness import report  # noqa: E402


def seconds(program: Path, elements: int, times: int, profile: str) -> float:
    """Seconds a launch."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "TOPROPE_PROFILE": profile}
    command = [program, str(elements), str(times)]
    return float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


with tempfile.TemporaryDirectory() as directory:
    source, program = Path(__file__).parent / "operators" / "add_program.asc", Path(directory) / "trace_add"
    subprocess.run(["bisheng", "-x", "asc", "--npu-arch=dav-2201", source, "-o", program], check=True)
    for elements, times, what in ((1 << 16, 2000, "256 KiB, in the cache"), (1 << 24, 8, "64 MiB")):
        ratios = []
        for _ in range(9):
            bare = seconds(program, elements, times, "")
            ratios.append(seconds(program, elements, times, directory) / bare)
        report(f"profiled add f32 {what}", statistics.median(ratios), "x the bare time", 2.0, "lower")
