"""`toprope coverage`: which lines of device code a run reached. Kernels are ordinary functions, so gcov counts them.

`toprope coverage FILE.asc args…` compiles the file for it. A project is built with TOPROPE_COVERAGE=1 in the environment
(bisheng then compiles for gcov, its notes beside its outputs) and run by `toprope coverage -- COMMAND`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from toprope.env import prefix, settings
from toprope.run import split

USAGE = "usage: toprope coverage [-o DIR] [compiler flags] FILE.asc [arguments]     or: toprope coverage [-o DIR] -- COMMAND"
#: Words that make a function device code.
DEVICE = re.compile(r"\b__(aicore|global|vector|cube|mix|simd_vf|simd_callee)__")
#: What ends the text before a function's declaration.
BEFORE = re.compile(r"[;{}]|\b(?:public|private|protected)\s*:|^\s*#.*$", re.MULTILINE)


@dataclass
class Function:
    """A function of device code."""

    name: str
    first: int
    last: int
    count: int


@dataclass
class Source:
    """A file with device code: line → how often it ran."""

    path: str
    lines: dict[int, int] = field(default_factory=dict)
    functions: dict[tuple[int, int], Function] = field(default_factory=dict)

    @property
    def reached(self) -> int:
        """Lines that ran at least once."""
        return sum(count > 0 for count in self.lines.values())

    @property
    def missed(self) -> str:
        """'12-14, 20'."""
        out: list[list[int]] = []
        executable = sorted(self.lines)
        for position, number in enumerate(executable):
            if self.lines[number]:
                continue
            joins = out and position and executable[position - 1] == out[-1][1]
            if joins:
                out[-1][1] = number
            else:
                out.append([number, number])
        return ", ".join(f"{a}" if a == b else f"{a}-{b}" for a, b in out)


def is_device(text: list[str], first: int) -> bool:
    """Whether the function whose name stands on line `first` is declared with a device word."""
    before = "\n".join(text[max(0, first - 12) : first])
    head = text[first - 1] if first <= len(text) else ""
    body = before.rfind(head)
    ends = [match.end() for match in BEFORE.finditer(before, 0, max(body, 0))]
    return DEVICE.search(before[ends[-1] if ends else 0 :].split("{")[0]) is not None


def add(data: dict, sources: dict[str, Source]) -> None:
    """Adds what gcov says of one object, device functions only."""
    own = str(prefix())
    for entry in data["files"]:
        path = os.path.join(data["current_working_directory"], entry["file"])
        if path.startswith(own) or not os.path.isfile(path):
            continue
        path = os.path.realpath(path)
        text = Path(path).read_text(errors="replace").splitlines()
        device = [f for f in entry["functions"] if is_device(text, f["start_line"])]
        if not device:
            continue
        source = sources.setdefault(path, Source(path))
        for f in device:
            key = (f["start_line"], f["end_line"])
            known = source.functions.setdefault(key, Function(f["demangled_name"], *key, 0))
            known.count += f["execution_count"]
        spans = [(f["start_line"], f["end_line"]) for f in device]
        for line in entry["lines"]:
            number = line["line_number"]
            if any(first <= number <= last for first, last in spans):
                source.lines[number] = source.lines.get(number, 0) + line["count"]


def gcov_command() -> str | None:
    """The gcov of the compiler that bisheng runs: gcov-12 for g++-12."""
    compiler = os.environ.get("CXX", "g++").split()[-1]
    version = re.fullmatch(r".*g\+\+(-\d+)?", compiler)
    return shutil.which("gcov" + (version.group(1) or "" if version else "")) or shutil.which("gcov")


def collect(counts: Path, gcov: str) -> dict[str, Source]:
    """Reads the counts that programs left below `counts` at the absolute paths of their notes."""
    sources: dict[str, Source] = {}
    for data in sorted(counts.rglob("*.gcda")):
        notes = Path("/") / data.relative_to(counts).with_suffix(".gcno")
        if not notes.is_file():
            print(f"toprope coverage: {notes} is gone: build again with TOPROPE_COVERAGE=1", file=sys.stderr)
            continue
        shutil.copy(notes, data.with_suffix(".gcno"))
        command = [gcov, "--json-format", "--stdout", "--demangled-names", data.name]
        answer = subprocess.run(command, cwd=data.parent, capture_output=True, text=True, check=False)
        for line in answer.stdout.splitlines():
            if line.startswith("{"):
                add(json.loads(line), sources)
    return sources


def table(sources: list[Source]) -> str:
    """One row a file."""
    rows = [["file", "functions", "lines", "reached", "missed lines"]]
    for s in sources:
        called = sum(f.count > 0 for f in s.functions.values())
        rows.append(
            [os.path.relpath(s.path), f"{called} of {len(s.functions)}", str(len(s.lines))]
            + [f"{s.reached / max(1, len(s.lines)):.1%}", s.missed or "none"]
        )
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return "\n".join("  ".join([*(c.ljust(w) for c, w in zip(row, widths)), row[4]]).rstrip() for row in rows)


def listing(source: Source) -> str:
    """The file with a count before each line of device code; ##### where it never ran."""
    out = []
    for number, text in enumerate(Path(source.path).read_text(errors="replace").splitlines(), 1):
        count = source.lines.get(number)
        mark = "" if count is None else "#####" if count == 0 else str(count)
        out.append(f"{mark:>9} {number:5} {text}".rstrip())
    return "\n".join(out) + "\n"


