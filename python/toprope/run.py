"""`toprope run hello.asc [arguments]`: compile one file and run it, compiling again only when something changed."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from toprope.env import prefix, settings

SOURCE_SUFFIXES = (".asc", ".cpp", ".cc", ".cxx")
#: Compiled programs kept; the least recently used go first.
KEPT = 64

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)


def cache_directory() -> Path:
    """Where compiled programs are kept: toprope/run in the user's cache directory."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "toprope" / "run"


def split(arguments: list[str]) -> tuple[list[str], str | None, list[str]]:
    """(compiler flags, source file, the program's arguments): the first argument with a source suffix is the file."""
    for index, argument in enumerate(arguments):
        if not argument.startswith("-") and argument.endswith(SOURCE_SUFFIXES):
            return arguments[:index], argument, arguments[index + 1 :]
    return arguments, None, []


def include_directories(flags: list[str]) -> list[Path]:
    """The directories of `-Idir` and `-I dir`."""
    found = [Path(flag[2:]) for flag in flags if flag.startswith("-I") and flag != "-I"]
    found += [Path(flags[i + 1]) for i, flag in enumerate(flags[:-1]) if flag == "-I"]
    return found


def sources(source: Path, directories: list[Path]) -> Iterator[tuple[Path, bytes]]:
    """The file and every user file that it includes, directly or not. Included text inside a comment counts too: that
    costs a needless compilation at worst, never a stale program."""
    pending, seen = [source.resolve()], set()
    while pending:
        path = pending.pop()
        if path in seen:
            continue
        seen.add(path)
        text = path.read_bytes()
        yield path, text
        for name in _INCLUDE.findall(text):
            for directory in (path.parent, *directories):
                candidate = directory / os.fsdecode(name)
                if candidate.is_file():
                    pending.append(candidate.resolve())
                    break


def toolchain_state() -> Iterator[str]:
    """Size and time of everything of ours that a compilation reads: a new install makes every cached program stale."""
    home = prefix()
    pending = [str(home / "include")]
    while pending:
        with os.scandir(pending.pop()) as entries:
            for entry in sorted(entries, key=lambda e: e.name):
                if entry.is_dir():
                    pending.append(entry.path)
                else:
                    state = entry.stat()
                    yield f"{entry.path} {state.st_size} {state.st_mtime_ns}"
    for path in sorted((*(home / "bin").glob("bisheng*"), *(home / "lib64").glob("*.so*"))):
        state = path.stat()
        yield f"{path} {state.st_size} {state.st_mtime_ns}"


def key(source: Path, flags: list[str]) -> str:
    """Names one compilation: its inputs, flags and tools. Equal keys give equal programs."""
    digest = hashlib.sha256()
    parts = [
        os.getcwd(),
        str(source),
        *flags,
        *(os.environ.get(name, "") for name in ("CXX", "CPATH", "TOPROPE_SOC")),
    ]
    for part in (*parts, *toolchain_state()):
        digest.update(part.encode() + b"\0")
    for path, text in sources(source, include_directories(flags)):
        digest.update(os.fsencode(path) + b"\0" + hashlib.sha256(text).digest())
    return digest.hexdigest()[:32]


def prune(directory: Path) -> None:
    """Keeps the KEPT most recently used programs."""
    entries = sorted(directory.iterdir(), key=lambda entry: entry.stat().st_mtime, reverse=True)
    for entry in entries[KEPT:]:
        shutil.rmtree(entry, ignore_errors=True)


def compile_once(source: Path, flags: list[str], environment: dict[str, str]) -> Path | int:
    """The compiled program, made now if it is not there yet; the compiler's exit code where that fails."""
    directory = cache_directory()
    entry = directory / key(source, flags)
    program = entry / source.stem
    if program.exists():
        os.utime(entry)
        return program
    directory.mkdir(parents=True, exist_ok=True)
    # Built aside and renamed, so that two runs at once never see half a program.
    with tempfile.TemporaryDirectory(dir=directory, prefix="new-") as scratch:
        output = Path(scratch) / "entry"
        output.mkdir()
        command = [prefix() / "bin" / "bisheng", *flags, source, "-o", output / source.stem]
        code = subprocess.run(command, env=environment, check=False).returncode
        if code != 0:
            return code
        try:
            output.rename(entry)
        except OSError:
            if not program.exists():
                raise
    prune(directory)
    return program


def run(arguments: list[str]) -> int:
    """Compiles and becomes the program, so its exit code, signals and standard streams are the user's to see."""
    flags, name, program_arguments = split(arguments)
    if name is None:
        print(
            f"toprope run: no source file among the arguments; one ending in {', '.join(SOURCE_SUFFIXES)} is needed\n"
            "usage: toprope run [compiler flags] FILE.asc [arguments]",
            file=sys.stderr,
        )
        return 2
    source = Path(name)
    if not source.is_file():
        print(f"toprope run: {name}: no such file", file=sys.stderr)
        return 2
    environment = {**os.environ, **settings(os.environ)}
    built = compile_once(source, flags, environment)
    if isinstance(built, int):
        return built
    sys.stdout.flush()
    os.execve(built, [str(built), *program_arguments], environment)
