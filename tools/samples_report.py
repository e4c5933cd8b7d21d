"""The results of a conformance run: a progress bar, a table, JSON, a section of docs/conformance.md."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

import common
from programs import cell, write_section
from samples_run import OTHER, Result

BEGIN, END = "<!-- Ascend C samples {}: written by tools/conformance -->", "<!-- end of Ascend C samples {} -->"
WIDTH = 30


class Progress:
    """A bar on a terminal, a line for each result elsewhere."""

    def __init__(self, total: int) -> None:
        self.total, self.done, self.passed, self.started = total, 0, 0, time.monotonic()
        self.lock = threading.Lock()

    def step(self, result: Result) -> None:
        with self.lock:
            self.done += 1
            self.passed += result.reached == "pass"
            name = f"{result.sample} {result.recipe}".strip()
            if not sys.stderr.isatty():
                print(
                    f"[{self.done}/{self.total}] {name}: {result.reached} {result.reason}", file=sys.stderr, flush=True
                )
                return
            filled = "#" * (WIDTH * self.done // self.total)
            seconds = time.monotonic() - self.started
            text = f"[{filled:{WIDTH}}] {self.done}/{self.total}, {self.passed} pass, {seconds:.0f} s  {name}"
            print(f"\r\033[K{text[:150]}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        if sys.stderr.isatty():
            print(file=sys.stderr)


def by_sample(results: list[Result]) -> dict[str, list[Result]]:
    """The results of each sample's recipes."""
    samples: dict[str, list[Result]] = {}
    for result in results:
        samples.setdefault(result.sample, []).append(result)
    return samples


def passes(results: list[Result]) -> bool:
    """Whether everything passes that is for the architecture."""
    mine = [result.reached for result in results if result.reached != OTHER]
    return bool(mine) and all(reached == "pass" for reached in mine)


def print_table(results: list[Result]) -> None:
    rows = [
        [f"{r.sample} {r.recipe}".strip(), r.reached, f"{r.seconds:.1f}", f"{r.build_seconds:.1f}", r.reason[:120]]
        for r in results
    ]
    common.print_table(["sample", "reached", "seconds", "build", "first error"], rows)
    samples = by_sample(results)
    stopped = Counter(r.reached for r in results if r.reached != "pass")
    print(
        f"\n{sum(map(passes, samples.values()))} of {len(samples)} samples pass, "
        f"{sum(r.reached == 'pass' for r in results)} of {sum(r.reached != OTHER for r in results)} recipes; "
        f"stopped at {', '.join(f'{stage}: {n}' for stage, n in stopped.items()) or 'none'}"
    )


def write_json(path: Path, results: list[Result]) -> None:
    path.write_text(json.dumps([asdict(r) for r in results], indent=1) + "\n")


def write_page(page: Path, arch: str, results: list[Result]) -> None:
    """The section of an architecture: counts, what passes, why the rest does not."""
    samples = by_sample(results)
    vector = {name: rs for name, rs in samples.items() if not rs[0].cube}
    passing = [name for name, rs in samples.items() if passes(rs)]
    lines = [
        f"{len(passing)} of {len(samples)} samples for {arch} pass, "
        f"{sum(r.reached == 'pass' for r in results)} of {sum(r.reached != OTHER for r in results)} recipes "
        "(a sample has one for each scenario).",
        f"Of the {len(vector)} samples that use no cube unit, {sum(map(passes, vector.values()))} pass.",
        "",
        f"Passing: {', '.join(passing)}.",
        "",
        "| sample that does not, or is not for it | stopped at | first error |",
        "|---|---|---|",
        *(
            f"| {f'{r.sample} {r.recipe}'.strip()} | {r.reached} | {cell(r.reason)} |"
            for r in results
            if r.reached != "pass"
        ),
    ]
    write_section(page, BEGIN.format(arch), END.format(arch), lines)
