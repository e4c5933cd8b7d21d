"""The committed tables are what their generators make of spec/ today."""

import importlib
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "spec"))  # the generators are scripts, and share tables.py


def load(name):
    return importlib.import_module(name)


def test_soc_table():
    made = load("generate_soc").generate((ROOT / "spec/soc.tsv").read_text())
    assert made == (ROOT / "src/base/soc_table.inc").read_text()


def test_acl_errors():
    files = load("generate_acl_errors").generate((ROOT / "spec/acl_errors.tsv").read_text())
    for path, content in files.items():
        assert content == (ROOT / path).read_text(), path


def test_cost_table():
    made = load("generate_costs").generate(
        (ROOT / "spec/costs.tsv").read_text(), (ROOT / "spec/vector_costs.tsv").read_text()
    )
    assert made == (ROOT / "src/trace/costs_table.inc").read_text()


def test_pto_instructions():
    files = load("generate_pto").generate((ROOT / "spec/pto_instructions.tsv").read_text())
    for path, content in files.items():
        assert content == (ROOT / path).read_text(), path


def test_every_soc_row_names_its_source():
    for row in load("tables").rows((ROOT / "spec/soc.tsv").read_text(), "soc.tsv"):
        assert len(row["source"]) > 5, row["name"]
