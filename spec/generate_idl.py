"""Writes the tables of docs/idl.md from python/pto/idl/operations.py and what each target takes."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))

from pto.codegen.ascendc_lower import TYPES  # noqa: E402
from pto.idl.dtypes import BFLOAT16, DTYPES, FLOATS, INT8, INT16, UINT8, DType  # noqa: E402
from pto.idl.operations import BINARY, COMPARISON, OTHER, REDUCTION, ROUNDS, UNARY, Operation  # noqa: E402

PAGE = ROOT / "docs" / "idl.md"


def ascendc_takes(kind: str, operation: Operation, dtype: DType) -> bool:
    """Whether target ascendc has the operation for an element type."""
    name = (
        f"reduce_{'sum' if operation.name in ('sum', 'mean') else operation.name}"
        if kind == "reduction"
        else operation.name
    )
    if name in ("matmul", "transpose"):
        return False
    if name == "reshape":
        return True
    if name in ("sigmoid", "tanh", "reduce_sum"):
        return dtype in FLOATS
    if name == "cast":
        return dtype.name not in ("UINT16", "UINT32", "UINT64")
    if kind == "comparison" and dtype in (INT8, UINT8, INT16):
        return True
    return dtype in TYPES[name] or dtype is BFLOAT16


def table() -> str:
    """Operation × element type."""
    lines = [
        f"| operation | result | {' | '.join(DTYPES)} |",
        f"|---|---|{'---|' * len(DTYPES)}",
    ]
    for kind, operations in (
        ("binary", BINARY),
        ("comparison", COMPARISON),
        ("unary", UNARY),
        ("reduction", REDUCTION),
        ("other", OTHER),
    ):
        for operation in operations.values():
            cells = [
                " " if dtype not in operation.dtypes else "●" if ascendc_takes(kind, operation, dtype) else "○"
                for dtype in DTYPES.values()
            ]
            lines.append(f"| `{operation.usage}` | {operation.meaning} | {' | '.join(cells)} |")
    return "\n".join(lines)


def rounds() -> str:
    """The rounding modes."""
    return "\n".join(["| mode | |", "|---|---|", *(f"| `{mode}` | {meaning} |" for mode, meaning in ROUNDS.items())])


def page(text: str) -> str:
    """The page with its tables filled in."""
    for name, content in (("table", table()), ("rounds", rounds())):
        text = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)",
            lambda m, c=content: f"{m[1]}{c}\n{m[2]}",
            text,
            flags=re.DOTALL,
        )
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
