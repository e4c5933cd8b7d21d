"""The code generator: an IDL file → C++ that defines its operators. docs/idl.md describes the language.

    python3 -m pto.codegen --idl matmul.idl --output_dir generated --target pypto [--build]

Target pypto writes `<operator in lower case>_pypto.cpp` for each operator, a library for `pypto.load_custom_insn`; target
ascendc writes a CMake project with an Ascend C kernel and a torch.library wrapper for each operator. Nothing is written
before the whole file is known to be right. Exit codes: 0; 1 for a mistake in the file or a failed build; 2 for a wrong
command line.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from pto.codegen import ascendc, build, pypto
from pto.idl import IdlErrors, Program, Source, load


def generate(program: Program, target: str) -> dict[str, str]:
    """File name → text, for every file of a target. Raises IdlErrors for what the target cannot express."""
    if target == "ascendc":
        return ascendc.generate(program)
    return {f"{o.name.lower()}_pypto.cpp": pypto.generate(program, o) for o in program.operators}


def main(argv: list[str] | None = None) -> int:
    """Runs the command line; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python3 -m pto.codegen", description="Generate code for the operators of an IDL file.", allow_abbrev=False
    )
    parser.add_argument("--idl", type=Path, required=True, metavar="FILE", help="the definitions")
    parser.add_argument("--output_dir", type=Path, required=True, metavar="DIR", help="made when it is missing")
    parser.add_argument("--target", choices=("pypto", "ascendc"), required=True)
    parser.add_argument("--build", action="store_true", help="compile what was written, too")
    options = parser.parse_args(argv)
    try:
        files = generate(load(Source.read(options.idl)), options.target)
    except IdlErrors as errors:
        print(errors, file=sys.stderr)
        return 1
    except OSError as error:
        print(f"pto.codegen: cannot read {options.idl}: {error.strerror or error}", file=sys.stderr)
        return 1
    try:
        options.output_dir.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            path = options.output_dir / name
            path.write_text(text, encoding="utf-8")
            print(path)
    except OSError as error:
        print(f"pto.codegen: cannot write to {options.output_dir}: {error.strerror or error}", file=sys.stderr)
        return 1
    if not options.build:
        return 0
    try:
        made = build.build(options.target, options.output_dir, list(files))
    except build.BuildError as error:
        print(f"pto.codegen: {error}", file=sys.stderr)
        return 1
    for path in made:
        print(path)
    return 0
