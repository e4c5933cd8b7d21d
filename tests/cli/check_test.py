"""`toprope check`: what it hands to the program, what it gathers, and when it fails.

Most tests let a few lines of Python stand for the checked program: it writes the report that the library would write.
The last ones compile and check real kernels.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from toprope import check

SOURCES = Path(__file__).resolve().parents[2] / "src"


def finding(rule: str, line: int, severity: str = "error", **more) -> dict:
    """A finding as the library writes it."""
    return {
        "check": rule.partition(".")[0],
        "rule": rule,
        "severity": severity,
        "message": f"{rule} at {line}",
        "cure": "mend it",
        "kernel": "k",
        "blocks": [0],
        "count": 1,
        "places": [{"role": "here", "file": str(Path.cwd() / "a.asc"), "line": line, "column": 5, "function": "f()"}],
        **more,
    }


class Desk:
    """A directory with stand-in programs, and `toprope check` run there."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def program(self, *reports: list[dict], code: int = 0, suppressed: int = 0) -> list[str]:
        """The command of a program whose processes write one report each."""
        script = self.directory / "program.py"
        texts = [json.dumps({"findings": findings, "suppressed": suppressed}) for findings in reports]
        script.write_text(
            "import os, sys\n"
            f"for i, text in enumerate({texts!r}):\n"
            "    open(os.environ['TOPROPE_CHECK_JSON'].replace('%p', str(i)), 'w').write(text)\n"
            "print(os.environ['TOPROPE_CHECK'], os.environ.get('TOPROPE_CHECK_SUPPRESS', ''), *sys.argv[1:])\n"
            f"sys.exit({code})\n"
        )
        return [sys.executable, str(script)]

    def check(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("TOPROPE_CHECK")}
        return subprocess.run(
            [sys.executable, "-m", "toprope", "check", *arguments],
            cwd=self.directory,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)


def test_what_the_program_gets(desk):
    (desk.directory / "known.txt").write_text("race\n")
    done = desk.check(
        "--checks", "race, bounds", "--suppress", "known.txt", "--", *desk.program([]), "a b", "--fail-on", "x"
    )
    assert done.stdout == f"race,bounds {desk.directory / 'known.txt'} a b --fail-on x\n"
    assert (done.returncode, done.stderr) == (0, "toprope check: nothing found\n")
    assert desk.check("--", *desk.program([])).stdout.startswith("all ")


@pytest.mark.parametrize(
    ("severities", "fail_on", "own", "expected"),
    [
        (["error"], "error", 0, 1),
        (["warning"], "error", 0, 0),
        (["warning"], "warning", 0, 1),
        (["error", "warning"], "never", 0, 0),
        (["error"], "error", 3, 3),
        ([], "warning", 3, 3),
        ([], "warning", 0, 0),
    ],
)
def test_exit_code(desk, severities, fail_on, own, expected):
    findings = [finding("race.raw", 7 + i, severity) for i, severity in enumerate(severities)]
    assert desk.check("--fail-on", fail_on, "--", *desk.program(findings, code=own)).returncode == expected


def test_processes_are_gathered_and_each_place_counts_once(desk):
    one = finding("race.raw", 7, count=3, blocks=[0, 2])
    two = finding("race.raw", 7, count=2, blocks=[1])
    other = finding("queue.leak", 9, "warning")
    done = desk.check("--json", "out.json", "--", *desk.program([one], [two, other], suppressed=2))
    assert done.stderr == "toprope check: 1 error, 1 warning, 4 suppressed\n"
    report = json.loads((desk.directory / "out.json").read_text())
    assert [(f["rule"], f["count"], f["blocks"]) for f in report["findings"]] == [
        ("race.raw", 5, [0, 1, 2]),
        ("queue.leak", 1, [0]),
    ]
    assert (report["suppressed"], report["exit_code"]) == (4, 0)


def test_sarif(desk):
    places = finding("race.raw", 7)["places"] + [
        {"role": "there", "file": "/usr/include/b.h", "line": 3, "column": 0, "function": ""}
    ]
    desk.check("--sarif", "out.sarif", "--", *desk.program([finding("race.raw", 7, places=places, count=4)]))
    log = json.loads((desk.directory / "out.sarif").read_text())
    assert log["version"] == "2.1.0"
    run = log["runs"][0]
    assert run["tool"]["driver"]["rules"] == [{"id": "race.raw", "shortDescription": {"text": check.RULES["race.raw"]}}]
    result = run["results"][0]
    assert (result["ruleId"], result["ruleIndex"], result["level"], result["occurrenceCount"]) == (
        "race.raw",
        0,
        "error",
        4,
    )
    assert result["message"]["text"] == "race.raw at 7. Cure: mend it"
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "a.asc", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 7, "startColumn": 5},
    }
    assert result["relatedLocations"][0]["physicalLocation"] == {
        "artifactLocation": {"uri": "file:///usr/include/b.h"},
        "region": {"startLine": 3},
    }
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == desk.directory.as_uri() + "/"