def lcov(sources: list[Source]) -> str:
    """A tracefile for genhtml and CI services."""
    out = []
    for s in sources:
        out += ["TN:", f"SF:{s.path}"]
        functions = sorted(s.functions.values(), key=lambda f: f.first)
        out += [f"FN:{f.first},{f.name}" for f in functions] + [f"FNDA:{f.count},{f.name}" for f in functions]
        out += [f"FNF:{len(functions)}", f"FNH:{sum(f.count > 0 for f in functions)}"]
        out += [f"DA:{number},{count}" for number, count in sorted(s.lines.items())]
        out += [f"LF:{len(s.lines)}", f"LH:{s.reached}", "end_of_record"]
    return "\n".join(out) + "\n"


def built(directory: Path, flags: list[str], name: str, environment: dict[str, str]) -> Path | int:
    """The program compiled for coverage, or the compiler's exit code."""
    program = directory / "build" / Path(name).stem
    program.parent.mkdir(parents=True, exist_ok=True)
    command = [prefix() / "bin" / "bisheng", *flags, name, "-o", program.resolve()]
    code = subprocess.run(command, env={**environment, "TOPROPE_COVERAGE": "1"}, check=False).returncode
    return code or program.resolve()


def coverage(words: list[str]) -> int:
    """Runs the program and writes the report; ends with the program's exit code."""
    directory = Path("toprope-coverage")
    if words[:1] == ["-o"] and len(words) > 1:
        directory, words = Path(words[1]), words[2:]
    environment = {**os.environ, **settings(os.environ)}
    if words[:1] == ["--"]:
        command = words[1:]
    else:
        flags, name, arguments = split(words)
        if name is not None and not Path(name).is_file():
            print(f"toprope coverage: {name}: no such file", file=sys.stderr)
            return 2
        command = [name, *arguments] if name else []
        if name:
            program = built(directory, flags, name, environment)
            if isinstance(program, int):
                return program
            command[0] = str(program)
    if not command:
        print(f"toprope coverage: no command\n{USAGE}", file=sys.stderr)
        return 2
    gcov = gcov_command()
    if gcov is None:
        print("toprope coverage: gcov is not installed; it comes with g++", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory(prefix="toprope-coverage-") as scratch:
        environment |= {"GCOV_PREFIX": scratch, "GCOV_PREFIX_STRIP": "0"}
        try:
            code = subprocess.run(command, env=environment, check=False).returncode
        except OSError as error:
            print(f"toprope coverage: cannot run {command[0]}: {error.strerror}", file=sys.stderr)
            return 127
        sources = sorted(collect(Path(scratch), gcov).values(), key=lambda s: s.path)
    if not sources:
        print(
            "toprope coverage: the run counted no device code. Build the program with TOPROPE_COVERAGE=1 in the "
            "environment, or give the .asc file itself",
            file=sys.stderr,
        )
        return code or 1
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "coverage.info").write_text(lcov(sources))
    for s in sources:
        (directory / f"{Path(s.path).name}.txt").write_text(listing(s))
    print(table(sources))
    print(f"written: {directory / 'coverage.info'} (lcov), and a listing for each file in {directory}")
    return code if code >= 0 else 128 - code
