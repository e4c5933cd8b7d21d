"""`toprope doctor`: which torch, torch_npu, Python, compiler and chip were found; what does not fit, and the cure."""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from toprope import __version__
from toprope.env import prefix

#: The g++ that Debian 12 ships; older ones lack parts of C++20 that the kernel headers use.
OLDEST_GXX = 12
#: Seconds that `import torch_npu` may take on a busy machine before it counts as stuck.
IMPORT_LIMIT = 300


@dataclass(frozen=True)
class Finding:
    """One line of the report. `cure` is what to do about it; empty where nothing is wrong."""

    subject: str
    found: str
    cure: str = ""
    fatal: bool = False

    @property
    def mark(self) -> str:
        """ok; note: works, but look; FAIL: something will not work."""
        return "FAIL" if self.fatal else "note" if self.cure else "ok"


def installed(distribution: str) -> str | None:
    """The installed version of a distribution, without importing it."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def release(version: str) -> str:
    """2.13.0 of 2.13.0+cpu, 2.13.0.post1 and 2.13.0rc1: what torch and torch_npu must agree in."""
    match = re.match(r"\d+(\.\d+)*", version)
    numbers = match.group().split(".") if match else [version]
    return ".".join((numbers + ["0", "0"])[:3])


def check_python() -> Finding:
    """The interpreter that runs this, which is the one that would import torch_npu."""
    return Finding("Python", f"{sys.version.split()[0]} ({sys.executable})")


def check_prefix() -> Finding:
    """The wheel's own libraries: there, and loadable here."""
    library = prefix() / "lib64" / "libascendcl.so"
    reinstall = "reinstall it: pip install --force-reinstall --no-deps toprope"
    if not library.exists():
        return Finding("Toprope", f"{__version__}, {library} is missing", reinstall, True)
    try:
        ctypes.CDLL(str(library))
    except OSError as error:
        return Finding(
            "Toprope",
            f"{__version__}, which does not load: {error}",
            f"install the library that is named, or {reinstall}",
            True,
        )
    return Finding("Toprope", f"{__version__} ({prefix()})")


def check_compiler(environment: Mapping[str, str]) -> Finding:
    """The host compiler that bisheng calls: CXX, else g++."""
    name = environment.get("CXX") or "g++"
    path = shutil.which(name.split()[0], path=environment.get("PATH"))
    if path is None:
        return Finding(
            "C++ compiler", f"no {name}", "kernels cannot be compiled; install one: apt-get install g++", True
        )
    answer = subprocess.run([path, "-dumpfullversion", "-dumpversion"], capture_output=True, text=True, check=False)
    version = answer.stdout.strip()
    found = f"{name} {version} ({path})"
    if "g++" in Path(path).name and version.split(".")[0].isdigit() and int(version.split(".")[0]) < OLDEST_GXX:
        return Finding(
            "C++ compiler", found, f"g++ {OLDEST_GXX} or newer is needed; install it and set CXX to it", True
        )
    return Finding("C++ compiler", found)


def check_pair(torch: str | None, torch_npu: str | None) -> Finding:
    """torch and torch_npu: each torch_npu release works with the torch of the same number only."""
    found = f"torch {torch or 'not installed'}, torch_npu {torch_npu or 'not installed'}"
    if torch is None and torch_npu is None:
        return Finding(
            "PyTorch",
            found,
            "only C++ programs run; for PyTorch: pip install torch==2.13.0 torch-npu==2.13.0",
        )
    if torch is None:
        pair = release(torch_npu or "")
        return Finding("PyTorch", found, f"install the pair: pip install torch=={pair} torch-npu=={pair}", True)
    pair = release(torch)
    if torch_npu is None:
        return Finding("PyTorch", found, f"for npu tensors: pip install torch=={pair} torch-npu=={pair}")
    if release(torch_npu) != pair:
        wanted = release(torch_npu)
        return Finding(
            "PyTorch",
            found,
            f"the two do not fit: pip install torch=={wanted} torch-npu=={wanted} (or both at {pair})",
            True,
        )
    return Finding("PyTorch", found)


def check_build(built_for: str, torch: str | None) -> Finding | None:
    """The torch that our operator library was built against: its C++ interface changes with each minor release."""
    if torch is None:
        return None
    rebuild = (
        "reinstall Toprope in this environment: pip install --no-build-isolation --force-reinstall --no-deps toprope"
    )
    if not built_for:
        return Finding("Built for", "no torch: the operator library was left out", rebuild, True)
    if release(built_for) != release(torch):
        return Finding("Built for", f"torch {built_for}, but torch {torch} is installed", rebuild, True)
    return Finding("Built for", f"torch {built_for}")


def check_import() -> Finding:
    """Imports torch_npu in a process of its own, as a user's program does, and counts the devices."""
    program = "import torch, torch_npu; print(torch.npu.device_count(), torch.npu.get_device_name(0))"
    try:
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=IMPORT_LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return Finding(
            "import torch_npu",
            f"no end after {IMPORT_LIMIT} s",
            "report this with the output of toprope doctor",
            True,
        )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        return Finding(
            "import torch_npu", lines[-1], f"see the whole text: {sys.executable} -c 'import torch_npu'", True
        )
    count, _, name = done.stdout.strip().splitlines()[-1].partition(" ")
    return Finding("import torch_npu", f"works: {count} device{'' if count == '1' else 's'}, {name}")


