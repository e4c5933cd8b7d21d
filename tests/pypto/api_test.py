"""What pypto does when all is well, and what it says when it is not."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading

import numpy as np
import pypto
import pytest


def five():
    """The operands of the ten-line tour."""
    return (
        np.array([1, 2, 3, 4, 5], np.float32),
        np.array([10, 20, 30, 40, 50], np.float32),
        np.zeros(5, np.float32),
    )


def test_numpy_operands_are_written_back():
    add = pypto.load_insn("add")
    a, b, c = five()
    for index, operand in enumerate((a, b, c)):
        add.set_operand(index, operand)
    add.execute()
    assert f"{c}" == "[11. 22. 33. 44. 55.]"
    a[0] = 100  # the binding stays, and so does what it sees
    add.execute()
    assert c[0] == 110


def test_tensor_operands():
    add = pypto.load_insn("add")
    a, b, c = (pypto.Tensor(v.tolist(), dtype=pypto.float32) for v in five())
    for index, operand in enumerate((a, b, c)):
        add.set_operand(index, operand)
    add.execute()
    assert c.numpy().tolist() == [11, 22, 33, 44, 55]


def test_what_an_instruction_says_of_itself():
    add = pypto.load_insn("add")
    assert (add.name, add.insn_id, add.num_operands) == ("add", 0x1001, 3)
    assert f"{add.insn_id}" == str(add.insn_id) == repr(add.insn_id) == "0x1001"
    assert add.insn_id + 1 == 0x1002
    assert [o.name for o in add.operands] == ["src0", "src1", "dst"]
    assert [o.direction for o in add.operands] == [pypto.Direction.IN, pypto.Direction.IN, pypto.Direction.OUT]
    assert pypto.float32 in add.operands[0].dtypes and pypto.bool_ not in add.operands[0].dtypes
    assert add.operands[0].shape == "[...]" and add.operands[0].rank is None
    matmul = pypto.load_insn("matmul")
    assert [o.shape for o in matmul.operands] == ["[M, K]", "[K, N]", "[M, N]"] and matmul.operands[0].rank == 2
    assert pypto.load_insn("cmp").attributes["mode"] == ["eq", "ne", "lt", "gt", "ge", "le"]


def test_the_call_form():
    a, b, c = five()
    add = pypto.load_insn("add")
    assert add(a, b, c) is c and c[4] == 55
    made = add(a, b)
    assert isinstance(made, pypto.Tensor) and made.numpy().tolist() == c.tolist()
    product = pypto.load_insn("matmul")(np.ones((2, 3), np.float16), np.ones((3, 4), np.float16))
    assert product.shape == (2, 4) and product.dtype == pypto.float16 and (product.numpy() == 3).all()
    assert pypto.load_insn("matmul")(np.ones((2, 3), np.int8), np.ones((3, 4), np.int8)).dtype == pypto.int32
    assert pypto.load_insn("cmps")(a, scalar=2, mode="gt").dtype == pypto.bool_
    assert pypto.load_insn("rowsum")(np.ones((2, 3, 4), np.float32)).shape == (2, 3, 1)
    assert pypto.load_insn("concat")(np.ones((2, 3), np.float32), np.ones((2, 5), np.float32)).shape == (2, 8)
    low, high = pypto.load_insn("interleave")(a, b)
    assert (low.shape, high.shape) == ((5,), (5,))
    with pytest.raises(pypto.ShapeError, match=r"operand 1 \(dst\): its shape \[M, N\] does not follow"):
        pypto.load_insn("extract")(np.ones((4, 4), np.float32))
    with pytest.raises(pypto.ArgumentError, match="takes 3 operands .*, or 2 without its outputs; got 1"):
        add(a)


def test_load_before_init():
    pypto.finalize()
    assert not pypto.is_initialized()
    with pytest.raises(pypto.NotInitializedError, match=r"Insn add not found: call pypto.init\(\) first"):
        pypto.load_insn("add")
    pypto.init()
    pypto.init()
    assert pypto.is_initialized()
    add = pypto.load_insn("add")
    pypto.finalize()
    with pytest.raises(pypto.NotInitializedError):
        add(*five())
    pypto.init()
    assert add(*five())[0] == 11


def in_new_process(script: str) -> None:
    """Custom instructions stay in a process, and devices are described to it once."""
    result = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "TOPROPE_DEVICES": "2"}, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr


def test_unknown_names():
    in_new_process("""
