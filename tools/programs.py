"""What the conformance scripts share: a command under a time limit, the line that names a failure, a page's section."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

#: Lines that name the trouble, most telling first.
TELLING = (
    r"error: .*",
    r"CMake Error.*(?:\n.*)?",
    r"undefined reference to .*",
    r"toprope: error: .*",
    r"C\+\+ exception .*",
    r"\*\*\* .*",
    r".*Failure.*",
    r".*Error.*",
)


def first_error(text: str) -> str:
    """The line that names the trouble in a compiler's, linker's or test's output."""
    for pattern in TELLING:
        if match := re.search(pattern, text):
            line = " ".join(match.group(0).split())
            if "C++ exception" in line and (inner := re.search(r"toprope: error: .*", text)):
                line = inner.group(0)
            return line[:200]
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip()[:200] if lines else ""


def run(
    command: Sequence[str], cwd: Path, limit: float, env: Mapping[str, str], log: IO[bytes] | None = None
) -> tuple[int, str]:
    """Exit status and output (to `log` when given, then ""); what exceeds the limit is ended with its children."""
    with subprocess.Popen(
        command,
        cwd=cwd,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=log or subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            out, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            out, _ = process.communicate()
            note = f"\nerror: still running after {limit:.0f} s\n"
            if log:
                log.write(note.encode())
            return 124, (out or b"").decode(errors="replace") + note
    return process.returncode, (out or b"").decode(errors="replace")


def cell(text: str) -> str:
    """Text as a cell of a Markdown table."""
    return text.replace("|", "\\|")


def write_section(page: Path, begin: str, end: str, lines: Sequence[str]) -> None:
    """Replaces what stands between two marks of a Markdown page, or adds it at the end."""
    text = page.read_text() if page.exists() else "# Conformance\n"
    block = "\n".join([begin, *lines, end])
    if begin in text:
        head, _, tail = text.partition(begin)
        text = head + block + tail.partition(end)[2]
    else:
        text = text.rstrip("\n") + "\n\n" + block + "\n"
    page.write_text(text)
