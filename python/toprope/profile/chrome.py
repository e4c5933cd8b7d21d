"""The time line as Chrome trace events, for chrome://tracing and ui.perfetto.dev: a row for each pipe of a core."""

from __future__ import annotations

import json
import os

from toprope.profile.read import Profile

#: Edges drawn as arrows: what one pipe waited for on another.
ARROWS = ("flag", "queue", "barrier", "cross")
NOTE = "estimates of a model of dav-2201 made of published figures; nothing was measured on a device"
ROWS = ("PIPE_S", "PIPE_MTE2", "PIPE_MTE1", "PIPE_M", "PIPE_V", "PIPE_FIX", "PIPE_MTE3")


def trace(profile: Profile) -> str:
    """JSON. A launch's events lie behind those of the launch before; ts and dur are microseconds."""
    out: list[dict] = []
    processes: dict[str, int] = {"launches": 0}
    out.append({"ph": "M", "name": "process_name", "pid": 0, "args": {"name": "launches (estimated)"}})
    for number, launch in enumerate(profile.launches):
        kernel = profile.kernels[launch.kernel]
        out.append(
            {
                "ph": "X",
                "pid": 0,
                "tid": 0,
                "name": kernel.name,
                "ts": round(launch.start_us, 4),
                "dur": round(launch.us, 4),
                "args": {"launch": number, "line": f"{kernel.file}:{kernel.line}", "bound": kernel.bound},
            }
        )
    for number, event in enumerate(profile.events):
        if event.core not in processes:
            processes[event.core] = len(processes)
            pid = processes[event.core]
            out.append({"ph": "M", "name": "process_name", "pid": pid, "args": {"name": event.core}})
            for tid, pipe in enumerate(ROWS):
                out.append({"ph": "M", "name": "thread_name", "pid": pid, "tid": tid, "args": {"name": pipe}})
        pid, tid = processes[event.core], ROWS.index(event.pipe)
        offset = profile.launches[event.launch].start_us
        place = event.place
        out.append(
            {
                "ph": "X",
                "pid": pid,
                "tid": tid,
                "name": place["name"],
                "ts": round(offset + event.start, 4),
                "dur": round(event.end - event.start, 4),
                "args": {
                    "code": f"{os.path.basename(place['file'])}:{place['line']}",
                    "usable_after_us": round(event.done - event.end, 4),
                    "waited_for": event.edge,
                    "critical": event.critical,
                    "bound_by_shared_bandwidth": event.shared,
                },
            }
        )
        if event.by >= 0 and event.edge in ARROWS:
            cause = profile.events[event.by]
            arrow = {"cat": "wait", "name": event.edge, "id": number}
            # Inside the bar that caused it: viewers bind an arrow to the bar around its end.
            inside = min((cause.end - cause.start) / 2, 0.001)
            begin = profile.launches[cause.launch].start_us + cause.end - inside
            out.append(
                {"ph": "s", "pid": processes[cause.core], "tid": ROWS.index(cause.pipe), "ts": round(begin, 4), **arrow}
            )
            out.append({"ph": "f", "bp": "e", "pid": pid, "tid": tid, "ts": round(offset + event.start, 4), **arrow})
    return json.dumps(
        {"traceEvents": out, "displayTimeUnit": "ns", "otherData": {"note": NOTE, "left_out": profile.left_out}}
    )
