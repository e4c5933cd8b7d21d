"""A loop of the pypto target: rows outside, tiles of a row inside, one call of libpto for each value of a tile.

Tensors in memory are read and written where they lie. Values between operations live in tile buffers; those that a later
pass over the row reads live in row buffers, and are computed again where the row is longer than these.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pto.codegen.buffers import allocate
from pto.codegen.loops import Loop, ids
from pto.codegen.schedule import is_reduction
from pto.codegen.text import extent
from pto.idl.dtypes import BOOL, FLOAT32, DType
from pto.idl.operations import BINARY, COMPARISON
from pto.idl.program import Scalar, Value

if TYPE_CHECKING:
    from pto.codegen.pypto import Context

#: What the tile buffers may take together (they, and what they are computed from, stay in L1), and the row buffers (L2).
TILE_BYTES, ROW_BYTES = 16 << 10, 128 << 10
MOST_TILE, MOST_ROW = 4096, 16384

UNARY = {"abs": "Abs", "neg": "Neg", "relu": "Relu", "exp": "Exp", "log": "Log", "sqrt": "Sqrt", "rsqrt": "Rsqrt", "reciprocal": "Recip", "sigmoid": "Sigmoid", "tanh": "Tanh"}  # fmt: skip
#: What C++ does with two floats exactly as the instructions do (a product might be contracted with a sum, so it is not here).
PLAIN = {"add": "+", "sub": "-", "div": "/"}
#: How tiles of a reduction are put together.
COMBINE = {"sum": "Add", "max": "Max", "min": "Min"}


class LoopWriter:
    """Writes one loop."""

    def __init__(self, context: Context, loop: Loop):
        self._context, self._loop = context, loop
        self._kept = loop.kept()
        self._text: dict[int, str] = {}  #: value → pointer to its elements, where the current lines stand
        self._rows: dict[int, str] = {}  #: value of a row → name of its variable
        self._buffers: dict[tuple[str, int], str] = {}  #: (type, number) → tile buffer
        self._parts: dict[str, str] = {}  #: type → variable for the reduction of one tile
        self._spare: dict[str, str] = {}  #: type → tile buffer that holds copies of one element
        self._name = context.names.new
        self._tile = self._name("kTile")
        self._row_names: dict[int, str] = {}  #: kept value → its row buffer
        self._whole_name = ""
        self._bytes = 0  #: of all tile buffers, for one element
        self._at, self._n = self._name("at"), self._name("n")
        self._tile_names: dict[int, str] = {}  #: kept value → its tile's place in the row buffer

    def lines(self) -> list[str]:
        """The loop with its buffers."""
        loop = self._loop
        before = [line for v in loop.values if loop.accumulates(v) for line in self._start(v)]
        indices = [self._name("ij"[n] if n < 2 else f"i{n}") for n in range(len(loop.axes) - 1)]
        row_of = self._row_pointers(indices)
        passes: list[str] = []
        for slot in range(loop.passes + 1):
            for value in loop.row_values(slot):
                passes += self._row(value)
            if slot < loop.passes:
                passes += self._pass(slot)
        declared = self._declarations()
        lines = [f"// {v.name} = {self._context.comment(v)}" for v in self._told()]
        lines += [*declared, *before]
        for index, size in zip(indices, loop.axes):
            count = extent(size, self._context.sizes)
            lines.append(f"for (int64_t {index} = 0; {index} < {count}; ++{index}) {{")
        block = [*row_of, *passes]
        return [*lines, *block, *["}"] * len(indices)]

    def _told(self) -> list[Value]:
        """The values that a comment names: those with a name of the source."""
        return [v for v in self._loop.values if v.name]

    # --- rows ---

    def _row_pointers(self, indices: Sequence[str]) -> list[str]:
        loop, lines = self._loop, []
        stored = [v for v in loop.values if loop.stores(v)]
        for value in (*loop.loads, *stored):
            name = self._context.tensors[id(value)]
            terms = []
            for index, stride in zip(indices, loop.strides(value)):
                if stride is None:
                    continue
                step = extent(stride, self._context.sizes)
                terms.append(
                    index if step == "1" else f"{index} * {step}" if step.isidentifier() else f"{index} * ({step})"
                )
            if terms:
                constant = "" if loop.stores(value) else "const "
                row = self._name(f"{name}_at")
                lines.append(f"{constant}{value.dtype.cpp}* const {row} = {name} + {' + '.join(terms)};")
                name = row
            self._text[id(value)] = name
        return lines

    def _start(self, value: Value) -> list[str]:
        start = self._context.start(value.op.removeprefix("reduce_"), value.dtype)
        return [f"::pto::fill({self._context.tensors[id(value)]}, {start}, {self._context.count(value.shape)});"]

    def _row(self, value: Value) -> list[str]:
        """A value of one element, as a variable or in memory."""
        if self._loop.stores(value):
            return self._compute(value, self._text[id(value)], "1")
        name = self._rows[id(value)] = self._name(value.name or "row")
        lines = self._compute(value, f"&{name}", "1")
        if lines[0].startswith(f"{name} = "):
            return [f"const {value.dtype.cpp} {lines[0]}"]
        return [f"{value.dtype.cpp} {name};", *lines]

    # --- passes ---

    def _pass(self, slot: int) -> list[str]:
        loop = self._loop
        again, reductions = loop.again(slot), loop.row_reductions(slot)
        # What is computed again comes first: nothing of an earlier pass reads a value of this one.
        of_pass = ids((*loop.pass_values(slot), *reductions))
        order = [*again, *(v for v in loop.values if id(v) in of_pass)]
        if not order:
            return []
        before = []
        for value in reductions:
            name = self._rows[id(value)] = self._name(value.name or value.op.removeprefix("reduce_"))
            start = self._context.start(value.op.removeprefix("reduce_"), value.dtype)
            before.append(f"{value.dtype.cpp} {name} = {start};")
        kept = ids(self._kept)
        buffers = allocate(
            order,
            lambda v: not (id(v) in kept or loop.stores(v) or is_reduction(v)),
            lambda v: False,
        )
        n = self._n
        columns = extent(loop.axes[-1], self._context.sizes)
        inner = self._row_buffers(order)
        redone: list[str] = []
        for value in order:
            lines = inner if id(value) in of_pass else redone
            if loop.reduces_row(value):
                lines += self._reduce(value, n)
            elif loop.stores(value):
                lines += self._compute(value, f"{self._text[id(value)]} + {self._at}", n)
            else:
                if id(value) not in kept:
                    self._text[id(value)] = self._buffer(value.dtype, buffers[id(value)])
                lines += self._compute(value, self._text[id(value)], n)
            if again and value is again[-1]:
                inner += [f"if (!{self._whole()}) {{", *redone, "}"]
        after = [f"*{self._text[id(v)]} = {self._rows[id(v)]};" for v in reductions if loop.stores(v)]
        return [
            *before,
            f"for (int64_t {self._at} = 0; {self._at} < {columns}; {self._at} += {self._tile}) {{",
            f"const int64_t {n} = std::min<int64_t>({self._tile}, {columns} - {self._at});",
            *inner,
            "}",
            *after,
        ]

    def _row_buffers(self, order: Sequence[Value]) -> list[str]:
        """Where the current tile lies in each row buffer that the pass touches."""
        lines = []
        here = ids(order)
        for value in self._kept:
            if id(value) in here or any(id(user) in here for user in self._loop.users(value)):
                if id(value) not in self._row_names:
                    self._row_names[id(value)] = self._name(f"{value.name or value.op}_row")
                if id(value) not in self._tile_names:
                    self._tile_names[id(value)] = self._name(value.name or value.op)
                name = self._text[id(value)] = self._tile_names[id(value)]
                row = self._row_names[id(value)]
                lines.append(f"{value.dtype.cpp}* const {name} = {row} + ({self._whole()} ? {self._at} : 0);")
        return lines

    def _whole(self) -> str:
        """The name of the flag that says whether a row fits the row buffers."""
        if not self._whole_name:
            self._whole_name = self._name("whole")
        return self._whole_name

    # --- buffers ---

    def _buffer(self, dtype: DType, number: int) -> str:
        key = (dtype.cpp, number)
        if key not in self._buffers:
            self._buffers[key] = self._name("tile")
            self._bytes += dtype.bytes
        return self._buffers[key]

    def _declarations(self) -> list[str]:
        tile = _fitting(TILE_BYTES, self._bytes, MOST_TILE)
        lines = (
            [f"constexpr int64_t {self._tile} = {tile};"]
            if any(not self._loop.is_row(v) or self._loop.reduces_row(v) for v in self._loop.values)
            else []
        )
        if self._row_names:
            row = self._name("kRow")
            length = max(tile, _fitting(ROW_BYTES, sum(v.dtype.bytes for v in self._kept), MOST_ROW))
            columns = extent(self._loop.axes[-1], self._context.sizes)
            lines.append(f"constexpr int64_t {row} = {length};")
            lines.append(f"const bool {self._whole()} = {columns} <= {row};  // else values are computed again")
            for value in self._kept:
                lines.append(f"alignas(64) {value.dtype.cpp} {self._row_names[id(value)]}[{row}];")
        for (type_, _), name in self._buffers.items():
            lines.append(f"alignas(64) {type_} {name}[{self._tile}];")
        for type_, name in self._parts.items():
            lines.append(f"{type_} {name};")
        return lines

    # --- operations ---

    def _operand(self, operand: Value | Scalar, dtype: DType) -> tuple[str, bool]:
        """A pointer to an operand's elements, and whether it is one element for all of them."""
        if isinstance(operand, Scalar):
            return f"&{self._context.constant(operand, dtype)}", True
        if name := self._rows.get(id(operand)):
            return f"&{name}", True
        text = self._text[id(operand)]
        if self._loop.is_row(operand):
            return text, True
        in_memory = not self._loop.is_member(operand) or self._loop.stores(operand)
        return (f"{text} + {self._at}" if in_memory else text), False

    def _compute(self, value: Value, target: str, n: str) -> list[str]:
        """Lines that compute `n` elements of a value."""
        dtype = value.tensors[0].dtype
        if value.op in BINARY or value.op in COMPARISON:
            (a, one_a), (b, one_b) = (self._operand(x, dtype) for x in value.args)
            if n == "1" and dtype is FLOAT32 and value.op in PLAIN:
                return [f"{_element(target)} = {_element(a)} {PLAIN[value.op]} {_element(b)};"]
            spread = ""
            if n != "1" and (one_a or one_b):
                spread = f", ::pto::Spread::{'First' if one_a else 'Second'}"
            name = "binary" if value.op in BINARY else "compare"
            kind = f"{name.capitalize()}::{value.op.capitalize()}"
            return [f"::pto::{name}(::pto::{kind}, {target}, {a}, {b}, {n}{spread});"]
        if value.op == "where":
            return self._where(value, target, n)
        source, _ = self._operand(value.tensors[0], dtype)
        if self._loop.accumulates(value):
            combine = COMBINE[value.op.removeprefix("reduce_")]
            return [f"::pto::binary(::pto::Binary::{combine}, {target}, {target}, {source}, {n});"]
        if value.op == "copy":
            return [f"std::copy_n({source}, {n}, {target});"]
        if value.op == "cast":
            return [f"::pto::cast({target}, {source}, {n}, ::pto::Round::{value.round.capitalize()});"]
        if value.op == "relu" and dtype.integer:
            zero = self._context.constant(Scalar("constant", "int", value.span, value=0), dtype)
            return [f"::pto::binary(::pto::Binary::Max, {target}, {source}, &{zero}, {n}, ::pto::Spread::Second);"]
        return [f"::pto::unary(::pto::Unary::{UNARY[value.op]}, {target}, {source}, {n});"]

    def _where(self, value: Value, target: str, n: str) -> list[str]:
        condition, one_condition = self._operand(value.args[0], BOOL)
        (a, one_a), (b, one_b) = (self._operand(x, value.dtype) for x in value.args[1:])
        lines = []

        def copies(element: str, dtype: DType) -> str:
            # select() takes one element for all of one operand only.
            key = f"{dtype.cpp} copies"
            if key not in self._spare:
                self._spare[key] = self._buffer(dtype, -1)
            lines.append(f"::pto::fill({self._spare[key]}, *({element}), {n});")
            return self._spare[key]

        spread = ""
        if n != "1":
            if one_condition:
                condition = copies(condition, BOOL)
            if one_a and one_b:
                a, one_a = copies(a, value.dtype), False
            if one_a or one_b:
                spread = f", ::pto::Spread::{'First' if one_a else 'Second'}"
        return [*lines, f"::pto::select({target}, {condition}, {a}, {b}, {n}{spread});"]

    def _reduce(self, value: Value, n: str) -> list[str]:
        """One tile of a reduction along the row, put together with the tiles before."""
        kind, type_ = value.op.removeprefix("reduce_"), value.dtype.cpp
        if type_ not in self._parts:
            self._parts[type_] = self._name("part")
        part, name = self._parts[type_], self._rows[id(value)]
        source, _ = self._operand(value.tensors[0], value.dtype)
        first = f"{self._at} == 0"
        return [
            f"::pto::reduce(::pto::Reduce::{kind.capitalize()}, {first} ? &{name} : &{part}, {source}, 1, {n});",
            f"if ({self._at} != 0) ::pto::binary(::pto::Binary::{COMBINE[kind]}, &{name}, &{name}, &{part}, 1);",
        ]


def _element(pointer: str) -> str:
    """What a pointer's text points at."""
    return (
        pointer.removeprefix("&")
        if pointer.startswith("&")
        else f"*{pointer}"
        if pointer.isidentifier()
        else f"*({pointer})"
    )


def _fitting(budget: int, element: int, most: int) -> int:
    """The greatest power of two of elements that `budget` bytes hold, from 256 to `most`."""
    count = most
    while count > 256 and count * element > budget:
        count //= 2
    return count
