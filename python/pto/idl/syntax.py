"""What the parser makes: the text's structure, before anything is known about types."""

from __future__ import annotations

from dataclasses import dataclass

from pto.idl.source import Span


@dataclass(frozen=True)
class Name:
    """A name where it is written."""

    text: str
    span: Span


@dataclass(frozen=True)
class Number:
    """A literal: `value` is an int or a float."""

    value: int | float
    span: Span


@dataclass(frozen=True)
class Negation:
    """`- operand`."""

    operand: Expression
    span: Span


@dataclass(frozen=True)
class Operation:
    """`left mark right`, the mark being one of + - * / @ == != < <= > >=."""

    mark: Name
    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True)
class Axis:
    """`axis = …` in a call: a name or a (possibly negative) index."""

    value: Name | Number
    span: Span


@dataclass(frozen=True)
class Sizes:
    """`[ …, … ]`: a shape."""

    dims: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True)
class Call:
    """`function ( …, … )`."""

    function: Name
    arguments: tuple[Expression | Sizes | Axis, ...]
    span: Span


Expression = Name | Number | Negation | Operation | Call


@dataclass(frozen=True)
class TensorDecl:
    """`Tensor name, DTYPE [ … ];`."""

    name: Name
    dtype: Name
    shape: Sizes


@dataclass(frozen=True)
class AttrDecl:
    """`DTYPE name = default;`."""

    name: Name
    dtype: Name
    default: Expression | None


@dataclass(frozen=True)
class Statement:
    """`target = value;`."""

    target: Name
    value: Expression


@dataclass(frozen=True)
class OperatorDecl:
    """`operator name { … }`."""

    name: Name
    inputs: tuple[TensorDecl, ...]
    outputs: tuple[TensorDecl, ...]
    attrs: tuple[AttrDecl, ...]
    statements: tuple[Statement, ...]


@dataclass(frozen=True)
class File:
    """A whole text."""

    package: tuple[Name, ...]
    operators: tuple[OperatorDecl, ...]
