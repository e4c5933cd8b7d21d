"""Makes this checkout ready: system packages, .venv with torch and torch-npu, the wheel built and installed in it.

Run by `make run`, `make test` and `make bench`; needs nothing but Python 3.11. A step whose inputs have not changed
since it last succeeded is skipped. TORCH_INDEX may name a package index that holds a smaller (CPU) build of torch.
"""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - run by whatever python3 is
    raise SystemExit(
        f"Toprope needs Python 3.11 or newer, this is {sys.version.split()[0]}; "
        "name another one: make PYTHON=python3.12 …"
    )

import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sysconfig
import time
from pathlib import Path

from common import BUILD, ROOT, VENV, VENV_PYTHON, announce, build_directory, run_with_progress, tools_environment

TORCH_PAIR = ("torch==2.13.0", "torch-npu==2.13.0")
#: Debian and Ubuntu packages that the build and the tests need.
PACKAGES = (
    "g++",
    "libhwy-dev",
    "libboost-context-dev",
    "libfmt-dev",
    "libgtest-dev",
    "gdb",
)
#: What the wheel is made from.
WHEEL_SOURCES = (
    "CMakeLists.txt",
    "LICENSE",
    "README.md",
    "pyproject.toml",
    "cmake",
    "include",
    "python",
    "spec",
    "src",
    "tools/cmake",
    "tools/set_env.sh",
    "tools/setenv.bash",
)


def missing_packages() -> list[str]:
    """The Debian packages still to install; the interpreter's own parts only where this Python lacks them."""
    wanted = list(PACKAGES)
    python = f"python{sys.version_info.major}.{sys.version_info.minor}"
    missing = []
    if importlib.util.find_spec("ensurepip") is None:
        missing.append(f"{python}-venv")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        missing.append(f"{python}-dev")
    query = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *wanted],
        capture_output=True,
        text=True,
        check=False,
    )
    present = {line.split()[0] for line in query.stdout.splitlines() if line.endswith(" installed")}
    return [name for name in wanted if name not in present] + missing


def install_system_packages() -> None:
    """Installs what is missing with apt, as root or by sudo without a password; otherwise says the one line to run."""
    if shutil.which("dpkg-query") is None or shutil.which("apt-get") is None:
        announce(f"no apt here: the build expects the equivalents of {' '.join(PACKAGES)}")
        return
    missing = missing_packages()
    if not missing:
        return
    line = "apt-get update && apt-get install -y --no-install-recommends " + " ".join(missing)
    root = os.geteuid() == 0
    sudo = (
        not root
        and shutil.which("sudo")
        and subprocess.run(["sudo", "-n", "true"], capture_output=True, check=False).returncode == 0
    )
    if not root and not sudo:
        raise SystemExit(
            f"These packages are missing and need root to install. Run this, then the same make again:\n\n"
            f"  sudo sh -c {shlex.quote(line)}\n"
        )
    announce(f"installing {' '.join(missing)}")
    become = [] if root else ["sudo", "-n"]
    command = [*become, "env", "DEBIAN_FRONTEND=noninteractive", "sh", "-c", line]
    run_with_progress(command, BUILD / "logs" / "apt.log")


def digest(*parts: str) -> str:
    """A stamp's text."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def tree_digest(names: tuple[str, ...]) -> str:
    """A digest of the contents of files and directories below ROOT."""
    result = hashlib.sha256()
    for name in names:
        top = ROOT / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and "__pycache__" not in path.parts:
                result.update(f"{path.relative_to(ROOT)}\0{path.stat().st_mode}\0".encode() + path.read_bytes() + b"\0")
    return result.hexdigest()


class Stamp:
    """Remembers, inside the venv, with which inputs a step last succeeded."""

    def __init__(self, name: str, inputs: str) -> None:
        self.path, self.inputs = VENV / f"toprope-{name}.stamp", inputs

    def holds(self) -> bool:
        """Whether the step has been done with these inputs."""
        return self.path.exists() and self.path.read_text() == self.inputs

    def set(self) -> None:
        """Records success."""
        self.path.write_text(self.inputs)


def make_venv() -> None:
    """Makes .venv with this interpreter; one of another Python is replaced."""
    stamp = Stamp("venv", digest(sys.version, sys.base_prefix, str(VENV)))
    if stamp.holds():
        return
    announce(f"making .venv with Python {sys.version.split()[0]}")
    shutil.rmtree(VENV, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
    stamp.set()


def install_python_packages() -> None:
    """Installs torch, torch-npu and the build tools in one go, so that pip resolves them together."""
    requirements = ROOT / "tools" / "requirements.txt"
    index = os.environ.get("TORCH_INDEX", "")
    stamp = Stamp("packages", digest(*TORCH_PAIR, requirements.read_text(), index))
    if stamp.holds():
        return
    announce(f"installing {' '.join(TORCH_PAIR)} and the build tools (the largest download)")
    command = [VENV_PYTHON, "-m", "pip", "install", *TORCH_PAIR, "-r", requirements]
    if index:
        command += ["--extra-index-url", index]
    if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode != 0:
        raise SystemExit("pip could not install the Python packages; its message is above")
    stamp.set()


def install_wheel() -> None:
    """Builds the wheel with the venv's torch (no build isolation) and installs it."""
    stamp = Stamp("wheel", digest(tree_digest(WHEEL_SOURCES), (VENV / "toprope-packages.stamp").read_text()))
    if stamp.holds():
        return
    announce("building the toprope wheel")
    wheels = BUILD / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    pip = [VENV_PYTHON, "-m", "pip"]
    # The tests' targets are configured in the same tree, so that `make test` compiles nothing twice.
    run_with_progress(
        [
            *pip,
            "wheel",
            "-v",
            "--no-build-isolation",
            "--no-deps",
            "--wheel-dir",
            wheels,
            f"--config-settings=build-dir={build_directory()}",
            "--config-settings=cmake.define.TOPROPE_TESTS=ON",
            ROOT,
        ],
        BUILD / "logs" / "wheel.log",
        tools_environment(),
    )
    (wheel,) = wheels.glob("toprope-*.whl")
    run_with_progress(
        [*pip, "install", "--no-deps", "--no-index", "--force-reinstall", wheel],
        BUILD / "logs" / "install.log",
    )
    subprocess.run([VENV / "bin" / "toprope", "env"], stdout=subprocess.DEVNULL, check=True)
    stamp.set()


def main() -> None:
    """Every step, in order; with --no-wheel all but the last."""
    start = time.monotonic()
    install_system_packages()
    make_venv()
    install_python_packages()
    install_wheel()
    announce(f'ready after {time.monotonic() - start:.0f} s: . .venv/bin/activate && eval "$(toprope env)"')


if __name__ == "__main__":
    main()
