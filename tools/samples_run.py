"""Runs one recipe of a sample in a copy of its directory, and judges what it did."""

from __future__ import annotations

import os
import re
import shutil
import sys
import threading
import time
import zipfile
from dataclasses import dataclass
from pathlib import Path

from programs import first_error, run
from samples_readme import SOC_VERSIONS, Recipe, Step

#: What a recipe reached that its own CMake files keep from the architecture, by refusing or by choosing another.
OTHER = "other architecture"
MARK = ">>> "
#: Words that say a program judged itself wrong although it returned 0.
FAILURE = re.compile(r"\[Failed\]|\btest failed|verification failed|toprope: error: .*", re.I)

#: The first line of a finding, with its rule.
REPORT = re.compile(r"toprope check: ((?:warning: )?(\w+\.\w+): .*)")


@dataclass
class Result:
    sample: str  # path below the checkout's examples
    recipe: str
    cube: bool  # whether its sources use the cube unit
    reached: str  # the stage that failed (setup, configure, build, data, run, verify, check), "pass", or OTHER
    seconds: float
    build_seconds: float
    reason: str


#: An option of some samples: where they get the header of nlohmann/json, the network by default.
JSON_OPTION = "NLOHMANN_JSON_URL"
JSON_HEADERS = Path("/usr/include/nlohmann")


def with_local_json(recipe: Recipe, sample: Path, work: Path) -> Recipe:
    """The recipe with this machine's header named where the sample has an option for it."""
    asks = any(JSON_OPTION in path.read_text(errors="replace") for path in sample.rglob("CMakeLists.txt"))
    if not asks or not JSON_HEADERS.is_dir():
        return recipe
    archive = work / "json" / "include.zip"
    if not archive.exists():
        archive.parent.mkdir(parents=True, exist_ok=True)
        part = f"{archive}.{threading.get_ident()}"
        with zipfile.ZipFile(part, "w") as out:
            for header in sorted(JSON_HEADERS.rglob("*.hpp")):
                out.write(header, Path("include/nlohmann") / header.relative_to(JSON_HEADERS))
        os.replace(part, archive)
    option = f" -D{JSON_OPTION}=file://{archive}"
    steps = [Step(s.stage, s.command + option if s.stage == "configure" else s.command) for s in recipe.steps]
    return Recipe(recipe.name, steps, recipe.expected)


def script_of(recipe: Recipe, prefix: Path, arch: str) -> str:
    """A shell script that announces each command and stops at the first that fails."""
    lines = ["set +u", f". '{prefix}/set_env.sh'", f"export soc_version={SOC_VERSIONS[arch]}", "set -e"]
    for step in recipe.steps:
        quoted = step.command.replace("'", "'\\''")
        lines.append(f"printf '\\n{MARK}%s %s %s\\n' {step.stage} \"$(date +%s.%N)\" '{quoted}'")
        lines.append(step.command)
    lines.append(f"printf '\\n{MARK}end %s\\n' \"$(date +%s.%N)\"")
    return "\n".join(lines) + "\n"


def read_log(log: str) -> tuple[list[tuple[str, float, str]], bool]:
    """(stage, seconds, output) of every command that began, and whether the last one ended well."""
    parts = re.split(rf"^{MARK}(\w+) ([\d.]+)[^\n]*\n", log, flags=re.M)
    steps = []
    for i in range(1, len(parts) - 2, 3):
        begun = float(parts[i + 1])
        ended = float(parts[i + 4]) if i + 4 < len(parts) else begun
        if parts[i] != "end":
            steps.append((parts[i], ended - begun, parts[i + 2]))
    return steps, bool(re.search(rf"^{MARK}end ", log, re.M))


def missing_lines(expected: list[str], output: str) -> list[str]:
    """Which expected lines the output does not contain."""
    flat = " ".join(output.split())
    return [line for line in expected if not re.search(rf"(?<!\w){re.escape(' '.join(line.split()))}(?!\w)", flat)]


def judge(log: str, status: int, expected: list[str], checked: bool) -> tuple[str, str]:
    """(stage reached, reason) from the log of a script."""
    steps, finished = read_log(log)
    # What a report is about may be why the rest fails: it comes first.
    if checked and (reports := REPORT.findall(log)):
        others = dict.fromkeys(rule for _, rule in reports if rule != reports[0][1])
        return "check", "; ".join([reports[0][0][:200], *others])
    if status or not finished:
        stage, _, output = steps[-1] if steps else ("setup", 0.0, log)
        return stage, first_error(output) or f"exit status {status}"
    built = max((i for i, step in enumerate(steps) if step[0] == "build"), default=-1)
    output = "".join(step[2] for step in steps[built + 1 :])
    if missing := missing_lines(expected, output):
        failure = FAILURE.search(output)
        return "verify", failure.group(0)[:200] if failure else f"the output lacks {missing[0]!r}"
    if not expected:
        return "verify", "the README does not say what success looks like"
    return "pass", ""


def other_architecture(log: str, directory: Path, arch: str) -> str:
    """Why a recipe is not for `arch` at all, in the words of its own CMake files; empty when it is."""
    for refusal in re.findall(r"CMake Error at CMakeLists.txt:\d+ \(message\):\n((?:  .*\n)+)", log):
        text = " ".join(refusal.split())
        if any(named != arch for named in re.findall(r"dav-\d{4}", text)):
            return text[:200]
    for cache in directory.rglob("CMakeCache.txt"):
        chosen = re.search(r"^CMAKE_ASC_ARCHITECTURES:\w+=(dav-\d{4})$", cache.read_text(errors="replace"), re.M)
        if chosen and chosen.group(1) != arch:
            return f"its CMakeLists.txt builds this for {chosen.group(1)}"
    return ""


def run_recipe(
    sample: Path,
    name: str,
    cube: bool,
    recipe: Recipe,
    work: Path,
    prefix: Path,
    arch: str,
    limit: float,
    checked: bool,
) -> Result:
    """Copies the sample to `work`, runs the recipe there, leaves its log beside it."""
    place = re.sub(r"[^\w.=-]+", "_", f"{name}_{recipe.name}".strip("_"))
    directory = work / place / sample.name
    shutil.rmtree(work / place, ignore_errors=True)
    shutil.copytree(sample, directory)
    # A make above this one must not speak in the sample's.
    environment = {
        name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")
    }
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment.get('PATH', '')}"
    if checked:
        environment["TOPROPE_CHECK"] = "all"
    recipe = with_local_json(recipe, sample, work)
    logs = work / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    log = logs / f"{place}.log"
    started = time.perf_counter()
    with log.open("wb") as out:
        status, _ = run(["bash", "-c", script_of(recipe, prefix, arch)], directory, limit, environment, out)
    seconds = time.perf_counter() - started
    text = log.read_text(errors="replace")
    reached, reason = judge(text, status, recipe.expected, checked)
    if reached != "pass" and (why := other_architecture(text, directory, arch)):
        reached, reason = OTHER, why
    build = sum(step[1] for step in read_log(text)[0] if step[0] == "build")
    # Directories of this machine say nothing to anybody else.
    reason = re.sub(r"(?<![\w.])/(?:[^\s/:]+/)+", "", reason)
    if reached == "pass":
        shutil.rmtree(work / place)
    return Result(name, recipe.name, cube, reached, round(seconds, 2), round(build, 2), reason)