import pypto, pytest
pypto.init()
with pytest.raises(pypto.NotFoundError, match="Insn ad not found; did you mean add"):
    pypto.load_insn("ad")
with pytest.raises(pypto.NotFoundError, match="did you mean matmul"):
    pypto.load_insn("MatMul")
with pytest.raises(pypto.NotFoundError, match="Insn quite_something_else not found$"):
    pypto.load_insn("quite_something_else")
assert {"add", "matmul", "rowsum", "cvt"} <= set(pypto.list_insns())
assert len(pypto.list_insns()) == len(set(pypto.list_insns())) >= 115
""")


def test_element_types():
    a, b, c = five()
    add = pypto.load_insn("add")
    with pytest.raises(pypto.DTypeError, match=r"operand 0 \(src0\): expected float32, .* or uint64, got float64"):
        add.set_operand(0, a.astype(np.float64))
    with pytest.raises(TypeError, match="got complex64"):
        add.set_operand(0, a.astype(np.complex64))
    with pytest.raises(pypto.DTypeError, match="got >f4"):
        add.set_operand(0, a.astype(">f4"))
    with pytest.raises(pypto.DTypeError, match=r"operand 1 \(src1\) is float16, but operand 0 \(src0\) is float32"):
        add(a, b.astype(np.float16), c)
    with pytest.raises(pypto.DTypeError, match=r"Insn exp: operand 0 \(src\): expected float32 or float16, got int32"):
        pypto.load_insn("exp").set_operand(0, pypto.Tensor([1, 2], dtype=pypto.int32))
    for wrong in ([1.0, 2.0], 3.0, None, "text"):
        with pytest.raises(pypto.DTypeError, match="expected a pypto.Tensor, a numpy array or anything with DLPack"):
            add.set_operand(0, wrong)


def test_shapes():
    a, b, c = five()
    add, matmul = pypto.load_insn("add"), pypto.load_insn("matmul")
    with pytest.raises(pypto.ShapeError, match=r"operand 2 \(dst\) has shape \[4\]; expected \[...\] with ... = \[5\]"):
        add(a, b, c[:4])
    with pytest.raises(ValueError, match=r"operand 0 \(a\): expected 2 dimensions, \[M, K\], got shape \[5\]"):
        matmul.set_operand(0, a)
    with pytest.raises(
        pypto.ShapeError, match=r"operand 1 \(b\) has shape \[3, 3\]; expected \[K, N\] with K = 2 from operand 0"
    ):
        matmul(np.zeros((3, 2), np.float32), np.zeros((3, 3), np.float32), np.zeros((3, 3), np.float32))
    with pytest.raises(pypto.ShapeError, match="9 dimensions, at most 8"):
        add.set_operand(0, np.zeros((1,) * 9, np.float32))


def test_an_unset_operand_and_a_wrong_index():
    add = pypto.load_insn("add")
    add.set_operand(0, five()[0])
    with pytest.raises(pypto.UnsetError, match=r"operand 1 \(src1\) is not set"):
        add.execute()
    for index in (3, -1, 1000):
        for operand in (five()[0], pypto.zeros(5)):
            with pytest.raises(
                pypto.NotFoundError, match=f"has 3 operands, numbered from 0; there is no operand {index}"
            ):
                add.set_operand(index, operand)


def test_a_failed_binding_changes_nothing():
    a, b, c = five()
    add = pypto.load_insn("add")
    add(a, b, c)
    with pytest.raises(pypto.DTypeError):
        add.set_operand(0, a.astype(np.float64))
    c[:] = 0
    add.execute()
    assert c[0] == 11


def test_attributes():
    a, _, c = five()
    adds = pypto.load_insn("adds")
    with pytest.raises(pypto.UnsetError, match="attribute scalar is not set and has no default"):
        adds(a, c)
    with pytest.raises(pypto.NotFoundError, match="Insn adds has no attribute scale; it has scalar"):
        adds.set_attr("scale", 1)
    with pytest.raises(pypto.NotFoundError, match="Insn add has no attribute scalar; it has none"):
        pypto.load_insn("add").set_attr("scalar", 1)
    whole = np.zeros(5, np.int8)
    with pytest.raises(pypto.ArgumentError, match="scalar = 1.5 is not a whole number"):
        adds(whole, whole, scalar=1.5)
    with pytest.raises(pypto.ArgumentError, match="scalar = 300 is outside the range of int8"):
        adds(whole, whole, scalar=300)
    with pytest.raises(pypto.ArgumentError, match='takes one of eq, ne, lt, gt, ge, le, got "equal"'):
        pypto.load_insn("cmp").set_attr("mode", "equal")
    with pytest.raises(TypeError):
        adds.set_attr("scalar", None)
    assert adds(a, c, scalar=0.5)[0] == 1.5
    assert pypto.load_insn("adds")(np.zeros(1, np.int64), scalar=2**53 + 1).numpy()[0] == 2**53 + 1


def test_read_only_arrays():
    a, b, c = five()
    a.flags.writeable = False
    c.flags.writeable = False
    add = pypto.load_insn("add")
    add.set_operand(0, a)
    with pytest.raises(pypto.ReadOnlyError, match=r"operand 2 \(dst\) is an output, and the tensor is read-only"):
        add.set_operand(2, c)
    with pytest.raises(pypto.ReadOnlyError):
        add.set_operand(2, np.broadcast_to(np.float32(0), 5))


def test_arrays_with_gaps():
    rng = np.random.default_rng(1)
    add = pypto.load_insn("add")
    a, b = rng.random((6, 8)).astype(np.float32), rng.random((8, 6)).astype(np.float32)
    whole = np.zeros((12, 16), np.float32)
    out = whole[::2, ::2]
    add(a, b.T, out)
    assert (out == a + b.T).all()
    assert (whole[1::2] == 0).all() and (whole[:, 1::2] == 0).all()
    a[0, 0] = 7  # what lies between binding and execution is seen
    add.execute()
    assert out[0, 0] == 7 + b[0, 0]
    add(a[::-1], b.T[:, ::-1], out[::-1])
    assert (out[::-1] == a[::-1] + b.T[:, ::-1]).all()
    add(np.broadcast_to(np.float32(1), (6, 8)), a, out)
    assert (out == a + 1).all()
    raw = np.zeros(21, np.uint8)[1:].view(np.uint8)
    odd = np.frombuffer(raw.data, np.float32, 5)
    add(odd, five()[1], odd)
    assert odd.tolist() == [10, 20, 30, 40, 50]


def test_aliasing():
    a, b, _ = five()
    add, matmul = pypto.load_insn("add"), pypto.load_insn("matmul")
    wanted = a + b
    add(a, b, a)
    assert (a == wanted).all()
    line = np.arange(10, dtype=np.float32)
    add(line[:9], line[1:], line[1:])  # as if everything had been read first
    assert line.tolist() == [0, 1, 3, 5, 7, 9, 11, 13, 15, 17]
    m = np.arange(9, dtype=np.float32).reshape(3, 3)
    wanted = m @ m
    matmul(m, m, m)
    assert (m == wanted).all()
    x, y = np.zeros((2, 4), np.float32), np.zeros(8, np.float32)
    with pytest.raises(pypto.OverlapError, match="are outputs in the same memory"):
        pypto.load_insn("interleave")(x, x, y.reshape(2, 4), y.reshape(2, 4))
    doubled = np.ones(4, np.float32)
    pypto.load_insn("axpy")(doubled, doubled, scalar=2)
    assert (doubled == 3).all()


def test_empty_arrays():
    none = np.zeros((0, 3), np.float32)
    out = pypto.load_insn("add")(none, none)
    assert out.shape == (0, 3) and out.numpy().shape == (0, 3)
    assert (
        pypto.load_insn("matmul")(np.zeros((2, 0), np.float32), np.zeros((0, 3), np.float32)).numpy().tolist()
        == [[0] * 3] * 2
    )
    assert pypto.Tensor([]).shape == (0,)


def test_rank_0():
    out = pypto.load_insn("add")(np.float32(1).reshape(()), np.array(2, np.float32))
    assert out.shape == () and out.numpy() == 3


class TestTensor:
    def test_types(self):
        assert pypto.Tensor([1.5]).dtype == pypto.float32
        assert pypto.Tensor([1]).dtype == pypto.int64
        assert pypto.Tensor([True]).dtype == pypto.bool_
        assert pypto.Tensor(np.zeros(2, np.float16)).dtype == pypto.float16
        for name in (
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
        ):
            t = pypto.Tensor([1, 2, 3], dtype=name)
            assert str(t.dtype) == name and t.numpy().astype(np.float64).tolist() == [1, 2, 3]
            assert repr(t.dtype) == f"pypto.{name}"
        assert pypto.Tensor([0, 2], dtype=bool).numpy().tolist() == [False, True]
        assert pypto.Tensor([1], dtype=np.int8).dtype == pypto.int8
        with pytest.raises(pypto.DTypeError, match="expected float32, .* got float64"):
            pypto.Tensor(np.zeros(2))
        assert pypto.Tensor(np.zeros(2), dtype=pypto.float32).dtype == pypto.float32
        with pytest.raises(pypto.DTypeError, match="float128|longdouble|float64 is no element type"):
            pypto.Tensor([1], dtype="float64")
        with pytest.raises(OverflowError):
            pypto.Tensor([300], dtype=pypto.int8)
        with pytest.raises(ValueError):
            pypto.Tensor([[1, 2], [3]])

    def test_bfloat16(self):
        t = pypto.Tensor([1.0, 1 + 2**-9, 3.14159], dtype=pypto.bfloat16)
        assert t.numpy().astype(np.float32).tolist() == [1.0, 1.0, 3.140625]
        assert pypto.Tensor(t, dtype=pypto.float32).numpy().tolist() == [1.0, 1.0, 3.140625]
        torch = pytest.importorskip("torch")
        back = torch.from_dlpack(t)
        assert back.dtype == torch.bfloat16 and back.tolist() == [1.0, 1.0, 3.140625]
        out = torch.zeros(3, dtype=torch.bfloat16)
        pypto.load_insn("add")(t, back, out)
        assert out.tolist() == [2.0, 2.0, 6.28125]

    def test_bfloat16_of_ml_dtypes(self):
        ml_dtypes = pytest.importorskip("ml_dtypes")
        a = np.array([1, 2, 3], ml_dtypes.bfloat16)
        out = np.zeros(3, ml_dtypes.bfloat16)
        pypto.load_insn("add")(a, a, out)
        assert out.astype(np.float32).tolist() == [2, 4, 6]
        assert pypto.Tensor(a).numpy().dtype == ml_dtypes.bfloat16

    def test_it_is_a_copy(self):
        a = np.zeros(3, np.float32)
        t, u = pypto.Tensor(a), pypto.from_numpy(a)
        a[:] = 1
        assert (t.numpy() == 0).all() and (u.numpy() == 0).all()
        b = t.numpy()
        b[:] = 2
        assert (t.numpy() == 0).all()

    def test_dlpack_shares_memory(self):
        t = pypto.zeros((2, 3))
        a = np.from_dlpack(t)
        assert t.__dlpack_device__() == (1, 0)
        pypto.load_insn("adds")(t, t, scalar=4)
        assert (a == 4).all()
        del t
        gc.collect()
        assert (a == 4).all()

    def test_shape_and_text(self):
        t = pypto.zeros((2, 3), dtype=pypto.int32)
        assert (t.shape, t.ndim, t.size, len(t), t.device) == ((2, 3), 2, 6, 2, "npu:0")
        assert repr(t) == "Tensor([[0, 0, 0],\n        [0, 0, 0]], dtype=pypto.int32, device='npu:0')"
        assert np.asarray(t).shape == (2, 3)
        assert pypto.empty(4).shape == (4,)
        with pytest.raises(ValueError):
            np.array(t, copy=False)
        with pytest.raises(pypto.ArgumentError, match="negative size"):
            pypto.zeros((2, -3))
        with pytest.raises(MemoryError, match="address space"):
            pypto.zeros((2**40, 2**40))

    def test_torch_operands(self):
        torch = pytest.importorskip("torch")
        a, b, c = torch.ones(4), torch.full((4,), 2.0), torch.zeros(4, 2)
        pypto.load_insn("add")(a, b, c[:, 0])
        assert c.tolist() == [[3, 0]] * 4


def test_devices():
    in_new_process("""
