"""Every instruction that works element by element, on every element type it documents, against numpy."""

from __future__ import annotations

import numpy as np
import pypto
import pytest
from arrays import FLOATS, SIZES, BFloat16, assert_same, in_type, sample, tensor, values_of


def rounded(values: np.ndarray, dtype: str) -> np.ndarray:
    """A float64 result, rounded once."""
    if dtype == "bfloat16":
        return BFloat16.round(values)
    with np.errstate(all="ignore"):
        return values.astype(dtype)


def exact(f):
    """A function of float64 arrays that is exact there, or wrong by less than any rounding shows."""

    def run(dtype, *sources):
        with np.errstate(all="ignore"):
            return rounded(f(*(s.astype(np.float64) for s in sources)), dtype)

    return run


def integers(f):
    """A function of Python integers, wrapped into the element type."""

    def run(dtype, *sources):
        info = np.iinfo(dtype)
        span = 1 << info.bits
        wrap = lambda v: (v - info.min) % span + info.min  # noqa: E731
        return np.array([wrap(f(info, *map(int, row))) for row in zip(*sources)], dtype).reshape(sources[0].shape)

    return run


def maximum(a, b):
    """NaN wins, +0 is greater than -0."""
    result = np.maximum(a, b)
    return np.where((a == 0) & (b == 0), np.where(np.signbit(a) & np.signbit(b), -0.0, 0.0), result)


def minimum(a, b):
    """NaN wins, -0 is less than +0."""
    return -maximum(-a, -b)


def div(info, a, b):
    q = abs(a) // abs(b) if b else 0
    return q if (a < 0) == (b < 0) else -q


def power(info, a, b):
    if b < 0:
        return 1 if a == 1 else (1 if b % 2 == 0 else -1) if a == -1 else 0
    return pow(a, b, 1 << info.bits)


def shift(info, a, b, left):
    b = b % (1 << info.bits)
    if b >= info.bits:
        return 0 if left or a >= 0 else -1
    return a << b if left else a >> b


def remainder(a, b):
    """numpy's remainder gives a zero the divisor's sign, and NaN for an infinite dividend, as documented."""
    result = np.fmod(a, b)
    wrong = (result != 0) & (np.signbit(result) != np.signbit(b))
    result = np.where(wrong, result + b, result)
    return np.where(result == 0, np.copysign(0.0, b), result)


#: name → (float oracle, integer oracle, spacings that a float result may be off)
BINARY = {
    "add": (exact(np.add), integers(lambda i, a, b: a + b), 0),
    "sub": (exact(np.subtract), integers(lambda i, a, b: a - b), 0),
    "mul": (exact(np.multiply), integers(lambda i, a, b: a * b), 0),
    "div": (exact(np.divide), integers(div), 0),
    "max": (exact(maximum), integers(lambda i, a, b: max(a, b)), 0),
    "min": (exact(minimum), integers(lambda i, a, b: min(a, b)), 0),
    "fmod": (exact(np.fmod), integers(lambda i, a, b: a - b * div(i, a, b) if b else 0), 0),
    "rem": (exact(remainder), integers(lambda i, a, b: a % b if b else 0), 1),
    "pow": (exact(np.power), integers(power), 1),
    "and": (None, integers(lambda i, a, b: a & b), 0),
    "or": (None, integers(lambda i, a, b: a | b), 0),
    "xor": (None, integers(lambda i, a, b: a ^ b), 0),
    "shl": (None, integers(lambda i, a, b: shift(i, a, b, True)), 0),
    "shr": (None, integers(lambda i, a, b: shift(i, a, b, False)), 0),
    "prelu": (exact(lambda a, b: np.where(a > 0, a, a * b)), None, 0),
    "subrelu": (exact(lambda a, b: np.where(a - b <= 0, 0.0, a - b)), None, 0),
}

UNARY = {
    "abs": (exact(np.abs), integers(lambda i, a: abs(a)), 0),
    "neg": (exact(np.negative), integers(lambda i, a: -a), 0),
    "exp": (exact(np.exp), None, 1),
    "log": (exact(np.log), None, 1),
    "sqrt": (exact(np.sqrt), None, 0),
    "rsqrt": (exact(lambda a: 1 / np.sqrt(a)), None, 1),
    "recip": (exact(lambda a: 1 / a), integers(lambda i, a: div(i, 1, a)), 0),
    "relu": (exact(lambda a: np.where(a <= 0, 0.0, a)), integers(lambda i, a: max(a, 0)), 0),
    "not": (None, integers(lambda i, a: ~a), 0),
}

SCALAR = {"adds": "add", "subs": "sub", "muls": "mul", "maxs": "max", "mins": "min", "fmods": "fmod", "rems": "rem",
          "pows": "pow", "ands": "and", "ors": "or", "xors": "xor", "shls": "shl", "shrs": "shr"}  # fmt: skip


def types_of(name: str, operand: int = 0) -> list[str]:
    pypto.init()
    return [str(t) for t in pypto.load_insn(name).operands[operand].dtypes]


