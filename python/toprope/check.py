"""`toprope check`: runs a program with the checks on and gathers what they found, for people and for CI."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from toprope import __version__
from toprope.env import settings
from toprope.explore import explore
from toprope.run import compile_once, split

Finding = dict[str, Any]

#: What `--checks` takes besides `all`.
CHECKS = ("bounds", "constraints", "init", "race", "sync", "queue", "leak", "host")
SEVERITIES = ("error", "warning")
#: The exit code of shells for a command that cannot be started.
NOT_STARTED = 127

#: Rule → what it is about, in one line; SARIF viewers show it beside the finding.
RULES = {
    "race.raw": "Bytes are read while they may still be written",
    "race.war": "Bytes are written while they may still be read",
    "race.waw": "Bytes are written by two that nothing orders",
    "race.line": "Two cores write to one 64-byte line through their data caches",
    "race.cache": "Bytes are read that lie in a scalar unit's data cache only",
    "init.unwritten": "Local memory is read that nothing has written",
    "init.recycled": "Local memory is read that nothing has written since it was freed",
    "init.padding": "Padding without a value is read",
    "init.gm": "Device memory is read that nothing has written",
    "bounds.local": "An access leaves its tensor",
    "bounds.gm": "An access leaves its device allocation",
    "bounds.freed": "Freed device memory is accessed",
    "bounds.host": "A kernel accesses memory of the host",
    "bounds.guard": "The bytes beside a device allocation were written to",
    "sync.unwaited": "SetFlag without WaitFlag",
    "sync.reserved_event": "An event id that is not the kernel's own",
    "sync.reserved_flag": "A flag between cores that SyncAll needs for itself",
    "sync.flag_range": "A flag id that the device cuts to 4 bits",
    "sync.flag_left": "CrossCoreSetFlag without CrossCoreWaitFlag",
    "sync.flag_incomplete": "CrossCoreSetFlag by a part of the cores only",
    "queue.freed": "A tensor is used after FreeTensor, or after its TPipe or pool",
    "queue.enqueued": "A tensor is used while it is in its queue",
    "queue.leak": "A tensor is never freed",
    "queue.overlap": "Buffers with and without an address of their own overlap",
    "leak.device": "Device memory is never freed",
    "leak.double_free": "Device memory is freed twice",
    "leak.wrong_free": "A pointer is freed that is no allocation, or by the wrong function",
    "host.copy": "The runtime refuses a copy",
    "host.read": "The host reads what a stream may still write",
    "host.write": "The host writes what a stream may still use",
    "host.free": "The host frees what a stream may still use",
    "host.streams": "Two streams use the same memory and nothing orders them",
    "constraints.overlap": "Operands share bytes without being the same",
    "constraints.overlap_across_repeats": "A repeat reads what an earlier one writes",
    "constraints.dst_block_stride": "The blocks of a destination lie on top of each other",
    "constraints.written_twice": "A copy writes bytes twice",
    "constraints.rounded_down": "A count is rounded down, and the rest left out",
    "constraints.mask_clamped": "A mask names more elements than a repeat holds",
    "constraints.mask_overwritten": "SetVectorMask was overwritten before its mask was used",
    "constraints.deq_scale": "A conversion that needs SetDeqScale",
    "constraints.extreme": "The register of the last maximum holds nothing of use",
    "constraints.workspace_not_zero": "A workspace of SyncAll that is not zero",
    "constraints.repeats_ignored": "A repeat count is not taken as it was given",
    "constraints.two_owners": "A part of a local memory was given out twice",
    "constraints.shared_buffer": "Two tensors that are in use share memory",
    "constraints.atomic_left_on": "Atomic copies are still on at the kernel's end",
    "constraints.counter_mode_left_on": "Counter mode is still on at the kernel's end",
    "fault.refused": "An instruction is refused",
    "fault.deadlock": "Every unfinished core waits",
}

USAGE = """\
toprope check [options] -- PROGRAM [arguments]
       toprope check [options] [compiler flags] FILE.asc [arguments]"""


def parser() -> argparse.ArgumentParser:
    """The options; the command itself is cut off before."""
    result = argparse.ArgumentParser(prog="toprope check", usage=USAGE, description=__doc__, allow_abbrev=False)
    result.add_argument(
        "--checks", default="all", metavar="LIST", help=f"comma-separated: all (default), {', '.join(CHECKS)}"
    )
    result.add_argument("--json", type=Path, metavar="FILE", help="write the findings as JSON")
    result.add_argument("--sarif", type=Path, metavar="FILE", help="write the findings as SARIF 2.1.0")
    result.add_argument(
        "--fail-on",
        choices=(*SEVERITIES, "never"),
        default="error",
        help="end with exit code 1 from this severity on (default: error)",
    )
    result.add_argument(
        "--suppress",
        type=Path,
        metavar="FILE",
        help="findings not to report: `rule` or `rule:part of the place` a line",
    )
    result.add_argument(
        "--explore",
        type=positive,
        metavar="N",
        help="then run the program under N schedules and name the first that gives other numbers",
    )
    return result


def positive(text: str) -> int:
    """A number from 1 on. Raises ArgumentTypeError."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 on")
    return int(text)


