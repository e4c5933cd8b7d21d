"""One loop for the vector core of dav-2201: loads in front, every operation one that Ascend C has for its element type.

What the instructions lack is put together from others: BFLOAT16 computes in FLOAT32, BOOL lies in memory as bytes and in UB
as bits, sigmoid and tanh are made of exponentials. What cannot be put together without changing results is refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from pto.codegen.schedule import Schedule, Stage, is_reduction, reduces_last
from pto.idl.dims import Shape
from pto.idl.dtypes import BFLOAT16, BOOL, FLOAT16, FLOAT32, INT8, INT16, INT32, INT64, UINT8, DType
from pto.idl.operations import BINARY, COMPARISON, OTHER, REDUCTION, UNARY
from pto.idl.program import Scalar, Value
from pto.idl.source import IdlError, IdlErrors, Source, Span, listed

_DIRECTED = frozenset({"rint", "floor", "ceil", "round", "trunc"})
_NONE = frozenset({"none"})
#: (from, to) → rounding modes of Cast. Source: Ascend C API, Cast, table of supported conversions. int32_t to half is left
#: out: it takes a scale from a register and no rounding mode.
CASTS: dict[tuple[DType, DType], frozenset[str]] = {
    (INT8, FLOAT16): _NONE,
    (UINT8, FLOAT16): _NONE,
    (INT16, FLOAT16): _DIRECTED | _NONE,
    (INT16, FLOAT32): _NONE,
    (FLOAT16, INT8): _DIRECTED | _NONE,
    (FLOAT16, UINT8): _DIRECTED | _NONE,
    (FLOAT16, INT16): _DIRECTED,
    (FLOAT16, INT32): _DIRECTED | _NONE,
    (FLOAT16, FLOAT32): _NONE,
    (BFLOAT16, INT32): _DIRECTED,
    (BFLOAT16, FLOAT32): _NONE,
    (INT32, INT16): _NONE,
    (INT32, FLOAT32): _DIRECTED | _NONE,
    (INT32, INT64): _NONE,
    (FLOAT32, INT16): _DIRECTED,
    (FLOAT32, FLOAT16): _DIRECTED | {"odd"} | _NONE,
    (FLOAT32, BFLOAT16): _DIRECTED,
    (FLOAT32, INT32): _DIRECTED,
    (FLOAT32, INT64): _DIRECTED,
    (INT64, INT32): _NONE,
    (INT64, FLOAT32): _DIRECTED,
}
#: Conversions that keep every value: a way to another type may begin with them.
_EXACT = {INT8: FLOAT16, UINT8: FLOAT16, FLOAT16: FLOAT32, BFLOAT16: FLOAT32, INT16: FLOAT32, INT32: INT64}

_FLOATS = frozenset({FLOAT32, FLOAT16})
_COMMON = frozenset({FLOAT32, FLOAT16, INT16, INT32})
#: Operation → element types that Ascend C has it for, directly or by one obvious detour in the writer.
TYPES: dict[str, frozenset[DType]] = {
    **dict.fromkeys(("add", "sub", "mul", "max", "min", "neg", "abs", "relu"), _COMMON),
    **dict.fromkeys(("div", "exp", "log", "sqrt", "rsqrt", "reciprocal"), _FLOATS),
    **dict.fromkeys(("lt", "le", "gt", "ge"), _FLOATS),
    **dict.fromkeys(("eq", "ne"), _FLOATS | {INT32}),
    "where": _COMMON | {BFLOAT16},
    "reduce_sum": frozenset({FLOAT32}),
    "reduce_max": _FLOATS,
    "reduce_min": _FLOATS,
}
#: tanh(x) = x + x³·P(x²) below this magnitude, where the exponential form would lose digits; P's next term is under 2e-9.
_TANH_SMALL = 0.3
_TANH = (-1 / 3, 2 / 15, -17 / 315, 62 / 2835, -1382 / 155925)


class Lowered:
    """A stage for the vector core: `values` with loads in front, and which of them go to which tensor in memory."""

    def __init__(self, stage: Stage, plan: Schedule, source: Source):
        self._stage, self._source = stage, source
        self._members = {id(v) for v in stage.values}
        self._map: dict[int, Value] = {}
        self.values: list[Value] = []
        self.stores: list[tuple[Value, Value]] = []  #: (value, tensor in memory)
        for value in stage.values:
            self._map[id(value)] = self._lower(value)
            if plan.is_stored(value):
                self.stores.append((self._bytes(self._map[id(value)], value.span), value))

    def _fail(self, span: Span, message: str, cure: str = "") -> IdlErrors:
        return IdlErrors([IdlError(self._source, span, f"target ascendc: {message}", cure)])

    # --- building ---

    def _make(self, op: str, args: Sequence[Value | Scalar], dtype: DType, shape: Shape, span: Span, **more) -> Value:
        value = Value(op, tuple(args), dtype, shape, span, **more)
        self.values.append(value)
        return value

    def _like(self, op: str, like: Value, *args: Value | Scalar | float) -> Value:
        """An elementwise operation in the type and shape of `like`."""
        full = [Scalar("constant", "float", like.span, value=a) if isinstance(a, float) else a for a in args]
        dtype = BOOL if op in COMPARISON else like.dtype
        return self._make(op, full, dtype, like.shape, like.span)

    def _operand(self, operand: Value) -> Value:
        """The lowered form of an operand; what lies in memory is loaded once."""
        if id(operand) not in self._map:
            assert id(operand) not in self._members
            dtype = UINT8 if operand.dtype is BOOL else operand.dtype
            value = self._make("load", (operand,), dtype, operand.shape, operand.span, name=operand.name)
            if operand.dtype is BOOL:
                value = self._truth(value)
            self._map[id(operand)] = value
        return self._map[id(operand)]

    def _truth(self, value: Value) -> Value:
        """Whether elements are not 0."""
        wide = value
        while wide.dtype not in TYPES["ne"]:
            if wide.dtype not in _EXACT:
                raise self._fail(
                    value.span, f"{value.dtype} cannot become BOOL", "no conversion of dav-2201 leads there"
                )
            wide = self._cast(wide, _EXACT[wide.dtype], "none", value.span)
        return self._make("truth", (wide,), BOOL, wide.shape, wide.span)

    def _bytes(self, value: Value, span: Span) -> Value:
        """A value as it lies in memory."""
        if value.dtype is not BOOL:
            return value
        return self._cast(self._number_of(value, FLOAT16), UINT8, "none", span)

    def _number_of(self, condition: Value, dtype: DType) -> Value:
        """1 where a condition holds, 0 elsewhere."""
        one = Scalar("constant", "int", condition.span, value=1)
        zero = Scalar("constant", "int", condition.span, value=0)
        return self._make("where", (condition, one, zero), dtype, condition.shape, condition.span)

    # --- operations ---

    def _lower(self, value: Value) -> Value:
        args = [self._operand(a) if isinstance(a, Value) else a for a in value.args]
        op, first = value.op, next(a for a in args if isinstance(a, Value))
        if op == "copy":
            return first
        if op == "cast":
            return self._convert(first, value)
        if is_reduction(value) and not reduces_last(value, self._stage.domain):
            raise self._fail(
                value.span,
                "this reduces over an axis that is not the last: blocks would have to add up what others computed",
                "transpose the input outside the operator, or use target pypto",
            )
        kind = value.tensors[-1].dtype if op == "where" else value.tensors[0].dtype
        wide = self._computes_in(value, kind)
        if wide is not kind:
            args = [
                self._cast(a, wide, "none", value.span) if isinstance(a, Value) and a.dtype is kind else a for a in args
            ]
        dtype = value.dtype if value.dtype is not kind else wide
        if op in ("sigmoid", "tanh"):
            (x,) = args
            assert isinstance(x, Value)
            result = self._sigmoid(x) if op == "sigmoid" else self._tanh(x)
        else:
            result = self._make(op, args, dtype, value.shape, value.span, axes=value.axes, name=value.name)
        if wide is not kind and result.dtype is wide:
            result = self._cast(result, kind, "rint", value.span)
        if not result.name:
            result.name = value.name
        return result

    def _computes_in(self, value: Value, kind: DType) -> DType:
        """The element type of the instruction for an operation on a type."""
        op = value.op
        if op in ("sigmoid", "tanh"):
            return FLOAT32
        if kind in TYPES[op]:
            return kind
        if kind is BFLOAT16:
            return FLOAT32
        if op in COMPARISON and kind in (INT8, UINT8, INT16):
            return FLOAT32
        known = {**BINARY, **COMPARISON, **UNARY, **OTHER}
        usage = REDUCTION[op.removeprefix("reduce_")].usage if op.startswith("reduce_") else known[op].usage
        have = [t.name for t in (FLOAT32, FLOAT16, BFLOAT16, INT16, INT32) if t in TYPES[op] or t is BFLOAT16]
        raise self._fail(
            value.span, f"dav-2201 has no instruction for {usage} of {kind}", f"there is one for {listed(have, 'and')}"
        )

    def _convert(self, operand: Value, value: Value) -> Value:
        if value.dtype is BOOL:
            return self._truth(operand)
        if operand.dtype is BOOL:
            near = value.dtype if value.dtype in TYPES["where"] else FLOAT16
            operand = self._number_of(operand, near)
        result = self._cast(operand, value.dtype, value.round, value.span)
        if not result.name:
            result.name = value.name
        return result

    def _cast(self, value: Value, to: DType, mode: str, span: Span) -> Value:
        """A conversion by one Cast, or by exact ones before it."""
        if value.dtype is to:
            return value
        way = [value.dtype]
        while (way[-1], to) not in CASTS:
            step = _EXACT.get(way[-1])
            if step is None:
                raise self._fail(
                    span,
                    f"dav-2201 has no conversion of {value.dtype} to {to} that rounds once",
                    "cast to FLOAT32 first if rounding twice is right",
                )
            way.append(step)
        for step in way[1:]:
            value = self._make("cast", (value,), step, value.shape, span, round="none")
        return self._make("cast", (value,), to, value.shape, span, round=self._mode(value.dtype, to, mode, span))

    def _mode(self, source: DType, to: DType, mode: str, span: Span) -> str:
        modes = CASTS[source, to]
        if mode in modes:
            return mode
        if mode == "none" and "rint" in modes:
            return "rint"
        if modes == _NONE:
            # Exact, or (int32_t to int16_t, int64_t to int32_t) clamped: nothing is rounded.
            return "none"
        raise self._fail(
            span, f"Cast from {source} to {to} has no mode {mode} on dav-2201", f"it has {listed(sorted(modes), 'and')}"
        )

    def _sigmoid(self, x: Value) -> Value:
        powers = self._like("exp", x, self._like("neg", x, x))
        return self._like("div", x, 1.0, self._like("add", x, powers, 1.0))

    def _tanh(self, x: Value) -> Value:
        size = self._like("abs", x, x)
        decay = self._like("exp", x, self._like("mul", x, size, -2.0))
        above = self._like("sub", x, 1.0, decay)
        large = self._like("div", x, above, self._like("add", x, decay, 1.0))
        sign = self._like("lt", x, x, 0.0)
        signed = self._like("where", x, sign, self._like("neg", x, large), large)
        square = self._like("mul", x, x, x)
        series = self._like("add", x, self._like("mul", x, square, _TANH[-1]), _TANH[-2])
        for coefficient in reversed(_TANH[:-2]):
            series = self._like("add", x, self._like("mul", x, series, square), coefficient)
        cube = self._like("mul", x, square, x)
        small = self._like("add", x, self._like("mul", x, series, cube), x)
        near = self._like("lt", x, size, _TANH_SMALL)
        return self._like("where", x, near, small, signed)
