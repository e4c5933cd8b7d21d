"""How long from saving a kernel to its output? bisheng compiles and links hello.asc, and the program runs."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "operators"))
from harness import ROOT, report  # noqa: E402

SOURCE = (ROOT / "examples" / "hello_kernel" / "hello.asc").read_text()
with tempfile.TemporaryDirectory() as directory:
    source, program = Path(directory) / "hello.asc", Path(directory) / "hello"
    times = []
    for edit in range(7):
        source.write_text(SOURCE.replace("2026", str(2026 + edit)))  # an edit, so that no cache answers
        start = time.perf_counter()
        subprocess.run(["bisheng", "-x", "asc", "--npu-arch=dav-2201", source, "-o", program], check=True)
        output = subprocess.run([program], check=True, capture_output=True, text=True).stdout
        times.append(time.perf_counter() - start)
        assert output.count(f"in {2026 + edit}\n") == 8, output
report("hello_kernel, compile and run", statistics.median(times), "s", 1.0, "lower")
