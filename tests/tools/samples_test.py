"""tools/conformance reads READMEs as their authors mean them, and passes only what really passed."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from samples_find import find_samples
from samples_readme import read_recipes, split_commands
from samples_run import JSON_OPTION, OTHER, run_recipe

TOOLS = Path(__file__).resolve().parents[2] / "tools"

README = """# Sample

## Supported products

| Product | Version |
|---|---|
| Atlas A2 Training Series | 9.0 |

## Build and Run

  ```bash
  source ${{install_path}}/cann/set_env.sh
  ```
  ```bash
  {commands}
  ```
  For example:
  ```bash
  mkdir -p build && cd build;
  cmake -DCMAKE_ASC_RUN_MODE=sim ..;make -j;
  ./demo
  ```

  | `SCENARIO_NUM` | `1` (default), `2`, `7`-`9` | which |

  > When `SCENARIO_NUM` is set to `8`, only `dav-3510` is supported.

  The following execution result indicates success.
  ```bash
  error ratio: 0.0000
  test pass!
  ```
"""
#: cmake is a stand-in on the PATH; the Makefile writes the program.
RECIPE = "mkdir -p build && cd build;   # enter\n  cmake -DARCH=dav-3510 ..;make -j;\n  ./demo"


@pytest.fixture
def make_sample(tmp_path):
    def make(name: str, program: str, commands: str = RECIPE) -> Path:
        sample = tmp_path / "kit" / "examples" / name
        sample.mkdir(parents=True)
        (sample / "README_en.md").write_text(README.format(commands=commands))
        (sample / "demo.sh").write_text("#!/bin/sh\n" + program)
        return sample

    return make


@pytest.fixture
def prefix(tmp_path):
    """A prefix whose set_env.sh brings a cmake that makes a Makefile."""
    binaries = tmp_path / "prefix" / "bin"
    binaries.mkdir(parents=True)
    cmake = binaries / "cmake"
    cmake.write_text("#!/bin/sh\nprintf 'demo:\\n\\tcp ../demo.sh demo; chmod +x demo\\n' > Makefile\necho \"$@\"\n")
    cmake.chmod(0o755)
    (tmp_path / "prefix" / "set_env.sh").write_text(f"export PATH={binaries}:$PATH\n")
    return tmp_path / "prefix"


def run(sample: Path, prefix: Path, tmp_path: Path, limit: float = 20, checked: bool = False):
    (recipe,) = read_recipes(sample / "README_en.md", "dav-2201")
    return run_recipe(sample, sample.name, False, recipe, tmp_path / "work", prefix, "dav-2201", limit, checked)


def test_commands_are_split_as_a_shell_does():
    text = 'a "x;y" && b  # c; d\nexport N="$(pwd)/o:${P}"\ne \\\n  f;;'
    assert split_commands(text) == ['a "x;y"', "b", 'export N="$(pwd)/o:${P}"', "e    f"]


def test_a_recipe_has_stages_the_asked_architecture_and_the_verdict(make_sample):
    sample = make_sample("one", "")
    (recipe,) = read_recipes(sample / "README_en.md", "dav-2201")
    assert [(s.stage, s.command) for s in recipe.steps] == [
        ("setup", "mkdir -p build"),
        ("setup", "cd build"),
        ("configure", "cmake -DARCH=dav-2201 .."),
        ("build", "make -j"),
        ("run", "./demo"),
    ]
    assert recipe.expected == ["test pass!"]
    assert read_recipes(sample / "README_en.md", "dav-3510") == []


def test_a_recipe_is_repeated_for_every_scenario_of_the_table(make_sample):
    commands = "SCENARIO_NUM=1  # choose\n  cmake -S . -DSCENARIO_NUM=$SCENARIO_NUM;make;\n  ./demo"
    sample = make_sample("many", "", commands)
    recipes = read_recipes(sample / "README_en.md", "dav-2201")
    assert [r.steps[0].command for r in recipes] == [f"SCENARIO_NUM={n}" for n in (1, 2, 7, 9)]


@pytest.mark.parametrize(
    ("program", "reached", "reason"),
    [
        ("echo test pass!", "pass", ""),
        ("echo test pass!; exit 3", "run", "test pass!"),
        ("echo nothing to see", "verify", "the output lacks 'test pass!'"),
        ("echo '[Failed] 3 of 4 differ'", "verify", "[Failed]"),
        ("echo error: /usr/lib/x/libfoo.so: not found; exit 1", "run", "error: libfoo.so: not found"),
        ("echo 'no test passes!'", "verify", "the output lacks 'test pass!'"),
    ],
)
def test_verdicts(make_sample, prefix, tmp_path, program, reached, reason):
    result = run(make_sample("s", program + "\n"), prefix, tmp_path)
    assert (result.reached, result.reason) == (reached, reason)


def test_text_of_the_build_is_not_the_verdict(make_sample, prefix, tmp_path):
    sample = make_sample("s", "true", "mkdir -p build; cd build; cmake 'test pass!';make;\n  ./demo")
    assert run(sample, prefix, tmp_path).reached == "verify"


REPORTS = r"""toprope check: warning: init.gm: this\ntoprope check: race.waw: that\ntoprope check: init.gm at 7: seen"""


@pytest.mark.parametrize(
    ("said", "status", "reached", "reason"),
    [
        (REPORTS + r"\ntoprope check: 2 findings", 0, "check", "warning: init.gm: this; race.waw"),
        (REPORTS + r"\ntoprope check: 2 findings", 1, "check", "warning: init.gm: this; race.waw"),
        ("toprope check: 0 findings", 0, "pass", ""),
        ("toprope check: 0 findings", 1, "run", "test pass!"),
    ],
)
def test_under_the_checks_a_report_is_the_verdict(make_sample, prefix, tmp_path, said, status, reached, reason):
    sample = make_sample("s", f"printf '{said}\n' 1>&2; echo test pass!; exit {status}\n")
    result = run(sample, prefix, tmp_path, checked=True)
    assert (result.reached, result.reason) == (reached, reason)


def test_a_program_that_hangs_is_ended(make_sample, prefix, tmp_path):
    result = run(make_sample("s", "sleep 60\n"), prefix, tmp_path, limit=1)
    assert (result.reached, result.reason) == ("run", "error: still running after 1 s")
    assert result.seconds < 20


def test_a_failing_build_is_the_stage_and_its_error_the_reason(make_sample, prefix, tmp_path):
    sample = make_sample("s", "true", "mkdir -p build; cd build; cmake ..;make nothing;\n  ./demo")
    result = run(sample, prefix, tmp_path)
    assert result.reached == "build"
    assert "No rule to make target" in result.reason


def test_the_checkout_stays_as_it_is_and_the_script_reports(make_sample, prefix, tmp_path):
    good = make_sample("a/good", "echo test pass!\n")
    make_sample("b/bad", "echo test pass! 1>&2; exit 1\n")
    (good / "k.asc").write_text("// Mmad in a comment\n")
    (tmp_path / "kit/examples/b/bad/k.asc").write_text("Mmad(c, a, b);\n")
    before = sorted(tmp_path.joinpath("kit").rglob("*"))
    page, table = tmp_path / "page.md", tmp_path / "table.json"
    command = [sys.executable, TOOLS / "conformance", tmp_path / "kit", "--prefix", prefix]
    done = subprocess.run([*command, "--json", table, "--page", page], capture_output=True, text=True)
    assert done.returncode == 1
    assert "1 of 2 samples pass" in done.stdout
    assert sorted(tmp_path.joinpath("kit").rglob("*")) == before
    results = {r["sample"]: r for r in json.loads(table.read_text())}
    assert (results["a/good"]["reached"], results["a/good"]["cube"]) == ("pass", False)
    assert (results["b/bad"]["reached"], results["b/bad"]["cube"]) == ("run", True)
    assert "Of the 1 samples that use no cube unit, 1 pass." in page.read_text()
    assert subprocess.run([*command, "--no-cube"], capture_output=True).returncode == 0
    assert [s.name for s in find_samples(tmp_path / "kit/examples", "dav-2201")] == ["a/good", "b/bad"]


@pytest.mark.parametrize(
    "cmake",
    [
        "echo 'CMake Error at CMakeLists.txt:3 (message):'; echo '  This only supports'; echo '  dav-3510'; exit 1",
        "echo CMAKE_ASC_ARCHITECTURES:STRING=dav-3510 > CMakeCache.txt; exit 1",
    ],
)
def test_what_its_own_cmake_keeps_for_another_chip_is_not_judged(make_sample, prefix, tmp_path, cmake):
    (prefix / "bin/cmake").write_text(f"#!/bin/sh\n{cmake}\n")
    result = run(make_sample("s", "true"), prefix, tmp_path)
    assert result.reached == OTHER
    assert "dav-3510" in result.reason


def test_what_a_readme_sends_to_first_runs_first_and_once(make_sample, prefix, tmp_path):
    count = tmp_path / "count"
    needy = make_sample("a/needy", f"test -s {count} && echo test pass!\n")
    make_sample("z/first", f"echo x >> {count}; echo test pass!\n")
    readme = needy / "README_en.md"
    readme.write_text(
        readme.read_text() + "\n  Before running this example, go to the [first](../../z/first) directory.\n"
    )
    command = [sys.executable, TOOLS / "conformance", tmp_path / "kit", "--prefix", prefix]
    for chosen in ([], ["--filter", "needy"]):
        count.unlink(missing_ok=True)
        done = subprocess.run([*command, *chosen], capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
        assert count.read_text() == "x\n"


def test_a_header_that_would_be_downloaded_is_named_locally(make_sample, prefix, tmp_path, monkeypatch):
    headers = tmp_path / "nlohmann"
    headers.mkdir()
    (headers / "json.hpp").write_text("// json")
    monkeypatch.setattr("samples_run.JSON_HEADERS", headers)
    archive = tmp_path / "work/json/include.zip"
    for name, asks in (("plain", False), ("asking", True)):
        sample = make_sample(name, "echo test pass!\n")
        (sample / "CMakeLists.txt").write_text(f"set({JSON_OPTION} x)" if asks else "")
        assert run(sample, prefix, tmp_path).reached == "pass"
        log = (tmp_path / f"work/logs/{name}.log").read_text()
        assert (f"-D{JSON_OPTION}=file://{archive}" in log) == asks
    with zipfile.ZipFile(archive) as made:
        assert made.namelist() == ["include/nlohmann/json.hpp"]
