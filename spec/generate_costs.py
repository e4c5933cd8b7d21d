"""Writes src/trace/costs_table.inc from spec/costs.tsv and spec/vector_costs.tsv: `python3 spec/generate_costs.py`."""

import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def rows(text):
    """Yields one dict per row; the last comment line before the data names the columns."""
    columns = None
    for line in text.splitlines():
        if line.startswith("#"):
            columns = line[1:].strip().split("\t")
        elif line.strip():
            cells = line.split("\t")
            if len(cells) != len(columns):
                raise SystemExit(f"costs: {len(cells)} cells, {len(columns)} columns: {line!r}")
            yield dict(zip(columns, cells))


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
            for r in sorted(rows(figures), key=lambda r: r["name"])
        ),
        "};",
        "constexpr VectorCost kVectorCosts[] = {",
        *(
            f'{{"{r["name"]}", {number(r["rate16"])}, {number(r["rate32"])}, {number(r["head"])}, {number(r["tail"])}, '
            f'"{r["counts"]}", "{r["source"]}"}},'
            for r in rows(vectors)
        ),
        "};",
    ]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    text = generate((ROOT / "spec/costs.tsv").read_text(), (ROOT / "spec/vector_costs.tsv").read_text())
    (ROOT / "src/trace/costs_table.inc").write_text(text)