def cases(names):
    return [(name, dtype) for name in names for dtype in types_of(name)]


def expected(row, dtype, *sources):
    if dtype == "bool":
        return {"and": np.logical_and, "or": np.logical_or, "xor": np.logical_xor, "not": np.logical_not}[row](*sources)
    return row[0 if dtype in FLOATS else 1](dtype, *sources)


@pytest.mark.parametrize(("name", "dtype"), cases(BINARY))
def test_binary(name, dtype):
    insn, rng = pypto.load_insn(name), np.random.default_rng(1)
    for n in SIZES:
        a, b = sample(rng, dtype, n), sample(rng, dtype, n)
        if name in ("shl", "shr") and n > 1:
            b = np.where(rng.random(n) < 0.7, np.abs(b.astype(object)) % 70 % np.iinfo(dtype).max, b).astype(dtype)
        out = pypto.zeros(n, dtype)
        insn(tensor(a, dtype), tensor(b, dtype), out)
        wanted = expected(name if dtype == "bool" else BINARY[name], dtype, a, b)
        assert_same(values_of(out), wanted, f"{name} {dtype} n={n}", BINARY[name][2], dtype)


@pytest.mark.parametrize(("name", "dtype"), cases(UNARY))
def test_unary(name, dtype):
    insn, rng = pypto.load_insn(name), np.random.default_rng(2)
    for n in SIZES:
        a = sample(rng, dtype, n)
        out = pypto.zeros(n, dtype)
        insn(tensor(a, dtype), out)
        wanted = expected(name if dtype == "bool" else UNARY[name], dtype, a)
        assert_same(values_of(out), wanted, f"{name} {dtype} n={n}", UNARY[name][2], dtype)


@pytest.mark.parametrize(("name", "dtype"), cases(SCALAR))
def test_scalar(name, dtype):
    insn, rng = pypto.load_insn(name), np.random.default_rng(3)
    row = BINARY[SCALAR[name]]
    scalars = [1.5, -2.25, 0.0] if dtype in FLOATS else [3, 0] + ([True] if dtype == "bool" else [])
    for n in (0, 1, 17, 130, 1025):
        for value in scalars:
            a = sample(rng, dtype, n)
            if dtype == "bool":
                value = bool(value)
            out = pypto.zeros(n, dtype)
            insn(tensor(a, dtype), out, scalar=value)
            b = np.full(n, value, np.float64 if dtype in FLOATS else object)
            b = b.astype(bool) if dtype == "bool" else in_type(b, dtype)
            wanted = expected(SCALAR[name] if dtype == "bool" else row, dtype, a, b)
            assert_same(values_of(out), wanted, f"{name} {dtype} n={n} scalar={value}", row[2], dtype)


@pytest.mark.parametrize("dtype", types_of("divs"))
@pytest.mark.parametrize("reverse", [False, True])
def test_divs(dtype, reverse):
    insn, rng = pypto.load_insn("divs"), np.random.default_rng(4)
    a, value = sample(rng, dtype, 130), 3
    out = pypto.zeros(130, dtype)
    insn(tensor(a, dtype), out, scalar=value, reverse=reverse)
    b = np.full(130, value).astype(a.dtype)
    wanted = expected(BINARY["div"], dtype, *((b, a) if reverse else (a, b)))
    assert_same(values_of(out), wanted, f"divs {dtype}")


def two_roundings(dtype, first, second):
    """second(first), the first result as the element type holds it."""
    return second(first)


@pytest.mark.parametrize("name", ["addc", "subc", "addsc", "subsc"])
@pytest.mark.parametrize("dtype", types_of("addc"))
def test_three_operands(name, dtype):
    rng = np.random.default_rng(5)
    add = BINARY["add"][0 if dtype in FLOATS else 1]
    first = BINARY["sub" if name.startswith("sub") else "add"][0 if dtype in FLOATS else 1]
    for n in (0, 1, 130, 2500):
        a, b, c = (sample(rng, dtype, n) for _ in range(3))
        if name.endswith("sc"):
            b = np.full(n, 3).astype(a.dtype)
        out = pypto.zeros(n, dtype)
        sources = [tensor(a, dtype)] + ([] if name.endswith("sc") else [tensor(b, dtype)]) + [tensor(c, dtype)]
        pypto.load_insn(name)(*sources, out, **({"scalar": 3} if name.endswith("sc") else {}))
        assert_same(values_of(out), add(dtype, first(dtype, a, b), c), f"{name} {dtype} n={n}")


@pytest.mark.parametrize("dtype", ["float32", "float16"])
@pytest.mark.parametrize("name", ["muladddst", "fusedmuladd", "fusedmuladdrelu"])
def test_reads_its_destination(name, dtype):
    rng = np.random.default_rng(6)
    mul, add = BINARY["mul"][0], BINARY["add"][0]
    for n in (0, 1, 130, 1025):
        a, b, d = (sample(rng, dtype, n) for _ in range(3))
        out = tensor(d, dtype)
        pypto.load_insn(name)(tensor(a, dtype), tensor(b, dtype), out)
        wanted = add(dtype, mul(dtype, a, b), d) if name == "muladddst" else add(dtype, mul(dtype, a, d), b)
        if name.endswith("relu"):
            wanted = np.where(wanted <= 0, np.array(0, wanted.dtype), wanted)
        assert_same(values_of(out), wanted, f"{name} {dtype} n={n}")


