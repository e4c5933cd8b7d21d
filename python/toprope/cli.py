"""The `toprope` command. Each subcommand is imported only when it is the one asked for: the start stays fast."""

from __future__ import annotations

import sys

from toprope import __version__

USAGE = """\
usage: toprope <command> [arguments]

  run [compiler flags] FILE.asc [arguments]   compile one file (again only when it changed) and run it
  check [options] -- PROGRAM [arguments]      run a program with races, overruns, lost waits, leaks … reported
  env                                         print the shell settings of the Ascend prefix: eval "$(toprope env)"
  profile [-o DIR] -- COMMAND [arguments]     run, and estimate where the kernels' time goes on dav-2201
  gdb -- COMMAND [arguments]                  debug kernels: breakpoints in device code, tensors printed readably
  coverage [-o DIR] FILE.asc [arguments]      run, and say which lines of device code were reached
  doctor                                      say what was found on this machine and what does not fit
  --version                                   print the version
"""


def main(argv: list[str] | None = None) -> int:
    """Runs one command; returns the exit code (2 for a wrong command line)."""
    arguments = sys.argv[1:] if argv is None else argv
    command, rest = (arguments[0], arguments[1:]) if arguments else ("--help", [])
    if command == "--version":
        print(f"toprope {__version__}")
        return 0
    if command in ("-h", "--help", "help"):
        print(USAGE, end="")
        return 0 if arguments else 2
    if command == "run":
        from toprope.run import run

        return run(rest)
    if command == "check":
        from toprope.check import check

        return check(rest)
    if command == "profile":
        from toprope.profile import profile

        return profile(rest)
    if command == "gdb":
        from toprope.gdb import gdb

        return gdb(rest)
    if command == "coverage":
        from toprope.coverage import coverage

        return coverage(rest)
    if command in ("env", "doctor") and rest:
        print(f"toprope {command}: takes no arguments, got {' '.join(rest)!r}", file=sys.stderr)
        return 2
    if command == "env":
        from toprope.env import print_exports

        return print_exports()
    if command == "doctor":
        from toprope.doctor import doctor

        return doctor()
    print(f"toprope: unknown command {command!r}\n\n{USAGE}", end="", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
