"""Every test: GoogleTest through ctest, then pytest. Arguments go to pytest. Both run even when the first fails."""

from __future__ import annotations

import os
import subprocess
import sys

from common import BUILD, ROOT, VENV_PYTHON, announce, build_directory, run_with_progress, venv_environment


def main() -> int:
    """Builds the C++ tests and runs both runners; 1 when either failed."""
    environment = venv_environment()
    tree = build_directory()
    announce("building the C++ tests")
    run_with_progress(
        ["cmake", "--build", tree, "--target", "toprope_tests"], BUILD / "logs" / "tests.log", environment
    )
    announce("ctest")
    processors = str(os.cpu_count() or 1)
    core = subprocess.run(
        ["ctest", "--test-dir", tree, "--output-on-failure", "-j", processors, "--progress"],
        env=environment,
        stdin=subprocess.DEVNULL,
        check=False,
    ).returncode
    announce("pytest")
    python = subprocess.run(
        # A file's tests stay together: they share what they have built.
        [VENV_PYTHON, "-m", "pytest", "-n", processors, "--dist", "loadfile", *sys.argv[1:]],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        check=False,
    ).returncode
    if core or python:
        print(f"FAILED: ctest ended with {core}, pytest with {python}", file=sys.stderr)
    return 1 if core or python else 0


if __name__ == "__main__":
    sys.exit(main())