@pytest.mark.parametrize(("source", "target"), [("float32", "float32"), ("float16", "float16"), ("float16", "float32")])
def test_axpy(source, target):
    rng = np.random.default_rng(7)
    x, y = sample(rng, source, 130), sample(rng, target, 130)
    out = tensor(y, target)
    pypto.load_insn("axpy")(tensor(x, source), out, scalar=1.5)
    product = BINARY["mul"][0](target, x.astype(target), np.full(130, 1.5, target))
    assert_same(values_of(out), BINARY["add"][0](target, product, y), "axpy")


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_lrelu(dtype):
    a = sample(np.random.default_rng(8), dtype, 130)
    out = pypto.zeros(130, dtype)
    pypto.load_insn("lrelu")(tensor(a, dtype), out, scalar=0.25)
    assert_same(values_of(out), exact(lambda v: np.where(np.signbit(v), v * 0.25, v))(dtype, a), f"lrelu {dtype}")


MODES = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "gt": np.greater,
    "ge": np.greater_equal,
    "le": np.less_equal,
}


@pytest.mark.parametrize("dtype", types_of("cmp"))
@pytest.mark.parametrize("mode", MODES)
def test_compare(mode, dtype):
    rng = np.random.default_rng(9)
    for n in SIZES:
        a, b = sample(rng, dtype, n), sample(rng, dtype, n)
        b = np.where(rng.random(n) < 0.3, a, b)
        ordered = ~(np.isnan(a) | np.isnan(b)) if dtype in FLOATS else np.ones(n, bool)
        out = pypto.zeros(n, "bool")
        pypto.load_insn("cmp")(tensor(a, dtype), tensor(b, dtype), out, mode=mode)
        assert_same(values_of(out), MODES[mode](a, b) & ordered, f"cmp {mode} {dtype} n={n}")
        pypto.load_insn("cmps")(tensor(a, dtype), out, scalar=1, mode=mode)
        ordered = ~np.isnan(a) if dtype in FLOATS else np.ones(n, bool)
        assert_same(values_of(out), MODES[mode](a, a.dtype.type(1)) & ordered, f"cmps {mode} {dtype} n={n}")


@pytest.mark.parametrize("dtype", types_of("sel", 1))
def test_select(dtype):
    rng = np.random.default_rng(10)
    for n in (0, 1, 33, 130, 1025):
        mask, a, b = rng.random(n) < 0.5, sample(rng, dtype, n), sample(rng, dtype, n)
        out = pypto.zeros(n, dtype)
        pypto.load_insn("sel")(mask, tensor(a, dtype), tensor(b, dtype), out)
        assert_same(values_of(out), np.where(mask, a, b), f"sel {dtype}")
        pypto.load_insn("sels")(mask, tensor(a, dtype), out, scalar=1)
        assert_same(values_of(out), np.where(mask, a, np.array(1).astype(a.dtype)), f"sels {dtype}")


@pytest.mark.parametrize("dtype", types_of("expands"))
def test_expands(dtype):
    for n in (0, 1, 33, 1025):
        out = pypto.zeros(n, dtype)
        pypto.load_insn("expands")(out, scalar=1)
        assert_same(values_of(out), np.ones(n, values_of(out).dtype), f"expands {dtype}")


def test_addreluconv():
    rng = np.random.default_rng(11)
    a, b = sample(rng, "float32", 130, 1e5), sample(rng, "float32", 130, 1e5)
    out = pypto.zeros(130, "float16")
    pypto.load_insn("addreluconv")(a, b, out)
    with np.errstate(all="ignore"):
        total = a + b
        wanted = np.where(total > 0, np.minimum(total, np.float32(65504)), np.float32(0)).astype(np.float16)
    assert_same(values_of(out), wanted, "addreluconv float32")
    x, y = rng.integers(-200, 200, (2, 130)).astype(np.int16)
    narrow = pypto.zeros(130, "int8")
    pypto.load_insn("addreluconv")(x, y, narrow)
    assert_same(values_of(narrow), np.clip(x.astype(int) + y, 0, 127).astype(np.int8), "addreluconv int16")
    with pytest.raises(pypto.DTypeError, match="float32 to int8"):
        pypto.load_insn("addreluconv")(a, b, narrow)


def test_adddeqrelu():
    a, b = np.random.default_rng(12).integers(-(2**20), 2**20, (2, 3000)).astype(np.int32)
    out = pypto.zeros(3000, "float16")
    pypto.load_insn("adddeqrelu")(a, b, out, scale=0.125)
    wanted = np.clip((a.astype(np.float64) + b) * 0.125, 0, 65504).astype(np.float16)
    assert_same(values_of(out), wanted, "adddeqrelu")