def checks(text: str) -> str:
    """The value of --checks for the library. Raises ValueError naming what is unknown."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    if unknown := [name for name in names if name not in ("all", *CHECKS)]:
        raise ValueError(f"--checks: unknown {', '.join(unknown)}; there are all, {', '.join(CHECKS)}")
    if not names:
        raise ValueError(f"--checks names nothing; there are all, {', '.join(CHECKS)}")
    return ",".join(names)


def execute(command: list[str], environment: dict[str, str]) -> int:
    """Runs the program in the foreground; its exit code, 128 + n when signal n ended it, 127 when there is none."""
    try:
        code = subprocess.run(command, env=environment, check=False).returncode
    except OSError as error:
        print(f"toprope check: cannot run {command[0]}: {error.strerror}", file=sys.stderr)
        return NOT_STARTED
    if code < 0:
        print(f"toprope check: {command[0]} was ended by {signal.Signals(-code).name}", file=sys.stderr)
        return 128 - code
    return code


def gather(files: Iterable[Path]) -> tuple[list[Finding], int]:
    """The findings of all processes, each pair of places once, and the number of suppressed ones."""
    merged: dict[tuple, Finding] = {}
    suppressed = 0
    for file in files:
        report = json.loads(file.read_text())
        suppressed += report["suppressed"]
        for finding in report["findings"]:
            key = (finding["rule"], *((place["file"], place["line"]) for place in finding["places"]))
            if not any(place["line"] for place in finding["places"]):
                key += (finding["message"],)
            known = merged.setdefault(key, finding)
            if known is not finding:
                known["count"] += finding["count"]
                known["blocks"] = sorted({*known["blocks"], *finding["blocks"]})
    return list(merged.values()), suppressed


def location(place: dict[str, Any]) -> dict[str, Any]:
    """A SARIF location; relative to the working directory where it lies there, as code hosts want it."""
    path = Path(place["file"])
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        artifact = {"uri": path.relative_to(Path.cwd()).as_posix(), "uriBaseId": "%SRCROOT%"}
    elif path.is_absolute():
        artifact = {"uri": path.as_uri()}
    else:
        artifact = {"uri": path.as_posix(), "uriBaseId": "%SRCROOT%"}
    region = {"startLine": place["line"]}
    if place["column"]:
        region["startColumn"] = place["column"]
    return {
        "physicalLocation": {"artifactLocation": artifact, "region": region},
        "message": {"text": place["role"]},
    }


def sarif(findings: list[Finding], command: list[str], exit_code: int) -> dict[str, Any]:
    """The findings as a SARIF 2.1.0 log."""
    rules = sorted({finding["rule"] for finding in findings})
    results = []
    for finding in findings:
        located = [location(place) for place in finding["places"] if place["line"]]
        text = finding["message"] + (f". Cure: {finding['cure']}" if finding["cure"] else "")
        result = {
            "ruleId": finding["rule"],
            "ruleIndex": rules.index(finding["rule"]),
            "level": finding["severity"],
            "message": {"text": text},
            "locations": located[:1],
            "occurrenceCount": finding["count"],
            "properties": {"kernel": finding["kernel"], "blocks": finding["blocks"]},
        }
        if located[1:]:
            result["relatedLocations"] = [{"id": number, **place} for number, place in enumerate(located[1:], 1)]
        results.append(result)
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "toprope check",
                        "version": __version__,
                        "rules": [{"id": rule, "shortDescription": {"text": RULES.get(rule, rule)}} for rule in rules],
                    }
                },
                "originalUriBaseIds": {"%SRCROOT%": {"uri": Path.cwd().as_uri() + "/"}},
                "invocations": [
                    {"commandLine": " ".join(command), "exitCode": exit_code, "executionSuccessful": exit_code == 0}
                ],
                "results": results,
            }
        ],
    }


def count(number: int, noun: str) -> str:
    """`1 error`, `2 errors`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def command_of(arguments: list[str]) -> tuple[argparse.Namespace, list[str], dict[str, str]] | int:
    """(options, the program to run, its environment); an exit code when there is nothing to run."""
    environment = {**os.environ, **settings(os.environ)}
    if "--" in arguments:
        at = arguments.index("--")
        options, command = parser().parse_args(arguments[:at]), arguments[at + 1 :]
        if command:
            return options, [shutil.which(command[0]) or command[0], *command[1:]], environment
        print("toprope check: no program behind --", file=sys.stderr)
        return 2
    flags, source, program_arguments = split(arguments)
    options, compiler_flags = parser().parse_known_args(flags)
    if source is None:
        print(f"toprope check: what to run stands behind --\nusage: {USAGE}", file=sys.stderr)
        return 2
    if not Path(source).is_file():
        print(f"toprope check: {source}: no such file", file=sys.stderr)
        return 2
    built = compile_once(Path(source), compiler_flags, environment)
    return built if isinstance(built, int) else (options, [str(built), *program_arguments], environment)


