"""Which functions and types a piece of C++ declares: enough of the language for headers and for prototypes in documents,
without a compiler's front end."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

#: Words in front of a parenthesis that name no function.
NOT_NAMES = {
    "alignas", "alignof", "asm", "catch", "constexpr", "decltype", "defined", "explicit", "for", "if", "noexcept",
    "operator", "requires", "return", "sizeof", "static_assert", "switch", "throw", "typeid", "while",
    "__attribute__", "__builtin_memcpy", "__declspec",
}  # fmt: skip
TOKEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|operator\s*(?:\(\)|\[\]|[^\s\w(]+|(?=\())"""
    r"""|[A-Za-z_]\w*|[0-9][\w.']*|\S""",
    re.S,
)
TYPE = {"class", "struct", "union", "enum"}


def tokens(text: str) -> list[str]:
    return [t for t in TOKEN.findall(text) if not t.startswith(("//", "/*"))]


class Declared:
    """Functions with how often each is declared, `Class::name` where they are members; the parameter lists of each,
    reduced to what tells overloads apart; types."""

    def __init__(self) -> None:
        self.functions: Counter[str] = Counter()
        self.parameters: dict[str, set[str]] = defaultdict(set)
        self.types: set[str] = set()


def _kinds(words: list[str]) -> str:
    """A parameter list without names, defaults, const and references."""
    kinds, current, depth, skipping = [], [], 0, False
    for word in [*words, ","]:
        depth += word in ("(", "<", "{")
        depth -= word in (")", ">", "}")
        if word == "," and depth <= 0:
            if len(current) > 1 and re.match(r"\w", current[-1]):
                current.pop()
            elif "[" in current and current.index("[") > 1:
                del current[current.index("[") - 1]
            kinds.append("".join(current))
            current, depth, skipping = [], 0, False
        elif word == "=":
            skipping = True
        elif not skipping and word not in ("const", "&") and not word.startswith("__"):
            current.append(word)
    return ",".join(kinds)


def declared_in(text: str) -> Declared:
    found = Declared()
    _scan(tokens(text), 0, "", found)
    return found


def _closing(words: list[str], at: int, opening: str, closing: str) -> int:
    """The index behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(words)):
        depth += (words[i] == opening) - (words[i] == closing)
        if depth == 0:
            return i + 1
    return len(words)


def _scan(words: list[str], at: int, scope: str, found: Declared) -> int:
    """Reads one scope up to its closing brace; returns the index behind it."""
    kind, type_name, named = "", "", False
    while at < len(words):
        word = words[at]
        if word == "}":
            return at + 1
        if word in (";", ":") and kind not in TYPE:
            if word == ":" and named:  # what a constructor initialises
                while at < len(words) and words[at] not in ("{", ";"):
                    at = _closing(words, at, "(", ")") if words[at] == "(" else at + 1
                continue
            if word == ";":
                kind, type_name, named = "", "", False
        elif word == ";":
            kind, type_name, named = "", "", False
        elif word == "template" and at + 1 < len(words) and words[at + 1] == "<":
            named = False
            at = _angles(words, at + 1)
            continue
        elif word in TYPE or word == "namespace":
            if kind != "enum":
                kind, type_name = word, ""
        elif word == "[" and at + 1 < len(words) and words[at + 1] == "[":
            at = _closing(words, at, "[", "]")
            continue
        elif word == "(":
            at = _closing(words, at, "(", ")")
            continue
        elif word == "{":
            if kind == "namespace":
                at = _scan(words, at + 1, scope, found)
            elif kind in TYPE and not named:
                found.types.add(type_name)
                at = _closing(words, at, "{", "}") if kind == "enum" else _scan(words, at + 1, type_name, found)
            elif kind == "extern":
                at = _scan(words, at + 1, scope, found)
            else:
                at = _closing(words, at, "{", "}")
            if kind not in TYPE or named:
                kind, type_name, named = "", "", False
            continue
        elif word == "extern":
            kind = "extern"
        elif re.match(r"[A-Za-z_]", word):
            follows = words[at + 1] if at + 1 < len(words) else ""
            if kind in TYPE | {"namespace"} and not type_name:
                type_name = word
            elif word in ("using", "typedef") and re.match(r"[A-Za-z_]", follows):
                found.types.add(follows)
            if follows == "(" and word not in NOT_NAMES and kind != "namespace" and not named:
                name = f"{scope}::{word}" if scope else word
                end = _closing(words, at + 1, "(", ")")
                found.functions[name] += 1
                found.parameters[name].add(_kinds(words[at + 2 : end - 1]))
                named = True
                if kind == "extern":
                    kind = ""
                at = end
                if at < len(words) and words[at] not in ("{", ";", ":", "const", "noexcept", "->", "override"):
                    kind, type_name, named = "", "", False  # prototypes in documents end where they end
                continue
        at += 1
    return at


def _angles(words: list[str], at: int) -> int:
    depth = 0
    for i in range(at, len(words)):
        depth += words[i].count("<") - (words[i].count(">") if words[i] != "->" else 0)
        if depth == 0:
            return i + 1
    return len(words)
