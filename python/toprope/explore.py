"""`toprope check --explore N`: runs a program under N schedules and prints the first whose numbers differ.

A schedule is a seed. Under it the pipes of a core run out of step within what flags, queues and barriers allow, and
the blocks of a launch in another order, so that a missing wait changes the numbers, and the same seed changes them in
the same way (environment variable TOPROPE_SCHEDULE).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Outcome:
    """What one run left: its exit code, its output, and for each launch the bytes it wrote to device memory."""

    code: int
    output: bytes
    launches: tuple[dict, ...]


def run_once(command: Sequence[str], seed: int | None) -> Outcome:
    """Runs the program in its own order (seed None) or under a schedule."""
    with tempfile.TemporaryDirectory(prefix="toprope-explore-") as directory:
        digest = Path(directory) / "digest"
        environment = os.environ | {"TOPROPE_DIGEST": str(digest)}
        environment.pop("TOPROPE_SCHEDULE", None)
        if seed is not None:
            environment["TOPROPE_SCHEDULE"] = str(seed)
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=False)
        lines = digest.read_text().splitlines() if digest.exists() else []
    return Outcome(done.returncode, done.stdout, tuple(json.loads(line) for line in lines))


def difference(base: Outcome, other: Outcome) -> str | None:
    """The first difference in words, or None. The output counts only where the device memory is the same: blocks
    print in the order in which they run."""
    for ours, theirs in zip(base.launches, other.launches, strict=False):
        if ours["kernel"] != theirs["kernel"]:
            return f"launch {ours['launch']} is of {theirs['kernel']} instead of {ours['kernel']}"
        if ours["written"] == theirs["written"]:
            continue
        where = f"launch {ours['launch']}, kernel {ours['kernel']}"
        if ours["line"]:
            where += f" at {ours['file']}:{ours['line']}"
        for mine, yours in zip(ours["written"], theirs["written"], strict=False):
            if mine != yours:
                return (
                    f"{where}: bytes {mine['offset']} to {mine['offset'] + mine['bytes']} of a device memory block of "
                    f"{mine['allocation']} bytes hold other values"
                )
        return f"{where}: it wrote other ranges of device memory"
    if len(base.launches) != len(other.launches):
        return f"{len(other.launches)} launches instead of {len(base.launches)}"
    if base.code != other.code:
        return f"exit code {other.code} instead of {base.code}"
    if sorted(base.output.splitlines()) != sorted(other.output.splitlines()):
        return "the program's output differs"
    return None


def explore(command: Sequence[str], schedules: int) -> int:
    """Runs `command` once as written and under the seeds 1 … `schedules`; 1 when a seed gives other numbers, 2 when
    the program runs no kernel or does not repeat itself."""
    base = run_once(command, None)
    sys.stdout.buffer.write(base.output)
    sys.stdout.flush()
    if not base.launches:
        print("toprope: explore: the program launched no kernel", file=sys.stderr)
        return 2
    if again := difference(base, run_once(command, None)):
        print(
            f"toprope: explore: two runs in the program's own order differ already ({again}): give it fixed inputs "
            "(a seed for its random numbers, no times or addresses in what it writes)",
            file=sys.stderr,
        )
        return 2
    for seed in range(1, schedules + 1):
        if found := difference(base, run_once(command, seed)):
            print(
                f"toprope: explore: schedule {seed} of {schedules} gives other numbers: {found}\n"
                f"  a wait is missing: TOPROPE_CHECK=race names it, TOPROPE_SCHEDULE={seed} repeats this run",
                file=sys.stderr,
            )
            return 1
    print(f"toprope: explore: {schedules} schedules, all the same numbers", file=sys.stderr)
    return base.code
