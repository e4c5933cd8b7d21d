"""Reads from a sample's README what its author says to type, and what should then be seen.

The public samples of Ascend C share one form: a table of products, fenced blocks of shell commands, a table of build
options whose rows list the values of variables such as SCENARIO_NUM, and a block with the expected output. A recipe is
a block that builds and then does something more; it is run once for each value of the variable it sets.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path

#: How a product table names the chips of an architecture.
PRODUCTS = {"dav-2201": "Atlas A2", "dav-3510": "Ascend 950"}
#: A chip of each architecture, for commands that want ${soc_version}.
SOC_VERSIONS = {"dav-2201": "Ascend910B1", "dav-3510": "Ascend950PR_9599"}

FENCE = re.compile(r"^([ \t]*)```[ \t]*(\w*)[^\n]*\n(.*?)^[ \t]*```", re.M | re.S)
SHELL = {"bash", "shell", "sh", "console"}
ASSIGNMENT = re.compile(r"(?:export\s+)?([A-Z][A-Z0-9_]*)=(\S*)$")
CONTINUATION = re.compile(r"\\\s*\n")
BUILD = re.compile(r"(make|cmake --build|bisheng|ninja)\b")
SETUP = re.compile(r"(mkdir|cd|export|source|\.|rm|unset)\s")
VERDICT = re.compile(r"pass|success|\bOK\b", re.I)
#: Parts of an expected output that stand for something else.
STANDS_FOR = re.compile(r"\.\.\.|…|\*\*|\$\{|<\w+>|`")


@dataclass
class Step:
    stage: str  # setup, configure, build, data, run or verify
    command: str


@dataclass
class Recipe:
    name: str  # the values of its variables, or its number where a README has several; else empty
    steps: list[Step]
    expected: list[str] = field(default_factory=list)  # lines that the output must contain


def split_commands(text: str) -> list[str]:
    """The single commands of a shell block, in order; a comment ends its line."""
    commands, word, quote = [], "", ""
    text = CONTINUATION.sub(" ", text) + "\n"
    position = 0
    while position < len(text):
        char = text[position]
        if quote:
            quote = "" if char == quote else quote
            word += char
        elif char in "'\"":
            quote = char
            word += char
        elif char == "#" and (not word or word[-1].isspace()):
            position = text.index("\n", position)
            continue
        elif char in ";\n" or text.startswith("&&", position):
            commands.append(word.strip())
            word = ""
            position += 2 if char == "&" else 1
            continue
        else:
            word += char
        position += 1
    return [command for command in commands if command]


def stage_of(command: str) -> str:
    """Which part of a sample's life a command belongs to."""
    if ASSIGNMENT.match(command) or SETUP.match(command):
        return "setup"
    if BUILD.match(command):
        return "build"
    if command.startswith("cmake"):
        return "configure"
    if command.startswith("python") and "gen_data" in command:
        return "data"
    if command.startswith("python") and "verify" in command:
        return "verify"
    return "run"


def is_recipe(commands: list[str]) -> bool:
    """Whether a block builds the sample from nothing and then runs something."""
    stages = [stage_of(command) for command in commands]
    if "configure" not in stages and not any(command.startswith("bisheng") for command in commands):
        return False
    return "build" in stages and any(
        s in ("run", "verify") for s in stages[len(stages) - stages[::-1].index("build") :]
    )


def is_for_device(commands: list[str]) -> bool:
    """Whether a recipe is for the device, not for CANN's CPU twin or simulator."""
    return not any(re.search(r"RUN_MODE=(cpu|sim)\b", command) for command in commands)


def values(text: str, variable: str) -> list[str]:
    """What a table of options says a variable may be; empty when it says nothing."""
    row = re.search(rf"^\s*\|\s*`?{variable}`?\s*\|([^|]*)\|", text, re.M)
    row = row or re.search(rf"<td[^>]*>\s*`?{variable}`?\s*</td>\s*<td[^>]*>(.*?)</td>", text, re.S)
    if not row:
        return []
    cell = re.sub(r"\([^)]*\)|（[^）]*）|`|\*", "", row.group(1))
    found = []
    for item in re.split(r"[,、/]", cell):
        item = item.strip()
        if span := re.fullmatch(r"(\d+)\s*[-~–]\s*(\d+)", item):
            found += [str(n) for n in range(int(span.group(1)), int(span.group(2)) + 1)]
        elif re.fullmatch(r"[\w.-]+", item):
            found.append(item)
    return found