def check(arguments: list[str]) -> int:
    """Runs the program and reports. Its own exit code when that is not 0; 1 for findings; 2 when nothing was checked."""
    found = command_of(arguments)
    if isinstance(found, int):
        return found
    options, command, environment = found
    try:
        environment["TOPROPE_CHECK"] = checks(options.checks)
    except ValueError as error:
        print(f"toprope check: {error}", file=sys.stderr)
        return 2
    if options.suppress is not None:
        if not options.suppress.is_file():
            print(f"toprope check: --suppress {options.suppress}: no such file", file=sys.stderr)
            return 2
        environment["TOPROPE_CHECK_SUPPRESS"] = str(options.suppress.resolve())
    with tempfile.TemporaryDirectory(prefix="toprope-check-") as directory:
        environment["TOPROPE_CHECK_JSON"] = str(Path(directory) / "%p.json")
        code = execute(command, environment)
        reports = sorted(Path(directory).glob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        findings, suppressed = gather(reports)
    if not reports and code == NOT_STARTED:
        return code
    if not reports and code == 0:
        print(
            "toprope check: nothing was checked: the program has not loaded Toprope's libraries. Build it with the "
            'bisheng of `eval "$(toprope env)"`',
            file=sys.stderr,
        )
        return 2
    if options.json is not None:
        report = {"command": command, "exit_code": code, "findings": findings, "suppressed": suppressed}
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    if options.sarif is not None:
        options.sarif.write_text(json.dumps(sarif(findings, command, code), indent=1) + "\n")
    numbers = [sum(finding["severity"] == severity for finding in findings) for severity in SEVERITIES]
    texts = [count(number, noun) for number, noun in zip(numbers, SEVERITIES, strict=True) if number]
    print(
        f"toprope check: {', '.join(texts) or 'nothing found'}" + (f", {suppressed} suppressed" if suppressed else ""),
        file=sys.stderr,
    )
    failing = numbers[0] if options.fail_on == "error" else sum(numbers) if options.fail_on == "warning" else 0
    explored = explore(command, options.explore, environment) if options.explore and not code else 0
    return code or int(failing > 0) or explored
