"""The element types of the language."""

from __future__ import annotations

from dataclasses import dataclass

#: Largest finite values of the floating types.
_LARGEST = {"FLOAT32": (2 - 2**-23) * 2.0**127, "FLOAT16": 65504.0, "BFLOAT16": (2 - 2**-7) * 2.0**127}


@dataclass(frozen=True)
class DType:
    """An element type; `name` is the language's word for it."""

    name: str
    kind: str  #: "float", "int", "uint" or "bool"
    bytes: int
    cpp: str  #: with the types of pto/insn.hpp

    @property
    def floating(self) -> bool:
        """FLOAT32, FLOAT16 or BFLOAT16."""
        return self.kind == "float"

    @property
    def integer(self) -> bool:
        """Signed or unsigned."""
        return self.kind in ("int", "uint")

    @property
    def range(self) -> tuple[int, int] | None:
        """Smallest and largest value of an integer type."""
        bits = 8 * self.bytes
        return {"int": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1), "uint": (0, 2**bits - 1)}.get(self.kind)

    @property
    def largest(self) -> float:
        """The largest finite value of a floating type."""
        return _LARGEST[self.name]

    def __str__(self) -> str:
        return self.name


FLOAT32 = DType("FLOAT32", "float", 4, "float")
FLOAT16 = DType("FLOAT16", "float", 2, "::pto::float16")
BFLOAT16 = DType("BFLOAT16", "float", 2, "::pto::bfloat16")
INT8 = DType("INT8", "int", 1, "int8_t")
INT16 = DType("INT16", "int", 2, "int16_t")
INT32 = DType("INT32", "int", 4, "int32_t")
INT64 = DType("INT64", "int", 8, "int64_t")
UINT8 = DType("UINT8", "uint", 1, "uint8_t")
UINT16 = DType("UINT16", "uint", 2, "uint16_t")
UINT32 = DType("UINT32", "uint", 4, "uint32_t")
UINT64 = DType("UINT64", "uint", 8, "uint64_t")
BOOL = DType("BOOL", "bool", 1, "bool")

DTYPES = {
    t.name: t for t in (FLOAT32, FLOAT16, BFLOAT16, INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64, BOOL)
}
#: What attributes can be: the types that Python's float and int become.
ATTRIBUTE_DTYPES = {t.name: t for t in (FLOAT32, INT32, INT64)}

FLOATS = frozenset({FLOAT32, FLOAT16, BFLOAT16})
SIGNED = frozenset({INT8, INT16, INT32, INT64})
UNSIGNED = frozenset({UINT8, UINT16, UINT32, UINT64})
NUMBERS = FLOATS | SIGNED | UNSIGNED
ALL = NUMBERS | {BOOL}
