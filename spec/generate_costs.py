"""Writes src/trace/costs_table.inc from spec/costs.tsv and spec/vector_costs.tsv: `python3 spec/generate_costs.py`."""

import pathlib

from tables import rows

ROOT = pathlib.Path(__file__).resolve().parent.parent


def number(text):
    """A C++ expression of type double: "128/7" keeps its quotient."""
    return " / ".join(repr(float(part)) for part in text.split("/"))


def generate(figures, vectors):
    out = [
        "// Generated from spec/costs.tsv and spec/vector_costs.tsv by spec/generate_costs.py. Do not edit.",
        "// clang-format off",
        "constexpr Figure kFigures[] = {",
        *(
            f'{{"{r["name"]}", {number(r["value"])}, "{r["unit"]}", "{r["source"]}"}},'
            for r in sorted(rows(figures, "costs.tsv"), key=lambda r: r["name"])
        ),
        "};",
        "constexpr VectorCost kVectorCosts[] = {",
        *(
            f'{{"{r["name"]}", {number(r["rate16"])}, {number(r["rate32"])}, {number(r["head"])}, {number(r["tail"])}, '
            f'"{r["counts"]}", "{r["source"]}"}},'
            for r in rows(vectors, "vector_costs.tsv")
        ),
        "};",
    ]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    text = generate((ROOT / "spec/costs.tsv").read_text(), (ROOT / "spec/vector_costs.tsv").read_text())
    (ROOT / "src/trace/costs_table.inc").write_text(text)
