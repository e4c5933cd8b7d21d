"""The profile as text: the summary on the terminal, and CSV."""

from __future__ import annotations

import csv
import io
import os

from toprope.profile.advice import advice
from toprope.profile.read import Kernel, Profile

SHOWN_KERNELS, SHOWN_LINES, SHOWN_ADVICE = 8, 12, 6


def short(pipe: str) -> str:
    """'MTE2' for 'PIPE_MTE2'."""
    return pipe.removeprefix("PIPE_")


def table(head: list[str], rows: list[list[str]], left: int) -> list[str]:
    """Lines of aligned columns; the first `left` are text, the others numbers."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    return [
        "    " + "  ".join(c.ljust(w) if i < left else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths))).rstrip()
        for row in (head, *rows)
    ]


def title(kernel: Kernel) -> str:
    """One line that names the kernel and its launches."""
    launches = "1 launch" if kernel.launches == 1 else f"{kernel.launches} launches"
    file = os.path.relpath(kernel.file) if os.path.isabs(kernel.file) else kernel.file
    file = kernel.file if file.startswith("..") else file
    return f"{kernel.name} ({file}:{kernel.line}), {launches}, {kernel.blocks['last']} blocks on {kernel.cores}"


def verdict(kernel: Kernel) -> str:
    """The estimate and the bound in a sentence."""
    if not kernel.us:
        return "no instruction that the model knows: nothing to estimate"
    spread = (
        f" (from {kernel.shortest_us:.1f} to {kernel.longest_us:.1f})"
        if kernel.longest_us > kernel.shortest_us * 1.001
        else ""
    )
    shares = ", ".join(f"{name} {share:.0%}" for name, share in kernel.shares.items() if share >= 0.005)
    shared = f"; GM's bandwidth, shared by all cores, {kernel.shared_us / kernel.us:.0%}" if kernel.shared_us else ""
    return f"estimated {kernel.us:.1f} us a launch{spread}; bound: {kernel.bound} (critical path: {shares}{shared})"


def of_kernel(kernel: Kernel) -> list[str]:
    """The summary of one kernel."""
    out = [title(kernel), "  " + verdict(kernel)]
    if not kernel.us:
        return out
    rows = [
        [
            short(pipe),
            f"{us:.2f}",
            f"{us / kernel.us:.0%}",
            f"{kernel.critical_us.get(pipe, 0):.2f}",
        ]
        for pipe, us in sorted(kernel.busy_us.items(), key=lambda item: -item[1])
    ]
    out += table(["pipe", "busy us/core", "of time", "critical us"], rows, 1)
    if kernel.followed < 0.995:
        out.append(
            f"    (the critical path was followed over the last {kernel.followed:.0%} of the time and scaled up)"
        )
    lines = sorted((line for line in kernel.lines if line.count), key=lambda line: -line.critical_us)
    rows = [
        [
            line.where,
            line.name,
            short(line.pipe),
            str(line.count),
            f"{line.busy_us:.2f}",
            f"{line.critical_us:.2f}",
            f"{line.bytes / line.count:.0f}" if line.bytes else "",
        ]
        for line in lines[:SHOWN_LINES]
    ]
    out += table(["line", "instruction", "pipe", "count", "busy us/core", "critical us", "bytes each"], rows, 3)
    if len(lines) > SHOWN_LINES:
        out.append(f"    … and {len(lines) - SHOWN_LINES} lines more")
    for number, item in enumerate(advice(kernel)[:SHOWN_ADVICE], 1):
        out.append(f"  {number}. {item.where}: {item.text} [{item.rule}, about {item.us:.1f} us]")
    return out


def summary(profile: Profile) -> str:
    """What the terminal shows."""
    kernels = sorted(profile.kernels, key=lambda kernel: -kernel.total_us)
    out = [
        f"Estimates for {profile.chip['name']} ({profile.chip['arch']}, {profile.chip['mhz']} MHz) by a model made of "
        "published figures, see docs/profiling.md; nothing was measured on a device."
    ]
    for kernel in kernels[:SHOWN_KERNELS]:
        out += ["", *of_kernel(kernel)]
    if len(kernels) > SHOWN_KERNELS:
        rest = sum(kernel.total_us for kernel in kernels[SHOWN_KERNELS:])
        out += ["", f"… and {len(kernels) - SHOWN_KERNELS} kernels more, {rest:.1f} us in all"]
    if profile.left_out:
        out.append(
            f"The time line shows {len(profile.events)} instructions and leaves {profile.left_out} out; the tables hold all."
        )
    out.append("")
    return "\n".join(out)


def text_of(head: list[str], rows: list[list]) -> str:
    """CSV with one head line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


def csv_files(profile: Profile) -> dict[str, str]:
    """File name → CSV: kernels, instructions by line, and lines."""
    kernels, instructions, lines = [], [], []
    for kernel in profile.kernels:
        busy = [f"{kernel.busy_us.get(pipe, 0):.3f}" for pipe in ("PIPE_S", "PIPE_V", "PIPE_M", "PIPE_MTE1")]
        busy += [f"{kernel.busy_us.get(pipe, 0):.3f}" for pipe in ("PIPE_MTE2", "PIPE_MTE3", "PIPE_FIX")]
        kernels.append(
            [kernel.name, kernel.file, kernel.line, kernel.launches, kernel.blocks["last"], f"{kernel.us:.3f}"]
            + [kernel.bound, *busy, kernel.gm_read, kernel.gm_write, kernel.l2_hits]
        )
        by_line: dict[tuple[str, int], list[float]] = {}
        for line in kernel.lines:
            if not line.count:
                continue
            instructions.append(
                [kernel.name, line.name, short(line.pipe), line.file, line.line, line.function, line.count]
                + [f"{line.busy_us:.3f}", f"{line.critical_us:.3f}", line.bytes, f"{line.conflicts_us:.3f}"]
            )
            total = by_line.setdefault((line.file, line.line), [0, 0.0, 0.0])
            total[0] += line.count
            total[1] += line.busy_us
            total[2] += line.critical_us
        lines += [
            [kernel.name, file, number, count, f"{busy_us:.3f}", f"{critical:.3f}"]
            for (file, number), (count, busy_us, critical) in sorted(by_line.items())
        ]
    pipes = [f"estimated_{pipe}_busy_us_core" for pipe in ("s", "v", "m", "mte1", "mte2", "mte3", "fix")]
    return {
        "kernels.csv": text_of(
            ["kernel", "file", "line", "launches", "blocks", "estimated_us", "bound", *pipes]
            + ["gm_read_bytes", "gm_write_bytes", "l2_hit_bytes"],
            kernels,
        ),
        "instructions.csv": text_of(
            [
                "kernel",
                "instruction",
                "pipe",
                "file",
                "line",
                "function",
                "count",
                "estimated_busy_us_core",
                "estimated_critical_us",
            ]
            + ["bytes", "estimated_bank_conflict_us_core"],
            instructions,
        ),
        "lines.csv": text_of(
            ["kernel", "file", "line", "count", "estimated_busy_us_core", "estimated_critical_us"], lines
        ),
    }
