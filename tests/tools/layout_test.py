"""tools/layout.py finds what it says it finds, and nothing in text that is in order."""

import layout
import pytest


@pytest.fixture
def check(tmp_path, monkeypatch):
    monkeypatch.setattr(layout, "ROOT", tmp_path)

    def problems(name: str, text: str) -> list[str]:
        path = tmp_path / name
        path.write_text(text)
        return layout.problems(path)

    return problems


def test_a_file_of_900_lines_passes_and_one_of_901_does_not(check):
    assert check("a.cpp", "x;\n" * 900) == []
    assert check("a.cpp", "x;\n" * 901) == ["a.cpp: 901 lines, 900 are allowed: split it by subject"]
    assert check("a.cpp", "// Generated from a table.\n" + "x;\n" * 901) == []


@pytest.mark.parametrize("place", ["work", "tmp", "home", "root"])
def test_paths_of_one_machine(check, place):
    found = check("a.py", f"x = 1\nopen('/{place}/somebody/file')\n")
    assert len(found) == 1
    assert found[0].startswith("a.py:2: ")


@pytest.mark.parametrize(
    "text", ["build/tmp/x", "$HOME/work/x", "include/root/x.h", "see http://example.com/work/x", "a /tmp directory"]
)
def test_other_paths_pass(check, text):
    assert check("a.md", text) == []


def test_registry_hosts(check):
    host = ".".join(("pypi", "org"))
    assert len(check("a.md", f"see https://{host}/simple")) == 1
