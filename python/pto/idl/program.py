"""A checked text: every value with its element type and shape, ready for a generator."""

from __future__ import annotations

from dataclasses import dataclass, field

from pto.idl.dims import Dim, Shape
from pto.idl.dtypes import DType
from pto.idl.source import Source, Span


@dataclass(frozen=True, eq=False)
class Scalar:
    """A number that is the same for all elements. It takes the element type of the tensor it meets.

    op is "constant" (value), "attr" (name), "size" (size), or an operation on args computed in double (kind "float") or
    int64_t (kind "int").
    """

    op: str
    kind: str
    span: Span
    args: tuple[Scalar, ...] = ()
    value: int | float | None = None
    name: str = ""
    size: Dim | None = None


@dataclass(eq=False)
class Value:
    """A tensor: an input, or the result of one operation. Operations are those of pto.idl.operations, and `input`."""

    op: str
    args: tuple[Value | Scalar, ...]
    dtype: DType
    shape: Shape
    span: Span
    name: str = ""  #: the source's name for it, or empty
    axes: tuple[int, ...] = ()  #: reductions: neighbouring axes, which stay with size 1
    perm: tuple[int, ...] = ()  #: transpose
    round: str = ""  #: cast

    @property
    def tensors(self) -> tuple[Value, ...]:
        """The arguments that are tensors."""
        return tuple(a for a in self.args if type(a) is Value)


@dataclass(frozen=True)
class Param:
    """A declared tensor."""

    name: str
    dtype: DType
    shape: Shape
    span: Span


@dataclass(frozen=True)
class Attr:
    """A declared attribute; `default` is None when it must be given."""

    name: str
    dtype: DType
    default: int | float | None
    span: Span


@dataclass(frozen=True)
class Binding:
    """Where a shape symbol gets its value: size `axis` of input `operand`, which is linear in the symbol."""

    symbol: str
    operand: int
    axis: int
    size: Dim


@dataclass
class Operator:
    """One operator. `values` holds what the outputs need, arguments before users; `results` the value of each output."""

    name: str
    inputs: list[Param]
    outputs: list[Param]
    attrs: list[Attr]
    bindings: list[Binding]
    span: Span
    results: list[Value] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)

    @property
    def symbols(self) -> list[str]:
        """The shape symbols, in the order in which they are bound."""
        return [binding.symbol for binding in self.bindings]


@dataclass
class Program:
    """A whole file."""

    package: tuple[str, ...]
    operators: list[Operator]
    source: Source
