"""The tests of the PyTorch side run where Toprope, torch and torch_npu are installed; programs that need another
environment run in a process of their own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

#: Seconds for one program on a busy machine; importing torch alone can take a minute there.
LIMIT = 300


@pytest.fixture
def fresh():
    """Runs a program in a new Python: fresh("print(1)", TOPROPE_DEVICES="1") -> CompletedProcess."""

    def run(program: str, **environment: str) -> subprocess.CompletedProcess:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("TOPROPE_", "ASCEND_", "TASK_QUEUE"))
        }
        return subprocess.run(
            [sys.executable, "-c", program],
            env=kept | environment,
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )

    return run
