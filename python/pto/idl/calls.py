"""Calls of functions: how many arguments, of what kind, and what comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pto.idl.dims import ONE, Shape, TooLarge, product, shape_text
from pto.idl.dtypes import BOOL, DTYPES, FLOAT32
from pto.idl.operations import BINARY, FUNCTIONS, OTHER, REDUCTION, ROUNDS, UNARY
from pto.idl.program import Scalar, Value
from pto.idl.source import Span, listed, nearest
from pto.idl.syntax import Axis, Call, Expression, Name, Number, Sizes

if TYPE_CHECKING:
    from pto.idl.expressions import Expressions, Operand


class Calls:
    """Evaluates calls for an operator's expressions."""

    def __init__(self, expressions: Expressions):
        self._e = expressions
        self._report = expressions.report

    def call(self, call: Call) -> Operand:
        """The value of a call. Raises Stop where a mistake was reported."""
        name = call.function.text
        if name not in FUNCTIONS:
            what = (
                "is no function"
                if self._e.names.declared(name) or name in self._e.scope
                else "is no function that is known"
            )
            raise self._report.fail(
                call.function.span,
                f"'{name}' {what}",
                nearest(name, FUNCTIONS) or f"there are {listed(FUNCTIONS, 'and')}",
            )
        if name in UNARY:
            (operand,) = self._operands(call, 1, UNARY[name].usage)
            return self._e.unary(name, operand, call.arguments[0].span, call.span)
        match name:
            case "where":
                return self._where(call)
            case "cast":
                return self._cast(call)
            case "transpose":
                return self._transpose(call)
            case "reshape":
                return self._reshape(call)
        return self._reduce_or_pair(call)

    def _operands(self, call: Call, count: int, usage: str) -> list[Operand]:
        if len(call.arguments) != count:
            plural = "argument" if count == 1 else "arguments"
            raise self._report.fail(
                call.span,
                f"'{call.function.text}' takes {count} {plural}, {len(call.arguments)} given",
                f"write {usage}",
            )
        return [self._operand(argument, usage) for argument in call.arguments]

    def _operand(self, argument: Expression | Sizes | Axis, usage: str) -> Operand:
        if isinstance(argument, Sizes | Axis):
            what = "a shape" if isinstance(argument, Sizes) else "an axis"
            raise self._report.fail(argument.span, f"expected a value, found {what}", f"write {usage}")
        return self._e.evaluate(argument)

    def _tensor(self, call: Call, usage: str) -> Value:
        if not call.arguments:
            raise self._report.fail(
                call.span, f"'{call.function.text}' takes a tensor, nothing given", f"write {usage}"
            )
        operand = self._operand(call.arguments[0], usage)
        if isinstance(operand, Scalar):
            raise self._report.fail(
                call.arguments[0].span,
                f"'{call.function.text}' takes a tensor; this is a single number",
                f"write {usage}",
            )
        return operand

    # --- where, cast ---

    def _where(self, call: Call) -> Value:
        operation = OTHER["where"]
        condition, a, b = self._operands(call, 3, operation.usage)
        spans = [argument.span for argument in call.arguments]
        if isinstance(condition, Scalar) or condition.dtype is not BOOL:
            found = "a single number" if isinstance(condition, Scalar) else str(condition.dtype)
            raise self._report.fail(
                spans[0],
                f"the condition of where is BOOL; this is {found}",
                "write a comparison: where(x > 0, a, b)",
            )
        if isinstance(a, Scalar) and isinstance(b, Scalar):
            raise self._report.fail(
                call.span,
                "where of two numbers has no element type",
                "make one of them a tensor, or write cast(condition, FLOAT32)",
            )
        dtype, shape = self._e.meet(operation, (a, b), spans[1:], call.span)
        shape = self._e.stretch(condition.shape, shape, call.span)
        return Value("where", (condition, a, b), dtype, shape, call.span)

    def _cast(self, call: Call) -> Value:
        usage = OTHER["cast"].usage
        if len(call.arguments) not in (2, 3):
            raise self._report.fail(
                call.span, f"'cast' takes 2 or 3 arguments, {len(call.arguments)} given", f"write {usage}"
            )
        operand = self._tensor(call, usage)
        _, target, *rest = call.arguments
        if not isinstance(target, Name) or target.text not in DTYPES:
            cure = nearest(target.text, DTYPES) if isinstance(target, Name) else ""
            raise self._report.fail(
                target.span,
                f"expected an element type, found '{self._text(target.span)}'",
                cure or f"element types are {listed(DTYPES)}",
            )
        mode = "rint"
        if rest:
            (round_,) = rest
            if not isinstance(round_, Name) or round_.text not in ROUNDS:
                cure = nearest(round_.text, ROUNDS) if isinstance(round_, Name) else ""
                raise self._report.fail(
                    round_.span,
                    f"expected a rounding mode, found '{self._text(round_.span)}'",
                    cure or f"rounding modes are {listed(ROUNDS)}",
                )
            mode = round_.text
        if DTYPES[target.text] is operand.dtype:
            return operand
        return Value("cast", (operand,), DTYPES[target.text], operand.shape, call.span, round=mode)

    def _text(self, span: Span) -> str:
        return self._report.source.text[span.start : span.end].split("\n")[0][:60]

    # --- reductions; max and min of two ---

    def _reduce_or_pair(self, call: Call) -> Operand:
        name = call.function.text
        arguments = call.arguments
        if name in BINARY and len(arguments) == 2 and not self._is_axis(arguments[1]):
            left, right = self._operands(call, 2, BINARY[name].usage)
            return self._e.binary(name, (left, right), [a.span for a in arguments], call.span)
        usage = REDUCTION[name].usage
        if name in BINARY:
            usage += f" or {BINARY[name].usage}"
        if arguments and len(arguments) == 2 and name in BINARY and isinstance(arguments[1], Name):
            # max(M, N) of sizes, max(alpha, N) of an attribute and a size
            operand = self._operand(arguments[0], usage)
            if isinstance(operand, Scalar):
                pair = (operand, self._e.evaluate(arguments[1]))
                return self._e.binary(name, pair, [a.span for a in arguments], call.span)
        else:
            operand = self._tensor(call, usage)
        if isinstance(operand, Scalar):
            raise self._report.fail(
                call.arguments[0].span, f"'{name}' takes a tensor; this is a single number", f"write {usage}"
            )
        self._e.require(REDUCTION[name], operand, arguments[0].span)
        axes = sorted({self._axis(operand.shape, a, usage) for a in arguments[1:]} or set(range(len(operand.shape))))
        return self._reduce(name, operand, axes, call.span)

    def _is_axis(self, argument: Expression | Sizes | Axis) -> bool:
        return isinstance(argument, Axis) or (isinstance(argument, Name) and argument.text in self._e.names.symbols)

    def _axis(self, shape: Shape, argument: Expression | Sizes | Axis, usage: str) -> int:
        value = argument.value if isinstance(argument, Axis) else argument
        span = argument.span
        if isinstance(value, Number) and isinstance(argument, Axis):
            index = value.value
            assert isinstance(index, int)
            if not -len(shape) <= index < len(shape):
                raise self._report.fail(span, f"axis {index} of shape {shape_text(shape)}, which has {len(shape)} axes")
            return index % len(shape)
        if not isinstance(value, Name):
            cure = f"write {usage}"
            if isinstance(value, Number):
                cure = f"write axis={self._text(span)} for an axis by its place"
            raise self._report.fail(span, "expected an axis: the name of a size", cure)
        found = [i for i, dim in enumerate(shape) if dim.name() == value.text]
        if len(found) == 1:
            return found[0]
        if found:
            raise self._report.fail(
                span,
                f"shape {shape_text(shape)} has {len(found)} axes {value.text}",
                "name the axis by its place: axis=0",
            )
        named = [n for dim in shape if (n := dim.name())]
        cure = nearest(value.text, named) or (
            f"its axes are {listed(named, 'and')}" if named else "name the axis by its place: axis=0"
        )
        raise self._report.fail(span, f"'{value.text}' is no axis of the tensor of shape {shape_text(shape)}", cure)

    def _reduce(self, name: str, operand: Value, axes: list[int], span: Span) -> Value:
        """Neighbouring axes at once, the last ones first; sums of 16-bit floats and means go through FLOAT32."""
        dtype = operand.dtype
        kind = "sum" if name == "mean" else name
        value = operand
        wide = kind == "sum" and dtype.floating and dtype is not FLOAT32
        if wide:
            value = Value("cast", (value,), FLOAT32, value.shape, span, round="none")
        axes = [axis for axis in axes if not operand.shape[axis].is_one()]
        runs: list[list[int]] = []
        for axis in axes:
            if runs and all(dim.is_one() for dim in operand.shape[runs[-1][-1] + 1 : axis]):
                runs[-1].append(axis)
            else:
                runs.append([axis])
        try:
            count = product(tuple(operand.shape[axis] for axis in axes))
        except TooLarge:
            raise self._report.fail(span, "the number of elements is too large an expression") from None
        for run in reversed(runs):
            shape = tuple(ONE if axis in run else dim for axis, dim in enumerate(value.shape))
            value = Value(f"reduce_{kind}", (value,), value.dtype, shape, span, axes=tuple(run))
        if not axes and value is operand:
            value = Value("copy", (value,), value.dtype, value.shape, span)
        if name == "mean":
            divisor = Scalar("size", "int", span, size=count)
            value = Value("div", (value, divisor), value.dtype, value.shape, span)
        if wide:
            value = Value("cast", (value,), dtype, value.shape, span, round="rint")
        return value

    # --- moving elements ---

    def _transpose(self, call: Call) -> Value:
        usage = OTHER["transpose"].usage
        operand = self._tensor(call, usage)
        rank = len(operand.shape)
        rest = call.arguments[1:]
        if not rest:
            if rank < 2:
                raise self._report.fail(
                    call.arguments[0].span,
                    f"transpose exchanges the last two axes; this has shape {shape_text(operand.shape)}",
                )
            perm = [*range(rank - 2), rank - 1, rank - 2]
        else:
            perm = [self._axis(operand.shape, argument, usage) for argument in rest]
            if sorted(perm) != list(range(rank)):
                raise self._report.fail(
                    call.span,
                    f"transpose names each of the {rank} axes of {shape_text(operand.shape)} once",
                    f"write {usage}",
                )
        shape = tuple(operand.shape[axis] for axis in perm)
        return Value("transpose", (operand,), operand.dtype, shape, call.span, perm=tuple(perm))

    def _reshape(self, call: Call) -> Value:
        usage = OTHER["reshape"].usage
        if len(call.arguments) != 2:
            raise self._report.fail(
                call.span, f"'reshape' takes 2 arguments, {len(call.arguments)} given", f"write {usage}"
            )
        operand = self._tensor(call, usage)
        sizes = call.arguments[1]
        if not isinstance(sizes, Sizes):
            raise self._report.fail(sizes.span, "expected a shape in brackets", f"write {usage}")
        shape = self._e.names.shape(sizes)
        try:
            before, after = product(operand.shape), product(shape)
        except TooLarge:
            raise self._report.fail(call.span, "the number of elements is too large an expression") from None
        if before != after:
            raise self._report.fail(
                call.span,
                f"{shape_text(operand.shape)} has {before} elements, {shape_text(shape)} has {after}",
                "a reshape keeps their number",
            )
        return Value("reshape", (operand,), operand.dtype, shape, call.span)
