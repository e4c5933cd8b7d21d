"""The Ascend prefix that this package carries, and the shell settings that point at it, as its set_env.sh does."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

#: What `ascend-toolkit/latest` shows of the prefix.
LINKED = ("include", "lib64", "bin", "lib", "tools", "opp", "compiler", "runtime", "set_env.sh")


def prefix() -> Path:
    """The directory that ASCEND_HOME_PATH names: include/, lib64/, bin/ and the rest lie in it."""
    return Path(__file__).resolve().parent / "ascend"


def settings(environment: Mapping[str, str]) -> dict[str, str]:
    """The variables of an Ascend shell. Search paths keep what `environment` had, behind ours, and repeat nothing."""
    home = str(prefix())

    def prepend(name: str, entry: str) -> str:
        before = environment.get(name, "")
        if entry in before.split(":"):
            return before
        return f"{entry}:{before}" if before else entry

    return {
        "ASCEND_HOME_PATH": home,
        "ASCEND_TOOLKIT_HOME": home,
        "ASCEND_HOME": home,
        "ASCEND_OPP_PATH": f"{home}/opp",
        "ASCEND_AICPU_PATH": home,
        "PATH": prepend("PATH", f"{home}/bin"),
        "CMAKE_PREFIX_PATH": prepend("CMAKE_PREFIX_PATH", home),
        "LD_LIBRARY_PATH": prepend("LD_LIBRARY_PATH", f"{home}/lib64"),
        "PYTHONPATH": prepend("PYTHONPATH", f"{home}/python/site-packages"),
    }


def link_latest() -> None:
    """Makes `ascend-toolkit/latest` in the prefix, which a wheel cannot carry. Raises OSError where it may not."""
    latest = prefix() / "ascend-toolkit" / "latest"
    if (latest / "lib64").exists():
        return
    latest.mkdir(parents=True, exist_ok=True)
    for name in LINKED:
        link = latest / name
        if not link.is_symlink():
            link.symlink_to(Path("../..") / name)


def print_exports() -> int:
    """Prints one `export` a variable, for eval in a POSIX shell."""
    if not prefix().is_dir():
        print(
            f"toprope env: {prefix()} is missing; reinstall the wheel: pip install --force-reinstall toprope",
            file=sys.stderr,
        )
        return 1
    try:
        link_latest()
    except OSError as error:
        print(
            f"toprope env: cannot make $ASCEND_HOME/ascend-toolkit/latest ({error}); run this once as the owner of "
            "that directory",
            file=sys.stderr,
        )
    for name, value in settings(os.environ).items():
        print(f"export {name}={shlex.quote(value)}")
    return 0
