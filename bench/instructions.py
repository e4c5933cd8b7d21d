"""What does each vector instruction cost on 2,048 elements in the first cache, against torch's CPU operator on one thread
into an output that exists? And what do gaps between blocks and a mask add to it?

The instructions are those of the lists in include/toprope/isa, so a new line there is a new row here. Shown are how many
rows miss their goal and the worst ten, or with parts of names as arguments every row that has one of them, worst first
('' shows all). A row without a torch operator, or with one that torch has no kernel for, gives nanoseconds.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "operators"))
from harness import load_instructions, paired, report, seconds  # noqa: E402

import torch  # noqa: E402

N, TIMES = 2048, 500
WORST = 10  # rows shown of each question
CONSECUTIVE, STRIDED, MASKED = range(3)
TYPES = {
    "half": torch.float16,
    "float": torch.float32,
    "bfloat16_t": torch.bfloat16,
    "int8_t": torch.int8,
    "uint8_t": torch.uint8,
    "int16_t": torch.int16,
    "int32_t": torch.int32,
    "int64_t": torch.int64,
}
CAST_NAMES = {
    "Half": "half",
    "Float": "float",
    "BFloat16": "bfloat16_t",
    "Int8": "int8_t",
    "UInt8": "uint8_t",
    "Int16": "int16_t",
    "Int32": "int32_t",
    "Int64": "int64_t",
}
TWO = {
    "Add": torch.add,
    "Sub": torch.sub,
    "Mul": torch.mul,
    "Div": torch.div,
    "Max": torch.maximum,
    "Min": torch.minimum,
    "And": torch.bitwise_and,
    "Or": torch.bitwise_or,
}
ONE = {
    "Abs": torch.abs,
    "Exp": torch.exp,
    "Ln": torch.log,
    "Sqrt": torch.sqrt,
    "Rsqrt": torch.rsqrt,
    "Reciprocal": torch.reciprocal,
    "Not": torch.bitwise_not,
}
SCALAR = {
    "Adds": torch.add,
    "Subs": torch.sub,
    "Muls": torch.mul,
    "ShiftLeft": torch.bitwise_left_shift,
    "ShiftRight": torch.bitwise_right_shift,
}
COMPARE = {"LT": torch.lt, "GT": torch.gt, "EQ": torch.eq, "LE": torch.le, "GE": torch.ge, "NE": torch.ne}
JOIN = {"Sum": torch.sum, "Max": torch.amax, "Min": torch.amin}


def torch_call(name: str) -> Callable[[], object] | None:
    """torch's operator for an instruction's row, or nothing."""
    what, _, element = name.rpartition(" ")
    if element not in TYPES:
        return None
    dtype = TYPES[element]
    x, y, z = (torch.ones(N, dtype=dtype) for _ in range(3))
    bits = torch.zeros(N, dtype=torch.bool)
    repeat, block = (x.reshape(-1, width // x.element_size()) for width in (256, 32))
    kind, _, inner = what.rstrip(">").partition("<")
    if what in TWO:
        return lambda: TWO[what](x, y, out=z)
    if what in ONE:
        return lambda: ONE[what](x, out=z)
    if what in SCALAR:
        return lambda: SCALAR[what](x, 1, out=z)
    if kind == "Compare":
        return lambda: COMPARE[inner](x, y, out=bits)
    if kind == "Compares":
        return lambda: COMPARE[inner](x, 1, out=bits)
    if kind in ("ReduceRepeat", "ReduceDataBlock"):
        rows = repeat if kind == "ReduceRepeat" else block
        out = torch.empty(rows.shape[0], dtype=dtype)
        return lambda: JOIN[inner](rows, dim=(1,), out=out)
    if what in ("ReduceSum", "ReduceMax", "ReduceMin"):
        out = torch.empty((), dtype=dtype)
        return lambda: JOIN[what[6:]](x, dim=(0,), out=out)
    if what.startswith("Cast "):
        source = TYPES[CAST_NAMES[what.split()[1]]]
        wide = torch.ones(N, dtype=source)
        return None if source == dtype else lambda: z.copy_(wide)
    others: dict[str, Callable[[], object]] = {
        "Relu": lambda: torch.clamp_min(x, 0, out=z),
        "Maxs": lambda: torch.clamp_min(x, 1, out=z),
        "Mins": lambda: torch.clamp_max(x, 1, out=z),
        "LeakyRelu": lambda: torch.nn.functional.leaky_relu_(z, 1.0),
        "MulAddDst": lambda: torch.addcmul(z, x, y, out=z),
        "Duplicate": lambda: z.fill_(1),
        "Select": lambda: torch.where(bits, x, y, out=z),
        "Axpy": lambda: torch.add(z, x, alpha=1, out=z),
        "Copy": lambda: z.copy_(x),
    }
    return others.get(what)


def show(rows: list[tuple[float, str]], digits: int, unit: str, goal: float, what: str) -> None:
    """Ratios worst first, all of them or a summary."""
    rows = sorted(rows, key=operator.itemgetter(0), reverse=True)
    if len(sys.argv) == 1:
        missed = sum(ratio > goal for ratio, _ in rows)
        report(f"{what} that take more than {goal:g} {unit}", missed, f"of {len(rows)}", 0, "lower")
        rows = rows[:WORST]
    for ratio, name in rows:
        report(f"{name}, {N} elements", round(ratio, digits), unit, goal, "lower")


def main() -> None:
    """Prints the rows."""
    torch.set_num_threads(1)
    library = load_instructions()
    rows: list[tuple[float, str]] = []
    alone: list[tuple[float, str]] = []
    forms: list[tuple[float, str]] = []
    for i in range(library.bench_count()):
        name = library.bench_name(i).decode()
        if len(sys.argv) > 1 and not any(wanted in name for wanted in sys.argv[1:]):
            continue
        ours = [lambda form=form, i=i: library.bench_run(i, form, TIMES) for form in range(3)]
        theirs = torch_call(name)
        try:
            if theirs:
                theirs()
        except RuntimeError:  # torch has no such kernel for this type
            theirs = None
        if theirs:
            _, _, ratio = paired(ours[CONSECUTIVE], theirs, 7, 0.002)
            rows.append((1 / (ratio * TIMES), name))
        else:
            alone.append((seconds(ours[CONSECUTIVE], 5) / TIMES * 1e9, name))
        if name.split()[0] in ("ReduceSum", "ReduceMax", "ReduceMin"):
            continue
        for form, label in ((STRIDED, "with gaps"), (MASKED, "under a mask")):
            _, _, ratio = paired(ours[CONSECUTIVE], ours[form], 7, 0.002)
            forms.append((ratio, f"{name} {label}"))
    show(rows, 4, "x torch's time", 1.25, "instructions")
    show(forms, 3, "x the consecutive form's time", 3.0, "forms with gaps or under a mask")
    if len(sys.argv) > 1:
        for nanoseconds, name in sorted(alone, key=operator.itemgetter(0), reverse=True):
            report(f"{name}, {N} elements", round(nanoseconds, 1), "ns")


main()
