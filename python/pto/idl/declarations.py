"""Declarations: names, element types, shapes, and where each shape symbol gets its value."""

from __future__ import annotations

from pto.idl.dims import Dim, Shape, TooLarge
from pto.idl.dtypes import ATTRIBUTE_DTYPES, DTYPES, DType
from pto.idl.operations import ARITHMETIC, FUNCTIONS
from pto.idl.program import Attr, Binding, Param, Scalar
from pto.idl.scalars import combine, constant, misfit
from pto.idl.source import IdlError, Source, Span, listed, nearest
from pto.idl.syntax import AttrDecl, Expression, Name, Negation, Number, Operation, OperatorDecl, Sizes, TensorDecl

MAX_RANK = 8
MAX_SIZE = 2**31 - 1
#: Whole numbers up to here are doubles, as which libpto holds defaults.
MAX_DEFAULT = 2**53
RESERVED = {*FUNCTIONS, *DTYPES, "inf"}


class Stop(Exception):
    """The mistake was reported; nothing more can be said about the construct it is in."""


class Reporter:
    """Collects mistakes."""

    def __init__(self, source: Source):
        self.source = source
        self.errors: list[IdlError] = []

    def fail(self, span: Span, message: str, cure: str = "") -> Stop:
        """Reports a mistake; the caller raises what it returns."""
        self.errors.append(IdlError(self.source, span, message, cure))
        return Stop()


