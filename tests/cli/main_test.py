"""The `toprope` command itself: version, usage, exit codes, and a start that imports nothing heavy."""

import subprocess
import sys
import time
from importlib import metadata
from pathlib import Path

import pytest
import toprope as toprope_package


def toprope(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "toprope", *arguments], capture_output=True, text=True, check=False)


def test_version_is_the_installed_distribution_s():
    answer = toprope("--version")
    assert (answer.returncode, answer.stdout) == (0, f"toprope {metadata.version('toprope')}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("frobnicate",), "unknown command 'frobnicate'"),
        (("env", "--json"), "takes no arguments, got '--json'"),
        (("run",), "no source file among the arguments"),
        (("run", "-O2", "hello.txt"), "no source file among the arguments"),
        (("run", "absent.asc"), "absent.asc: no such file"),
    ],
)
def test_wrong_command_lines_end_with_2_and_say_why(arguments, message):
    answer = toprope(*arguments)
    assert answer.returncode == 2
    assert message in answer.stderr
    assert "Traceback" not in answer.stderr


def test_help_names_every_command():
    answer = toprope("--help")
    assert answer.returncode == 0
    for command in ("run", "profile", "gdb", "coverage", "env", "doctor", "--version"):
        assert f"\n  {command} " in answer.stdout


def test_env_imports_neither_torch_nor_numpy():
    program = (
        "import contextlib, io, sys\n"
        "from toprope.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n    code = main(['env'])\n"
        "print(code, sorted({'torch', 'torch_npu', 'numpy', 'ctypes', 'importlib.metadata'} & set(sys.modules)))"
    )
    # -S: what site's .pth files import is not the command's doing.
    root = str(Path(toprope_package.__file__).parent.parent)
    answer = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {root!r})\n{program}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout == "0 []\n"


def test_start_is_fast():
    """A tenth of what importing torch takes; the best of five, as the machine may be busy."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        toprope("--version")
        times.append(time.perf_counter() - start)
    assert min(times) < 0.25
