"""Writes src/pto/builtin_table.inc and docs/pto_instructions.md from spec/pto_instructions.tsv."""

import pathlib
import re

from tables import rows

ROOT = pathlib.Path(__file__).resolve().parent.parent

FLOAT = ["float32", "float16", "bfloat16"]
INT = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
DTYPES = [*FLOAT, *INT, "bool"]
SETS = {"float": FLOAT, "int": INT, "any": [*FLOAT, *INT], "bits": [*INT, "bool"]}
FAMILIES = {
    0x1: "Element by element",
    0x2: "With a scalar",
    0x3: "Reductions",
    0x4: "Expansion",
    0x5: "Matrix products",
    0x6: "Moving elements",
    0x7: "Gathering, sorting and the rest",
}
#: Tile instructions without a counterpart on whole arrays, and why.
ABSENT = {
    "TSYNC, SYNCALL, TASSIGN, TALLOC, TPUSH, TPOP, TFREE, SET_*, TGET_SCALE_ADDR": "they steer a core: pipes, tile "
    "addresses, queues",
    "TLOAD, TSTORE, TPREFETCH, TSUBVIEW": "an array is neither loaded nor stored; `mov`, `extract` and `insert` copy",
    "TMATMUL_MX, TGEMV_MX, TQUANT for MX formats, *_HIF4": "fp8, fp4 and HiFloat4 are no element types of arrays here",
    "TEXTRACT_FP, TINSERT_FP, TMOV_FP, TSTORE_FP, TIMG2COL": "they describe the accumulator's way out, or fractal layouts",
    "TRANDOM": "its documents do not fix the numbers it makes",
    "TPRINT, comm.*": "printing and communication are Python's and HCCL's",
}
KINDS = {"int": "INT", "float": "FLOAT", "bool": "BOOL"}


class Operand:
    """One operand: name, direction, type symbol and set, shape."""

    def __init__(self, text, direction, types):
        self.name, self.type, self.shape = re.fullmatch(r"(\+?\w+) (\w+) (\[.*\])", text).groups()
        self.direction = direction
        if self.name[0] == "+":
            self.name, self.direction = self.name[1:], "INOUT"
        self.symbol = self.type if self.type in types else ""
        self.dtypes = types[self.type] if self.symbol else [self.type]


class Attribute:
    """One attribute: name, kind, default."""

    def __init__(self, text):
        match = re.fullmatch(r"(\w+):(\w+)(?:\((.*?)\))?(?:=(.+))?", text)
        self.name, kind, words, self.default = match.groups()
        self.words, self.symbol = words or "", ""
        if kind == "choice":
            self.kind = "CHOICE"
        elif kind in KINDS:
            self.kind = KINDS[kind]
        else:
            self.kind, self.symbol = "SCALAR", kind

    def default_number(self):
        """The default as the table holds it: a choice is its word's place."""
        if self.default is None:
            return "0"
        return str(self.words.split().index(self.default)) if self.words else self.default


def expand(names):
    """The element types that a cell of `types` names, in the usual order."""
    chosen = {t for name in names.split() for t in SETS.get(name, [name])}
    unknown = chosen - set(DTYPES)
    if unknown:
        raise SystemExit(f"pto_instructions.tsv: unknown element types {unknown}")
    return [t for t in DTYPES if t in chosen]


def split(cell):
    """The parts of a cell; "-" is none."""
    return [] if cell.strip() in ("", "-") else [part.strip() for part in cell.split(";")]


class Instruction:
    """One row."""

    def __init__(self, row):
        self.id, self.name, self.page, self.run = int(row["id"], 16), row["name"], row["page"], row["run"]
        self.summary, self.elementwise = row["summary"], row["flags"] == "elementwise"
        types = {key: expand(names) for key, names in (part.split("=") for part in split(row["types"]))}
        sources, destinations = row["operands"].split("->")
        self.operands = [Operand(text, "IN", types) for text in split(sources)]
        self.operands += [Operand(text, "OUT", types) for text in split(destinations)]
        self.attributes = [Attribute(text) for text in split(row["attributes"])]
        symbols = re.findall(r"[A-Za-z_]\w*", " ".join(o.shape for o in self.operands))
        self.symbols = list(dict.fromkeys(symbols))


def instructions(text):
    """Every row, ids and names checked."""
    found = [Instruction(row) for row in rows(text, "pto_instructions.tsv")]
    for key in ("id", "name"):
        values = [getattr(i, key) for i in found]
        if len(set(values)) != len(values):
            raise SystemExit(f"pto_instructions.tsv: a {key} stands twice")
    if [i.id for i in found] != sorted(i.id for i in found):
        raise SystemExit("pto_instructions.tsv: ids do not rise")
    return found


