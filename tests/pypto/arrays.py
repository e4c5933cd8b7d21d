"""What the tests of pypto share: arrays of every element type with the values that hurt, and bfloat16 in numpy."""

from __future__ import annotations

import numpy as np
import pypto

#: Sizes around every vector width, and none.
SIZES = (0, 1, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 127, 130, 1000, 1024, 1025)

FLOATS = ("float32", "float16", "bfloat16")


class BFloat16:
    """bfloat16 without a numpy type for it: float32 arrays that hold bfloat16 values."""

    @staticmethod
    def round(values: np.ndarray) -> np.ndarray:
        """float64 or float32 to the nearest bfloat16, ties to even, as float32. From float64 through an odd float32."""
        wide = np.asarray(values, np.float64)
        with np.errstate(all="ignore"):
            narrow = wide.astype(np.float32)
        bits = np.atleast_1d(narrow).view(np.uint32).copy()
        inexact = (np.atleast_1d(narrow).astype(np.float64) != np.atleast_1d(wide)) & np.isfinite(np.atleast_1d(narrow))
        outward = np.abs(np.atleast_1d(narrow).astype(np.float64)) > np.abs(np.atleast_1d(wide))
        bits = np.where(inexact & outward, bits - 1, bits)
        bits = np.where(inexact, bits | 1, bits)
        nan = (bits & 0x7FFFFFFF) > 0x7F800000
        rounded = ((bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16).astype(np.uint32)
        return np.where(nan, np.uint32(0x7FC00000), rounded).view(np.float32).reshape(wide.shape)


def special(dtype: str) -> np.ndarray:
    """The values where arithmetic goes wrong."""
    if dtype in FLOATS:
        tiny = {"float32": 1e-45, "float16": 6e-8, "bfloat16": 1e-40}[dtype]
        least = {"float32": 2.0**-126, "float16": 2.0**-14, "bfloat16": 2.0**-126}[dtype]
        most = {"float32": 3.4028235e38, "float16": 65504.0, "bfloat16": 3.3895314e38}[dtype]
        values = [
            0.0,
            -0.0,
            tiny,
            -tiny,
            least,
            -least,
            most,
            -most,
            np.inf,
            -np.inf,
            np.nan,
            1.0,
            -1.0,
            0.5,
            -2.5,
            3.0,
        ]
    else:
        info = np.iinfo(dtype)
        values = sorted(
            {info.min, info.max, 0, 1, 2, 3, info.max - 1, info.min + 1} | ({-1, -2} if info.min else set())
        )
    return in_type(np.array(values, np.float64 if dtype in FLOATS else object), dtype)


def in_type(values: np.ndarray, dtype: str) -> np.ndarray:
    """Values as a numpy array that stands for the element type (bfloat16: float32)."""
    if dtype == "bfloat16":
        return BFloat16.round(values.astype(np.float64))
    with np.errstate(all="ignore"):
        return values.astype(dtype)


def sample(rng: np.random.Generator, dtype: str, n: int, span: float = 8.0) -> np.ndarray:
    """n values: usual ones, and every special one as far as there is room."""
    if dtype in FLOATS:
        values = in_type(rng.uniform(-span, span, n), dtype)
    elif dtype == "bool":
        return rng.integers(0, 2, n).astype(bool)
    else:
        info = np.iinfo(dtype)
        wide = rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)
        small = rng.integers(max(info.min, -9), 9, n).astype(dtype)
        values = np.where(rng.random(n) < 0.5, wide, small)
    if n > 40:
        extra = special(dtype)
        places = rng.choice(n, len(extra), replace=False)
        values[places] = extra
    return values


def tensor(values: np.ndarray, dtype: str) -> pypto.Tensor:
    """A device tensor of the element type."""
    return pypto.Tensor(np.ascontiguousarray(values), dtype=dtype)


def values_of(t: pypto.Tensor) -> np.ndarray:
    """A tensor's values; those of bfloat16 as float32."""
    array = t.numpy()
    return array.astype(np.float32) if str(t.dtype) == "bfloat16" else array


def assert_same(got: np.ndarray, wanted: np.ndarray, what: str, ulp: float = 0, dtype: str | None = None) -> None:
    """Equal bits (any NaN equals any NaN), or at most `ulp` spacings of the element type apart."""
    assert got.shape == wanted.shape, f"{what}: shape {got.shape}, expected {wanted.shape}"
    if got.dtype.kind != "f":
        wrong = got != wanted
    else:
        with np.errstate(all="ignore"):
            same = (got == wanted) & (np.signbit(got) == np.signbit(wanted)) | (np.isnan(got) & np.isnan(wanted))
            if ulp:
                spacing = np.spacing(np.abs(wanted)).astype(np.float64)
                if dtype == "bfloat16":
                    spacing = spacing * 65536
                same |= np.abs(got.astype(np.float64) - wanted.astype(np.float64)) <= ulp * spacing
        wrong = ~same
    if wrong.any():
        at = tuple(np.argwhere(wrong)[0])
        raise AssertionError(f"{what}: {wrong.sum()} wrong, first at {at}: got {got[at]!r}, expected {wanted[at]!r}")
