"""`toprope doctor`: every mismatch is named together with its cure."""

import os
import re
import subprocess
import sys

import pytest
from toprope import doctor
from toprope.env import prefix


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("2.13.0+cpu", "2.13.0"),
        ("2.13.0.post2", "2.13.0"),
        ("2.9.1rc1", "2.9.1"),
        ("2.7", "2.7.0"),
        ("2.13.0", "2.13.0"),
    ],
)
def test_release(version, expected):
    assert doctor.release(version) == expected


@pytest.mark.parametrize(("torch", "torch_npu"), [("2.13.0+cpu", "2.13.0"), ("2.9.0", "2.9.0.post1")])
def test_a_fitting_pair_is_ok(torch, torch_npu):
    assert doctor.check_pair(torch, torch_npu).mark == "ok"


@pytest.mark.parametrize(
    ("torch", "torch_npu", "mark", "cure"),
    [
        ("2.14.0", "2.13.0", "FAIL", "pip install torch==2.13.0 torch-npu==2.13.0"),
        ("2.13.1", "2.13.0", "FAIL", "pip install torch==2.13.0 torch-npu==2.13.0"),
        (None, "2.13.0", "FAIL", "pip install torch==2.13.0 torch-npu==2.13.0"),
        ("2.13.0+cpu", None, "note", "pip install torch==2.13.0 torch-npu==2.13.0"),
        (None, None, "note", "pip install torch==2.13.0 torch-npu==2.13.0"),
    ],
)
def test_a_pair_that_does_not_fit_is_named_with_the_one_to_install(torch, torch_npu, mark, cure):
    finding = doctor.check_pair(torch, torch_npu)
    assert finding.mark == mark
    assert cure in finding.cure
    for version in (torch, torch_npu):
        assert (version or "not installed") in finding.found


def test_the_torch_that_the_wheel_was_built_for():
    assert doctor.check_build("2.13.0+cpu", "2.13.0").mark == "ok"
    assert doctor.check_build("2.13.0", None) is None
    other = doctor.check_build("2.12.0", "2.13.0+cpu")
    assert other.fatal
    assert "2.12.0" in other.found and "2.13.0+cpu" in other.found and "--no-build-isolation" in other.cure
    assert doctor.check_build("", "2.13.0").fatal


def test_pypto_works_here():
    finding = doctor.check_pypto()
    assert finding.mark == "ok" and "instructions" in finding.found


def test_another_distribution_that_owns_pypto_is_named(monkeypatch):
    monkeypatch.setattr(doctor.metadata, "packages_distributions", lambda: {"pypto": ["toprope", "pypto-of-others"]})
    finding = doctor.check_pypto()
    assert finding.fatal and "pypto-of-others" in finding.found and "pip uninstall" in finding.cure


def test_another_pypto_before_ours_is_named(monkeypatch, tmp_path):
    (tmp_path / "pypto").mkdir()
    (tmp_path / "pypto" / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pypto", raising=False)
    finding = doctor.check_pypto()
    assert finding.fatal and str(tmp_path) in finding.found


def fake_compiler(directory, name, version):
    path = directory / name
    path.write_text(f"#!/bin/sh\necho {version}\n")
    path.chmod(0o755)


def test_compilers(tmp_path):
    missing = doctor.check_compiler({"PATH": str(tmp_path)})
    assert missing.fatal and "apt-get install g++" in missing.cure
    fake_compiler(tmp_path, "g++", "9.4.0")
    old = doctor.check_compiler({"PATH": str(tmp_path)})
    assert old.fatal and "9.4.0" in old.found
    fake_compiler(tmp_path, "g++-14", "14.2.0")
    assert doctor.check_compiler({"PATH": str(tmp_path), "CXX": "g++-14"}).mark == "ok"


def test_a_shell_that_points_elsewhere(tmp_path):
    (tmp_path / "libascendcl.so").touch()
    home = str(prefix())
    assert doctor.check_shell({}).mark == "note"
    assert doctor.check_shell({"ASCEND_HOME_PATH": home, "LD_LIBRARY_PATH": f"{home}/lib64:{tmp_path}"}).mark == "ok"
    assert doctor.check_shell({"ASCEND_HOME_PATH": f"{home}/ascend-toolkit/latest"}).mark == "ok"
    other = doctor.check_shell({"ASCEND_HOME_PATH": str(tmp_path)})
    assert other.fatal and "toprope env" in other.cure
    first = doctor.check_shell({"ASCEND_HOME_PATH": home, "LD_LIBRARY_PATH": f"{tmp_path}:{home}/lib64"})
    assert first.fatal and str(tmp_path) in first.found


def report(**changes: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TOPROPE_")}
    return subprocess.run(
        [sys.executable, "-m", "toprope", "doctor"],
        env=environment | changes,
        capture_output=True,
        text=True,
        check=False,
    )


def test_this_environment_fits():
    answer = report()
    assert answer.returncode == 0, answer.stdout
    for subject in ("Python", "Toprope", "C\\+\\+ compiler", "PyTorch", "Built for", "import torch_npu", "SoC"):
        assert re.search(f"^ok +{subject} ", answer.stdout, re.MULTILINE), answer.stdout
    assert "Ascend910B3" in answer.stdout


def test_an_unknown_soc_is_named_with_its_nearest_neighbours():
    answer = report(TOPROPE_SOC="Ascend910B33")
    assert answer.returncode == 1
    line = next(line for line in answer.stdout.splitlines() if line.startswith("FAIL  SoC"))
    assert "Ascend910B33" in line and "Ascend910B3 " in line.replace(",", " ") + " "


def test_a_torch_npu_of_another_number_is_named_with_the_pair(tmp_path):
    """End to end, with the metadata of a torch_npu that does not fit in front of the installed one's."""
    info = tmp_path / "torch_npu-2.12.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: torch-npu\nVersion: 2.12.0\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    answer = report(PYTHONPATH=path)
    assert answer.returncode == 1
    assert re.search(r"^FAIL +PyTorch +torch 2\.13\.0\S*, torch_npu 2\.12\.0", answer.stdout, re.MULTILINE), (
        answer.stdout
    )
    assert "pip install torch==2.12.0 torch-npu==2.12.0" in answer.stdout