def only_for(text: str, variable: str, value: str) -> str:
    """The architecture that a note reserves a value for, or empty."""
    for line in text.splitlines():
        if variable in line and re.search(r"\bonly\b", line, re.I) and not line.lstrip().startswith("cmake"):
            for clause in re.split(r"[;；|.]\s", line):
                if re.search(rf"(to `?|=`?|[Ss]cenario `?){value}\b", clause) and re.search(r"\bonly\b", clause, re.I):
                    arches = re.findall(r"dav-\d+", clause)
                    if len(arches) == 1:
                        return arches[0]
    return ""


def supports(text: str, arch: str) -> bool:
    """Whether the README's section on products, a table or a list, names the architecture's chips."""
    section = re.search(r"^#+[^\n]*\bproducts?\b[^\n]*\n(.*?)(?=^#)", text, re.M | re.S | re.I)
    return section is not None and PRODUCTS[arch] in section.group(1)


def required_lines(block: str) -> list[str]:
    """What of an expected output must be seen: its verdict, or every literal line when it has none."""
    lines = [line.strip() for line in block.splitlines() if line.strip()]
    literal = [line for line in lines if not STANDS_FOR.search(line)]
    return [line for line in literal if VERDICT.search(line)] or literal


def read_needs(readme: Path) -> list[Path]:
    """The directories of other samples that a README says to go to before running its own."""
    links = re.findall(
        r"^\s*Before running this[^\n]*\]\(((?:\.\./)+[^)#]+)\)", readme.read_text(errors="replace"), re.M
    )
    return [(readme.parent / link).resolve() for link in links]


def read_recipes(readme: Path, arch: str) -> list[Recipe]:
    """Every recipe of a README for an architecture, each once for every value of its variables."""
    text = readme.read_text(errors="replace")
    if not supports(text, arch):
        return []
    blocks = []  # (commands, its text, whether it follows words about the result)
    for match in FENCE.finditer(text):
        language, body = match.group(2), match.group(3)
        before = text[max(0, match.start() - 300) : match.start()].strip().lower()
        tells_result = re.search(r"(result|success|output|succeeded)[^\n]*$", before) is not None
        commands = split_commands(body) if language in SHELL or not language else []
        blocks.append((commands if is_recipe(commands) else [], body, tells_result))
    found: list[tuple[list[str], list[str]]] = []
    for index, (commands, _, _) in enumerate(blocks):
        if commands:
            after = (body for other, body, tells in blocks[index + 1 :] if tells and not other)
            found.append((commands, required_lines(next(after, ""))))
    # CANN's CPU twin and simulator only where the README has nothing else: here they are the same.
    found = [entry for entry in found if is_for_device(entry[0])] or found
    # A README that gives one recipe for each architecture means the one; else the name in it is an example.
    named = [entry for entry in found if f"={arch}" in " ".join(entry[0])]
    if named and any("=dav-" in " ".join(entry[0]) and entry not in named for entry in found):
        found = [entry for entry in found if entry in named or "=dav-" not in " ".join(entry[0])]
    recipes = []
    for number, (commands, expected) in enumerate(found, 1):
        choices = []
        for command in commands:
            if match := ASSIGNMENT.match(command):
                name, given = match.groups()
                listed = [v for v in values(text, name) if only_for(text, name, v) in ("", arch)]
                choices.append([(name, value) for value in listed or [given]])
        for choice in itertools.product(*choices):
            chosen = dict(choice)
            steps = []
            for command in commands:
                if match := ASSIGNMENT.match(command):
                    command = command[: match.start(2)] + chosen[match.group(1)]
                command = re.sub(r"=dav-\d{4}\b", f"={arch}", command)
                if "set_env.sh" not in command:
                    steps.append(Step(stage_of(command), command))
            varied = [f"{name}={value}" for (name, value), options in zip(choice, choices) if len(options) > 1]
            label = ",".join(([f"recipe{number}"] if len(found) > 1 else []) + varied)
            recipes.append(Recipe(label, steps, expected))
    return recipes
