"""Runs the examples and prints one table: example, what it shows, result, seconds.

An example is a directory of examples/ with a README.md, whose first line `# …` says what it shows, and a run.sh that
builds it, runs it, checks the answer itself and ends with exit code 0 only when that was right.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from common import BUILD, ROOT, announce, print_table, venv_environment

#: Seconds after which an example counts as stuck.
LIMIT = 600


def title(example: Path) -> str:
    """The first line of the example's README."""
    return (example / "README.md").read_text().splitlines()[0].lstrip("# ").strip()


def main() -> int:
    """Runs all examples, or those named; 1 when one failed."""
    named = sys.argv[1:]
    examples = [script.parent for script in sorted((ROOT / "examples").glob("*/run.sh"))]
    if unknown := set(named) - {example.name for example in examples}:
        print(
            f"no such example: {', '.join(sorted(unknown))}; there are {', '.join(e.name for e in examples)}",
            file=sys.stderr,
        )
        return 2
    environment = venv_environment()
    rows, failed = [], []
    logs = BUILD / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    for example in examples:
        if named and example.name not in named:
            continue
        announce(f"examples/{example.name}: {title(example)}")
        log = logs / f"example-{example.name}.log"
        start = time.monotonic()
        with log.open("w") as out:
            try:
                code = subprocess.run(
                    ["bash", "run.sh"],
                    cwd=example,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    timeout=LIMIT,
                    check=False,
                ).returncode
            except subprocess.TimeoutExpired:
                code = f"no end after {LIMIT} s"
        result = "ok" if code == 0 else f"FAILED ({code})"
        rows.append((example.name, title(example), result, f"{time.monotonic() - start:.1f}"))
        if code != 0:
            failed.append(log)
    if not rows:
        print("examples/ holds no example yet: nothing was run")
        return 1
    print()
    print_table(("example", "what it shows", "result", "seconds"), rows)
    for log in failed:
        print(f"\n--- the end of {log.relative_to(ROOT)}:")
        print("\n".join(log.read_text(errors="replace").splitlines()[-40:]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
