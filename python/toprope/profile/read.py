"""The profile that the library wrote, in microseconds and with names."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from pathlib import Path

#: What each pipe's time on the critical path counts for. The path of L0C's results and L1 belongs to the cube.
BOUNDS = {
    "PIPE_MTE2": "memory",
    "PIPE_MTE3": "memory",
    "PIPE_V": "vector",
    "PIPE_M": "cube",
    "PIPE_MTE1": "cube",
    "PIPE_FIX": "cube",
    "PIPE_S": "scalar",
}


@dataclass
class Line:
    """What one instruction on one source line costs. Times: us a core and launch for `busy`, us a launch for `critical`."""

    name: str
    pipe: str
    wait: bool
    file: str
    line: int
    function: str
    count: int
    busy_us: float
    critical_us: float
    bytes: int
    past_l2: int
    operations: int
    small: int
    unaligned: int
    shared_us: float
    conflicts_us: float
    held_us: dict[str, float]

    def add(self, other: Line) -> None:
        """Counts another copy of the same line in."""
        for name in ("count", "busy_us", "critical_us", "bytes", "past_l2", "operations", "small", "unaligned"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.shared_us += other.shared_us
        self.conflicts_us += other.conflicts_us
        for edge, us in other.held_us.items():
            self.held_us[edge] = self.held_us.get(edge, 0) + us

    @property
    def where(self) -> str:
        """'add.asc:42', the name alone where no line is known."""
        return f"{os.path.basename(self.file)}:{self.line}" if self.line else "no line (compile with -g)"


@dataclass
class Event:
    """One instruction of the picture, in us since its launch began."""

    launch: int
    core: str
    pipe: str
    start: float
    end: float
    done: float
    place: dict
    by: int
    edge: str
    critical: bool
    shared: bool


@dataclass
class Launch:
    """One launch of the picture, on the time line of the process."""

    kernel: int
    start_us: float
    us: float


@dataclass
class Kernel:
    """All launches of one kernel from one line."""

    chip: dict
    figures: dict[str, float]
    name: str
    file: str
    line: int
    launches: int
    blocks: dict[str, int]
    cubes: int
    vectors: int
    total_us: float
    shortest_us: float
    longest_us: float
    busy_us: dict[str, float]
    critical_us: dict[str, float]
    sync_us: float
    shared_us: float
    followed: float
    bandwidth_us: float
    gm_read: int
    gm_write: int
    l2_hits: int
    vector_operations: int
    cube_operations: int
    events: int
    lines: list[Line]

    @property
    def us(self) -> float:
        """Of one launch, on average."""
        return self.total_us / self.launches

    @property
    def cores(self) -> str:
        """'48 of 48 vector cores'."""
        parts = []
        for each, unit, kind in ((self.cubes, "aic", "cube"), (self.vectors, "aiv", "vector")):
            if each:
                parts.append(f"{min(self.blocks['last'] * each, self.chip[unit])} of {self.chip[unit]} {kind} cores")
        return ", ".join(parts)

    @property
    def shares(self) -> dict[str, float]:
        """Of the critical path: memory, vector, cube, scalar, sync; they add up to 1."""
        all_us = {"memory": 0.0, "vector": 0.0, "cube": 0.0, "scalar": 0.0, "sync": self.sync_us}
        for pipe, us in self.critical_us.items():
            all_us[BOUNDS[pipe]] += us
        total = sum(all_us.values()) or 1
        return {name: us / total for name, us in all_us.items()}

    @property
    def bound(self) -> str:
        """The part of the device that takes the largest share of the critical path."""
        return max(self.shares, key=self.shares.__getitem__)


@dataclass
class Profile:
    """What one or several processes ran."""

    chip: dict = field(default_factory=dict)
    figures: list[dict] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)
    launches: list[Launch] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    left_out: int = 0
    processes: int = 0


def kernel_of(data: dict, k: dict) -> Kernel:
    """One kernel of the file."""
    mhz, launches = data["chip"]["mhz"], k["launches"]
    per_launch = mhz * launches
    cores = max(1, k["cores"])

    # A path that was not followed to the block's start stands for the whole.
    followed = 1 - k["unknown"] / k["cycles"]["all"] if k["cycles"]["all"] else 1
    along = per_launch * (followed or 1)

    def line_of(t: dict) -> Line:
        p = data["places"][t["place"]]
        return Line(
            name=p["name"],
            pipe=p["pipe"],
            wait=p["wait"],
            file=p["file"],
            line=p["line"],
            function=p["function"],
            count=t["count"],
            busy_us=t["busy"] / mhz / cores,
            critical_us=t["critical"] / along,
            bytes=t["bytes"],
            past_l2=t["past_l2"],
            operations=t["operations"],
            small=t["small"],
            unaligned=t["unaligned"],
            shared_us=t["shared"] / mhz / cores,
            conflicts_us=t["conflicts"] / mhz / cores,
            held_us={edge: cycles / along for edge, cycles in t["held"].items()},
        )

    lines: dict[tuple, Line] = {}
    for one in map(line_of, k["places"]):
        # The compiler may have made several copies of a line: a loop's last round, a function inlined twice.
        key = (one.name, one.pipe, one.file, one.line) if one.line else (len(lines),)
        if key in lines:
            lines[key].add(one)
        else:
            lines[key] = one
    return Kernel(
        chip=data["chip"],
        figures={f["name"]: f["value"] for f in data["figures"]},
        name=k["name"],
        file=k["file"],
        line=k["line"],
        launches=launches,
        blocks=k["blocks"],
        cubes=k["cubes"],
        vectors=k["vectors"],
        total_us=k["cycles"]["all"] / mhz,
        shortest_us=k["cycles"]["shortest"] / mhz,
        longest_us=k["cycles"]["longest"] / mhz,
        busy_us={pipe: cycles / mhz / cores for pipe, cycles in k["busy"].items()},
        critical_us={pipe: cycles / along for pipe, cycles in k["critical"].items()},
        sync_us=k["sync"] / along,
        shared_us=k["shared"] / along,
        followed=followed,
        bandwidth_us=k["bandwidth"] / per_launch,
        gm_read=k["gm_read"],
        gm_write=k["gm_write"],
        l2_hits=k["l2_hits"],
        vector_operations=k["vector_operations"],
        cube_operations=k["cube_operations"],
        events=k["events"],
        lines=list(lines.values()),
    )


def read_file(path: Path, into: Profile) -> None:
    """Adds what one process wrote."""
    data = json.loads(path.read_text())
    if data["format"] != 1:
        raise SystemExit(f"toprope profile: {path} is of format {data['format']}, this version reads format 1")
    mhz, first_kernel, first_launch, first_event = (
        data["chip"]["mhz"],
        len(into.kernels),
        len(into.launches),
        len(into.events),
    )
    into.processes += 1
    into.chip = data["chip"]
    into.figures = list({f["name"]: f for f in (*into.figures, *data["figures"])}.values())
    into.kernels += [kernel_of(data, k) for k in data["kernels"] if k["launches"]]
    timeline = data["timeline"]
    into.left_out += timeline["left_out"]
    into.launches += [
        Launch(first_kernel + entry["kernel"], entry["start"] / mhz, entry["cycles"] / mhz)
        for entry in timeline["launches"]
    ]
    for launch, core, cube, pipe, start, free, done, place, by, edge, _, critical, shared in timeline["events"]:
        into.events.append(
            Event(
                launch=first_launch + launch,
                core=f"{'AIC' if cube else 'AIV'} {core}",
                pipe=timeline["pipes"][pipe],
                start=start / mhz,
                end=free / mhz,
                done=done / mhz,
                place=data["places"][place],
                by=-1 if by < 0 else first_event + by,
                edge=edge,
                critical=bool(critical),
                shared=bool(shared),
            )
        )


def read(directory: Path) -> Profile:
    """Every profile-*.json of a directory, oldest first."""
    profile = Profile()
    for path in sorted(directory.glob("profile-*.json"), key=lambda p: p.stat().st_mtime):
        read_file(path, profile)
    return profile
