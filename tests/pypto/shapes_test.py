"""Instructions that move, gather, sort and quantise, against numpy."""

from __future__ import annotations

import numpy as np
import pypto
import pytest
from arrays import assert_same, sample, tensor, values_of

ALL = (
    "float32",
    "float16",
    "bfloat16",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "bool",
)


def matrix(rng, dtype, *shape):
    return sample(rng, dtype, int(np.prod(shape))).reshape(shape)


@pytest.mark.parametrize("dtype", ALL)
def test_windows(dtype):
    a = matrix(np.random.default_rng(1), dtype, 9, 13)
    out = pypto.zeros((4, 5), dtype)
    pypto.load_insn("extract")(tensor(a, dtype), out, row=3, column=7)
    assert_same(values_of(out), a[3:7, 7:12], "extract")
    small = matrix(np.random.default_rng(2), dtype, 2, 3)
    whole = tensor(a, dtype)
    pypto.load_insn("insert")(tensor(small, dtype), whole, row=7, column=10)
    wanted = a.copy()
    wanted[7:, 10:] = small
    assert_same(values_of(whole), wanted, "insert")
    padded = pypto.zeros((10, 15), dtype)
    pypto.load_insn("fillpad")(tensor(a, dtype), padded, pad=1)
    wanted = np.ones((10, 15), a.dtype)
    wanted[:9, :13] = a
    assert_same(values_of(padded), wanted, "fillpad")


def test_a_window_that_does_not_fit():
    for name, operands in (("extract", ((4, 4), (2, 2))), ("insert", ((2, 2), (4, 4)))):
        with pytest.raises(pypto.ShapeError, match=r"\[2, 2\] at row 3, column 0 does not lie within \[4, 4\]"):
            pypto.load_insn(name)(*(pypto.zeros(s) for s in operands), row=3)


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (33, 70), (0, 4), (64, 32)])
def test_whole_arrays(shape, dtype):
    rng = np.random.default_rng(3)
    a, b = matrix(rng, dtype, *shape), matrix(rng, dtype, *shape)
    x, y = tensor(a, dtype), tensor(b, dtype)
    out = pypto.zeros(shape[::-1], dtype)
    pypto.load_insn("trans")(x, out)
    assert_same(values_of(out), np.ascontiguousarray(a.T), "trans")
    out = pypto.zeros(shape, dtype)
    pypto.load_insn("mov")(x, out)
    assert_same(values_of(out), a, "mov")
    out = pypto.zeros(a.size, dtype)
    pypto.load_insn("reshape")(x, out)
    assert_same(values_of(out), a.ravel(), "reshape")
    out = pypto.zeros((shape[0], 2 * shape[1]), dtype)
    pypto.load_insn("concat")(x, y, out)
    assert_same(values_of(out), np.concatenate([a, b], 1), "concat")
    low, high = pypto.zeros(shape, dtype), pypto.zeros(shape, dtype)
    pypto.load_insn("interleave")(x, y, low, high)
    zipped = np.stack([a, b], -1).reshape(shape[0], 2 * shape[1])
    assert_same(values_of(low), zipped[:, : shape[1]], "interleave")
    assert_same(values_of(high), zipped[:, shape[1] :], "interleave")
    even, odd = pypto.zeros(shape, dtype), pypto.zeros(shape, dtype)
    pypto.load_insn("deinterleave")(low, high, even, odd)
    assert_same(values_of(even), a, "deinterleave")
    assert_same(values_of(odd), b, "deinterleave")


