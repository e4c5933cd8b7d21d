"""Tokens → syntax, by recursive descent; docs/idl.md has the grammar that the methods follow by name."""

from __future__ import annotations

from pto.idl.lexer import Kind, Token, tokens
from pto.idl.source import IdlError, IdlErrors, Source, Span, listed, nearest
from pto.idl.syntax import (
    AttrDecl,
    Axis,
    Call,
    Expression,
    File,
    Name,
    Negation,
    Number,
    Operation,
    OperatorDecl,
    Sizes,
    Statement,
    TensorDecl,
)

BLOCKS = ("input", "output", "attr", "computation")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
#: Parentheses, calls and operators above each other in one expression; what walks the tree recurses this deep.
MAX_DEPTH = 80


def parse(source: Source) -> File:
    """The structure of a text. Raises IdlErrors with the first place that does not follow the grammar."""
    return _Parser(source).file()


class _Parser:
    def __init__(self, source: Source):
        self._source = source
        self._tokens = tokens(source)
        self._at = 0
        self._depth = 0

    # --- tokens ---

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        token = self._next
        if token.kind is not Kind.END:
            self._at += 1
        return token

    def _fail(self, span: Span, message: str, cure: str = "") -> IdlErrors:
        return IdlErrors([IdlError(self._source, span, message, cure)])

    def _is(self, *marks: str) -> bool:
        return self._next.kind is Kind.MARK and self._next.text in marks

    def _accept(self, mark: str) -> Token | None:
        return self._take() if self._is(mark) else None

    def _expect(self, mark: str, where: str) -> Token:
        """The mark, or an error that stands behind the token before it when that ends a line."""
        if token := self._accept(mark):
            return token
        token, span = self._next, self._next.span
        if self._at:
            before = self._tokens[self._at - 1].span
            if self._source.place(before.end)[0] != self._source.place(span.start)[0]:
                span = Span(before.end, before.end)
        raise self._fail(span, f"expected '{mark}' {where}, found {token}")

    def _name(self, what: str) -> Name:
        token = self._next
        if token.kind is not Kind.NAME:
            raise self._fail(token.span, f"expected {what}, found {token}")
        self._take()
        return Name(token.text, token.span)

    # --- declarations ---

    def file(self) -> File:
        package: list[Name] = []
        if self._next.text == "package":
            self._take()
            package.append(self._name("the package's name"))
            while self._accept("."):
                package.append(self._name("a name after '.'"))
            self._expect(";", "after the package's name")
        operators = []
        while self._next.kind is not Kind.END:
            token = self._take()
            if token.text == "package":
                raise self._fail(token.span, "the package is named once, in front of the first operator")
            if token.text != "operator":
                expected = "'operator'" if package or operators else "'package' or 'operator'"
                known = ["operator"] if package or operators else ["package", "operator"]
                raise self._fail(token.span, f"expected {expected}, found {token}", nearest(token.text, known))
            operators.append(self._operator())
        if not operators:
            raise self._fail(
                self._next.span, f"expected 'operator', found {self._next}", "a file defines one operator or more"
            )
        return File(tuple(package), tuple(operators))

    def _operator(self) -> OperatorDecl:
        name = self._name("the operator's name")
        opening = self._expect("{", "after the operator's name")
        blocks: dict[str, list] = {}
        while not self._is("}"):
            token = self._take()
            if token.kind is Kind.END:
                raise self._fail(opening.span, f"operator '{name.text}' has no end", "close it with '}'")
            if token.text not in BLOCKS or token.kind is not Kind.NAME:
                raise self._fail(
                    token.span,
                    f"expected {listed(map(repr, BLOCKS))} or '}}', found {token}",
                    nearest(token.text, BLOCKS),
                )
            if token.text in blocks:
                raise self._fail(
                    token.span, f"operator '{name.text}' has a second {token.text} block", "put both into one"
                )
            blocks[token.text] = self._block(token)
        closing = self._take()
        for required in ("input", "output", "computation"):
            if not blocks.get(required):
                lacks = "an empty" if required in blocks else "no"
                raise self._fail(
                    name.span if required not in blocks else closing.span,
                    f"operator '{name.text}' has {lacks} {required} block",
                    "an operator has inputs, outputs and a computation",
                )
        return OperatorDecl(name, *(tuple(blocks.get(block, ())) for block in BLOCKS))

    def _block(self, kind: Token) -> list:
        opening = self._expect("{", f"after '{kind.text}'")
        item = {"attr": self._attr, "computation": self._statement}.get(kind.text, self._tensor)
        items = []
        while not self._accept("}"):
            if self._next.kind is Kind.END:
                raise self._fail(opening.span, f"the {kind.text} block has no end", "close it with '}'")
            items.append(item())
        return items

    def _tensor(self) -> TensorDecl:
        token = self._next
        if token.text != "Tensor":
            cure = nearest(token.text, ["Tensor"]) or "declare a tensor: Tensor x, FLOAT32 [M, N];"
            raise self._fail(token.span, f"expected 'Tensor', found {token}", cure)
        self._take()
        angle = self._accept("<")
        name = self._name("the tensor's name")
        if not self._accept(":"):
            self._expect(",", "after the tensor's name")
        dtype = self._name("an element type such as FLOAT32")
        if angle:
            self._expect(">", "after the element type")
        shape = self._sizes("after the element type")
        self._expect(";", "after the tensor's shape")
        return TensorDecl(name, dtype, shape)

    def _attr(self) -> AttrDecl:
        dtype = self._name("an attribute's type such as FLOAT32")
        name = self._name("the attribute's name")
        default = self._expression() if self._accept("=") else None
        self._expect(";", "after the attribute")
        return AttrDecl(name, dtype, default)

    def _statement(self) -> Statement:
        target = self._name("a statement: name = expression;")
        self._expect("=", f"after '{target.text}'")
        value = self._expression()
        self._expect(";", "after the expression")
        return Statement(target, value)

    def _sizes(self, where: str) -> Sizes:
        opening = self._expect("[", where)
        dims: list[Expression] = []
        if not self._is("]"):
            dims.append(self._expression())
            while self._accept(","):
                dims.append(self._expression())
        closing = self._expect("]", "after the sizes")
        return Sizes(tuple(dims), opening.span.to(closing.span))

    # --- expressions ---

    def _deeper(self, span: Span) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._fail(
                span, f"the expression is more than {MAX_DEPTH} operations deep", "split it into statements"
            )

    def _expression(self) -> Expression:
        before = self._depth
        self._deeper(self._next.span)
        left = self._sum()
        if self._is(*COMPARISONS):
            left = self._operation(left, self._sum)
            if self._is(*COMPARISONS):
                raise self._fail(self._next.span, "comparisons do not chain", "compare twice and combine with where(…)")
        self._depth = before
        return left

    def _sum(self) -> Expression:
        left = self._product()
        while self._is("+", "-"):
            left = self._operation(left, self._product)
        return left

    def _product(self) -> Expression:
        left = self._factor()
        while self._is("*", "/", "@"):
            left = self._operation(left, self._factor)
        return left

    def _operation(self, left: Expression, operand) -> Expression:
        mark = self._take()
        # Chains lean to the left: each operation puts all before it one deeper.
        self._deeper(mark.span)
        right = operand()
        return Operation(Name(mark.text, mark.span), left, right, left.span.to(right.span))

    def _factor(self) -> Expression:
        before = self._depth
        minus = self._next
        if self._accept("-"):
            self._deeper(minus.span)
            operand = self._factor()
            self._depth = before
            return Negation(operand, minus.span.to(operand.span))
        return self._primary()

    def _primary(self) -> Expression:
        token = self._take()
        if token.kind is Kind.INTEGER:
            return Number(int(token.text), token.span)
        if token.kind is Kind.REAL:
            return Number(float(token.text), token.span)
        if token.kind is Kind.NAME:
            return self._call(Name(token.text, token.span)) if self._is("(") else Name(token.text, token.span)
        if token.kind is Kind.MARK and token.text == "(":
            inner = self._expression()
            self._expect(")", "to close the parenthesis")
            return inner
        raise self._fail(
            token.span,
            f"expected an expression, found {token}",
            "an expression starts with a name, a number, '-' or '('",
        )

    def _call(self, function: Name) -> Call:
        self._expect("(", f"after '{function.text}'")
        arguments: list[Expression | Sizes | Axis] = []
        while not self._is(")"):
            if arguments:
                self._expect(",", "or ')' after the argument")
            arguments.append(self._argument())
        closing = self._take()
        return Call(function, tuple(arguments), function.span.to(closing.span))

    def _argument(self) -> Expression | Sizes | Axis:
        if self._is("["):
            return self._sizes("of a shape")
        token = self._next
        if token.text == "axis" and self._tokens[self._at + 1].text == "=":
            self._take()
            self._take()
            minus = self._accept("-")
            value = self._take()
            if value.kind is Kind.INTEGER:
                span = (minus or value).span.to(value.span)
                return Axis(Number(-int(value.text) if minus else int(value.text), span), token.span.to(span))
            if value.kind is Kind.NAME and not minus:
                return Axis(Name(value.text, value.span), token.span.to(value.span))
            raise self._fail(
                value.span, f"expected an axis, found {value}", "an axis is a size's name or an index: axis=N, axis=-1"
            )
        return self._expression()
