"""Checks rules of the tree that no compiler knows: file sizes, paths of one machine, registry hosts."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from common import ROOT
from files import is_generated, project_files

#: Lines of a hand-written file: above the first it should be split, above the second it must be.
LONG, TOO_LONG = 500, 900
TEXT = (
    ".h",
    ".hpp",
    ".c",
    ".cpp",
    ".inc",
    ".asc",
    ".py",
    ".sh",
    ".bash",
    ".cmake",
    ".txt",
    ".md",
    ".toml",
    ".json",
    ".tsv",
    ".pth",
    "",
)
# Split so that this file passes its own check.
MACHINE_PATH = re.compile(r"(?<![\w.$}/>~*-])/(?:work|tmp|home|root|opt)/" + r"[A-Za-z0-9_.]")
REGISTRY = re.compile(
    "|".join(
        map(
            re.escape,
            (
                "pypi" + ".org",
                "python" + "hosted.org",
                "download.pytorch" + ".org",
                "debian" + ".org",
                "ubuntu" + ".com",
            ),
        )
    )
)


def problems(path: Path) -> list[str]:
    """What is wrong with one file."""
    text = path.read_text(errors="replace")
    name = str(path.relative_to(ROOT))
    lines = text.splitlines()
    found = []
    if len(lines) > TOO_LONG and not is_generated(text) and path.suffix != ".tsv" and path.name != "LICENSE":
        found.append(f"{name}: {len(lines)} lines, {TOO_LONG} are allowed: split it by subject")
    for number, line in enumerate(lines, 1):
        if match := MACHINE_PATH.search(line):
            found.append(f"{name}:{number}: {match.group()!r} is a path of one machine")
        if match := REGISTRY.search(line):
            found.append(
                f"{name}:{number}: {match.group()!r} is the host of a package registry; pip and apt know theirs"
            )
    return found


def main() -> int:
    """1 when a rule is broken; long files are only named."""
    failures, count = [], 0
    for path in project_files(*TEXT):
        count += 1
        failures += problems(path)
        lines = len(path.read_text(errors="replace").splitlines())
        if LONG < lines <= TOO_LONG and path.suffix in (".h", ".hpp", ".cpp", ".py"):
            print(f"layout: {path.relative_to(ROOT)}: {lines} lines; over {LONG} it should be split")
    if failures:
        print("\n".join(failures), file=sys.stderr)
        return 1
    print(f"layout: {count} files are in order")
    return 0


if __name__ == "__main__":
    sys.exit(main())
