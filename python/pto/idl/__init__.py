"""The instruction definition language: text → checked operators. docs/idl.md has the grammar and the semantics."""

from __future__ import annotations

from pto.idl.check import check
from pto.idl.parser import parse
from pto.idl.program import Program
from pto.idl.source import IdlErrors, Source

__all__ = ["IdlErrors", "Program", "Source", "load"]


def load(source: Source) -> Program:
    """The operators of a text, with every type and shape known. Raises IdlErrors: each with place and cause."""
    return check(parse(source), source)
