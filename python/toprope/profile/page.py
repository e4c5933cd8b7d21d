"""The profile as one HTML page that needs no network, and its pictures as SVG."""

from __future__ import annotations

import math
import os
from html import escape

from toprope.profile.advice import advice
from toprope.profile.read import BOUNDS, Event, Kernel, Profile
from toprope.profile.tables import short, title, verdict

COLOURS = {
    "PIPE_S": "#7f7f7f",
    "PIPE_MTE2": "#1f77b4",
    "PIPE_MTE1": "#9467bd",
    "PIPE_M": "#d62728",
    "PIPE_V": "#2ca02c",
    "PIPE_FIX": "#17becf",
    "PIPE_MTE3": "#ff7f0e",
}
BOUND_COLOURS = {"memory": "#1f77b4", "vector": "#2ca02c", "cube": "#d62728", "scalar": "#7f7f7f", "sync": "#bcbd22"}
#: Instructions in a picture: more are a blur, and a page has to open at once.
MOST_BARS, MOST_CORES = 260, 2
FONT = 'font-family="sans-serif" font-size="11"'

STYLE = """
body { font: 14px/1.45 sans-serif; margin: 2em auto; max-width: 1080px; padding: 0 1em; color: #222; }
h1 { font-size: 1.5em; } h2 { font-size: 1.2em; margin-top: 2em; border-top: 1px solid #ccc; padding-top: 1em; }
table { border-collapse: collapse; margin: .7em 0; } td, th { padding: .15em .7em; text-align: right; }
th { border-bottom: 1px solid #888; font-weight: 600; } td.t, th.t { text-align: left; }
tr:nth-child(even) td { background: #f5f5f5; } code { background: #f0f0f0; padding: 0 .2em; }
.note { color: #666; font-size: .9em; } li { margin: .3em 0; } svg { max-width: 100%; height: auto; }
details { margin-top: 2em; }
"""


def nice(limit: float) -> float:
    """The step of about a tenth of `limit` that reads well: 1, 2 or 5 times a power of ten."""
    raw = limit / 10
    power = 10 ** math.floor(math.log10(raw))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= raw)


def chosen(profile: Profile, kernel: Kernel) -> tuple[list[Event], int]:
    """Events of the picture: the first launch of the kernel that was kept, its first cores, from their start on."""
    index = next(i for i, k in enumerate(profile.kernels) if k is kernel)
    launches = [number for number, launch in enumerate(profile.launches) if launch.kernel == index]
    for number in launches:
        events = [e for e in profile.events if e.launch == number]
        if events:
            cores = list(dict.fromkeys(e.core for e in events))[:MOST_CORES]
            of_cores = sorted((e for e in events if e.core in cores), key=lambda e: e.start)
            return of_cores[:MOST_BARS], len(events)
    return [], 0


def timeline(profile: Profile, kernel: Kernel) -> str:
    """The first instructions of a launch as SVG: a row for each pipe of the first cores, the critical path outlined."""
    events, available = chosen(profile, kernel)
    rows = sorted({(e.core, list(COLOURS).index(e.pipe)) for e in events}, key=lambda row: (len(row[0]), row))
    left, top, row_height, width = 110, 34, 22, 960
    begin = min((e.start for e in events), default=0.0)
    end = max((e.end for e in events), default=1.0)
    scale = (width - left - 10) / max(end - begin, 1e-9)
    height = top + row_height * len(rows) + 40
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" {FONT}>',
        f'<text x="{left}" y="14">{escape(kernel.name)}: the first {len(events)} instructions of '
        f"{len({row[0] for row in rows})} core(s); estimated, us</text>",
    ]
    step = nice(end - begin)
    for tick in range(int((end - begin) / step) + 1):
        x = left + tick * step * scale
        out.append(f'<path d="M{x:.1f} {top - 6}V{height - 34}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{top - 9}" text-anchor="middle" fill="#666">{begin + tick * step:g}</text>')
    place = {row: top + row_height * i for i, row in enumerate(rows)}
    for core, pipe in rows:
        name = list(COLOURS)[pipe]
        y = place[core, pipe]
        out.append(f'<text x="4" y="{y + 14}">{core} {short(name)}</text>')
        out.append(f'<g fill="{COLOURS[name]}">')
        for e in events:
            if (e.core, list(COLOURS).index(e.pipe)) != (core, pipe):
                continue
            mark = ' stroke="#000"' if e.critical else ""
            where = f"{os.path.basename(e.place['file'])}:{e.place['line']}"
            out.append(
                f'<rect x="{left + (e.start - begin) * scale:.1f}" y="{y + 3}" '
                f'width="{max(0.6, (e.end - e.start) * scale):.1f}" height="16"{mark}>'
                f"<title>{escape(e.place['name'])} {where} {e.end - e.start:.3f}us</title></rect>"
            )
        out.append("</g>")
    out.append(
        f'<text x="{left}" y="{height - 10}" fill="#666">outlined: on the critical path. '
        f"{kernel.events} instructions in all launches, {available} kept of this one.</text>"
    )
    return "\n".join([*out, "</svg>\n"])


