"""C++ text: names that collide with nothing, excerpts of the source, scalars and sizes as expressions."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping

from pto.codegen.loops import Extent
from pto.idl.dims import Dim
from pto.idl.program import Scalar
from pto.idl.source import Source, Span

#: Words that a generated file uses or C++ reserves.
_TAKEN = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class co_await
co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do double
dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept
not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return short signed sizeof
static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union
unsigned using virtual void volatile wchar_t while xor xor_eq main std pto half bfloat16_t int8_t int16_t int32_t int64_t
uint8_t uint16_t uint32_t uint64_t size_t ptrdiff_t assert errno NULL EOF INT64_C HUGE_VAL INFINITY NAN stdin stdout stderr
linux unix
""".split()  # fmt: skip


class Names:
    """Gives each thing a name of its own, as near to the wished one as possible."""

    def __init__(self, taken: Iterable[str] = ()):
        self._taken = {*_TAKEN, *taken}

    def new(self, wish: str) -> str:
        """`wish`, or `wish` with something behind it."""
        # What starts with an underscore or holds two of them belongs to the compiler; PTO_ and the like to headers.
        base = re.sub(r"_+", "_", wish).strip("_") or "v"
        if base[0].isdigit() or (base.isupper() and len(base) > 1):
            base = f"v{base}" if base[0].isdigit() else f"{base}_"
        name, number = base, 1
        while name in self._taken:
            number += 1
            name = f"{base.rstrip('_')}_{number}"
        self._taken.add(name)
        return name


def braces(lines: list[str], step: str) -> list[str]:
    """Indents lines by the braces that they open and close."""
    result, depth = [], 0
    for line in lines:
        depth -= line.startswith("}")
        result.append(step * depth + line if line else "")
        depth += line.endswith("{")
    return result


def quoted(source: Source, span: Span) -> str:
    """A span on one line, without comments."""
    text = source.text[span.start : span.end]
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", text, flags=re.DOTALL)
    return " ".join(text.split())


def file_label(source: Source) -> str:
    """The file's name with nothing that could leave a comment or a string."""
    return re.sub(r"[^A-Za-z0-9._+-]", "_", source.name.replace("\\", "/").rsplit("/", 1)[-1])


def extent(sizes: Extent, names: Mapping[str, str]) -> str:
    """A product of sizes as an int64_t expression."""
    whole = [d for d in sizes if not d.is_one()]
    if not whole:
        return "1"
    if len(whole) == 1:
        return size(whole[0], names)
    return " * ".join(_factor(d, names) for d in whole)


def size(dim: Dim, names: Mapping[str, str]) -> str:
    """A size as an int64_t expression."""
    return re.sub(r"(?<=\w)([*/])(?=\w)|(?<=\))(/)(?=\w)", lambda m: f" {m.group()} ", dim.text(names))


def _factor(dim: Dim, names: Mapping[str, str]) -> str:
    text = size(dim, names)
    return text if re.fullmatch(r"\w+", text) else f"({text})"


_FUNCTIONS: dict[str, Callable[[str], str]] = {
    "exp": lambda x: f"std::exp({x})",
    "log": lambda x: f"std::log({x})",
    "sqrt": lambda x: f"std::sqrt({x})",
    "rsqrt": lambda x: f"(1.0 / std::sqrt({x}))",
    "reciprocal": lambda x: f"(1.0 / {x})",
    "sigmoid": lambda x: f"(1.0 / (1.0 + std::exp(-{x})))",
    "tanh": lambda x: f"std::tanh({x})",
}
_MARKS = {"add": "+", "sub": "-", "mul": "*"}


def scalar_text(scalar: Scalar, attr: Callable[[Scalar], str], names: Mapping[str, str]) -> str:
    """A scalar as an expression of type double or int64_t, by its kind; `attr` gives the text of an attribute."""

    def text(s: Scalar) -> str:
        return scalar_text(s, attr, names)

    def real(s: Scalar) -> str:
        return text(s) if s.kind == "float" else f"static_cast<double>({text(s)})"

    match scalar.op:
        case "constant":
            return _literal(scalar.value)
        case "attr":
            return attr(scalar)
        case "size":
            assert scalar.size is not None
            return _factor(scalar.size, names)
        case "neg":
            return f"(-{text(scalar.args[0])})"
        case "abs":
            return f"std::abs({text(scalar.args[0])})"
        case "relu":
            return _extreme("max", scalar.kind, text(scalar.args[0]), "0")
        case "max" | "min":
            convert = text if scalar.kind == "int" else real
            return _extreme(scalar.op, scalar.kind, *map(convert, scalar.args))
        case "div":
            return f"({real(scalar.args[0])} / {real(scalar.args[1])})"
        case mark if mark in _MARKS:
            convert = text if scalar.kind == "int" else real
            return f"({convert(scalar.args[0])} {_MARKS[mark]} {convert(scalar.args[1])})"
    return _FUNCTIONS[scalar.op](real(scalar.args[0]))


def _extreme(name: str, kind: str, a: str, b: str) -> str:
    return f"std::{name}<{'double' if kind == 'float' else 'int64_t'}>({a}, {b})"


def _literal(value: int | float | None) -> str:
    if isinstance(value, float):
        return number(value)
    assert value is not None
    if value == -(2**63):
        return "(-INT64_C(9223372036854775807) - 1)"
    return f"INT64_C({value})" if abs(value) > 2**31 - 1 else f"int64_t{{{value}}}"


def number(value: int | float) -> str:
    """A double literal."""
    if math.isinf(value):
        return "HUGE_VAL" if value > 0 else "(-HUGE_VAL)"
    return repr(float(value)) if value >= 0 else f"({float(value)!r})"
