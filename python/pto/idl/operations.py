"""What can be computed: each operation's name, element types and, for functions, arguments. One table for checker, generators and docs."""

from __future__ import annotations

from dataclasses import dataclass

from pto.idl.dtypes import ALL, BFLOAT16, FLOAT16, FLOAT32, FLOATS, NUMBERS, SIGNED, DType


@dataclass(frozen=True)
class Operation:
    """One operation of the language; `dtypes` are those of its tensor operands."""

    name: str
    dtypes: frozenset[DType]
    usage: str  #: how it is written
    meaning: str  #: for docs/idl.md


def _table(*rows: Operation) -> dict[str, Operation]:
    return {row.name: row for row in rows}


#: mark → what the generators call it.
ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div"}
COMPARE = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}

BINARY = _table(
    Operation("add", NUMBERS, "a + b", "sum; integers wrap"),
    Operation("sub", NUMBERS, "a - b", "difference; integers wrap"),
    Operation("mul", NUMBERS, "a * b", "product; integers wrap"),
    Operation("div", FLOATS, "a / b", "quotient, IEEE rules for 0 and inf"),
    Operation("max", NUMBERS, "max(a, b)", "the greater; NaN when one is NaN; max(+0, -0) is +0"),
    Operation("min", NUMBERS, "min(a, b)", "the lesser; NaN when one is NaN; min(+0, -0) is -0"),
)
COMPARISON = _table(
    *(
        Operation(name, NUMBERS, f"a {mark} b", meaning)
        for (mark, name), meaning in zip(
            COMPARE.items(),
            (
                "equal; NaN equals nothing",
                "not equal; false when one is NaN, as every comparison",
                "less; false when one is NaN",
                "less or equal; false when one is NaN",
                "greater; false when one is NaN",
                "greater or equal; false when one is NaN",
            ),
        )
    )
)
UNARY = _table(
    Operation("abs", FLOATS | SIGNED, "abs(x)", "magnitude; the least integer stays itself"),
    Operation("neg", FLOATS | SIGNED, "neg(x), -x", "negative; the least integer stays itself"),
    Operation("relu", FLOATS | SIGNED, "relu(x)", "max(x, 0)"),
    Operation("exp", FLOATS, "exp(x)", "e to the x"),
    Operation("log", FLOATS, "log(x)", "natural logarithm; NaN below 0, -inf at 0"),
    Operation("sqrt", FLOATS, "sqrt(x)", "square root; NaN below 0"),
    Operation("rsqrt", FLOATS, "rsqrt(x)", "1 / sqrt(x)"),
    Operation("reciprocal", FLOATS, "reciprocal(x)", "1 / x"),
    Operation("sigmoid", FLOATS, "sigmoid(x)", "1 / (1 + exp(-x))"),
    Operation("tanh", FLOATS, "tanh(x)", "hyperbolic tangent"),
)
REDUCTION = _table(
    Operation(
        "sum", NUMBERS, "sum(x, N)", "sum; FLOAT16 and BFLOAT16 are summed in FLOAT32 and rounded once; integers wrap"
    ),
    Operation("max", NUMBERS, "max(x, N)", "greatest; NaN when one is NaN"),
    Operation("min", NUMBERS, "min(x, N)", "least; NaN when one is NaN"),
    Operation("mean", FLOATS, "mean(x, N)", "sum divided by the number of elements, both in FLOAT32"),
)
OTHER = _table(
    Operation("where", ALL, "where(c, a, b)", "a where the BOOL c is true, b elsewhere"),
    Operation("cast", ALL, "cast(x, FLOAT16, rint)", "x in another element type"),
    Operation(
        "transpose",
        ALL,
        "transpose(x), transpose(x, N, M)",
        "the last two axes exchanged, or all axes in the order named",
    ),
    Operation("reshape", ALL, "reshape(x, [M, N])", "the same elements in another shape"),
    Operation(
        "matmul", frozenset({FLOAT32, FLOAT16, BFLOAT16}), "a @ b", "matrix product, summed in FLOAT32 and rounded once"
    ),
)

#: What a call can name.
FUNCTIONS = sorted({*BINARY, *UNARY, *REDUCTION, *OTHER} - {"add", "sub", "mul", "div", "matmul"})

#: Rounding modes of cast.
ROUNDS = {
    "none": "as rint where digits are lost",
    "rint": "to nearest, ties to even (the default)",
    "floor": "towards -inf",
    "ceil": "towards +inf",
    "round": "to nearest, ties away from zero",
    "trunc": "towards zero",
    "odd": "an inexact result gets an odd last bit",
}
