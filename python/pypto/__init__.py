"""PTO instructions from Python: load one by name, bind arrays to its operands, execute.

    pypto.init()
    add = pypto.load_insn("add")
    add.set_operand(0, a); add.set_operand(1, b); add.set_operand(2, c)
    add.execute()

docs/pypto.md is the tour, docs/pto_instructions.md lists the instructions.
"""

from __future__ import annotations

import os
from pathlib import Path

# The native part lies with the libraries it links, in the prefix that toprope carries beside this package.
__path__.append(str(Path(__file__).resolve().parents[1] / "toprope" / "ascend" / "lib64" / "pypto"))

from pypto import _core  # noqa: E402
from pypto._core import (  # noqa: E402
    Direction,
    DType,
    Insn,
    OperandInfo,
    Tensor,
    finalize,
    from_numpy,
    get_device,
    get_device_count,
    init,
    is_initialized,
    list_insns,
    set_device,
    zeros,
)
from pypto.errors import (  # noqa: E402
    ArgumentError,
    DeviceError,
    DTypeError,
    ExecutionError,
    LibraryError,
    MemoryLimitError,
    NotFoundError,
    NotInitializedError,
    OverlapError,
    PtoError,
    ReadOnlyError,
    ShapeError,
    UnsetError,
)

__version__ = "0.1.0"

float32, float16, bfloat16 = DType.float32, DType.float16, DType.bfloat16
int8, int16, int32, int64 = DType.int8, DType.int16, DType.int32, DType.int64
uint8, uint16, uint32, uint64 = DType.uint8, DType.uint16, DType.uint32, DType.uint64
bool_ = DType.bool

#: A tensor whose values do not matter yet. Its memory is zeroed, as that of zeros().
empty = zeros


class InsnId(int):
    """An instruction's number, which prints in hexadecimal: 0x1001."""

    def __repr__(self) -> str:
        return f"{int(self):#x}"

    __str__ = __repr__


Insn.insn_id = property(lambda insn: InsnId(insn._id), doc="The instruction's number; stable from version to version.")


def load_insn(name: str) -> Insn:
    """A new handle on an instruction, its operands unset. Each thread loads its own."""
    return Insn(name)


def load_custom_insn(path: str | os.PathLike[str]) -> int:
    """Registers the instructions of a library made by pto.codegen; returns how many it has.

    Allowed before init(). Loading the same file again does nothing. Raises LibraryError when the file is missing, is no
    such library, was built for another version, or defines a name that is taken.
    """
    return _core.load_library(os.fspath(path))


def _call(insn: Insn, *operands: object, **attributes: object) -> object:
    """Sets the operands and the attributes named, executes, and returns the output (a tuple of several).

    Outputs come last. Without them new tensors take their place, where the inputs say how large they are.
    """
    for name, value in attributes.items():
        insn.set_attr(name, value)
    infos = insn.operands
    given = [index for index, info in enumerate(infos) if info.direction != Direction.OUT]
    if len(operands) == len(infos):
        given = range(len(infos))
    elif len(operands) != len(given):
        raise ArgumentError(
            f"Insn {insn.name} takes {len(infos)} operands ({', '.join(o.name for o in infos)}), or {len(given)} without "
            f"its outputs; got {len(operands)}"
        )
    for index, operand in zip(given, operands):
        insn.set_operand(index, operand)
    made = {index: insn._make_output(index) for index in range(len(infos)) if index not in given}
    insn.execute()
    whole = {**dict(zip(given, operands)), **made}
    outputs = [whole[index] for index, info in enumerate(infos) if info.direction != Direction.IN]
    return outputs[0] if len(outputs) == 1 else tuple(outputs)


Insn.__call__ = _call

__all__ = [
    "ArgumentError",
    "DType",
    "DTypeError",
    "DeviceError",
    "Direction",
    "ExecutionError",
    "Insn",
    "InsnId",
    "LibraryError",
    "MemoryLimitError",
    "NotFoundError",
    "NotInitializedError",
    "OperandInfo",
    "OverlapError",
    "PtoError",
    "ReadOnlyError",
    "ShapeError",
    "Tensor",
    "UnsetError",
    "bfloat16",
    "bool_",
    "empty",
    "finalize",
    "float16",
    "float32",
    "from_numpy",
    "get_device",
    "get_device_count",
    "init",
    "int16",
    "int32",
    "int64",
    "int8",
    "is_initialized",
    "list_insns",
    "load_custom_insn",
    "load_insn",
    "set_device",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "zeros",
]