def shares(kernel: Kernel) -> str:
    """The critical path as one bar."""
    out = [f'<svg viewBox="0 0 700 44" width="700" {FONT}>']
    x = 0.0
    for name, share in kernel.shares.items():
        if share < 0.005:
            continue
        out.append(f'<rect x="{x:.1f}" y="0" width="{share * 700:.1f}" height="22" fill="{BOUND_COLOURS[name]}"/>')
        if share > 0.05:
            out.append(f'<text x="{x + 4:.1f}" y="38">{name} {share:.0%}</text>')
        x += share * 700
    return "".join([*out, "</svg>"])


def roofs(kernel: Kernel) -> tuple[list[tuple[str, float]], float, str]:
    """(compute roofs in operations a second, operations a launch, what an operation is)."""
    chip = kernel.chip
    if kernel.cube_operations:
        peak = chip["aic"] * 2 * 16 * 16 * 16 * chip["mhz"] * 1e6
        return [("half cube", peak)], kernel.cube_operations / kernel.launches, "multiplications and additions"
    peak = chip["aiv"] * chip["mhz"] * 1e6
    return (
        [("16-bit vector", 128 * peak), ("32-bit vector", 64 * peak)],
        kernel.vector_operations / kernel.launches,
        "vector elements",
    )


def roofline(kernel: Kernel) -> str:
    """Operations a byte of GM against operations a second, both logarithmic."""
    compute, operations, what = roofs(kernel)
    moved = (kernel.gm_read + kernel.gm_write) / kernel.launches
    width, height, left, bottom = 620, 330, 70, 290
    memory = [("GM sustained", kernel.figures["gm.sustained"] * 1e9), ("GM peak", kernel.figures["gm.peak"] * 1e9)]
    intensity = operations / moved if moved else 0
    attained = operations / (kernel.us * 1e-6) if kernel.us else 0
    top = max(peak for _, peak in compute) * 3
    floor = min(attained / 3, top / 1e5) if attained else top / 1e5
    x_low, x_high = min(intensity / 3, 0.01) if intensity else 0.01, max(intensity * 3, top / memory[0][1] * 3)

    def x(value: float) -> float:
        return left + (width - left - 20) * math.log(value / x_low) / math.log(x_high / x_low)

    def y(value: float) -> float:
        return bottom - (bottom - 30) * math.log(value / floor) / math.log(top / floor)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" {FONT}>',
        f'<text x="{left}" y="16">{escape(kernel.name)} on {kernel.chip["name"]}: roofline, estimated</text>',
        f'<path d="M{left} 24V{bottom}H{width - 10}" fill="none" stroke="#000"/>',
        f'<text x="{width / 2:.0f}" y="{bottom + 32}" text-anchor="middle">{what} a byte of GM</text>',
    ]
    for exponent in range(math.ceil(math.log10(x_low)), math.floor(math.log10(x_high)) + 1):
        at = x(10**exponent)
        out.append(f'<path d="M{at:.0f} {bottom}v4" stroke="#000"/>')
        out.append(f'<text x="{at:.0f}" y="{bottom + 16}" text-anchor="middle">{10**exponent:g}</text>')
    for exponent in range(math.ceil(math.log10(floor)), math.floor(math.log10(top)) + 1):
        at = y(10**exponent)
        out.append(f'<path d="M{left} {at:.0f}h-4" stroke="#000"/>')
        out.append(f'<text x="{left - 8}" y="{at + 4:.0f}" text-anchor="end">{10 ** (exponent - 9):g} G/s</text>')
    highest = max(peak for _, peak in compute)
    for number, (name, rate) in enumerate(memory):
        start = max(x_low, floor / rate)
        dash = ' stroke-dasharray="4 3"' if number else ""
        out.append(
            f'<path d="M{x(start):.1f} {y(start * rate):.1f}L{x(highest / rate):.1f} {y(highest):.1f}" '
            f'stroke="#1f77b4" fill="none"{dash}/>'
        )
        middle = math.sqrt(start * highest / rate)
        out.append(
            f'<text x="{x(middle) - 6:.0f}" y="{y(middle * rate) - 4 + 22 * (1 - number):.0f}" '
            f'text-anchor="{"end" if number else "start"}" fill="#1f77b4">{name} {rate / 1e9:.0f} GB/s</text>'
        )
    for name, peak in compute:
        start = peak / memory[0][1]
        out.append(f'<path d="M{x(start):.1f} {y(peak):.1f}H{width - 20}" stroke="#2ca02c" fill="none"/>')
        out.append(
            f'<text x="{width - 20}" y="{y(peak) - 4:.0f}" text-anchor="end" fill="#2ca02c">'
            f"{name} {peak / 1e12:.1f} T/s</text>"
        )
    if intensity and attained:
        out.append(f'<circle cx="{x(intensity):.1f}" cy="{y(attained):.1f}" r="5" fill="#d62728"/>')
        out.append(
            f'<text x="{x(intensity) + 9:.0f}" y="{y(attained) + 14:.0f}">{intensity:.3g} a byte, '
            f"{attained / 1e9:.0f} G/s</text>"
        )
    return "\n".join([*out, "</svg>\n"])


