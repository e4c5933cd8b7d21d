"""tools/setup.py: what makes a step run again, and what somebody without root is told."""

import subprocess

import pytest
import setup


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.setattr(setup, "ROOT", tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cpp").write_text("a")
    return tmp_path


def test_content_mode_and_name_count_time_and_bytecode_do_not(tree):
    first = setup.tree_digest(("src",))
    (tree / "src" / "a.cpp").write_text("a")
    (tree / "src" / "__pycache__").mkdir()
    (tree / "src" / "__pycache__" / "x.pyc").write_text("x")
    assert setup.tree_digest(("src",)) == first
    (tree / "src" / "a.cpp").chmod(0o755)
    second = setup.tree_digest(("src",))
    (tree / "src" / "a.cpp").write_text("b")
    third = setup.tree_digest(("src",))
    (tree / "src" / "b.cpp").touch()
    assert len({first, second, third, setup.tree_digest(("src",))}) == 4


def test_a_stamp_holds_for_its_inputs_only(tmp_path, monkeypatch):
    monkeypatch.setattr(setup, "VENV", tmp_path)
    assert not setup.Stamp("x", "1").holds()
    setup.Stamp("x", "1").set()
    assert setup.Stamp("x", "1").holds()
    assert not setup.Stamp("x", "2").holds()


def test_without_root_the_one_line_is_printed(monkeypatch):
    monkeypatch.setattr(setup, "missing_packages", lambda: ["g++", "libhwy-dev"])
    monkeypatch.setattr(setup.shutil, "which", lambda name: None if name == "sudo" else f"/usr/bin/{name}")
    monkeypatch.setattr(setup.os, "geteuid", lambda: 1000)
    with pytest.raises(SystemExit) as stopped:
        setup.install_system_packages()
    line = "sudo sh -c 'apt-get update && apt-get install -y --no-install-recommends g++ libhwy-dev'"
    assert line in str(stopped.value)


def test_missing_packages_are_those_that_dpkg_does_not_call_installed(monkeypatch):
    listed = "".join(f"{name} installed\n" for name in setup.PACKAGES if name not in ("g++", "libhwy-dev"))
    answer = subprocess.CompletedProcess([], 1, listed + "libhwy-dev config-files\n", "")
    monkeypatch.setattr(setup.subprocess, "run", lambda *_, **__: answer)
    assert {"g++", "libhwy-dev"} <= set(setup.missing_packages())
    assert "libfmt-dev" not in setup.missing_packages()
