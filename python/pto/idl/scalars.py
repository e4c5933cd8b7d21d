"""Scalars of the language: constants are computed here, what depends on attributes and sizes stays an expression."""

from __future__ import annotations

import math
from collections.abc import Callable

from pto.idl.dtypes import DType
from pto.idl.program import Scalar
from pto.idl.source import Span

#: Python's meaning of each scalar operation; the generated code computes the same in double or int64_t.
_COMPUTE: dict[str, Callable[..., float]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "max": max,
    "min": min,
    "neg": lambda a: -a,
    "abs": abs,
    "relu": lambda a: max(a, 0),
    "exp": math.exp,
    "log": math.log,
    "sqrt": math.sqrt,
    "rsqrt": lambda a: 1 / math.sqrt(a),
    "reciprocal": lambda a: 1 / a,
    "sigmoid": lambda a: 1 / (1 + math.exp(-a)),
    "tanh": math.tanh,
}
#: Operations whose result is whole when their arguments are; all others give a floating number.
_WHOLE = {"add", "sub", "mul", "max", "min", "neg", "abs", "relu"}
INT64_MAX = 2**63 - 1


def constant(value: int | float, span: Span) -> Scalar:
    """A number. Raises ValueError with the reason when no element type could hold it."""
    if isinstance(value, int) and not -INT64_MAX - 1 <= value <= INT64_MAX:
        raise ValueError(f"{value} does not fit 64 bits")
    if isinstance(value, float) and math.isnan(value):
        raise ValueError("the result is not a number")
    return Scalar("constant", "int" if isinstance(value, int) else "float", span, value=value)


def combine(op: str, args: tuple[Scalar, ...], span: Span) -> Scalar:
    """`op` of scalars. Raises ValueError with the reason when constants have no result."""
    if all(a.op == "constant" for a in args):
        try:
            value = _COMPUTE[op](*(a.value for a in args))
        except (ZeroDivisionError, OverflowError, ValueError):
            shown = ", ".join(str(a.value) for a in args)
            raise ValueError(f"{op} of {shown} is no finite number") from None
        return constant(value, span)
    whole = op in _WHOLE and all(a.kind == "int" for a in args)
    return Scalar(op, "int" if whole else "float", span, args)


def misfit(scalar: Scalar, dtype: DType) -> str:
    """Why a scalar cannot stand in a computation with elements of a type; empty when it can."""
    if dtype.kind == "bool":
        return "a number does not go into BOOL"
    value = scalar.value
    if dtype.integer:
        if scalar.kind == "float":
            what = f"{value}" if scalar.op == "constant" else "a floating number"
            return f"{what} does not go into {dtype}"
        low, high = dtype.range or (0, 0)
        if scalar.op == "constant" and not low <= value <= high:
            return f"{value} is outside {dtype}, which goes from {low} to {high}"
    elif scalar.op == "constant" and abs(value) > dtype.largest and not math.isinf(value):
        return f"{value} is beyond {dtype}, whose largest value is {dtype.largest:.7g}"
    return ""