class Declarations:
    """What an operator's blocks declare. After construction every mistake in them has been reported."""

    def __init__(self, syntax: OperatorDecl, report: Reporter):
        self._report = report
        self._syntax = syntax
        self._where: dict[str, tuple[str, Span]] = {}  #: name → what it is, and where
        self.symbols: dict[str, Span] = {}
        declared = [decl.name.text for decl in (*syntax.inputs, *syntax.outputs, *syntax.attrs)]
        self._taken = set(declared)
        self.inputs = [p for p in map(self._tensor, syntax.inputs, ["an input"] * len(syntax.inputs)) if p]
        known = dict(self.symbols)
        self.outputs = [p for p in map(self._tensor, syntax.outputs, ["an output"] * len(syntax.outputs)) if p]
        self.attrs: list[Attr] = []
        for decl in syntax.attrs:
            self._attr(decl)
        self.bindings: list[Binding] = []
        if not report.errors:
            self._bind(known)

    def declared(self, name: str) -> tuple[str, Span] | None:
        """What a name is and where it was declared."""
        if name in self.symbols:
            return "a size", self.symbols[name]
        return self._where.get(name)

    def place(self, span: Span) -> str:
        """`line 3`, for pointing back from a message."""
        return f"line {self._report.source.place(span.start)[0]}"

    def _declare(self, name: Name, what: str) -> None:
        if name.text in RESERVED:
            raise self._report.fail(
                name.span,
                f"'{name.text}' is a word of the language and names nothing else",
                f"rename it, to {name.text}_ for example",
            )
        if name.text in self._where:
            kind, span = self._where[name.text]
            raise self._report.fail(
                name.span, f"'{name.text}' is already {kind}, see {self.place(span)}", "give it another name"
            )
        self._where[name.text] = (what, name.span)

    def dtype(self, name: Name, known: dict[str, DType]) -> DType:
        """An element type by name."""
        if found := known.get(name.text):
            return found
        if name.text in DTYPES:
            message = f"an attribute cannot be {name.text}"
        else:
            message = f"'{name.text}' is no element type"
        raise self._report.fail(name.span, message, nearest(name.text, known) or f"expected {listed(known)}")

    def _tensor(self, decl: TensorDecl, what: str) -> Param | None:
        param = None
        try:
            self._declare(decl.name, what)
            dtype = self.dtype(decl.dtype, DTYPES)
            param = Param(decl.name.text, dtype, self.shape(decl.shape, declare=True), decl.name.span)
        except Stop:
            pass
        return param

    def _attr(self, decl: AttrDecl) -> None:
        try:
            self._declare(decl.name, "an attribute")
            dtype = self.dtype(decl.dtype, ATTRIBUTE_DTYPES)
            default = None
            if decl.default is not None:
                default = self._constant(decl.default, dtype)
            self.attrs.append(Attr(decl.name.text, dtype, default, decl.name.span))
        except Stop:
            pass

    def _constant(self, expression: Expression, dtype: DType) -> int | float:
        value = self._number(expression)
        if why := misfit(value, dtype):
            raise self._report.fail(expression.span, why)
        if dtype.integer and abs(value.value) > MAX_DEFAULT:
            raise self._report.fail(
                expression.span,
                f"the default {value.value} is beyond 2^53",
                "defaults are stored as doubles: pass the value instead",
            )
        return float(value.value) if dtype.floating else int(value.value)

    def _number(self, expression: Expression) -> Scalar:
        try:
            if isinstance(expression, Number):
                return constant(expression.value, expression.span)
            if isinstance(expression, Name) and expression.text == "inf":
                return constant(float("inf"), expression.span)
            if isinstance(expression, Negation):
                return combine("neg", (self._number(expression.operand),), expression.span)
            if isinstance(expression, Operation) and expression.mark.text in "+-*/":
                args = (self._number(expression.left), self._number(expression.right))
                return combine(ARITHMETIC[expression.mark.text], args, expression.span)
        except ValueError as error:
            raise self._report.fail(expression.span, str(error)) from None
        raise self._report.fail(expression.span, "expected a constant: a default is known when the code is generated")

    # --- shapes ---

    def shape(self, sizes: Sizes, declare: bool = False) -> Shape:
        """A written shape. With `declare` new names become shape symbols."""
        if len(sizes.dims) > MAX_RANK:
            raise self._report.fail(sizes.span, f"a shape of {len(sizes.dims)} sizes; {MAX_RANK} are allowed")
        return tuple(self._size(dim, declare) for dim in sizes.dims)

    def _size(self, expression: Expression, declare: bool) -> Dim:
        try:
            size = self._dim(expression, declare)
        except TooLarge:
            raise self._report.fail(expression.span, "the size's expression is too large") from None
        value = size.value()
        if size.is_constant() and (value is None or not 1 <= value <= MAX_SIZE):
            raise self._report.fail(
                expression.span, f"the size is {size}; expected a whole number from 1 to {MAX_SIZE}"
            )
        if size.symbols() and all(coefficient < 0 for _, coefficient in size.terms):
            raise self._report.fail(expression.span, f"the size {size} is never positive")
        return size

    def _dim(self, expression: Expression, declare: bool) -> Dim:
        if isinstance(expression, Name):
            return self._symbol(expression, declare)
        if isinstance(expression, Number):
            if isinstance(expression.value, int):
                return Dim.constant(expression.value)
            raise self._report.fail(expression.span, f"{expression.value} is no size", "expected a whole number")
        if isinstance(expression, Negation):
            return -self._dim(expression.operand, declare)
        if isinstance(expression, Operation) and expression.mark.text in ("+", "-", "*", "/"):
            left, right = self._dim(expression.left, declare), self._dim(expression.right, declare)
            match expression.mark.text:
                case "+":
                    return left + right
                case "-":
                    return left - right
                case "*":
                    return left * right
            divisor = right.value()
            if not divisor or divisor < 0:
                raise self._report.fail(
                    expression.right.span, f"sizes are divided by positive whole numbers only, not by {right}"
                )
            return left / divisor
        what = f"'{expression.mark.text}'" if isinstance(expression, Operation) else "a function"
        raise self._report.fail(
            expression.span,
            f"{what} has no meaning in a size",
            "sizes are names and whole numbers with + - * / and parentheses",
        )

    def _symbol(self, name: Name, declare: bool) -> Dim:
        if name.text in self._taken or name.text in self._where:
            kind = (self._where.get(name.text) or ("a tensor or an attribute", name.span))[0]
            raise self._report.fail(
                name.span, f"'{name.text}' is {kind}, not a size", "give one of the two another name"
            )
        if name.text in RESERVED:
            raise self._report.fail(name.span, f"'{name.text}' is a word of the language, not a size")
        if name.text not in self.symbols:
            if not declare:
                raise self._report.fail(
                    name.span,
                    f"'{name.text}' is no size of this operator",
                    nearest(name.text, self.symbols)
                    or f"the sizes are {listed(self.symbols) if self.symbols else 'all constant'}",
                )
            self.symbols[name.text] = name.span
        return Dim.symbol(name.text)

    # --- where symbols get their values ---

    def _bind(self, known: dict[str, Span]) -> None:
        places = [
            (operand, axis, size) for operand, param in enumerate(self.inputs) for axis, size in enumerate(param.shape)
        ]
        bound: set[str] = set()

        def bind(symbol: str, operand: int, axis: int, size: Dim) -> None:
            bound.add(symbol)
            self.bindings.append(Binding(symbol, operand, axis, size))

        for operand, axis, size in places:
            if (name := size.name()) and name not in bound:
                bind(name, operand, axis, size)
        progress = True
        while progress:
            progress = False
            for operand, axis, size in places:
                unknown = [s for s in size.symbols() if s not in bound]
                if len(unknown) == 1 and size.linear_in(unknown[0]):
                    bind(unknown[0], operand, axis, size)
                    progress = True
        for symbol, span in self.symbols.items():
            if symbol in bound:
                continue
            if symbol in known:
                message = f"the value of '{symbol}' cannot be found: no input has it as a size of its own"
                cure = "make it a size of an input, alone or as the only unknown of a sum such as 2*N + 1"
            else:
                message = f"'{symbol}' is a size of an output only: no input gives it a value"
                cure = nearest(symbol, known) or "use sizes of the inputs"
            self._report.fail(span, message, cure)
