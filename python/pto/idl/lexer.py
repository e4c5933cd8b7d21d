"""Text → tokens. Whitespace, `// …` and `/* … */` separate tokens and are dropped."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from pto.idl.source import IdlError, IdlErrors, Source, Span


class Kind(Enum):
    """What a token is; the value names it in error messages."""

    NAME = "a name"
    INTEGER = "an integer"
    REAL = "a number"
    MARK = "a mark"
    END = "the end of the file"


@dataclass(frozen=True)
class Token:
    """One token; `text` is as written."""

    kind: Kind
    text: str
    span: Span

    def __str__(self) -> str:
        return self.kind.value if self.kind is Kind.END else f"'{self.text}'"


#: Marks, the longer first.
MARKS = (
    "==",
    "!=",
    "<=",
    ">=",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ";",
    ":",
    ".",
    "=",
    "<",
    ">",
    "+",
    "-",
    "*",
    "/",
    "@",
)
#: Longer names and numbers are mistakes, and would only blow up messages and generated code.
MAX_TOKEN = 128

_SPACE = re.compile(r"(?:[ \t\r\n\f\v]|//[^\n]*)+")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_NUMBER = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def tokens(source: Source) -> list[Token]:
    """The tokens of a text, the last one being END. Raises IdlErrors with the first character that starts none."""
    text, at, found = source.text, 0, []

    def fail(span: Span, message: str, cure: str = "") -> IdlErrors:
        return IdlErrors([IdlError(source, span, message, cure)])

    while at < len(text):
        if match := _SPACE.match(text, at):
            at = match.end()
            continue
        if text.startswith("/*", at):
            end = text.find("*/", at + 2)
            if end < 0:
                raise fail(Span(at, at + 2), "the comment that starts here has no end", "close it with '*/'")
            at = end + 2
            continue
        if match := _NAME.match(text, at):
            kind = Kind.NAME
        elif match := _NUMBER.match(text, at):
            kind = Kind.INTEGER if match.group().isdigit() else Kind.REAL
            if tail := _NAME.match(text, match.end()):
                span = Span(at, tail.end())
                raise fail(
                    span,
                    f"'{text[at : tail.end()][:MAX_TOKEN]}' is no number: found '{tail.group()[:MAX_TOKEN]}' right behind the digits",
                    "write a decimal number such as 2, 0.5 or 1e-5",
                )
        else:
            mark = next((m for m in MARKS if text.startswith(m, at)), None)
            if mark is None:
                character = text[at]
                shown = f"'{character}'" if character.isprintable() else f"U+{ord(character):04X}"
                raise fail(
                    Span(at, at + 1),
                    f"character {shown} has no meaning here",
                    "expected a name, a number, or one of " + " ".join(MARKS),
                )
            found.append(Token(Kind.MARK, mark, Span(at, at + len(mark))))
            at += len(mark)
            continue
        if match.end() - at > MAX_TOKEN:
            raise fail(Span(at, match.end()), f"{kind.value} of {match.end() - at} characters; {MAX_TOKEN} are allowed")
        found.append(Token(kind, match.group(), Span(at, match.end())))
        at = match.end()
    found.append(Token(Kind.END, "", Span(len(text), len(text))))
    return found