def check_pypto() -> Finding:
    """Who owns the name pypto: ours lies beside this package, and another distribution may have taken it."""
    ours = prefix().parent.parent / "pypto" / "__init__.py"
    owners = {name for name in metadata.packages_distributions().get("pypto", []) if name != "toprope"}
    cure = "pip uninstall the other one, then reinstall Toprope: pip install --force-reinstall --no-deps toprope"
    if owners:
        return Finding("pypto", f"the name belongs to {', '.join(sorted(owners))} too", cure, True)
    spec = importlib.util.find_spec("pypto")
    if spec is None or spec.origin is None:
        return Finding(
            "pypto", "not installed", "reinstall Toprope: pip install --force-reinstall --no-deps toprope", True
        )
    if Path(spec.origin).resolve() != ours.resolve():
        return Finding("pypto", f"import pypto finds {spec.origin}, which is not Toprope's", cure, True)
    program = "import pypto; pypto.init(); print(len(pypto.list_insns()))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        return Finding("pypto", lines[-1], f"see the whole text: {sys.executable} -c 'import pypto'", True)
    return Finding("pypto", f"works: {done.stdout.strip()} instructions")


def check_soc(environment: Mapping[str, str]) -> Finding:
    """The described chip, asked of libascendcl as a program asks."""
    asked = environment.get("TOPROPE_SOC")
    try:
        library = ctypes.CDLL(str(prefix() / "lib64" / "libascendcl.so"))
        library.aclrtGetSocName.restype = ctypes.c_char_p
        library.aclGetRecentErrMsg.restype = ctypes.c_char_p
        name = library.aclrtGetSocName()
        count = ctypes.c_uint32()
        code = library.aclrtGetDeviceCount(ctypes.byref(count))
        message = library.aclGetRecentErrMsg()
    except (OSError, AttributeError) as error:
        return Finding("SoC", f"cannot be asked: {error}", "see Toprope above", True)
    if not name or code != 0:
        reason = message.decode(errors="replace").strip() if message else f"error {code}"
        return Finding(
            "SoC",
            f"TOPROPE_SOC={asked}: {reason}",
            "set TOPROPE_SOC to a known name, or unset it",
            True,
        )
    source = "TOPROPE_SOC" if asked else "the default; TOPROPE_SOC chooses another"
    return Finding("SoC", f"{name.decode()} x {count.value} ({source})")


def check_shell(environment: Mapping[str, str]) -> Finding:
    """Whether the shell points at another CANN, whose libraries would be found before ours."""
    home = environment.get("ASCEND_HOME_PATH")
    cure = 'run: eval "$(toprope env)"'
    for directory in environment.get("LD_LIBRARY_PATH", "").split(":"):
        if directory and Path(directory, "libascendcl.so").exists():
            if Path(directory).resolve() != (prefix() / "lib64").resolve():
                return Finding(
                    "Shell",
                    f"LD_LIBRARY_PATH has another libascendcl.so first, in {directory}",
                    f"take that directory out and {cure}",
                    True,
                )
            break
    if home is None:
        return Finding("Shell", "no Ascend settings (needed for bisheng and CMake only)", cure)
    if not any(Path(home).resolve() == place.resolve() for place in (prefix(), prefix() / "ascend-toolkit" / "latest")):
        return Finding("Shell", f"ASCEND_HOME_PATH is {home}, another CANN", cure, True)
    return Finding("Shell", "set by toprope env")


def findings(environment: Mapping[str, str]) -> list[Finding]:
    """Every check, in the order of the report."""
    torch, torch_npu = installed("torch"), installed("torch-npu")
    info = prefix() / "build_info.json"
    built_for = json.loads(info.read_text())["torch"] if info.exists() else ""
    checks: list[Callable[[], Finding | None]] = [
        check_python,
        check_prefix,
        lambda: check_compiler(environment),
        lambda: check_pair(torch, torch_npu),
        lambda: check_build(built_for, torch),
        lambda: check_import() if torch and torch_npu else None,
        check_pypto,
        lambda: check_soc(environment),
        lambda: check_shell(environment),
    ]
    return [finding for check in checks if (finding := check()) is not None]


def doctor() -> int:
    """Prints the report; 1 when something will not work."""
    report = findings(os.environ)
    width = max(len(finding.subject) for finding in report)
    for finding in report:
        print(f"{finding.mark:4}  {finding.subject:{width}}  {finding.found}")
        if finding.cure:
            print(f"{'':4}  {'':{width}}  -> {finding.cure}")
    failures = sum(finding.fatal for finding in report)
    print("Everything fits." if failures == 0 else f"{failures} of {len(report)} do not fit.")
    return 1 if failures else 0
