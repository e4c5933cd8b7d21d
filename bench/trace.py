"""What does the profiler cost a kernel? The add kernel with tiles of 8 KiB, with TOPROPE_PROFILE and without, in turn.

Watched launches run on one thread, so the ratio is taken on one thread; against all threads it is given beside it.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "operators"))
from harness import ROOT, report  # noqa: E402

MAIN = """
#include <chrono>
#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  const uint64_t n = uint64_t(std::atoi(argv[1])) << 10;
  const int times = std::atoi(argv[2]);
  aclInit(nullptr);
  aclrtSetDevice(0);
  uint8_t* p[3];
  for (auto& x : p) {
    aclrtMalloc(reinterpret_cast<void**>(&x), n * 4, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(x, n * 4, 0, n * 4);
  }
  add_f32(8, nullptr, p[0], p[1], p[2], n, 2048);
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) add_f32(8, nullptr, p[0], p[1], p[2], n, 2048);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%.9f\\n", took.count() / times);
  return aclrtSynchronizeStream(nullptr);
}
"""


def seconds(program: Path, size: int, times: int, threads: int, profile: str) -> float:
    """Seconds a launch."""
    environment = {**os.environ, "TOPROPE_PROFILE": profile}
    if threads:
        environment["OMP_NUM_THREADS"] = str(threads)
    command = [program, str(size), str(times)]
    return float(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout)


with tempfile.TemporaryDirectory() as directory:
    source, program = Path(directory) / "trace_add.asc", Path(directory) / "trace_add"
    source.write_text((ROOT / "bench" / "operators" / "add.asc").read_text() + MAIN)
    subprocess.run(["bisheng", "-x", "asc", "--npu-arch=dav-2201", source, "-o", program], check=True)
    for kib, times, what in ((64, 2000, "256 KiB, in the cache"), (16384, 8, "64 MiB")):
        pairs = []
        for _ in range(9):
            bare = seconds(program, kib, times, 1, "")
            pairs.append((seconds(program, kib, times, 1, directory) / bare, bare, seconds(program, kib, times, 0, "")))
        ratio = statistics.median(p[0] for p in pairs)
        all_threads = statistics.median(p[0] * p[1] / p[2] for p in pairs)
        report(f"profiled add f32 {what}", ratio, "x the bare time", 2.0, "lower", of_all_threads=all_threads)