import numpy as np, pypto
pypto.init()
assert pypto.get_device_count() == 2 and pypto.get_device() == 0
pypto.set_device(1)
a = pypto.zeros(3)
assert a.device == "npu:1" and pypto.Tensor([1], device=0).device == "npu:0" and pypto.get_device() == 1
b = pypto.zeros(3, device="npu:0")
add = pypto.load_insn("add")
try:
    add(a, b, a)
except pypto.DeviceError as e:
    assert "operand 1 (src1) is on device 0, operand 0 (src0) on device 1: copy one of them first" in str(e), e
else:
    raise SystemExit("no error")
add(a, b.to(1), np.zeros(3, np.float32))
for wrong in (2, -1):
    try:
        pypto.set_device(wrong)
    except pypto.NotFoundError as e:
        assert f"device {wrong} does not exist: there are 2 (TOPROPE_DEVICES), numbered from 0" in str(e), e
    else:
        raise SystemExit("no error")
""")


def test_many_threads_load_and_execute():
    wrong = []

    def work(seed):
        rng = np.random.default_rng(seed)
        try:
            for _ in range(200):
                a, b = rng.random(rng.integers(0, 3000)).astype(np.float32), np.float32(seed)
                out = pypto.load_insn("adds")(a, scalar=float(b))
                if not (out.numpy() == a + b).all():
                    wrong.append(seed)
        except Exception as e:  # noqa: BLE001 - reported below
            wrong.append(e)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_the_gil_is_released_while_a_long_instruction_runs():
    a = np.random.default_rng(2).random((900, 900)).astype(np.float32)
    matmul = pypto.load_insn("matmul")
    out = np.zeros_like(a)
    for index, operand in enumerate((a, a, out)):
        matmul.set_operand(index, operand)
    seen, done = [0], threading.Event()

    def count():
        while not done.is_set():
            seen[0] += 1

    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.2)  # nobody is made to give the lock away meanwhile
    try:
        watcher = threading.Thread(target=count)
        matmul.execute()
        watcher.start()
        before = seen[0]
        matmul.execute()
        during = seen[0] - before
    finally:
        done.set()
        sys.setswitchinterval(interval)
        watcher.join()
    assert during > 1000


def test_one_handle_in_two_threads_is_refused():
    a = np.random.default_rng(3).random((1200, 1200)).astype(np.float32)
    matmul = pypto.load_insn("matmul")
    matmul.set_operand(0, a)
    matmul.set_operand(1, a)
    matmul.set_operand(2, np.zeros_like(a))
    runner = threading.Thread(target=lambda: [matmul.execute() for _ in range(3)])
    runner.start()
    refused = 0
    while runner.is_alive():
        try:
            matmul.set_attr("none", 1)
        except pypto.ArgumentError as e:
            assert "is executing in another thread: load one in each thread" in str(e)
            refused += 1
            break
        except pypto.NotFoundError:
            pass
    runner.join()
    assert refused


def test_no_reference_is_kept():
    a, b, c = five()
    add = pypto.load_insn("add")
    add(a, b, c)
    bound = sys.getrefcount(a)
    add.set_operand(0, pypto.zeros(5))
    assert sys.getrefcount(a) == bound - 1
    counts = [sys.getrefcount(v) for v in (b, c)]
    del add
    gc.collect()
    assert [sys.getrefcount(v) for v in (b, c)] == [n - 1 for n in counts]


def test_version():
    assert pypto.__version__ == "0.1.0"