def test_a_program_that_never_met_the_library_was_not_checked(desk):
    done = desk.check("--", sys.executable, "-c", "pass")
    assert done.returncode == 2
    assert "nothing was checked" in done.stderr


def test_a_program_that_is_ended_by_a_signal(desk):
    done = desk.check("--", sys.executable, "-c", "import os; os.kill(os.getpid(), 11)")
    assert done.returncode == 128 + 11
    assert "SIGSEGV" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--checks", "race,typo", "--", "true"], "unknown typo; there are all, bounds, constraints"),
        (["--suppress", "none.txt", "--", "true"], "none.txt: no such file"),
        (["--"], "no program behind --"),
        (["./demo"], "what to run stands behind --"),
        (["none.asc"], "none.asc: no such file"),
        (["--fail-on", "sometimes", "--", "true"], "invalid choice: 'sometimes'"),
    ],
)
def test_wrong_command_lines(desk, arguments, text):
    done = desk.check(*arguments)
    assert done.returncode == 2
    assert text in done.stderr


def test_a_missing_program(desk):
    done = desk.check("--", "./none")
    assert (done.returncode, done.stderr) == (127, "toprope check: cannot run ./none: No such file or directory\n")


def test_every_rule_of_the_library_is_described():
    used = set()
    rule = re.compile(rf'"((?:{"|".join(check.CHECKS)}|fault)\.[a-z_]+)"')
    for path in SOURCES.rglob("*.cpp"):
        used |= set(rule.findall(path.read_text()))
    assert used == set(check.RULES)
    assert {rule.partition(".")[0] for rule in used} == {*check.CHECKS, "fault"}


KERNEL = """#include <cstdio>
#include "acl/acl.h"
#include "kernel_operator.h"

__global__ __vector__ void scale(__gm__ float* x)
{
    AscendC::GlobalTensor<float> gm;
    gm.SetGlobalBuffer(x, 64);
    AscendC::LocalTensor<float> t(AscendC::TPosition::VECCALC, 0, 64);
    AscendC::DataCopy(t, gm, 64);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::Muls(t, t, 2.0f, 64);
    BARRIER;
    AscendC::Muls(t, t, 2.0f, 64);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(gm, t, 64);
}

int main()
{
    void* x = nullptr;
    aclrtSetDevice(0);
    aclrtMalloc(&x, 256, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(x, 256, 0, 256);
    scale<<<2, nullptr, nullptr>>>(static_cast<float*>(x));
    std::printf("%d\\n", aclrtSynchronizeStream(nullptr));
    aclrtFree(x);
}
"""


def test_a_source_file(desk):
    (desk.directory / "scale.asc").write_text(KERNEL)
    done = desk.check("--json", "out.json", "-DBARRIER=", "scale.asc")
    assert (done.stdout, done.returncode) == ("0\n", 1), done.stderr
    report = json.loads((desk.directory / "out.json").read_text())
    # Both blocks copy into the same bytes, from bytes that the other one writes.
    assert {f["rule"] for f in report["findings"]} <= {"race.waw", "race.war", "race.raw"}
    assert report["findings"][0]["places"][0]["file"].endswith("scale.asc")
    assert "scale.asc:16" in done.stderr


def test_without_automatic_sync_the_vector_unit_needs_a_barrier(desk):
    (desk.directory / "scale.asc").write_text(KERNEL.replace("<<<2,", "<<<1,"))
    found = "race.raw: Muls (PIPE_V) reads src, bytes 0 to 256 of UB, while Muls (PIPE_V) may still write them"
    for flags, code in (
        (["-DBARRIER=", "--cce-auto-sync=off"], 1),
        (["-DBARRIER="], 0),
        (["-DBARRIER=AscendC::PipeBarrier<PIPE_V>()", "--cce-auto-sync=off"], 0),
    ):
        done = desk.check(*flags, "scale.asc")
        assert done.returncode == code, done.stderr
        assert (found in done.stderr) == (code == 1)


def test_suppressions(desk):
    (desk.directory / "scale.asc").write_text(KERNEL)
    (desk.directory / "known.txt").write_text("# two blocks on purpose\nrace:scale.asc:16\nrace:scale.asc:10\n")
    done = desk.check("--suppress", "known.txt", "-DBARRIER=", "scale.asc")
    assert done.returncode == 0, done.stderr
    assert "nothing found, " in done.stderr
    assert "suppressed" in done.stderr


def test_what_the_device_refuses_is_a_finding(desk):
    (desk.directory / "scale.asc").write_text(KERNEL.replace("2.0f, 64", "2.0f, 65").replace("<<<2,", "<<<1,"))
    done = desk.check("--json", "out.json", "-DBARRIER=", "scale.asc")
    assert done.returncode == 1, done.stderr
    report = json.loads((desk.directory / "out.json").read_text())
    assert [f["rule"] for f in report["findings"]] == ["fault.refused"]
    assert done.stderr.count("dst ends 4 bytes past its tensor") == 1
