"""A source text, places in it, and errors that show their place."""

from __future__ import annotations

import difflib
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

#: Above this a file is no definition of operators.
MAX_BYTES = 1 << 20
#: What a line of an error shows at most: longer lines are cut around the caret.
MAX_SHOWN = 160


@dataclass(frozen=True)
class Span:
    """Characters [start, end) of a source; `end` is never before `start`."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of another."""
        return Span(self.start, max(self.end, other.end))


class Source:
    """A text with its name; knows lines and columns (both from 1, columns count characters)."""

    def __init__(self, name: str, text: str):
        self.name = name
        self.text = text
        self._starts = [0]
        for index, character in enumerate(text):
            if character == "\n":
                self._starts.append(index + 1)

    @classmethod
    def read(cls, path: Path) -> Source:
        """Reads UTF-8. Raises IdlErrors for bytes that are none (with their place), OSError for an unreadable file."""
        data = path.read_bytes()
        if len(data) > MAX_BYTES:
            raise IdlErrors(
                [IdlError(cls(str(path), ""), Span(0, 0), f"the file has {len(data)} bytes; {MAX_BYTES} are allowed")]
            )
        data = data.removeprefix(b"\xef\xbb\xbf")
        try:
            return cls(str(path), data.decode("utf-8"))
        except UnicodeDecodeError as error:
            source = cls(str(path), data.decode("utf-8", errors="replace"))
            at = len(data[: error.start].decode("utf-8"))
            message = f"byte 0x{data[error.start]:02x} is not UTF-8"
            raise IdlErrors([IdlError(source, Span(at, at + 1), message, "save the file as UTF-8")]) from None

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def line(self, number: int) -> str:
        """One line without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def excerpt(self, span: Span) -> str:
        """The line where a span starts and, below it, a caret under its first and `~` under its other characters."""
        number, column = self.place(span.start)
        line = self.line(number)
        begin = column - 1
        width = max(1, min(span.end - span.start, len(line) - begin))
        if len(line) > MAX_SHOWN:
            first = max(0, begin - MAX_SHOWN // 2)
            line, begin = line[first : first + MAX_SHOWN], begin - first
            width = max(1, min(width, len(line) - begin))
        # Tabs stay tabs in the caret's line and other controls become blanks in both, so that the caret stands below its
        # character in any terminal.
        shown = "".join(c if c == "\t" or c.isprintable() else " " for c in line)
        indent = "".join("\t" if c == "\t" else " " for c in shown[:begin])
        return f"    {shown}\n    {indent}^{'~' * (width - 1)}"


class IdlError(Exception):
    """One mistake: where, what, and (optionally) the cure."""

    def __init__(self, source: Source, span: Span, message: str, cure: str = ""):
        super().__init__(message)
        self.source, self.span, self.message, self.cure = source, span, message, cure

    def __str__(self) -> str:
        line, column = self.source.place(self.span.start)
        text = f"{self.source.name}:{line}:{column}: error: {self.message}\n{self.source.excerpt(self.span)}"
        return f"{text}\n  cure: {self.cure}" if self.cure else text


class IdlErrors(Exception):
    """Every mistake that was found, in the order of their places."""

    def __init__(self, errors: list[IdlError]):
        super().__init__(errors)
        self.errors = sorted(errors, key=lambda error: (error.span.start, error.message))

    def __str__(self) -> str:
        return "\n".join(map(str, self.errors))


def nearest(name: str, known: Iterable[str]) -> str:
    """`did you mean 'x'?` for the known name most like `name`, or an empty text."""
    lower = {k.lower(): k for k in sorted(known, reverse=True)}
    close = difflib.get_close_matches(name.lower(), lower, n=1, cutoff=0.6)
    return f"did you mean '{lower[close[0]]}'?" if close else ""


def listed(names: Iterable[str], last: str = "or") -> str:
    """`a, b or c`."""
    *rest, final = names
    return f"{', '.join(rest)} {last} {final}" if rest else final
