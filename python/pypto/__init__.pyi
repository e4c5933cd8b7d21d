"""PTO instructions from Python; see docs/pypto.md and docs/pto_instructions.md."""

import os
from collections.abc import Sequence
from enum import Enum
from typing import Any, SupportsFloat, SupportsIndex, TypeAlias

import numpy as np
import numpy.typing as npt
from typing_extensions import CapsuleType

__version__: str

class DType(Enum):
    """An element type. str() is its name, "float32"."""

    bool = 0
    int8 = 1
    uint8 = 2
    int16 = 3
    uint16 = 4
    int32 = 5
    uint32 = 6
    int64 = 7
    uint64 = 8
    float16 = 9
    bfloat16 = 10
    float32 = 11
    @property
    def itemsize(self) -> int: ...

float32: DType
float16: DType
bfloat16: DType
int8: DType
int16: DType
int32: DType
int64: DType
uint8: DType
uint16: DType
uint32: DType
uint64: DType
bool_: DType

class Direction(Enum):
    """Whether an operand is read, written, or both."""

    IN = 0
    OUT = 1
    INOUT = 2

_Type: TypeAlias = DType | str | npt.DTypeLike
_Device: TypeAlias = int | str

class Tensor:
    """Contiguous memory on a device. Made from numbers, nested lists, an array or another Tensor, always as a copy.

    dtype: without it an array keeps its type, lists of floats become float32, of integers int64. float64 has no
    counterpart: give a dtype to convert. device: 0, "npu" or "npu:0"; without it the thread's (set_device).
    """

    def __init__(self, data: Any, dtype: _Type | None = None, device: _Device | None = None) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def ndim(self) -> int: ...
    @property
    def size(self) -> int:
        """How many elements it has."""
    @property
    def dtype(self) -> DType: ...
    @property
    def device(self) -> str:
        """"npu:0"."""
    def numpy(self) -> np.ndarray:
        """A copy in host memory. bfloat16 becomes ml_dtypes.bfloat16 where that is installed, otherwise float32, which
        holds the same values."""
    def to(self, device: _Device) -> Tensor:
        """A copy on a device."""
    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> np.ndarray: ...
    def __dlpack__(self, **options: Any) -> CapsuleType:
        """The memory itself, without a copy: np.from_dlpack(t), torch.from_dlpack(t)."""
    def __dlpack_device__(self) -> tuple[int, int]: ...
    def __len__(self) -> int: ...

class OperandInfo:
    """What an instruction says of one operand."""

    @property
    def name(self) -> str: ...
    @property
    def direction(self) -> Direction: ...
    @property
    def dtypes(self) -> tuple[DType, ...]: ...
    @property
    def dtype_symbol(self) -> str:
        """Operands with the same symbol have the same element type; "" has no partner."""
    @property
    def rank(self) -> int | None:
        """None where any rank is taken."""
    @property
    def shape(self) -> str:
        """ "[M, K]", "[...]" (any, but the same), "[*]" (any), "[..., N]"."""

class InsnId(int):
    """An instruction's number, which prints in hexadecimal: 0x1001."""

class Insn:
    """A handle on an instruction and what is bound to it; for one thread at a time."""

    def __init__(self, name: str) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def insn_id(self) -> InsnId: ...
    @property
    def summary(self) -> str: ...
    @property
    def num_operands(self) -> int: ...
    @property
    def operands(self) -> tuple[OperandInfo, ...]: ...
    @property
    def attributes(self) -> dict[str, str | list[str]]:
        """Name to kind ("int", "float", "bool", "scalar") or, for a choice, its words."""
    def set_operand(self, index: int, data: Any) -> None:
        """Binds a Tensor, a numpy array or anything with DLPack in host memory. The binding stays until another one.

        The memory of an array is used as it is when it has no gaps; otherwise it is copied before and after each
        execution. Raises DTypeError, ShapeError (rank), ReadOnlyError (an output), NotFoundError (index).
        """
    def set_attr(self, name: str, value: SupportsIndex | SupportsFloat | str) -> None:
        """Sets an attribute: a number, or one of a choice's words."""
    def execute(self) -> None:
        """Runs the instruction; outputs are written when it returns, also into numpy arrays.

        Raises UnsetError, DTypeError, ShapeError, DeviceError, OverlapError; ExecutionError when the instruction refuses
        its operands' values. Other threads run meanwhile, except when it takes a few microseconds only.
        """
    def __call__(self, *operands: Any, **attributes: Any) -> Any:
        """Sets operands and attributes, executes, returns the output (a tuple of several).

        Without the outputs, which come last, new Tensors take their place where the inputs say how large they are.
        """

def init() -> None:
    """Makes instructions loadable. Calling it again does nothing."""

def finalize() -> None:
    """Undoes init(). Handles and tensors stay valid."""

def is_initialized() -> bool: ...
def get_device_count() -> int:
    """How many devices there are: TOPROPE_DEVICES, 1 when unset."""

def set_device(device: int) -> None:
    """The device on which the calling thread makes tensors."""

def get_device() -> int: ...
def list_insns() -> list[str]:
    """Names of all instructions, custom ones last."""

def load_insn(name: str) -> Insn:
    """A new handle on an instruction. Raises NotInitializedError before init(), NotFoundError with the nearest names."""

def load_custom_insn(path: str | os.PathLike[str]) -> int:
    """Registers a library's instructions, before init() or after; returns how many. Raises LibraryError."""

def zeros(shape: int | Sequence[int], dtype: _Type | None = None, device: _Device | None = None) -> Tensor:
    """A tensor of zeros, float32 without a dtype."""

def empty(shape: int | Sequence[int], dtype: _Type | None = None, device: _Device | None = None) -> Tensor:
    """As zeros()."""

def from_numpy(array: np.ndarray, device: _Device | None = None) -> Tensor:
    """A copy of an array on a device."""

class PtoError(RuntimeError): ...
class NotInitializedError(PtoError): ...
class NotFoundError(PtoError, LookupError): ...
class ArgumentError(PtoError, ValueError): ...
class DTypeError(PtoError, TypeError): ...
class ShapeError(PtoError, ValueError): ...
class UnsetError(PtoError, ValueError): ...
class ReadOnlyError(PtoError, ValueError): ...
class OverlapError(PtoError, ValueError): ...
class DeviceError(PtoError, ValueError): ...
class MemoryLimitError(PtoError, MemoryError): ...
class LibraryError(PtoError, ImportError): ...
class ExecutionError(PtoError): ...
