"""One loop as an Ascend C kernel: blocks share the rows (or tiles), a tile is loaded, computed in UB and stored."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pto.codegen.ascendc_lower import Lowered
from pto.codegen.ascendc_tiling import Scalars
from pto.codegen.ascendc_vector import Operand, Vector, type_of
from pto.codegen.buffers import allocate
from pto.codegen.loops import Loop, ids, is_one_of
from pto.codegen.schedule import Schedule, Stage, is_reduction
from pto.codegen.text import Names, extent
from pto.idl.dtypes import BOOL, DTYPES, DType
from pto.idl.operations import COMPARISON
from pto.idl.program import Operator, Scalar, Value
from pto.idl.source import IdlError, IdlErrors, Source

#: What a user has of the 192 KiB of UB on dav-2201 (256 B and 8 KiB are the system's), less a reserve for row values.
UB_BYTES = 176 << 10
MOST_TILE, MOST_KEPT_TILE = 4096, 16384
#: A DataBlock: what one element a row takes.
BLOCK = 32
#: Loads, computations and stores of a tile follow each other; within a pipe, and between vector instructions, the order is kept.
BARRIER = "AscendC::PipeBarrier<PIPE_ALL>();"


#: What the text around a kernel names.
RESERVED = (
    "t",
    "AscendC",
    "Load",
    "Store",
    "Whole",
    "Blocks",
    "GM_ADDR",
    "units",
    "unit",
    "blocks",
    "block",
    "pipe",
    "ub",
)


@dataclass(frozen=True)
class Kernel:
    """The text of one kernel and how to launch it."""

    name: str
    tensors: list[Value]  #: parameters, in order
    units: str  #: how many pieces of work there are, as an expression in the tiling's fields
    lines: list[str]


class _NothingStored(Schedule):
    """In a kernel every value is in UB; what goes to memory is stored from there."""

    def is_stored(self, value: Value) -> bool:
        return False


class KernelWriter:
    """Writes one kernel."""

    def __init__(self, operator: Operator, source: Source, plan: Schedule, stage: Stage, name: str, scalars: Scalars):
        self._operator, self._source, self._name = operator, source, name
        self._lowered = Lowered(stage, plan, source)
        inner = Stage(stage.level, stage.domain, self._lowered.values)
        self._loop = Loop(inner, _NothingStored(operator, [inner], []))
        self._kept = self._loop.kept()
        self._scalars = scalars
        self._sizes = scalars.sizes
        self.names = Names([*RESERVED, *self._sizes.values()])
        self._tile = self.names.new("kTile")
        self._at, self._n = self.names.new("at"), self.names.new("n")
        self._gm: dict[int, str] = {}
        self._offset: dict[int, str] = {}
        self._buffers: dict[tuple[str, int], str] = {}  #: (element type, number) → tile buffer
        self._rows: list[tuple[str, DType]] = []
        self._keeps: list[tuple[str, DType]] = []
        self._text: dict[int, str] = {}  #: value → its LocalTensor
        self._read: dict[int, str] = {}  #: value of a row → its element as a number
        self._compared: set[str] = set()
        self._constants: dict[tuple[str, str], tuple[str, str]] = {}
        self._vector = Vector(self._spare, self._tile)
        self._whole_name = ""
        for value in self._loop.values:
            if value.dtype is BOOL and self._loop.is_row(value):
                raise IdlErrors(
                    [
                        IdlError(
                            source,
                            value.span,
                            "target ascendc: a condition with one element a row has no vector instruction",
                            "compare with a tensor of the full shape, or use target pypto",
                        )
                    ]
                )

    def kernel(self) -> Kernel:
        """The kernel."""
        loop = self._loop
        externals = [*loop.loads, *(memory for _, memory in self._lowered.stores)]
        tensors: list[Value] = []
        for tensor in externals:
            if not is_one_of(tensor, tensors):
                tensors.append(tensor)
        for tensor in tensors:
            self._gm[id(tensor)] = self.names.new(f"{tensor.name or 'whole'}Gm")
        for value in self._kept:
            self._text[id(value)] = self.names.new(value.name or value.op)
            self._keeps.append((self._text[id(value)], value.dtype))
        rows = [v for v in loop.values if loop.is_row(v)]
        for value in rows:
            name = self._text[id(value)] = self.names.new(value.name or value.op.removeprefix("reduce_"))
            self._rows.append((name, value.dtype))
        by_tiles = loop.passes == 1 and not any(loop.reduces_row(v) for v in loop.values)
        body = self._unit(by_tiles)
        parameters = [self.names.new(f"{self._gm[id(v)].removesuffix('Gm')}_address") for v in tensors]
        declared, tile = self._declarations(tensors, parameters)
        signature = ", ".join([*(f"GM_ADDR {p}" for p in parameters), f"{self._scalars.struct} t"])
        outer = loop.axes[:-1]
        columns = extent(loop.axes[-1], self._sizes)
        counts = [extent(axis, self._sizes) for axis in outer]
        rows_text = " * ".join(c if c.isidentifier() else f"({c})" for c in counts) or "1"
        units, tiles = rows_text, ""
        if by_tiles and not all(loop.is_row(v) for v in loop.values):
            tiles = self.names.new("tiles")
            units = f"{rows_text} * {tiles}" if counts else tiles
        head = [f"__global__ __vector__ void {self._name}({signature})", "{", *declared]
        if tiles:
            head.append(f"const int64_t {tiles} = ({columns} + {self._tile} - 1) / {self._tile};")
        head += [
            f"const int64_t units = {units};",
            "const int64_t blocks = AscendC::GetBlockNum(), block = AscendC::GetBlockIdx();",
            "for (int64_t unit = units * block / blocks; unit < units * (block + 1) / blocks; ++unit) {",
        ]
        index, rest = [], "unit"
        if tiles:
            index += [
                f"const int64_t {self._at} = unit % {tiles} * {self._tile};",
                self._count(columns),
            ]
            rest = f"unit / {tiles}"
        for number in reversed(range(len(outer))):
            count = counts[number] if counts[number].isidentifier() else f"({counts[number]})"
            value = rest if number == 0 else f"({rest}) % {count}"
            index.append(f"const int64_t {self._index[number]} = {value};")
            rest = f"{rest} / {count}" if rest == "unit" else f"({rest}) / {count}"
        lines = [*head, *index, *body, "}", "}"]
        if sum(self._tile in line for line in lines) == 1:
            lines = [line for line in lines if self._tile not in line]
        used = "\n".join(lines)
        sizes = [f"const int64_t {n} = t.{n};" for n in self._sizes.values() if re.search(rf"\b{n}\b", used)]
        lines[2:2] = sizes
        by_tile = f"(({columns} + {tile} - 1) / {tile})"
        host = units if not tiles else f"{rows_text} * {by_tile}" if counts else by_tile
        return Kernel(self._name, tensors, host, lines)

    # --- the body ---

    def _unit(self, by_tiles: bool) -> list[str]:
        """The work on one unit: a row, or one tile of a row."""
        loop = self._loop
        self._index = [self.names.new("ij"[k] if k < 2 else f"i{k}") for k in range(len(loop.axes) - 1)]
        lines: list[str] = []
        for slot in range(loop.passes + 1):
            lines += self._row_section(slot)
            if slot < loop.passes:
                lines += self._pass(slot, by_tiles)
        return lines

    def _address(self, tensor: Value, row: bool) -> str:
        """Where the current row (and tile) of a tensor lies, as an element offset."""
        terms = []
        for index, stride in zip(self._index, self._loop.strides(tensor)):
            if stride is not None:
                step = extent(stride, self._sizes)
                terms.append(
                    index if step == "1" else f"{index} * {step}" if step.isidentifier() else f"{index} * ({step})"
                )
        if not row:
            terms.append(self._at)
        return f"{self._gm[id(tensor)]}[{' + '.join(terms) or '0'}]"

    def _row_section(self, slot: int) -> list[str]:
        loop = self._loop
        finished = loop.row_reductions(slot - 1) if slot else []
        values = loop.row_values(slot)
        loads = [v for v in values if v.op == "load"]
        lines = [f"Load({self._text[id(v)]}, {self._address(v.tensors[0], True)}, 1);" for v in loads]
        if loads:
            lines.append(BARRIER)
        for value in values:
            if value.op != "load":
                lines += self._compute(value, "1")
        known = [*finished, *values]
        of_section = ids(known)
        stores = [(v, memory) for v, memory in self._lowered.stores if id(v) in of_section]
        read = [v for v in known if any(not loop.is_row(user) for user in loop.users(v))]
        if stores or read:
            lines.append(BARRIER)
        lines += [f"Store({self._address(memory, True)}, {self._text[id(v)]}, 1);" for v, memory in stores]
        for value in read:
            name = self._read[id(value)] = self.names.new(f"{self._text[id(value)]}_value")
            lines.append(f"const {type_of(value.dtype)} {name} = {self._text[id(value)]}.GetValue(0);")
        if stores and slot == loop.passes:
            lines.append(BARRIER)
        return lines

    def _pass(self, slot: int, by_tiles: bool) -> list[str]:
        loop = self._loop
        again = loop.again(slot)
        of_pass = ids((*loop.pass_values(slot), *loop.row_reductions(slot)))
        own = [v for v in loop.values if id(v) in of_pass]
        if not own:
            return []
        stores = [(v, memory) for v, memory in self._lowered.stores if id(v) in of_pass and not loop.is_row(v)]
        groups = [[v for v in vs if (v.op == "load") is load] for load in (True, False) for vs in (again, own)]
        order = [v for group in groups for v in group]
        kept, stored = ids(self._kept), ids(v for v, _ in stores)
        numbers = allocate(
            order,
            lambda v: not (id(v) in kept or is_reduction(v)),
            lambda v: id(v) in stored,
        )
        for value in order:
            if id(value) in numbers:
                self._text[id(value)] = self._buffer(value.dtype, numbers[id(value)])
        again_loads, loads, again_others, others = groups
        lines = []
        if again_loads:
            lines += [f"if (!{self._whole()}) {{", *map(self._load, again_loads), "}"]
        lines += map(self._load, loads)
        if again_loads or loads:
            lines.append(BARRIER)
        if again_others:
            redone = [line for v in again_others for line in self._compute(v, self._n)]
            lines += [f"if (!{self._whole()}) {{", *redone, "}"]
        for value in others:
            lines += self._reduce(value) if is_reduction(value) else self._compute(value, self._n)
        lines.append(BARRIER)
        if stores:
            lines += [f"Store({self._address(m, False)}, {self._text[id(v)]}, {self._n});" for v, m in stores]
            lines.append(BARRIER)
        if by_tiles:
            return lines
        columns = extent(loop.axes[-1], self._sizes)
        empty = []
        for value in loop.row_reductions(slot):
            text, type_ = self._text[id(value)], type_of(value.dtype)
            start = {"sum": "0", "max": "-HUGE_VAL", "min": "HUGE_VAL"}[value.op.removeprefix("reduce_")]
            empty.append(f"if ({columns} == 0) AscendC::Duplicate({text}, static_cast<{type_}>({start}), 1);")
        return [
            *empty,
            f"for (int64_t {self._at} = 0; {self._at} < {columns}; {self._at} += {self._tile}) {{",
            self._count(columns),
            *lines,
            "}",
        ]

    def _count(self, columns: str) -> str:
        left = f"{columns} - {self._at}"
        return f"const uint32_t {self._n} = static_cast<uint32_t>({left} < {self._tile} ? {left} : {self._tile});"

    def _load(self, value: Value) -> str:
        return f"Load({self._text[id(value)]}, {self._address(value.tensors[0], False)}, {self._n});"

    # --- operations ---

    def _operand(self, operand: Value | Scalar, dtype: DType, row: bool) -> Operand:
        if isinstance(operand, Scalar):
            return Operand(self._constant(operand, dtype), scalar=True)
        if self._loop.is_row(operand) and not row:
            return Operand(self._read[id(operand)], scalar=True)
        return Operand(self._text[id(operand)], scalar=False)

    def _compute(self, value: Value, n: str) -> list[str]:
        row = self._loop.is_row(value)
        dtype = value.tensors[0].dtype
        target = self._text[id(value)]
        if value.op == "where":
            condition, *rest = value.args
            operands = [self._operand(condition, BOOL, row), *(self._operand(o, value.dtype, row) for o in rest)]
        else:
            operands = [self._operand(o, dtype, row) for o in value.args]
        if value.op in COMPARISON or value.op == "truth":
            self._compared |= {o.text for o in operands if not o.scalar}
        return self._vector.lines(value, target, operands, n)

    def _reduce(self, value: Value) -> list[str]:
        kind = value.op.removeprefix("reduce_")
        source, target = self._text[id(value.tensors[0])], self._text[id(value)]
        part = self._row_part(value.dtype)
        work = self._buffer(value.dtype, -2)
        name, combine = {"sum": ("ReduceSum", "Add"), "max": ("ReduceMax", "Max"), "min": ("ReduceMin", "Min")}[kind]
        call = f"AscendC::{name}({{}}, {source}, {work}, static_cast<int32_t>({self._n}));"
        return [
            f"if ({self._at} == 0) {{",
            call.format(target),
            "} else {",
            call.format(part),
            f"AscendC::{combine}({target}, {target}, {part}, 1);",
            "}",
        ]

    def _row_part(self, dtype: DType) -> str:
        key = f"part of {dtype}"
        if key not in self._constants:
            name = self.names.new("part")
            self._constants[key] = (name, "")
            self._rows.append((name, dtype))
        return self._constants[key][0]

    def _constant(self, scalar: Scalar, dtype: DType) -> str:
        value = self._scalars.kernel_text(scalar, dtype)
        key = (value, dtype.name)
        if key not in self._constants:
            self._constants[key] = (self.names.new(scalar.name or "c"), value)
        return self._constants[key][0]

    def _spare(self, dtype: DType) -> str:
        return self._buffer(dtype, -1)

    def _buffer(self, dtype: DType, number: int) -> str:
        key = (dtype.name, number)
        if key not in self._buffers:
            wish = {-1: "copies", -2: "work"}.get(number, "mask" if dtype is BOOL else "tile")
            self._buffers[key] = self.names.new(wish)
        return self._buffers[key]

    def _whole(self) -> str:
        if not self._whole_name:
            self._whole_name = self.names.new("whole")
        return self._whole_name

    # --- declarations ---

    def _declarations(self, tensors: Sequence[Value], parameters: Sequence[str]) -> tuple[list[str], int]:
        """Sizes, tensors and buffers, and the length of a tile."""
        loop = self._loop
        # Conditions are bits; the work space of a reduction holds a result for each repeat, and more.
        small = {text for (name, number), text in self._buffers.items() if name == BOOL.name or number == -2}
        small |= {text for text, dtype in self._keeps if dtype is BOOL}
        tiles = [(text, DTYPES[name]) for (name, _), text in self._buffers.items()] + self._keeps
        bits = sum((1 if text in small else 8) * dtype.bytes for text, dtype in tiles)
        room = UB_BYTES - BLOCK * len(self._rows)
        tile = MOST_KEPT_TILE if self._keeps else MOST_TILE
        while tile > 256 and tile * bits // 8 > room:
            tile //= 2
        if tile * bits // 8 > room:
            raise IdlErrors(
                [
                    IdlError(
                        self._source,
                        self._operator.span,
                        "target ascendc: a tile of the computation does not fit UB",
                        "split the operator",
                    )
                ]
            )
        lines, at = [f"constexpr int64_t {self._tile} = {tile};"], 0

        def buffer(name: str, dtype: DType, length: str, size: int) -> None:
            nonlocal at
            type_ = type_of(dtype)
            lines.append(f"const AscendC::LocalTensor<{type_}> {name} = ub.GetWithOffset<{type_}>({length}, {at});")
            at += (size + BLOCK - 1) // BLOCK * BLOCK

        body: list[str] = []
        for tensor, parameter in zip(tensors, parameters):
            name, type_ = self._gm[id(tensor)], type_of(tensor.dtype)
            body += [
                f"AscendC::GlobalTensor<{type_}> {name};",
                f"{name}.SetGlobalBuffer(reinterpret_cast<__gm__ {type_}*>({parameter}), {extent(tensor.shape, self._sizes)});",
            ]
        start = len(lines)
        for name, dtype in tiles:
            if name in small:
                buffer(name, dtype, f"{self._tile} / 8", tile * dtype.bytes // 8)
            else:
                buffer(name, dtype, self._tile, tile * dtype.bytes)
        for name, dtype in self._rows:
            buffer(name, dtype, str(BLOCK // dtype.bytes), BLOCK)
        body += [
            "AscendC::TPipe pipe;",
            "AscendC::TBuf<AscendC::TPosition::VECCALC> ub;",
            f"pipe.InitBuffer(ub, {max(at, BLOCK)});",
        ]
        lines[start:start] = body
        if self._whole_name:
            columns = extent(loop.axes[-1], self._sizes)
            lines.append(
                f"const bool {self._whole_name} = {columns} <= {self._tile};  // else values are computed again"
            )
        for name, text in self._constants.values():
            if text:
                lines.append(f"const auto {name} = {text};")
        types = dict(tiles)
        for name in sorted(self._compared):
            # Comparisons read whole repeats, also behind the end of a tile.
            lines.append(
                f"AscendC::Duplicate({name}, static_cast<{type_of(types[name])}>(0), static_cast<int32_t>({self._tile}));"
            )
        if self._compared:
            lines.append(BARRIER)
        return lines, tile
