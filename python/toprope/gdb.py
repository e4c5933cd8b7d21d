"""`toprope gdb [gdb options] -- ./demo args…`: gdb with the Ascend shell's environment and readable tensors.

Kernels are ordinary functions of the one process, so `break KernelAdd::Compute`, `next`, `print zLocal` work as in any
program. `toprope gdb FILE.asc args…` compiles the file without optimisation first, so that every local can be printed.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from toprope.env import settings
from toprope.run import SOURCE_SUFFIXES, compile_once, split

USAGE = "usage: toprope gdb [gdb options] -- COMMAND [arguments]     or: toprope gdb [gdb options] FILE.asc [arguments]"
PRINTERS = Path(__file__).parent / "gdb_printers.py"


def command_of(words: list[str], environment: dict[str, str]) -> tuple[list[str], list[str]] | int:
    """(gdb's own options, the program and its arguments), or an exit code after saying what is wrong."""
    if "--" in words:
        at = words.index("--")
        options, command = words[:at], words[at + 1 :]
    else:
        options, name, arguments = split(words)
        if name is None:
            print(f"toprope gdb: no command\n{USAGE}", file=sys.stderr)
            return 2
        command = [name, *arguments]
    if not command:
        print(f"toprope gdb: no command\n{USAGE}", file=sys.stderr)
        return 2
    if command[0].endswith(SOURCE_SUFFIXES):
        if not Path(command[0]).is_file():
            print(f"toprope gdb: {command[0]}: no such file", file=sys.stderr)
            return 2
        built = compile_once(Path(command[0]), ["-g", "-O0"], environment)
        if isinstance(built, int):
            return built
        command[0] = str(built)
    return options, command


def gdb(words: list[str]) -> int:
    """Becomes gdb."""
    program = shutil.which("gdb")
    if program is None:
        print("toprope gdb: gdb is not installed: apt-get install gdb", file=sys.stderr)
        return 1
    environment = {**os.environ, **settings(os.environ)}
    found = command_of(list(words), environment)
    if isinstance(found, int):
        return found
    options, command = found
    # Kernels lie in the program or in a library that is loaded later: pending breakpoints are what is meant.
    # `step` goes into the user's functions, not into ours.
    start = ["-iex", "set breakpoint pending on", "-iex", f"source {PRINTERS}"]
    for ours in ("ascendc", "toprope"):
        start += ["-iex", f"skip -gfi */include/{ours}/*"]
    sys.stdout.flush()
    os.execve(program, [program, *start, *options, "--args", *command], environment)
