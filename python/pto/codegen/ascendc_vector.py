"""Ascend C calls for each operation on a tile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pto.idl.dtypes import DType
from pto.idl.operations import COMPARISON
from pto.idl.program import Value

_TYPES = {"FLOAT32": "float", "FLOAT16": "half", "BFLOAT16": "bfloat16_t", "BOOL": "uint8_t"}
_DIRECT = {"exp": "Exp", "log": "Ln", "sqrt": "Sqrt", "rsqrt": "Rsqrt", "reciprocal": "Reciprocal"}
_SCALAR = {"add": "Adds", "mul": "Muls", "max": "Maxs", "min": "Mins"}
_MIRRORED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


def type_of(dtype: DType) -> str:
    """The element type in a kernel; BOOL is the bytes or bits of a condition."""
    return _TYPES.get(dtype.name, dtype.cpp)


@dataclass(frozen=True)
class Operand:
    """A LocalTensor, or a number of the element type."""

    text: str
    scalar: bool


class Vector:
    """Writes the calls. `spare` gives a tile buffer of a type for copies of a number; `tile` is a tile's length."""

    def __init__(self, spare: Callable[[DType], str], tile: str):
        self._spare, self._tile = spare, tile

    def lines(self, value: Value, target: str, operands: Sequence[Operand], n: str) -> list[str]:
        """Calls that compute `n` elements of a value into `target`."""
        op, dtype = value.op, value.tensors[0].dtype
        if op in COMPARISON:
            return self._compare(op, dtype, target, operands, n)
        match op:
            case "truth":
                return self._truth(dtype, target, operands[0], n)
            case "where":
                return self._where(value.dtype, target, operands, n)
            case "cast":
                mode = f"AscendC::RoundMode::CAST_{value.round.upper()}"
                return [f"AscendC::Cast({target}, {operands[0].text}, {mode}, {n});"]
            case "add" | "sub" | "mul" | "div" | "max" | "min":
                return self._binary(op, dtype, target, operands, n)
            case "neg":
                return [self._call("Muls", target, operands[0].text, self._minus_one(dtype), n)]
            case "abs" if dtype.integer:
                spare = self._spare(dtype)
                return [
                    self._call("Muls", spare, operands[0].text, self._minus_one(dtype), n),
                    self._call("Max", target, operands[0].text, spare, n),
                ]
            case "relu" if dtype.name == "INT16":
                return [self._call("Maxs", target, operands[0].text, "static_cast<int16_t>(0)", n)]
            case "abs" | "relu":
                return [self._call(op.capitalize(), target, operands[0].text, n)]
        return [self._call(_DIRECT[op], target, operands[0].text, n)]

    @staticmethod
    def _call(name: str, *arguments: str) -> str:
        return f"AscendC::{name}({', '.join(arguments)});"

    @staticmethod
    def _minus_one(dtype: DType) -> str:
        return f"static_cast<{type_of(dtype)}>(-1)"

    def _copies(self, operand: Operand, dtype: DType, n: str) -> tuple[list[str], str]:
        spare = self._spare(dtype)
        return [self._call("Duplicate", spare, operand.text, n)], spare

    def _binary(self, op: str, dtype: DType, target: str, operands: Sequence[Operand], n: str) -> list[str]:
        a, b = operands
        type_ = type_of(dtype)
        if not a.scalar and not b.scalar:
            return [self._call(op.capitalize(), target, a.text, b.text, n)]
        if op == "div":
            # Multiplying by the reciprocal would round twice.
            lines, copies = self._copies(a if a.scalar else b, dtype, n)
            pair = (copies, b.text) if a.scalar else (a.text, copies)
            return [*lines, self._call("Div", target, *pair, n)]
        if op == "sub":
            if b.scalar:
                return [self._call("Adds", target, a.text, f"static_cast<{type_}>(-{b.text})", n)]
            return [
                self._call("Muls", target, b.text, self._minus_one(dtype), n),
                self._call("Adds", target, target, a.text, n),
            ]
        tensor, number = (b, a) if a.scalar else (a, b)
        return [self._call(_SCALAR[op], target, tensor.text, number.text, n)]

    def _compare(self, op: str, dtype: DType, target: str, operands: Sequence[Operand], n: str) -> list[str]:
        # Compare works on whole repeats of 256 bytes.
        a, b = operands
        if a.scalar:
            a, b, op = b, a, _MIRRORED[op]
        if op == "ne" and dtype.integer:
            # int32_t has EQ only.
            return self._inverse_of_equal(dtype, target, (a, b), n)
        mode = f"AscendC::CMPMODE::{op.upper()}"
        count = f"Whole<{type_of(dtype)}>({n})"
        return [self._call("Compares" if b.scalar else "Compare", target, a.text, b.text, mode, count)]

    def _truth(self, dtype: DType, target: str, operand: Operand, n: str) -> list[str]:
        # Not NE: NaN is not 0, but a comparison with it is false.
        zero = Operand(f"static_cast<{type_of(dtype)}>(0)", scalar=True)
        return self._inverse_of_equal(dtype, target, (operand, zero), n)

    def _inverse_of_equal(self, dtype: DType, target: str, operands: Sequence[Operand], n: str) -> list[str]:
        bits = f"{target}.ReinterpretCast<uint16_t>()"
        count = f"static_cast<int32_t>(Whole<{type_of(dtype)}>({n}) / 16)"
        return [*self._compare("eq", dtype, target, operands, n), self._call("Not", bits, bits, count)]

    def _where(self, dtype: DType, target: str, operands: Sequence[Operand], n: str) -> list[str]:
        condition, a, b = operands
        lines: list[str] = []
        native = dtype.name in ("FLOAT32", "FLOAT16")
        if a.scalar:
            made, copies = self._copies(a, dtype, n)
            lines += made
            a = Operand(copies, scalar=False)
        if b.scalar and not native:
            # The spare is taken when both are numbers, and then the target holds nothing yet; else it is free.
            place = target if a.text == self._spare(dtype) else self._spare(dtype)
            lines.append(self._call("Duplicate", place, b.text, n))
            b = Operand(place, scalar=False)

        def text(operand: str) -> str:
            # Select moves bits; it is documented for half and float.
            return operand if native else f"{operand}.ReinterpretCast<{'float' if dtype.bytes == 4 else 'half'}>()"

        mode = "AscendC::SELMODE::VSEL_TENSOR_" + ("SCALAR_MODE" if b.scalar else "TENSOR_MODE")
        second = b.text if b.scalar else text(b.text)
        lines.append(self._call("Select", text(target), condition.text, text(a.text), second, mode, n))
        return lines
