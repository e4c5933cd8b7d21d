"""Reductions, expansions and matrix products, in the order of additions that is documented, against numpy."""

from __future__ import annotations

import numpy as np
import pypto
import pytest
from arrays import FLOATS, BFloat16, assert_same, in_type, sample, tensor, values_of

SHAPES = ((1, 1), (3, 5), (2, 64), (4, 65), (1, 128), (3, 127), (2, 1000), (5, 2100), (17, 3))


def types_of(name: str, operand: int = 0) -> list[str]:
    pypto.init()
    return [str(t) for t in pypto.load_insn(name).operands[operand].dtypes]


def rounded(values, dtype):
    return BFloat16.round(np.asarray(values, np.float64)) if dtype == "bfloat16" else np.asarray(values).astype(dtype)


def tree(values: np.ndarray, dtype: str) -> np.ndarray:
    """Sums of neighbours, and again, until one is left; each rounded."""
    while values.shape[-1] > 1:
        values = rounded(values[..., ::2].astype(np.float64) + values[..., 1::2], dtype)
    return values[..., 0]


def row_sums(a: np.ndarray, dtype: str) -> np.ndarray:
    """A tree over each 256 bytes (what is missing counts as -0), whose results are added in order."""
    width = 128 if dtype == "float16" else 64
    padded = np.full((a.shape[0], -(-a.shape[1] // width) * width), -0.0, a.dtype)
    padded[:, : a.shape[1]] = a
    parts = tree(padded.reshape(a.shape[0], -1, width), dtype)
    total = parts[:, 0]
    for k in range(1, parts.shape[1]):
        total = rounded(total.astype(np.float64) + parts[:, k], dtype)
    return total


def in_order(a: np.ndarray, dtype: str, f) -> np.ndarray:
    """Rows joined one after the other, each step rounded."""
    total = a[0]
    for row in a[1:]:
        total = rounded(f(total.astype(np.float64), row.astype(np.float64)), dtype)
    return total


def wrapped(a: np.ndarray, axis: int, f) -> np.ndarray:
    with np.errstate(all="ignore"):
        return f.reduce(a, axis=axis, dtype=a.dtype)


def usual(rng, dtype, shape, span=8.0):
    """No NaN and no infinity: sums stay comparable."""
    n = shape[0] * shape[1]
    if dtype in FLOATS:
        return in_type(rng.uniform(-span, span, n), dtype).reshape(shape)
    return sample(rng, dtype, n).reshape(shape)


@pytest.mark.parametrize("dtype", types_of("rowsum"))
@pytest.mark.parametrize("shape", SHAPES)
def test_rowsum(shape, dtype):
    a = usual(np.random.default_rng(1), dtype, shape)
    out = pypto.zeros((shape[0], 1), dtype)
    pypto.load_insn("rowsum")(tensor(a, dtype), out)
    wanted = row_sums(a, dtype) if dtype in FLOATS else wrapped(a, 1, np.add)
    assert_same(values_of(out), wanted.reshape(-1, 1), f"rowsum {dtype} {shape}")


@pytest.mark.parametrize("dtype", types_of("colsum"))
@pytest.mark.parametrize("shape", SHAPES)
def test_colsum(shape, dtype):
    a = usual(np.random.default_rng(2), dtype, shape)
    out = pypto.zeros((1, shape[1]), dtype)
    pypto.load_insn("colsum")(tensor(a, dtype), out)
    if shape[1] == 1 and dtype in ("float32", "float16"):
        return  # one column is consecutive memory: the order is a row's
    wanted = in_order(a, dtype, np.add) if dtype in FLOATS else wrapped(a, 0, np.add)
    assert_same(values_of(out)[0], wanted, f"colsum {dtype} {shape}")


@pytest.mark.parametrize("dtype", types_of("rowprod"))
@pytest.mark.parametrize("shape", SHAPES)
def test_rowprod(shape, dtype):
    a = usual(np.random.default_rng(3), dtype, shape, 1.4)
    out = pypto.zeros((shape[0], 1), dtype)
    pypto.load_insn("rowprod")(tensor(a, dtype), out)
    if dtype in FLOATS:
        lanes = 8 if dtype == "float32" else 16
        padded = np.ones((shape[0], -(-shape[1] // lanes) * lanes), a.dtype)
        padded[:, : shape[1]] = a
        blocks = in_order(padded.reshape(shape[0], -1, lanes).transpose(1, 0, 2), dtype, np.multiply)
        wanted = in_order(blocks.T, dtype, np.multiply)
    else:
        wanted = wrapped(a, 1, np.multiply)
    assert_same(values_of(out)[:, 0], wanted, f"rowprod {dtype} {shape}")


@pytest.mark.parametrize("dtype", types_of("colprod"))
def test_colprod(dtype):
    for shape in SHAPES[1:]:
        a = usual(np.random.default_rng(4), dtype, shape, 1.4)
        out = pypto.zeros((1, shape[1]), dtype)
        pypto.load_insn("colprod")(tensor(a, dtype), out)
        wanted = in_order(a, dtype, np.multiply) if dtype in FLOATS else wrapped(a, 0, np.multiply)
        assert_same(values_of(out)[0], wanted, f"colprod {dtype} {shape}")


@pytest.mark.parametrize(
    ("name", "dtype"), [(n, t) for n in ("rowmax", "rowmin", "colmax", "colmin") for t in types_of(n)]
)
def test_extremes(name, dtype):
    axis = 1 if name.startswith("row") else 0
    f = np.max if name.endswith("max") else np.min
    rng = np.random.default_rng(5)
    for shape in SHAPES:
        a = usual(rng, dtype, shape)
        if dtype in FLOATS and a.size > 50:
            a.flat[7], a.flat[11], a.flat[33] = np.inf, np.nan, -np.inf
        out = pypto.zeros((shape[0], 1) if axis else (1, shape[1]), dtype)
        pypto.load_insn(name)(tensor(a, dtype), out)
        assert_same(values_of(out).ravel(), f(a, axis=axis), f"{name} {dtype} {shape}")


@pytest.mark.parametrize(
    ("name", "dtype"), [(p + n, t) for p in ("row", "col") for n in ("argmax", "argmin") for t in types_of(p + n)]
)
def test_places(name, dtype):
    axis = 1 if name.startswith("row") else 0
    f = np.argmax if name.endswith("max") else np.argmin
    rng = np.random.default_rng(6)
    for shape in SHAPES:
        a = usual(rng, dtype, shape)
        a.flat[-1] = a.flat[0]
        if dtype in FLOATS and a.size > 50:
            a.flat[11] = np.nan
        for index in ("int32", "uint32"):
            out = pypto.zeros((shape[0], 1) if axis else (1, shape[1]), index)
            pypto.load_insn(name)(tensor(a, dtype), out)
            assert_same(values_of(out).ravel(), f(a, axis=axis).astype(index), f"{name} {dtype} {shape}")


def test_reductions_of_nothing():
    for name, value in (("rowsum", 0), ("rowprod", 1), ("rowmax", -np.inf), ("rowmin", np.inf)):
        out = pypto.Tensor(np.full((3, 1), 7, np.float32))
        pypto.load_insn(name)(np.zeros((3, 0), np.float32), out)
        assert (out.numpy() == value).all(), name
    out = pypto.zeros((1, 0))
    pypto.load_insn("colsum")(np.zeros((4, 0), np.float32), out)
    with pytest.raises(pypto.ExecutionError, match="nothing"):
        pypto.load_insn("rowargmax")(np.zeros((3, 0), np.float32), np.zeros((3, 1), np.int32))


def test_leading_sizes():
    a = np.random.default_rng(7).random((2, 3, 4, 65)).astype(np.float32)
    out = pypto.zeros((2, 3, 4, 1))
    pypto.load_insn("rowmax")(a, out)
    assert_same(out.numpy()[..., 0], a.max(-1), "rowmax of rank 4")


EXPANSIONS = {
    "div": lambda a, b: a / b, "mul": lambda a, b: a * b, "sub": lambda a, b: a - b, "add": lambda a, b: a + b,
    "max": np.maximum, "min": np.minimum, "expdif": lambda a, b: np.exp(a - b),
}  # fmt: skip


@pytest.mark.parametrize("op", EXPANSIONS)
@pytest.mark.parametrize("side", ["row", "col"])
def test_expansions(side, op):
    name, rng = f"{side}expand{op}", np.random.default_rng(8)
    for dtype in types_of(name):
        for shape in ((1, 1), (3, 17), (5, 130)):
            a = usual(rng, dtype, shape)
            b = usual(rng, dtype, (shape[0], 1) if side == "row" else (1, shape[1]))
            out = pypto.zeros(shape, dtype)
            pypto.load_insn(name)(tensor(a, dtype), tensor(b, dtype), out)
            with np.errstate(all="ignore"):
                if dtype not in FLOATS:
                    wanted = EXPANSIONS[op](a, b)
                elif op == "expdif":  # the difference is rounded first
                    wanted = np.exp((a - b).astype(np.float64)).astype(dtype)
                else:
                    wanted = EXPANSIONS[op](a.astype(np.float64), b.astype(np.float64)).astype(dtype)
            assert_same(values_of(out), wanted, f"{name} {dtype} {shape}", 1 if op == "expdif" else 0)


def test_expand():
    for dtype in types_of("rowexpand"):
        a = usual(np.random.default_rng(9), dtype, (3, 4)) if dtype != "bool" else np.eye(3, 4, dtype=bool)
        out = pypto.zeros((3, 7), dtype)
        pypto.load_insn("rowexpand")(tensor(a, dtype), out)
        assert_same(values_of(out), np.repeat(a[:, :1], 7, 1), f"rowexpand {dtype}")
        out = pypto.zeros((5, 4), dtype)
        pypto.load_insn("colexpand")(tensor(a, dtype), out)
        assert_same(values_of(out), np.repeat(a[:1], 5, 0), f"colexpand {dtype}")
    with pytest.raises(pypto.ShapeError, match="no first element"):
        pypto.load_insn("rowexpand")(np.zeros((3, 0), np.float32), np.zeros((3, 2), np.float32))


PRODUCTS = (
    (1, 1, 1),
    (3, 2, 3),
    (7, 5, 9),
    (8, 48, 48),
    (13, 129, 50),
    (12, 256, 97),
    (100, 300, 70),
    (4, 0, 5),
    (0, 3, 2),
)


def product(a, b, start):
    """Products added one after the other, each addition rounded to float32 once (the product is exact in float64)."""
    total = start.astype(np.float32)
    for k in range(a.shape[1]):
        exact = a[:, k : k + 1].astype(np.float64) * b[k : k + 1].astype(np.float64)
        # float64 holds the product of two float32; the sum may need more bits, which an odd last bit stands for.
        wide = exact + total
        error = (exact - (wide - (wide - exact))) + (total - (wide - exact))
        bits = wide.view(np.int64)
        odd = (error != 0) & (bits & 1 == 0) & np.isfinite(wide)
        bits = np.where(odd, bits + np.where((error > 0) == (wide > 0), 1, -1), bits)
        total = bits.view(np.float64).astype(np.float32)
    return total


def assert_product(got, a, b, start, dtype, out_type, what):
    """Equal bits; where halves may be added in the processor's order, as near as sums in any order are."""
    (m, k), n = a.shape, b.shape[1]
    if dtype != "float16" or min(m, k, n) < 16:
        return assert_same(got, rounded(product(a, b, start), out_type), what)
    a, b, start = (np.asarray(x, np.float64) for x in (a, b, start))
    exact = a @ b + start
    bound = (k + 1) * 2.0**-23 * (np.abs(a) @ np.abs(b) + np.abs(start))
    if out_type == "float16":
        bound += np.spacing(np.abs(exact).astype(np.float16)).astype(np.float64) / 2
    assert (np.abs(got.astype(np.float64) - exact) <= bound).all(), what


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("shape", PRODUCTS)
def test_matmul(shape, dtype):
    m, k, n = shape
    rng = np.random.default_rng(10)
    a, b = usual(rng, dtype, (m, k)), usual(rng, dtype, (k, n))
    for out_type in {"float32", dtype}:
        what = f"{shape} {dtype} to {out_type}"
        out = pypto.zeros((m, n), out_type)
        pypto.load_insn("matmul")(tensor(a, dtype), tensor(b, dtype), out)
        assert_product(values_of(out), a, b, np.zeros((m, n)), dtype, out_type, f"matmul {what}")
        bias, acc = usual(rng, out_type, (1, n)), usual(rng, out_type, (m, n))
        pypto.load_insn("matmul_bias")(tensor(a, dtype), tensor(b, dtype), tensor(bias, out_type), out)
        assert_product(values_of(out), a, b, np.repeat(bias, m, 0), dtype, out_type, f"matmul_bias {what}")
        pypto.load_insn("matmul_acc")(tensor(acc, out_type), tensor(a, dtype), tensor(b, dtype), out)
        assert_product(values_of(out), a, b, acc, dtype, out_type, f"matmul_acc {what}")


@pytest.mark.parametrize("shape", PRODUCTS)
def test_matmul_of_int8(shape):
    m, k, n = shape
    rng = np.random.default_rng(11)
    a, b = rng.integers(-128, 128, (m, k)).astype(np.int8), rng.integers(-128, 128, (k, n)).astype(np.int8)
    out = pypto.zeros((m, n), "int32")
    pypto.load_insn("matmul")(a, b, out)
    assert_same(out.numpy(), a.astype(np.int32) @ b.astype(np.int32), f"matmul {shape} int8")


def test_matmul_special_values():
    a = np.array([[np.inf, 1], [np.nan, 0], [-0.0, 0]], np.float32)
    b = np.array([[1, 0, -1], [2, 3, np.inf]], np.float32)
    out = pypto.zeros((3, 3))
    with np.errstate(all="ignore"):
        wanted = product(a, b, np.zeros((3, 3)))
    pypto.load_insn("matmul")(a, b, out)
    assert_same(out.numpy(), wanted, "matmul with inf and nan")


def test_gemv():
    rng = np.random.default_rng(12)
    a, b, acc = (rng.random(s).astype(np.float32) for s in ((1, 70), (70, 33), (1, 33)))
    out = pypto.zeros((1, 33))
    pypto.load_insn("gemv")(a, b, out)
    assert_same(out.numpy(), product(a, b, np.zeros((1, 33))), "gemv")
    pypto.load_insn("gemv_acc")(acc, a, b, out)
    assert_same(out.numpy(), product(a, b, acc), "gemv_acc")
    pypto.load_insn("gemv_bias")(a, b, acc, out)
    assert_same(out.numpy(), product(a, b, acc), "gemv_bias")


def test_matmul_refuses_other_types():
    a = np.zeros((2, 2), np.float16)
    with pytest.raises(pypto.DTypeError, match="float16 operands give float32 or float16, not bfloat16"):
        pypto.load_insn("matmul")(a, a, pypto.zeros((2, 2), "bfloat16"))