def cpp_set(dtypes):
    """A set of element types in C++."""
    return " | ".join(f"one(PTO_{t.upper()})" for t in dtypes)


def table(rows):
    """The C++ table."""
    out = ["// Generated from spec/pto_instructions.tsv by spec/generate_pto.py. Do not edit.", "// clang-format off"]
    entries = []
    for i in rows:
        key = f"{i.id:04x}"
        out.append(f"constexpr Operand operands_{key}[] = {{  // {i.name}")
        for o in i.operands:
            out.append(f'  {{"{o.name}", PTO_{o.direction}, {cpp_set(o.dtypes)}, "{o.symbol}", "{o.shape}"}},')
        out.append("};")
        attributes = "nullptr"
        if i.attributes:
            attributes = f"attributes_{key}"
            out.append(f"constexpr Attribute {attributes}[] = {{")
            for a in i.attributes:
                default = "true" if a.default is not None else "false"
                out.append(
                    f'  {{"{a.name}", PTO_ATTRIBUTE_{a.kind}, "{a.words}", "{a.symbol}", {default}, '
                    f"{a.default_number()}}},"
                )
            out.append("};")
        flags = "kElementwise" if i.elementwise else "0"
        entries.append(
            f'  {{0x{key}, {{"{i.name}", "{i.summary}", operands_{key}, {len(i.operands)}, {attributes}, '
            f'{len(i.attributes)}, "{" ".join(i.symbols)}", {flags}, &{i.run}}}}},'
        )
    return "\n".join([*out, "constexpr Builtin builtins[] = {", *entries, "};"]) + "\n"


def types_text(dtypes):
    """Element types for people."""
    names = {"any": "any float or integer", "any bool": "any", "int": "any integer", "bits": "any integer, bool"}
    for name, text in names.items():
        if dtypes == expand(name):
            return text
    return ", ".join(dtypes)


def attribute_text(a):
    """An attribute for people."""
    kind = {"CHOICE": " | ".join(a.words.split()), "SCALAR": a.symbol}.get(a.kind, a.kind.lower())
    return f"`{a.name}`: {kind}" + (f" = {a.default}" if a.default is not None else "")


def page(rows):
    """The documentation page."""
    out = [
        "<!-- Generated from spec/pto_instructions.tsv by spec/generate_pto.py. Do not edit. -->",
        "# PTO instructions",
        "",
        f"The {len(rows)} built-in instructions of `pypto` and `libpto`, on whole arrays: `pypto.load_insn(name)`. The name "
        "is that of the tile instruction in lower case, without its T. `T`, `S`, `D`, … stand for one element type each; "
        "`[...]` is any shape, the same wherever it stands, `[..., N]` any leading sizes, `[*]` any shape at all; an operand marked +reads its old value too. Operands are "
        "numbered from 0 as they stand here, destinations last. Attributes are set by name (`insn.set_attr`, or keywords "
        "of the call); one without a default must be set.",
        "",
        "Half and bfloat16 are rounded once after each operation that is named. Where an output overlaps an input the "
        "result is that of reading all inputs first.",
    ]
    family = None
    for i in rows:
        if i.id >> 12 != family:
            family = i.id >> 12
            out += ["", f"## {FAMILIES[family]}", "", "| id | name | operands | attributes | what it computes |"]
            out += ["|---|---|---|---|---|"]
        operands, types = [], {}
        for o in i.operands:
            plus = "+" if o.direction == "INOUT" else ""
            arrow = "→ " if o.direction != "IN" and not any("→" in text for text in operands) else ""
            operands.append(f"{arrow}{plus}{o.name} {o.type} {o.shape}")
            if o.symbol:
                types[o.symbol] = types_text(o.dtypes)
        text = ", ".join(operands) + "".join(f"; {k}: {v}" for k, v in types.items())
        attributes = "; ".join(attribute_text(a).replace("|", "\\|") for a in i.attributes)
        summary = i.summary.replace("|", "\\|")
        out.append(f"| 0x{i.id:04x} | `{i.name}` | {text} | {attributes} | {summary} |")
    out += ["", "## Not here", "", "| tile instructions | why |", "|---|---|"]
    out += [f"| {names.replace('*', chr(92) + '*')} | {why} |" for names, why in ABSENT.items()]
    return "\n".join(out) + "\n"


def generate(text):
    """Path → content of what is generated."""
    rows = instructions(text)
    return {"src/pto/builtin_table.inc": table(rows), "docs/pto_instructions.md": page(rows)}


if __name__ == "__main__":
    for path, content in generate((ROOT / "spec/pto_instructions.tsv").read_text()).items():
        (ROOT / path).write_text(content)