def test_reshape_to_another_type():
    a = np.arange(8, dtype=np.float32)
    out = pypto.zeros((4, 4), "float16")
    pypto.load_insn("reshape")(a, out)
    assert (out.numpy().view(np.float32).ravel() == a).all()
    with pytest.raises(pypto.ShapeError, match="src has 32 bytes and dst 16"):
        pypto.load_insn("reshape")(a, pypto.zeros(4))


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("n", [1, 2, 5, 64, 2051])
def test_pairreducesum(n, dtype):
    a = matrix(np.random.default_rng(4), dtype, 3, n)
    out = pypto.Tensor(np.full((3, n), 9, dtype))
    pypto.load_insn("pairreducesum")(tensor(a, dtype), out)
    padded = np.zeros((3, n + n % 2), np.float64)
    padded[:, :n] = a
    wanted = np.zeros((3, n), dtype)
    with np.errstate(all="ignore"):
        wanted[:, : (n + 1) // 2] = (padded[:, ::2] + padded[:, 1::2]).astype(dtype)
    assert_same(values_of(out), wanted, "pairreducesum")


@pytest.mark.parametrize("index", ["int16", "int32", "uint16", "uint32"])
@pytest.mark.parametrize("dtype", ALL)
def test_gather_and_scatter(dtype, index):
    rng = np.random.default_rng(5)
    a, places = matrix(rng, dtype, 6, 9), rng.integers(0, 54, (3, 7)).astype(index)
    out = pypto.zeros((3, 7), dtype)
    pypto.load_insn("gather")(tensor(a, dtype), places, out)
    assert_same(values_of(out), a.ravel()[places], "gather")
    if dtype == "bool":
        return
    rows, into = rng.integers(0, 5, (6, 9)).astype(index), matrix(rng, dtype, 5, 9)
    out = tensor(into, dtype)
    pypto.load_insn("scatter")(tensor(a, dtype), rows, out)
    wanted = into.copy()
    for i, j in np.ndindex(6, 9):
        wanted[rows[i, j], j] = a[i, j]
    assert_same(values_of(out), wanted, "scatter")


def test_an_index_that_does_not_exist():
    a, out = np.zeros((2, 3), np.float32), np.zeros((1, 2), np.float32)
    for bad in (6, -1):
        with pytest.raises(pypto.ExecutionError, match=f"index {bad} at place 1 is outside 0 to 5"):
            pypto.load_insn("gather")(a, np.array([[0, bad]], np.int32), out)
    with pytest.raises(pypto.ExecutionError, match="index 2 at place 0 is outside 0 to 1"):
        pypto.load_insn("scatter")(
            np.zeros((1, 1), np.float32), np.array([[2]], np.int32), np.zeros((2, 1), np.float32)
        )


def test_gatherb():
    a = np.arange(12, dtype=np.int16).reshape(3, 4)
    out = pypto.zeros((1, 3), "int16")
    pypto.load_insn("gatherb")(a, np.array([[0, 22, 6]], np.uint32), out)
    assert out.numpy().tolist() == [[0, 11, 3]]
    for bad in (24, 3):
        with pytest.raises(pypto.ExecutionError, match=f"offset {bad} at place 1 is not that of an element"):
            pypto.load_insn("gatherb")(a, np.array([[0, bad, 0]], np.uint32), out)


def test_rows_by_index():
    rng = np.random.default_rng(6)
    table = rng.random((5, 8)).astype(np.float32)
    index = np.array([[4, 0, 0, 7, -1]], np.int32)
    out = pypto.zeros((5, 8))
    mgather = pypto.load_insn("mgather")
    with pytest.raises(pypto.ExecutionError, match="index 7 at place 3 is outside 0 to 4"):
        mgather(table, index, out)
    for word, rows in (("clamp", [4, 0, 0, 4, 0]), ("wrap", [4, 0, 0, 2, 4])):
        mgather(table, index, out, outside=word)
        assert_same(out.numpy(), table[rows], word)
    mgather(table, index, out, outside="zero")
    assert_same(out.numpy(), np.concatenate([table[[4, 0, 0]], np.zeros((2, 8), np.float32)]), "zero")

    source = rng.random((5, 8)).astype(np.float32)
    for combine in ("none", "add", "max", "min"):
        target = pypto.Tensor(table)
        pypto.load_insn("mscatter")(source, index, target, outside="skip", combine=combine)
        wanted = table.copy()
        for row, at in zip(source, index[0]):
            if 0 <= at < 5:
                wanted[at] = {"none": lambda a, b: b, "add": np.add, "max": np.maximum, "min": np.minimum}[combine](
                    wanted[at], row
                )
        assert_same(target.numpy(), wanted, combine)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int16", "int32", "uint16", "uint32"])
def test_ci(dtype):
    for descending in (False, True):
        out = pypto.zeros((1, 70), dtype)
        pypto.load_insn("ci")(out, start=100, descending=descending)
        wanted = 100 + np.arange(70) * (-1 if descending else 1)
        assert values_of(out)[0].tolist() == wanted.tolist()


@pytest.mark.parametrize("dtype", ALL[:-1])
def test_tri(dtype):
    for shape in ((4, 4), (3, 7), (7, 3)):
        for diagonal in (-9, -2, 0, 1, 9):
            out = pypto.zeros(shape, dtype)
            pypto.load_insn("tri")(out, diagonal=diagonal, upper=False)
            assert_same(values_of(out), np.tri(*shape, diagonal).astype(values_of(out).dtype), "tri")
            pypto.load_insn("tri")(out, diagonal=diagonal, upper=True)
            assert_same(values_of(out), np.triu(np.ones(shape), diagonal).astype(values_of(out).dtype), "tri upper")


@pytest.mark.parametrize("name", ["add", "mul", "max", "min"])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int16", "int32"])
def test_part(name, dtype):
    rng = np.random.default_rng(7)
    f = {"add": np.add, "mul": np.multiply, "max": np.maximum, "min": np.minimum}[name]
    whole = rng.integers(-9, 9, (5, 8)).astype(dtype)
    for shape in ((5, 8), (3, 4), (5, 1), (0, 0)):
        part = rng.integers(-9, 9, shape).astype(dtype)
        wanted = whole.copy()
        wanted[: shape[0], : shape[1]] = f(wanted[: shape[0], : shape[1]], part)
        for operands in ((whole, part), (part, whole)):
            out = pypto.zeros((5, 8), dtype)
            pypto.load_insn("part" + name)(*operands, out)
            assert (out.numpy() == wanted).all(), (name, shape)
    with pytest.raises(pypto.ShapeError, match="one source must have the shape of dst"):
        pypto.load_insn("part" + name)(whole[:4], whole[:, :4], np.zeros((5, 8), dtype))


@pytest.mark.parametrize("index", ["int16", "uint16", "int32", "uint32"])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_partarg(dtype, index):
    rng = np.random.default_rng(8)
    a, b = rng.integers(-3, 3, (4, 6)).astype(dtype), rng.integers(-3, 3, (3, 5)).astype(dtype)
    ia, ib = rng.integers(0, 99, (4, 6)).astype(index), rng.integers(0, 99, (3, 5)).astype(index)
    for name, wins in (("partargmax", np.greater_equal), ("partargmin", np.less_equal)):
        out, places = pypto.zeros((4, 6), dtype), pypto.zeros((4, 6), index)
        pypto.load_insn(name)(a, b, ia, ib, out, places)
        second = wins(b, a[:3, :5])
        value, place = a.copy(), ia.copy()
        value[:3, :5] = np.where(second, b, a[:3, :5])
        place[:3, :5] = np.where(second, ib, ia[:3, :5])
        assert (out.numpy() == value).all() and (places.numpy() == place).all()


def entries(array: np.ndarray):
    """Values and indices of what sort32 writes."""
    raw = np.ascontiguousarray(array).view(np.uint32).reshape(array.shape[0], -1, 2)
    values = raw[..., 0].astype(np.uint32)
    if array.dtype == np.float16:
        return values.astype(np.uint16).view(np.float16), raw[..., 1]
    return values.view(np.float32), raw[..., 1]


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("n", [1, 31, 32, 64, 75])
def test_sort32(n, dtype):
    rng = np.random.default_rng(9)
    a = rng.integers(-20, 20, (3, n)).astype(dtype)
    index = np.tile(np.arange(n, dtype=np.uint32), (3, 1))
    out = pypto.zeros((3, n * (2 if dtype == "float32" else 4)), dtype)
    pypto.load_insn("sort32")(a, index, out)
    values, places = entries(out.numpy())
    for start in range(0, n, 32):
        block = a[:, start : start + 32]
        order = np.argsort(-block, axis=1, kind="stable")
        assert (values[:, start : start + 32] == np.take_along_axis(block, order, 1)).all()
        assert (places[:, start : start + 32] == order + start).all()


def test_sort32_takes_indices_made_by_an_instruction():
    """A sort of 64 values with indices that ci made: one output of twice the width, greatest first."""
    a = np.random.default_rng(10).random((1, 64)).astype(np.float32)
    index, out = pypto.zeros((1, 64), "uint32"), pypto.zeros((1, 128))
    pypto.load_insn("ci")(index, start=0)
    pypto.load_insn("sort32")(a, index, out)
    values, places = entries(out.numpy())
    assert (a[0][places[0]] == values[0]).all()
    assert (np.diff(values[0][:32]) <= 0).all() and (np.diff(values[0][32:]) <= 0).all()


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_top_k(dtype):
    """sort32, then merges: the k greatest of 2048 with their places."""
    rng, width = np.random.default_rng(11), 2 if dtype == "float32" else 4
    a = rng.permutation(4096)[:2048].astype(dtype if dtype == "float32" else np.float32)
    a = (a / 2 if dtype == "float16" else a).astype(dtype).reshape(1, 2048)
    index = np.arange(2048, dtype=np.uint32).reshape(1, -1)
    lists = pypto.zeros((1, 2048 * width), dtype)
    pypto.load_insn("sort32")(a, index, lists)
    merged = pypto.zeros((1, 2048 * width), dtype)
    mrgsort = pypto.load_insn("mrgsort")
    for block in (32, 128, 512):
        mrgsort(lists, merged, block_len=block * width)
        lists, merged = merged, lists
    values, places = entries(lists.numpy())
    order = np.argsort(-a[0].astype(np.float64), kind="stable")
    assert (values[0] == a[0][order]).all()
    assert (a[0][places[0]] == values[0]).all()

    half = 512 * width
    whole = lists.numpy()
    top = pypto.zeros((1, 100 * width), dtype)
    pypto.load_insn("mrgsort2")(whole[:, half:], whole[:, :half], top)
    assert (entries(top.numpy())[0][0] == a[0][order][:100]).all()


def test_nan_sorts_first():
    a = np.array([[1, np.nan, np.inf, -np.inf]], np.float32)
    out = pypto.zeros((1, 8))
    pypto.load_insn("sort32")(a, np.arange(4, dtype=np.uint32).reshape(1, 4), out)
    assert entries(out.numpy())[1].tolist() == [[1, 2, 0, 3]]


@pytest.mark.parametrize("dtype", ["int8", "uint8"])
def test_quant(dtype):
    rng = np.random.default_rng(12)
    a = rng.uniform(-300, 300, (5, 1100)).astype(np.float32)
    a[0, :4] = np.inf, -np.inf, np.nan, 2.5
    scale, offset = rng.uniform(0.5, 4, (5, 1)).astype(np.float32), rng.integers(-5, 5, (5, 1)).astype(np.float32)
    scale[0] = 1
    out = pypto.zeros((5, 1100), dtype)
    pypto.load_insn("quant")(a, scale, offset, out)
    info = np.iinfo(dtype)
    wanted = np.nan_to_num(np.clip(np.rint(a / scale) + offset, info.min, info.max), nan=0).astype(dtype)
    assert (out.numpy() == wanted).all()


@pytest.mark.parametrize("dtype", ["int8", "int16"])
def test_dequant(dtype):
    rng = np.random.default_rng(13)
    q = sample(rng, dtype, 660).reshape(5, 132)
    scale, offset = rng.random((5, 1)).astype(np.float32), rng.integers(-5, 5, (5, 1)).astype(np.float32)
    out = pypto.zeros((5, 132))
    pypto.load_insn("dequant")(q, scale, offset, out)
    assert_same(out.numpy(), (q.astype(np.float32) - offset) * scale, "dequant")


@pytest.mark.parametrize("dtype", ["uint16", "uint32"])
def test_histogram(dtype):
    size = np.dtype(dtype).itemsize
    a = np.random.default_rng(14).integers(0, 4, (3, 200, size)).astype(np.uint8).view(dtype)[..., 0]
    out = pypto.zeros((3, 256), "uint32")
    for byte in range(size):
        above = size - 1 - byte
        index = np.full((3, max(above, 1)), 2, np.uint8)
        pypto.load_insn("histogram")(a, index, out, byte=byte)
        parts = [(a >> (8 * k)) & 255 for k in range(size)]
        counted = np.ones(a.shape, bool)
        for k in range(byte + 1, size):
            counted &= parts[k] == 2
        wanted = [np.bincount(parts[byte][r][counted[r]], minlength=256) for r in range(3)]
        assert (out.numpy() == np.array(wanted)).all()
    with pytest.raises(pypto.ArgumentError, match=f"byte = {size}"):
        pypto.load_insn("histogram")(a, index, out, byte=size)
