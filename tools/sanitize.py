"""Builds the core's tests under AddressSanitizer + UndefinedBehaviorSanitizer and ThreadSanitizer, and runs them.

Under ThreadSanitizer only tests of concurrent parts run: those of the directories in CONCURRENT.
"""

from __future__ import annotations

import os
import subprocess
import sys

from common import BUILD, ROOT, announce, run_with_progress, tools_environment

CONCURRENT = ("machine", "runtime")
#: libgomp is not built for ThreadSanitizer, which therefore does not see the order that its barriers make.
TSAN_OPTIONS = f"ignore_noninstrumented_modules=1:halt_on_error=1:suppressions={ROOT / 'tools' / 'tsan.supp'}"


def run(preset: str, environment: dict[str, str], directories: tuple[str, ...]) -> int:
    """Configures, builds and runs one preset; the exit code of ctest. No directories: all tests."""
    tree = BUILD / preset
    announce(f"the core's tests under {preset}")
    logs = BUILD / "logs"
    run_with_progress(["cmake", "--preset", preset, "-S", ROOT], logs / f"{preset}-configure.log", environment)
    targets = [f"{name}_test" for name in directories if any((ROOT / "tests" / name).rglob("*_test.cpp"))] or [
        "toprope_tests"
    ]
    run_with_progress(["cmake", "--build", tree, "--target", *targets], logs / f"{preset}.log", environment)
    command = [
        "ctest",
        "--test-dir",
        tree,
        "--output-on-failure",
        "--progress",
        "-j",
        str(os.cpu_count() or 1),
    ]
    if directories:
        command += ["-R", f"^({'|'.join(directories)})\\."]
    return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, check=False).returncode


def main() -> int:
    """Both builds, or the preset named; 1 when a test failed in one."""
    # The libraries must be those of the sanitized build tree, whatever the calling shell points at.
    environment = tools_environment()
    environment.pop("LD_LIBRARY_PATH", None)
    environment |= {
        "ASAN_OPTIONS": "detect_leaks=1:detect_stack_use_after_return=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "TSAN_OPTIONS": TSAN_OPTIONS,
    }
    presets = {"asan": (), "tsan": CONCURRENT}
    chosen = sys.argv[1:] or list(presets)
    codes = {preset: run(preset, environment, presets[preset]) for preset in chosen}
    for preset, code in codes.items():
        print(f"{preset}: {'clean' if code == 0 else f'FAILED (ctest ended with {code})'}")
    return 1 if any(codes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
