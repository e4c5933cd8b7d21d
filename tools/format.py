"""Checks the format of C++ (clang-format) and Python (ruff); with --fix rewrites the files instead."""

from __future__ import annotations

import subprocess
import sys

from common import ROOT, VENV
from files import is_generated, project_files

CPP = (".h", ".hpp", ".c", ".cpp")


def main() -> int:
    """1 when a file is not in the project's format."""
    fix = sys.argv[1:] == ["--fix"]
    cpp = [path for path in project_files(*CPP) if not is_generated(path.read_text())]
    python = list(project_files(".py"))
    commands = []
    if cpp:
        commands.append([VENV / "bin" / "clang-format", *(["-i"] if fix else ["--dry-run", "--Werror"]), *cpp])
    if python:
        ruff = VENV / "bin" / "ruff"
        commands.append([ruff, "check", "--quiet", *(["--fix"] if fix else []), *python])
        commands.append([ruff, "format", "--quiet", *([] if fix else ["--diff"]), *python])
    codes = [
        subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, check=False).returncode for command in commands
    ]
    if any(codes):
        print("format: `make format` rewrites what can be rewritten", file=sys.stderr)
        return 1
    print(f"format: {len(cpp)} C++ and {len(python)} Python files are in order")
    return 0


if __name__ == "__main__":
    sys.exit(main())
