"""Expressions: element types and shapes by the rules of docs/idl.md."""

from __future__ import annotations

from collections.abc import Sequence

from pto.idl.calls import Calls
from pto.idl.declarations import Declarations, Reporter, Stop
from pto.idl.dims import Dim, Shape, broadcast, shape_text
from pto.idl.dtypes import BOOL, DTYPES, DType
from pto.idl.operations import ARITHMETIC, BINARY, COMPARE, COMPARISON, OTHER, UNARY, Operation
from pto.idl.program import Scalar, Value
from pto.idl.scalars import combine, constant, misfit
from pto.idl.source import Span, listed, nearest
from pto.idl.syntax import Call, Expression, Name, Negation, Number

Operand = Value | Scalar


class Expressions:
    """Evaluates the expressions of one operator. Raises Stop where a mistake was reported."""

    def __init__(
        self,
        names: Declarations,
        scope: dict[str, Operand | None],
        outputs: Sequence[str],
        report: Reporter,
    ):
        self.names = names
        self.scope = scope
        self.outputs = outputs
        self.report = report
        self.assigned: dict[str, Span] = {}
        self.calls = Calls(self)

    def evaluate(self, expression: Expression) -> Operand:
        """The value of an expression."""
        if isinstance(expression, Number):
            return self._scalar(constant, expression.value, expression.span)
        if isinstance(expression, Name):
            return self._name(expression)
        if isinstance(expression, Negation):
            operand = self.evaluate(expression.operand)
            return self.unary("neg", operand, expression.operand.span, expression.span)
        if isinstance(expression, Call):
            return self.calls.call(expression)
        operands = (self.evaluate(expression.left), self.evaluate(expression.right))
        spans = (expression.left.span, expression.right.span)
        mark = expression.mark.text
        if mark == "@":
            return self._matmul(operands, spans, expression.span)
        if mark in COMPARE:
            return self._compare(COMPARE[mark], operands, spans, expression.span)
        return self.binary(ARITHMETIC[mark], operands, spans, expression.span)

    def _scalar(self, make, *arguments) -> Scalar:
        try:
            return make(*arguments)
        except ValueError as error:
            raise self.report.fail(arguments[-1], str(error)) from None

    def _name(self, name: Name) -> Operand:
        text = name.text
        if text == "inf":
            return constant(float("inf"), name.span)
        if text in self.scope:
            value = self.scope[text]
            if value is None:
                raise Stop
            return value
        if text in self.names.symbols:
            return Scalar("size", "int", name.span, size=Dim.symbol(text))
        if text in self.outputs or text in self.assigned:
            raise self.report.fail(name.span, f"'{text}' is read before it is assigned")
        known = [*self.scope, *self.names.symbols]
        raise self.report.fail(
            name.span, f"'{text}' is not known here", nearest(text, known) or f"known are {listed(known, 'and')}"
        )

    # --- elementwise ---

    def unary(self, name: str, operand: Operand, at: Span, span: Span) -> Operand:
        """One of operations.UNARY; the operand is written at `at`."""
        if isinstance(operand, Scalar):
            return self._scalar(combine, name, (operand,), span)
        self.require(UNARY[name], operand, at)
        return Value(name, (operand,), operand.dtype, operand.shape, span)

    def binary(self, name: str, operands: Sequence[Operand], spans: Sequence[Span], span: Span) -> Operand:
        """One of operations.BINARY; the operands are written at `spans`."""
        if scalars := _scalars(operands):
            return self._scalar(combine, name, scalars, span)
        dtype, shape = self.meet(BINARY[name], operands, spans, span)
        return Value(name, tuple(operands), dtype, shape, span)

    def _compare(self, name: str, operands: Sequence[Operand], spans: Sequence[Span], span: Span) -> Value:
        if _scalars(operands):
            raise self.report.fail(span, "a comparison of two numbers", "one side of a comparison is a tensor")
        _, shape = self.meet(COMPARISON[name], operands, spans, span)
        return Value(name, tuple(operands), BOOL, shape, span)

    def meet(
        self, operation: Operation, operands: Sequence[Operand], spans: Sequence[Span], span: Span
    ) -> tuple[DType, Shape]:
        """The common element type and broadcast shape of operands, at least one of which is a tensor."""
        for operand, at in zip(operands, spans):
            if isinstance(operand, Value):
                self.require(operation, operand, at)
        tensors = [o for o in operands if isinstance(o, Value)]
        first = tensors[0]
        shape = first.shape
        for other in tensors[1:]:
            if other.dtype is not first.dtype:
                raise self.report.fail(
                    span,
                    f"{operation.usage} of {first.dtype} and {other.dtype}: the element types differ",
                    f"bring both to one type, with cast(…, {first.dtype}) for example",
                )
            shape = self.stretch(shape, other.shape, span)
        for scalar, at in zip(operands, spans):
            if isinstance(scalar, Scalar) and (why := misfit(scalar, first.dtype)):
                raise self.report.fail(at, why, f"the other operand is {first.dtype}")
        return first.dtype, shape

    def stretch(self, a: Shape, b: Shape, span: Span) -> Shape:
        """The shape of an elementwise result."""
        shape = broadcast(a, b)
        if shape is None:
            raise self.report.fail(
                span,
                f"shapes {shape_text(a)} and {shape_text(b)} do not broadcast: {_difference(a, b)}",
                "sizes are aligned at the right and must be equal, or 1",
            )
        return shape

    def require(self, operation: Operation, operand: Value, at: Span) -> None:
        """Refuses element types that an operation does not take."""
        if operand.dtype not in operation.dtypes:
            names = [t.name for t in DTYPES.values() if t in operation.dtypes]
            raise self.report.fail(at, f"{operation.usage} does not take {operand.dtype}", f"expected {listed(names)}")

    # --- matrix product ---

    def _matmul(self, operands: Sequence[Operand], spans: Sequence[Span], span: Span) -> Value:
        operation = OTHER["matmul"]
        for side, at in zip(operands, spans):
            if isinstance(side, Scalar):
                raise self.report.fail(
                    at, "a @ b takes two matrices; this is a single number", "write * for a product with a number"
                )
            self.require(operation, side, at)
            if len(side.shape) < 2:
                raise self.report.fail(
                    at, f"a @ b takes matrices; this has shape {shape_text(side.shape)}", "reshape it to two axes"
                )
        left, right = operands
        assert isinstance(left, Value) and isinstance(right, Value)
        if left.dtype is not right.dtype:
            raise self.report.fail(span, f"a @ b of {left.dtype} and {right.dtype}: the element types differ")
        both = f"{shape_text(left.shape)} @ {shape_text(right.shape)}"
        if left.shape[-1] != right.shape[-2]:
            raise self.report.fail(
                span,
                f"{both}: {left.shape[-1]} columns meet {right.shape[-2]} rows",
                "the last size of a is the last but one of b",
            )
        if len(right.shape) > 2 and right.shape[:-2] != left.shape[:-2]:
            raise self.report.fail(span, f"{both}: the leading sizes differ", "they are equal, or b has two axes only")
        shape = (*left.shape[:-1], right.shape[-1])
        return Value("matmul", (left, right), left.dtype, shape, span)


def _scalars(operands: Sequence[Operand]) -> tuple[Scalar, ...]:
    """The operands when all are scalars, else nothing."""
    scalars = tuple(o for o in operands if isinstance(o, Scalar))
    return scalars if len(scalars) == len(operands) else ()


def _difference(a: Sequence[Dim], b: Sequence[Dim]) -> str:
    for x, y in zip(reversed(a), reversed(b)):
        if x != y and not x.is_one() and not y.is_one():
            return f"{x} and {y} differ"
    return ""