def table(head: list[str], rows: list[list[str]], left: int) -> str:
    """An HTML table whose first `left` columns are text."""

    def cells(tag: str, row: list[str]) -> str:
        return "".join(f"<{tag}{' class=t' if i < left else ''}>{escape(c)}</{tag}>" for i, c in enumerate(row))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    return f"<table><tr>{cells('th', head)}</tr>{body}</table>"


def source_text(file: str, number: int) -> str:
    """The text of a source line, empty when the file is not there."""
    try:
        with open(file, errors="replace") as lines:
            return next((text.strip() for i, text in enumerate(lines, 1) if i == number), "")
    except OSError:
        return ""


def of_kernel(profile: Profile, kernel: Kernel) -> str:
    """The section of one kernel."""
    out = [f"<h2>{escape(title(kernel))}</h2><p>{escape(verdict(kernel))}</p>", shares(kernel)]
    found = advice(kernel)
    if found:
        items = "".join(
            f"<li><b>{escape(a.where)}</b>: {escape(a.text)} <span class=note>[{a.rule}, about {a.us:.1f} us of "
            f"{kernel.us:.1f}]</span></li>"
            for a in found
        )
        out.append(f"<h3>What to change</h3><ol>{items}</ol>")
    out.append("<h3>Time line</h3>" + timeline(profile, kernel))
    rows = [
        [short(p), BOUNDS[p], f"{us:.2f}", f"{us / kernel.us:.1%}", f"{kernel.critical_us.get(p, 0):.2f}"]
        for p, us in sorted(kernel.busy_us.items(), key=lambda item: -item[1])
    ]
    out.append("<h3>Pipes</h3>" + table(["pipe", "counts for", "busy us/core", "of time", "critical us"], rows, 2))
    rows = [
        [line.where, source_text(line.file, line.line), line.name, short(line.pipe), str(line.count)]
        + [f"{line.busy_us:.2f}", f"{line.critical_us:.2f}"]
        + [f"{line.bytes / line.count:.0f}" if line.bytes else "", f"{line.conflicts_us:.2f}"]
        for line in sorted(kernel.lines, key=lambda line: -line.critical_us)
        if line.count
    ]
    head = [
        "line",
        "source",
        "instruction",
        "pipe",
        "count",
        "busy us/core",
        "critical us",
        "bytes each",
        "conflicts us",
    ]
    out.append("<h3>Source lines</h3>" + table(head, rows, 4))
    if kernel.gm_read + kernel.gm_write:
        out.append("<h3>Roofline</h3>" + roofline(kernel))
        out.append(
            f"<p class=note>{kernel.gm_read:,} bytes read from GM ({kernel.l2_hits:,} of them from L2), "
            f"{kernel.gm_write:,} written; GM alone needs {kernel.bandwidth_us:.1f} us a launch.</p>"
        )
    return "".join(out)


def html(profile: Profile) -> str:
    """The whole page."""
    kernels = sorted(profile.kernels, key=lambda kernel: -kernel.total_us)
    chip = profile.chip
    figures = table(
        ["figure", "value", "unit", "source"],
        [
            [f["name"], ", ".join(f"{v:g}" for v in f["value"]) if isinstance(f["value"], list) else f"{f['value']:g}"]
            + [f["unit"], f["source"]]
            for f in profile.figures
        ],
        4,
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>toprope profile</title><style>{STYLE}</style></head><body>
<h1>Where the time goes, estimated</h1>
<p>Every time on this page is an estimate of a model of {chip["name"]} ({chip["arch"]}, {chip["aic"]} cube and {chip["aiv"]}
vector cores, {chip["mhz"]} MHz), computed from published figures (at the end, each with its source). Nothing was measured on
a device. {profile.left_out} instructions are counted in the tables but left out of the pictures.</p>
{"".join(of_kernel(profile, kernel) for kernel in kernels)}
<details><summary>The figures the model is made of</summary>{figures}</details>
</body></html>
"""
