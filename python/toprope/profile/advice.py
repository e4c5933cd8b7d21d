"""What to change, where, and what is at stake. Every rule names the published advice it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from toprope.profile.read import Kernel, Line

#: Below this share of a launch's time a finding is not worth a reader's.
WORTH = 0.03


@dataclass
class Advice:
    """One thing to change. `us`: the time of a launch that it is about, not a promise of what is won."""

    rule: str
    text: str
    where: str
    us: float


def copies(kernel: Kernel, line: Line) -> list[Advice]:
    """Rules about one line that copies to or from GM."""
    out = []
    if not line.bytes or line.pipe not in ("PIPE_MTE2", "PIPE_MTE3", "PIPE_FIX"):
        return out
    mean = line.bytes / line.count
    good, aligned = kernel.figures["copy.good_bytes"], kernel.figures["copy.good_alignment"]
    if line.small > line.count / 2:
        out.append(
            Advice(
                "copy.small",
                f"{line.small} of {line.count} copies move less than {good / 1024:.0f} KiB, {mean:.0f} bytes on average: "
                "move larger tiles, as far as UB holds them",
                line.where,
                max(line.critical_us, line.busy_us),
            )
        )
    if line.unaligned > line.count / 2:
        out.append(
            Advice(
                "copy.unaligned",
                f"{line.unaligned} of {line.count} copies start off {aligned:.0f} bytes in GM, where the bandwidth can be "
                "up to 30 % lower: split the data at multiples of 512 bytes",
                line.where,
                max(line.critical_us, line.busy_us),
            )
        )
    return out


def vectors(kernel: Kernel, line: Line) -> list[Advice]:
    """Rules about one vector or scalar instruction."""
    if line.pipe == "PIPE_V" and line.conflicts_us > line.busy_us / 10:
        return [
            Advice(
                "ub.bank_conflict",
                f"bank conflicts take {line.conflicts_us:.2f} of {line.busy_us:.2f} us a core: operands meet in the same "
                "bank groups; start one of the sources 256 bytes further",
                line.where,
                line.conflicts_us,
            )
        ]
    if line.pipe == "PIPE_S" and not line.wait and line.name in ("GetValue", "SetValue"):
        return [
            Advice(
                "scalar.elements",
                f"{line.count} single elements by {line.name}: a vector instruction takes 64 or 128 a cycle",
                line.where,
                max(line.critical_us, line.busy_us),
            )
        ]
    return []


def waits(kernel: Kernel, line: Line) -> list[Advice]:
    """Rules about one line that made a pipe wait on the critical path."""
    out = []
    if (us := line.held_us.get("barrier", 0)) and line.pipe == "PIPE_ALL":
        out.append(
            Advice(
                "sync.barrier_all",
                "PipeBarrier<PIPE_ALL> stops every pipe: order only what depends on each other, with "
                "SetFlag/WaitFlag or queues",
                line.where,
                us,
            )
        )
    if line.pipe == "PIPE_MTE2" and (us := line.held_us.get("queue", 0)) and line.name == "AllocTensor":
        out.append(
            Advice(
                "buffer.single",
                "the copy in waits here for a buffer that the last tile still uses: two buffers "
                "(InitBuffer(queue, 2, bytes)) let it run while the tile before is computed",
                line.where,
                us,
            )
        )
    if line.pipe == "PIPE_MTE2" and (us := line.held_us.get("flag", 0)):
        out.append(
            Advice(
                "buffer.single",
                "the copy in waits here until the tile before is computed: two buffers and two event ids in turn "
                "let both run at once",
                line.where,
                us,
            )
        )
    return out


def launch(kernel: Kernel) -> list[Advice]:
    """Rules about the launch as a whole."""
    out = []
    where = f"{kernel.file.rsplit('/', 1)[-1]}:{kernel.line}"
    each, unit, kind = (
        (kernel.vectors, "aiv", "vector") if kernel.vectors and not kernel.cubes else (kernel.cubes, "aic", "cube")
    )
    cores, wanted = kernel.chip[unit], kernel.blocks["last"] * each
    if wanted < cores:
        out.append(
            Advice(
                "launch.blocks",
                f"{kernel.blocks['last']} blocks leave {cores - wanted} of {cores} {kind} cores idle: split the work "
                f"into {cores // max(1, each)} blocks",
                where,
                kernel.us * (1 - wanted / cores),
            )
        )
    elif (last := wanted % cores) and wanted < 4 * cores:
        rounds = -(-wanted // cores)
        out.append(
            Advice(
                "launch.rounds",
                f"{wanted} blocks on {cores} cores take {rounds} rounds, and the last one uses {last} cores: make the "
                "number of blocks a multiple of the cores",
                where,
                kernel.us * (1 - last / cores) / rounds,
            )
        )
    if kernel.us < (head := kernel.figures["launch.head"]):
        out.append(
            Advice(
                "launch.short",
                f"the kernel takes {kernel.us:.1f} us, and a launch on all cores alone up to {head:.0f} us: give a "
                "launch more work, or use fewer blocks",
                where,
                kernel.us,
            )
        )
    if kernel.shared_us > kernel.us / 2 and not kernel.l2_hits and kernel.gm_write:
        cached = sum(line.bytes - line.past_l2 for line in kernel.lines) / kernel.launches
        if cached > kernel.chip["l2"] > kernel.gm_write / kernel.launches:
            out.append(
                Advice(
                    "l2.stream",
                    "all inputs are read once and push the results out of the L2 cache: "
                    "SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE) on the inputs keeps the results there",
                    where,
                    kernel.us * kernel.gm_write / (kernel.gm_read + kernel.gm_write),
                )
            )
    return out


def advice(kernel: Kernel) -> list[Advice]:
    """What is worth reading, the most time first."""
    found = launch(kernel)
    for line in kernel.lines:
        found += waits(kernel, line) if line.wait else copies(kernel, line) + vectors(kernel, line)
    found = [a for a in found if a.us >= WORTH * kernel.us]
    return sorted(found, key=lambda a: -a.us)
