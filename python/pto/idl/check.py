"""Syntax → program: names, element types and shapes of every expression. Every mistake of a file is reported at once."""

from __future__ import annotations

from pto.idl.declarations import RESERVED, Declarations, Reporter, Stop
from pto.idl.dims import shape_text, without_ones
from pto.idl.expressions import Expressions
from pto.idl.program import Operator, Program, Scalar, Value
from pto.idl.source import IdlErrors, Source, nearest
from pto.idl.syntax import File, OperatorDecl, Statement


def check(file: File, source: Source) -> Program:
    """The checked program. Raises IdlErrors with every mistake found."""
    report = Reporter(source)
    operators: list[Operator] = []
    names: dict[str, str] = {}
    for syntax in file.operators:
        name = syntax.name.text
        if (other := names.get(name.lower())) is not None:
            report.fail(
                syntax.name.span,
                f"operator '{name}' and operator '{other}' would write the same file",
                "names of operators differ in more than upper and lower case",
            )
        names[name.lower()] = name
        inner = Reporter(source)
        operator = _operator(syntax, inner)
        report.errors += inner.errors
        if operator:
            operators.append(operator)
    if report.errors:
        raise IdlErrors(report.errors)
    return Program(tuple(part.text for part in file.package), operators, source)


def _operator(syntax: OperatorDecl, report: Reporter) -> Operator | None:
    names = Declarations(syntax, report)
    if report.errors:
        return None
    scope: dict[str, Value | Scalar | None] = {
        p.name: Value("input", (), p.dtype, p.shape, p.span, p.name) for p in names.inputs
    }
    for attr in names.attrs:
        scope[attr.name] = Scalar("attr", "float" if attr.dtype.floating else "int", attr.span, name=attr.name)
    outputs = {p.name: p for p in names.outputs}
    expressions = Expressions(names, scope, list(outputs), report)
    for statement in syntax.statements:
        try:
            _statement(statement, names, scope, expressions, report)
        except Stop:
            # Known, but wrong: what reads it says nothing more.
            scope.setdefault(statement.target.text, None)
    # A statement that failed may be the one that meant the output.
    for name, param in outputs.items() if not report.errors else ():
        if name not in scope:
            near = nearest(name, [n for n in expressions.assigned if n not in outputs])
            report.fail(param.span, f"output '{name}' is never assigned", near or f"add a statement {name} = …;")
    if report.errors:
        return None
    operator = Operator(syntax.name.text, names.inputs, names.outputs, names.attrs, names.bindings, syntax.name.span)
    operator.results = [value for name in outputs if isinstance(value := scope[name], Value)]
    operator.values = _in_order(operator.results)
    return operator


def _statement(
    statement: Statement,
    names: Declarations,
    scope: dict[str, Value | Scalar | None],
    expressions: Expressions,
    report: Reporter,
) -> None:
    target = statement.target
    outputs = {p.name: p for p in names.outputs}
    if target.text in RESERVED:
        raise report.fail(target.span, f"'{target.text}' is a word of the language and cannot be assigned")
    if target.text in names.symbols or (target.text in scope and target.text not in expressions.assigned):
        what, span = names.declared(target.text) or ("", target.span)
        raise report.fail(
            target.span,
            f"'{target.text}' is {what} and cannot be assigned, see {names.place(span)}",
            "assign to an output or to a new name",
        )
    if span := expressions.assigned.get(target.text):
        raise report.fail(
            target.span,
            f"'{target.text}' was assigned before, see {names.place(span)}",
            "each name is assigned once: use another name",
        )
    expressions.assigned[target.text] = target.span
    value = expressions.evaluate(statement.value)
    if param := outputs.get(target.text):
        if isinstance(value, Scalar):
            raise report.fail(
                statement.value.span,
                f"'{target.text}' is a tensor of shape {shape_text(param.shape)}; the expression is a single number",
                "combine it with a tensor of that shape",
            )
        if value.dtype is not param.dtype:
            raise report.fail(
                statement.value.span,
                f"'{target.text}' is {param.dtype}; the expression is {value.dtype}",
                f"write cast(…, {param.dtype})",
            )
        if without_ones(value.shape) != without_ones(param.shape):
            raise report.fail(
                statement.value.span,
                f"'{target.text}' has shape {shape_text(param.shape)}; the expression has {shape_text(value.shape)}",
            )
        if value.op == "input" or any(value is scope.get(name) for name in outputs):
            # An output is memory of its own.
            value = Value("copy", (value,), value.dtype, value.shape, statement.value.span)
    if isinstance(value, Value) and not value.name:
        value.name = target.text
    scope[target.text] = value


def _in_order(results: list[Value]) -> list[Value]:
    """Everything that the results need, arguments first; without recursion, since a computation may be long."""
    order: list[Value] = []
    seen: set[int] = set()
    stack: list[tuple[Value, bool]] = [(value, False) for value in reversed(results)]
    while stack:
        value, ready = stack.pop()
        if ready:
            order.append(value)
        elif id(value) not in seen:
            seen.add(id(value))
            stack.append((value, True))
            stack += [(a, False) for a in reversed(value.tensors) if id(a) not in seen]
    return order
