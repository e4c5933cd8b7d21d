"""What the scripts in tools/ share: where things lie, the environment of the venv, commands with visible progress."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BUILD = ROOT / "build"
VENV_PYTHON = VENV / "bin" / "python"
#: Lines of a failed command's output that are shown; the rest is in its log.
SHOWN_ON_FAILURE = 60

#: Lines that say how far a command is: of ninja, apt and dpkg.
PROGRESS = re.compile(r"\s*(\[\d+/\d+\]|Get:\d|Unpacking |Setting up )")


def build_directory() -> Path:
    """The CMake build tree of the wheel for the venv's Python; tests and benchmarks are built in it too."""
    return BUILD / "wheel"


def tools_environment() -> dict[str, str]:
    """os.environ as after `. .venv/bin/activate`."""
    environment = {**os.environ, "VIRTUAL_ENV": str(VENV), "PATH": f"{VENV / 'bin'}:{os.environ.get('PATH', '')}"}
    environment.pop("PYTHONHOME", None)
    return environment


def venv_environment() -> dict[str, str]:
    """os.environ as after `. .venv/bin/activate && eval "$(toprope env)"`."""
    environment = tools_environment()
    program = "import json, os, toprope.env as e; print(json.dumps(e.settings(os.environ)))"
    answer = subprocess.run([VENV_PYTHON, "-c", program], env=environment, capture_output=True, text=True, check=True)
    return {**environment, **json.loads(answer.stdout)}


def announce(text: str) -> None:
    """One line that says what begins now."""
    print(f"==> {text}", flush=True)


def run_with_progress(command: Sequence[str | Path], log: Path, environment: Mapping[str, str] | None = None) -> None:
    """Runs a long command: its output goes to `log`, its last progress line to the terminal (to a file every ten
    seconds). Ends this script with the end of the output when the command fails."""
    log.parent.mkdir(parents=True, exist_ok=True)
    terminal = sys.stdout.isatty()
    shown, last_time = "", time.monotonic()
    lines: list[str] = []
    with (
        log.open("w") as out,
        subprocess.Popen(
            [str(word) for word in command],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            out.write(line)
            lines.append(line.rstrip())
            del lines[:-SHOWN_ON_FAILURE]
            if not PROGRESS.match(line):
                continue
            text = line.strip()[:100]
            if terminal:
                print(f"\r\033[K    {text}", end="", flush=True)
                shown = text
            elif time.monotonic() - last_time >= 10:
                print(f"    {text}", flush=True)
                last_time = time.monotonic()
        code = process.wait()
    if terminal and shown:
        print("\r\033[K", end="", flush=True)
    if code != 0:
        print("\n".join(lines), file=sys.stderr)
        raise SystemExit(f"\n{' '.join(map(str, command))}\nended with exit code {code}; its whole output is in {log}")


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A plain text table, columns as wide as their widest cell."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    for row in [header, ["-" * width for width in widths], *rows]:
        print("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
