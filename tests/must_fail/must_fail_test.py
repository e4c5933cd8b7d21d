"""Mistakes that the device punishes with wrong numbers or a hang, each in a kernel of its own: <check>/<name>.asc.

Run without an argument a program makes the mistake that its first lines describe. The report must have every
`// expect:` phrase, the line marked `// <- here` and a cure. Run with an argument it is the corrected twin, and every
check together must be silent. The directory names the check that finds the mistake (TOPROPE_CHECK); what lies in
`fault` is refused without any.
"""

from __future__ import annotations

import os
import re
import subprocess
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from toprope.env import prefix

HERE = Path(__file__).resolve().parent
#: What a report or a finding begins with.
START = re.compile(r"^toprope(?: check|: error): ", re.MULTILINE)


@dataclass(frozen=True)
class Mistake:
    """One file: where its mistake is, and what must be said about it."""

    path: Path

    @property
    def check(self) -> str:
        return self.path.parent.name

    def directives(self, name: str) -> list[str]:
        return re.findall(rf"^// {name}: (.+)$", self.path.read_text(), re.MULTILINE)

    def marks(self) -> list[str]:
        lines = self.path.read_text().splitlines()
        return [f"{self.path.name}:{n}" for n, line in enumerate(lines, 1) if line.endswith("// <- here")]


#: Compiled with -O0 as well: nothing is inlined then that does not have to be.
UNOPTIMISED = (
    "bounds/past_the_device_memory",
    "constraints/atomic_left_on",
    "constraints/compare_leaves_the_tail",
    "fault/alloc_without_free",
    "fault/cast_mode_not_there",
    "fault/reduce_result_unaligned",
    "init/one_element_short",
    "race/scalar_reads_a_vector_result",
    "sync/set_without_wait",
)

MISTAKES = [Mistake(path) for path in sorted(HERE.glob("*/*.asc"))]


def compile_program(mistake: Mistake, directory: Path, *more: str) -> Path:
    program = directory / f"{mistake.check}_{mistake.path.stem}"
    options = [*" ".join(mistake.directives("options")).split(), *more]
    command = [prefix() / "bin" / "bisheng", "--npu-arch=dav-2201", *options, mistake.path, "-o", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return program


@pytest.fixture(scope="module")
def programs(request, tmp_path_factory):
    """Path of a file → its program, compiled on all cores as soon as the first test of this module runs."""
    directory = tmp_path_factory.mktemp("must_fail")
    wanted = {
        item.callspec.params["mistake"]
        for item in request.session.items
        if item.path == Path(__file__) and "mistake" in getattr(item, "fixturenames", ())
    }
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        futures: dict[Mistake, Future[Path]] = {
            m: pool.submit(compile_program, m, directory) for m in sorted(wanted, key=lambda m: m.path)
        }
        yield futures
        for future in futures.values():
            future.cancel()


def run(program: Path, *arguments: str, check: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TOPROPE_")}
    environment |= {"TOPROPE_CHECK": check} if check else {}
    return subprocess.run(
        [program, *arguments], env=environment, capture_output=True, text=True, timeout=60, check=False
    )


def reports(text: str) -> list[str]:
    """The findings and errors in what a program said."""
    starts = [m.start() for m in START.finditer(text)]
    return [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)])]


def check_program(mistake: Mistake, program: Path) -> None:
    broken = run(program, check="" if mistake.check == "fault" else mistake.check)
    expected = [*mistake.directives("expect"), *mistake.marks(), "cure: "]
    if "__global__" in mistake.path.read_text():
        expected.append("in kernel ")
    if mistake.check == "fault":
        assert broken.returncode == 1
    assert any(all(phrase in one for phrase in expected) for one in reports(broken.stderr)), (
        f"expected {expected} in one report; exit code {broken.returncode}\n{broken.stderr}"
    )
    twin = run(program, "fixed", check="all")
    assert (twin.returncode, reports(twin.stderr)) == (0, ["toprope check: 0 findings\n"]), twin.stderr


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: f"{m.check}-{m.path.stem}")
def test_the_mistake_is_found_and_its_twin_is_silent(programs, mistake: Mistake):
    check_program(mistake, programs[mistake].result())


@pytest.mark.parametrize("name", UNOPTIMISED)
def test_lines_are_right_without_optimisation(tmp_path, name: str):
    mistake = Mistake(HERE / f"{name}.asc")
    check_program(mistake, compile_program(mistake, tmp_path, "-O0"))


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda m: f"{m.check}-{m.path.stem}")
def test_the_file_says_what_it_is(mistake: Mistake):
    text = mistake.path.read_text()
    assert mistake.directives("expect") and mistake.marks(), "needs // expect: and // <- here"
    assert mistake.directives("source"), "needs // source: the public page that forbids it"
    assert len(text.splitlines()) <= 30
