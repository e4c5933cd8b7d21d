"""What pypto raises. Each class is a PtoError and the built-in exception that says the same."""

from __future__ import annotations


class PtoError(RuntimeError):
    """An instruction, a tensor or a library was refused; the text says what was expected and what came."""


class NotInitializedError(PtoError):
    """pypto.init() has not been called, or pypto.finalize() since."""


class NotFoundError(PtoError, LookupError):
    """No instruction, operand, attribute or device of that name or number."""


class ArgumentError(PtoError, ValueError):
    """A value that cannot be used."""


class DTypeError(PtoError, TypeError):
    """An element type that the operand does not take."""


class ShapeError(PtoError, ValueError):
    """A rank or shape that does not fit the other operands."""


class UnsetError(PtoError, ValueError):
    """An operand, or an attribute without default, was not set."""


class ReadOnlyError(PtoError, ValueError):
    """A read-only array as output."""


class OverlapError(PtoError, ValueError):
    """Two outputs share memory."""


class DeviceError(PtoError, ValueError):
    """Operands on different devices, or not in host memory."""


class MemoryLimitError(PtoError, MemoryError):
    """No memory for a tensor."""


class LibraryError(PtoError, ImportError):
    """A custom instruction library is missing, cannot be loaded, or is of another version."""


class ExecutionError(PtoError):
    """The instruction refused its operands' values."""


#: By the C API's pto_status.
BY_STATUS = {
    1: NotInitializedError,
    2: NotFoundError,
    3: ArgumentError,
    4: DTypeError,
    5: ShapeError,
    6: UnsetError,
    7: ReadOnlyError,
    8: OverlapError,
    9: DeviceError,
    10: MemoryLimitError,
    11: LibraryError,
    12: ExecutionError,
}
