"""Runs every file of bench/, or those named, and prints one table; the same as JSON in build/bench.json.

A benchmark is bench/<name>.py (run by the venv's Python) or bench/<name>.cpp (built as the target bench_<name>). It
measures both sides of its ratios in one run and prints one JSON object a line on standard output:
  {"case": "add_custom f32 64 MiB, 1 thread", "value": 0.74, "unit": "x torch.add", "target": 0.7, "better": "higher"}
`target` and `better` ("higher" or "lower") may be left out. Other lines are shown as they are.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from common import (
    BUILD,
    ROOT,
    VENV_PYTHON,
    announce,
    build_directory,
    print_table,
    run_with_progress,
    venv_environment,
)


def command(source: Path, environment: dict[str, str]) -> list[str]:
    """What runs one benchmark; a C++ one is built first."""
    if source.suffix == ".py":
        return [str(VENV_PYTHON), str(source)]
    tree, target = build_directory(), f"bench_{source.stem}"
    run_with_progress(
        ["cmake", "-S", ROOT, "-B", tree, "-DTOPROPE_BENCH=ON"],
        BUILD / "logs" / "bench-configure.log",
        environment,
    )
    run_with_progress(["cmake", "--build", tree, "--target", target], BUILD / "logs" / f"{target}.log", environment)
    return [str(tree / "bench" / target)]


def measure(source: Path, environment: dict[str, str]) -> tuple[list[dict[str, Any]], int]:
    """The results of one benchmark and its exit code."""
    results = []
    with subprocess.Popen(
        command(source, environment),
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("{"):
                results.append({"bench": source.stem, **json.loads(line)})
            else:
                print(line, end="", flush=True)
    return results, process.returncode


def verdict(result: dict[str, Any]) -> str:
    """met, missed by how much, or nothing where there is no target."""
    target = result.get("target")
    if target is None:
        return ""
    higher = result.get("better", "higher") == "higher"
    met = result["value"] >= target if higher else result["value"] <= target
    return "met" if met else f"missed by {abs(result['value'] - target):.3g}"


def main() -> int:
    """Every benchmark, or those named; 1 when one broke. A missed target is shown, and is no failure."""
    named = sys.argv[1:]
    files = sorted(path for path in (ROOT / "bench").glob("*") if path.suffix in (".py", ".cpp"))
    if unknown := set(named) - {path.stem for path in files}:
        print(
            f"no such benchmark: {', '.join(sorted(unknown))}; there are {', '.join(f.stem for f in files)}",
            file=sys.stderr,
        )
        return 2
    environment = venv_environment()
    results, broken = [], []
    for source in files:
        if named and source.stem not in named:
            continue
        announce(f"bench/{source.name}")
        found, code = measure(source, environment)
        results += found
        if code != 0:
            broken.append(f"bench/{source.name} ended with exit code {code}")
    rows = []
    for result in results:
        sign = (
            ""
            if result.get("target") is None
            else f"{'>=' if result.get('better', 'higher') == 'higher' else '<='} {result['target']:g}"
        )
        rows.append(
            (
                result["bench"],
                result["case"],
                f"{result['value']:.3g} {result['unit']}",
                sign,
                verdict(result),
            )
        )
    print()
    print_table(("bench", "case", "measured", "target", "verdict"), rows)
    report = {
        "machine": platform.processor() or platform.machine(),
        "time": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
        "results": results,
    }
    (BUILD / "bench.json").write_text(json.dumps(report, indent=1) + "\n")
    print("\n".join(broken), file=sys.stderr, end="\n" if broken else "")
    return 1 if broken or not results else 0


if __name__ == "__main__":
    sys.exit(main())
