"""`toprope env` and set_env.sh: two ways to the same shell, the one that CANN's own script makes."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from toprope import env

HOME = env.prefix()
SHELLS = [shell for shell in ("bash", "zsh") if shutil.which(shell)]
#: An environment with a little in every search path, a space and a quote among it.
BEFORE = {
    "PATH": "/usr/bin:/bin",
    "CMAKE_PREFIX_PATH": "/elsewhere/cmake",
    "LD_LIBRARY_PATH": "/with space/lib:/it's",
}
EVAL = f'eval "$({Path(sys.executable).parent / "toprope"} env)"'
SOURCE = f". {HOME}/set_env.sh"


def variables(shell: str, script: str, before: dict[str, str] = BEFORE) -> dict[str, str]:
    """The environment after `script` in a fresh shell."""
    answer = subprocess.run([shell, "-c", f"{script}\nenv -0"], env=before, capture_output=True, text=True, check=True)
    assert answer.stderr == ""
    found = dict(entry.split("=", 1) for entry in answer.stdout.split("\0") if "=" in entry)
    return {name: value for name, value in found.items() if name not in ("_", "PWD", "OLDPWD", "SHLVL")}


@pytest.mark.parametrize("shell", SHELLS)
def test_both_ways_give_the_same_shell(shell):
    assert variables(shell, EVAL) == variables(shell, SOURCE)


def test_eval_works_in_a_plain_posix_shell():
    assert variables("sh", EVAL) == variables("bash", EVAL)


def test_what_cann_s_script_sets_is_set():
    found = variables("bash", EVAL)
    home = str(HOME)
    assert found == {
        "ASCEND_HOME_PATH": home,
        "ASCEND_TOOLKIT_HOME": home,
        "ASCEND_HOME": home,
        "ASCEND_OPP_PATH": f"{home}/opp",
        "ASCEND_AICPU_PATH": home,
        "PATH": f"{home}/bin:/usr/bin:/bin",
        "CMAKE_PREFIX_PATH": f"{home}:/elsewhere/cmake",
        "LD_LIBRARY_PATH": f"{home}/lib64:/with space/lib:/it's",
        "PYTHONPATH": f"{home}/python/site-packages",
    }


@pytest.mark.parametrize("script", [EVAL, SOURCE])
def test_a_second_time_adds_nothing(script):
    assert variables("bash", f"{script}\n{script}") == variables("bash", script)


def test_an_empty_search_path_gets_no_empty_entry():
    """An empty entry would mean the working directory to the dynamic linker."""
    for script in (EVAL, SOURCE):
        found = variables("bash", script, {"PATH": BEFORE["PATH"], "LD_LIBRARY_PATH": ""})
        assert found["LD_LIBRARY_PATH"] == f"{HOME}/lib64"


@pytest.mark.parametrize("directory", ["include", "lib64", "bin", "opp", "compiler", "runtime", "lib/cmake/ASC"])
def test_the_prefix_and_latest_show_the_same(directory):
    variables("bash", EVAL)
    here, latest = HOME / directory, HOME / "ascend-toolkit" / "latest" / directory
    assert here.is_dir()
    assert latest.resolve() == here.resolve()


def test_latest_is_made_once_and_may_be_made_again(tmp_path, monkeypatch):
    (tmp_path / "lib64").mkdir()
    (tmp_path / "include").mkdir()
    monkeypatch.setattr(env, "prefix", lambda: tmp_path)
    env.link_latest()
    latest = tmp_path / "ascend-toolkit" / "latest"
    assert (latest / "lib64").samefile(tmp_path / "lib64")
    assert not os.path.isabs(os.readlink(latest / "include"))
    (latest / "lib64").unlink()
    env.link_latest()
    assert (latest / "lib64").samefile(tmp_path / "lib64")


def test_set_env_makes_the_links_too(tmp_path):
    shutil.copy(HOME / "set_env.sh", tmp_path)
    (tmp_path / "lib64").mkdir()
    found = variables("bash", f". '{tmp_path}/set_env.sh'")
    assert Path(found["ASCEND_HOME"], "ascend-toolkit", "latest", "lib64").samefile(tmp_path / "lib64")


def test_the_older_name_works():
    assert variables("bash", f". {HOME}/bin/setenv.bash") == variables("bash", SOURCE)
