"""`toprope profile [-o DIR] -- ./demo args…`: runs a program and says where the model of dav-2201 puts its kernels' time.

The library writes profile-<process>.json (src/trace/report.cpp) into the directory that TOPROPE_PROFILE names; everything
else here is made of those files. Without a command the files that lie in DIR are drawn again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from toprope.env import settings
from toprope.profile.read import Profile, read

USAGE = "usage: toprope profile [-o DIR] -- COMMAND [arguments]     or, to draw what DIR holds: toprope profile -o DIR"
FILES = ("profile.html", "trace.json", "instructions.csv", "lines.csv", "kernels.csv", "timeline.svg", "roofline.svg")


def arguments_of(words: list[str]) -> tuple[Path, list[str]]:
    """(directory, command). Raises ValueError with what is wrong."""
    directory = Path("toprope-profile")
    while words and words[0] != "--":
        option = words.pop(0)
        if option != "-o" or not words:
            raise ValueError(f"{option!r} is not understood")
        directory = Path(words.pop(0))
    return directory, words[1:]


def write(directory: Path, profile: Profile) -> None:
    """The files of FILES. A profile without launches has none."""
    from toprope.profile import chrome, page, tables

    (directory / "profile.html").write_text(page.html(profile))
    (directory / "trace.json").write_text(chrome.trace(profile))
    for name, text in tables.csv_files(profile).items():
        (directory / name).write_text(text)
    longest = max(profile.kernels, key=lambda kernel: kernel.total_us)
    (directory / "timeline.svg").write_text(page.timeline(profile, longest))
    (directory / "roofline.svg").write_text(page.roofline(longest))


def profile(words: list[str]) -> int:
    """Runs the command, draws its profile, and ends with the command's exit code."""
    try:
        directory, command = arguments_of(list(words))
    except ValueError as error:
        print(f"toprope profile: {error}\n{USAGE}", file=sys.stderr)
        return 2
    if not command and not list(directory.glob("profile-*.json")):
        print(f"toprope profile: no command, and no profile in {directory}\n{USAGE}", file=sys.stderr)
        return 2
    code = 0
    if command:
        directory.mkdir(parents=True, exist_ok=True)
        for old in (*directory.glob("profile-*.json"), *(directory / name for name in FILES)):
            old.unlink(missing_ok=True)
        environment = {**os.environ, **settings(os.environ), "TOPROPE_PROFILE": str(directory.resolve())}
        try:
            code = subprocess.run(command, env=environment, check=False).returncode
        except OSError as error:
            print(f"toprope profile: cannot run {command[0]}: {error.strerror}", file=sys.stderr)
            return 127
    found = read(directory)
    if not found.kernels:
        print("toprope profile: the command launched no kernel in this process or a child of it", file=sys.stderr)
        return code or 1
    from toprope.profile.tables import summary

    write(directory, found)
    print(summary(found))
    print(f"written: {', '.join(str(directory / name) for name in FILES)}")
    return code if code >= 0 else 128 - code
