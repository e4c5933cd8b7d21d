"""What the driver's tests share: the installed prefix, a way to run things, and a runtime that only records launches."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

#: Stands in a program in place of libascendcl's: prints every launch, then runs the blocks one after the other.
RECORDER = """
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include "toprope/machine/launch.h"
extern "C" uint32_t toprope_launch(const toprope::LaunchSite* site, const toprope::LaunchConfig* config,
                                   const toprope::CapturedCall* call) {
  std::printf("launch %s %s:%u blocks=%u ub=%" PRIu64 " stream=%d", site->kernel, site->file, site->line, config->blocks,
              config->dynamic_ub, config->stream != nullptr);
  if (config->threads[0] != 0) {
    std::printf(" grid=%u,%u,%u threads=%u,%u,%u", config->grid[0], config->grid[1], config->grid[2], config->threads[0],
                config->threads[1], config->threads[2]);
  }
  std::printf("\\n");
  if (config->blocks == 0 || config->blocks > 65535) {
    return 107000;
  }
  void* held = call->clone(call->state);
  for (uint32_t block = 0; block < config->blocks; ++block) {
    call->call(held);
  }
  call->destroy(held);
  return 0;
}
extern "C" int toprope_declare_kernel(const char* kernel, uint8_t cubes, uint8_t vectors) {
  std::printf("declare %s %d %d\\n", kernel, cubes, vectors);
  return 0;
}
extern "C" int toprope_declare_manual_sync(const char* kernel) {
  std::printf("manual sync %s\\n", kernel);
  return 0;
}
"""


@pytest.fixture(scope="session")
def prefix() -> Path:
    """The Ascend prefix: the one TOPROPE_TEST_PREFIX names (a build tree's ascend/), else the installed package's."""
    if "TOPROPE_TEST_PREFIX" in os.environ:
        return Path(os.environ["TOPROPE_TEST_PREFIX"])
    from toprope.env import prefix as installed

    return installed()


class Shell:
    """A directory with sources in it, and commands run there."""

    def __init__(self, directory: Path, prefix: Path):
        self.directory = directory
        self.prefix = prefix
        self.environment = {
            **os.environ,
            "PATH": f"{prefix}/bin:{os.environ['PATH']}",
            "CMAKE_PREFIX_PATH": str(prefix),
            "LC_ALL": "C",
        }
        for name in ("CXX", "TOPROPE_SOC", "TOPROPE_DEVICES"):
            self.environment.pop(name, None)

    def write(self, name: str, text: str) -> Path:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(word) for word in command],
            cwd=self.directory,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            timeout=300,
        )

    def ok(self, *command: str, **environment: str) -> str:
        """Runs a command that must succeed; its output."""
        done = self.run(*command, **environment)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def launched(self, program: str) -> list[str]:
        return self.ok(f"./{program}").splitlines()


@pytest.fixture(scope="session")
def shell_in(prefix: Path) -> Callable[[Path], Shell]:
    """For fixtures that outlive a test: a shell in a directory of their own."""
    return lambda directory: Shell(directory, prefix)


@pytest.fixture
def shell(tmp_path: Path, shell_in: Callable[[Path], Shell]) -> Shell:
    shell = shell_in(tmp_path)
    shell.write("recorder.cpp", RECORDER)
    return shell
