"""Compiling what was generated: the host compiler for target pypto, CMake for target ascendc."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path


class BuildError(Exception):
    """A compiler is missing or refused the code; the text holds the command and what it printed."""


def prefix(holding: str = "include/pto/insn.hpp") -> Path:
    """The Ascend prefix that holds a file: $ASCEND_HOME_PATH, $ASCEND_HOME/ascend-toolkit/latest, or that of the installed toprope."""
    home = os.environ.get("ASCEND_HOME")
    candidates = [
        os.environ.get("ASCEND_HOME_PATH"),
        f"{home}/ascend-toolkit/latest" if home else None,
    ]
    try:
        from toprope.env import prefix as packaged

        candidates.append(str(packaged()))
    except ImportError:
        pass
    for candidate in filter(None, candidates):
        if (Path(candidate) / holding).exists():
            return Path(candidate)
    raise BuildError(f'{holding} is in no Ascend prefix: run eval "$(toprope env)" or set ASCEND_HOME_PATH')


def compile_command(source: Path, library: Path, home: Path) -> list[str]:
    """The compiler's command line for one file of target pypto."""
    return [
        *shlex.split(os.environ.get("CXX", "g++")),
        *("-shared", "-fPIC", "-O2", "-o", str(library), str(source)),
        *(f"-I{home}/include", f"-L{home}/lib64", "-lpto", "-lpypto"),
        f"-I{sysconfig.get_paths()['include']}",
    ]


def build(target: str, directory: Path, files: list[str]) -> list[Path]:
    """Compiles the files of a target; returns the libraries. Raises BuildError."""
    if target == "pypto":
        home = prefix()
        made = []
        for name in files:
            source = directory / name
            library = source.with_suffix(".so")
            _run(compile_command(source, library, home))
            made.append(library)
        return made
    home = prefix("lib/cmake/ASC")
    tree = directory / "build"
    environment = {**os.environ, "ASCEND_HOME_PATH": str(home)}
    environment["CMAKE_PREFIX_PATH"] = os.pathsep.join(filter(None, (str(home), os.environ.get("CMAKE_PREFIX_PATH"))))
    environment["PATH"] = os.pathsep.join((f"{home}/bin", os.environ.get("PATH", "")))
    _run(["cmake", "-S", str(directory), "-B", str(tree), f"-DPython3_EXECUTABLE={sys.executable}"], environment)
    _run(["cmake", "--build", str(tree), "--parallel", str(os.cpu_count() or 1)], environment)
    return sorted(tree.glob("lib*.so"))


def _run(command: list[str], environment: dict[str, str] | None = None) -> None:
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    except OSError as error:
        raise BuildError(f"cannot run {command[0]}: {error.strerror or error}") from None
    if done.returncode:
        raise BuildError(f"{shlex.join(command)} ended with {done.returncode}:\n{done.stdout[-8000:]}")
