"""Writes src/base/soc_table.inc from spec/soc.tsv: `python3 spec/generate_soc.py`."""

import pathlib

from tables import rows

ROOT = pathlib.Path(__file__).resolve().parent.parent


def generate(text):
    out = ["// Generated from spec/soc.tsv by spec/generate_soc.py. Do not edit.", "// clang-format off"]
    for r in rows(text, "soc.tsv"):
        aliases = "" if r["aliases"] == "-" else r["aliases"]
        out.append(
            f'{{{{"{r["name"]}", "{r["arch"]}", {r["aic"]}, {r["aiv"]}, {r["ub"]}, {r["l1"]}, {r["l0a"]}, '
            f"{r['l0b']}, {r['l0c']}, {r['bt']}, {r['fb']}, {r['mhz']}, {r['l2_mib']}ull << 20, "
            f'{r["hbm_gib"]}ull << 30}}, "{aliases}"}},  // {r["source"]}'
        )
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    (ROOT / "src/base/soc_table.inc").write_text(generate((ROOT / "spec/soc.tsv").read_text()))
