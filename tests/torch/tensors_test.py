"""npu tensors through PyTorch's ordinary operators, each against the same operator on CPU tensors."""

import unittest

import pytest
import torch_npu  # noqa: F401
from torch.testing import assert_close

import torch


def same(function, *arguments):
    """The function's result on npu tensors equals its result on CPU tensors, and lies on the npu."""
    on_npu = function(*[a.npu() if isinstance(a, torch.Tensor) else a for a in arguments])
    assert on_npu.device.type == "npu"
    assert_close(on_npu.cpu(), function(*arguments), equal_nan=True)


x = torch.linspace(-3, 3, 96).reshape(8, 12)
y = torch.linspace(1, 2, 96).reshape(8, 12)


def test_round_trip_copies():
    npu = x.npu()
    assert npu.device == torch.device("npu", 0) and npu.is_npu
    back = npu.cpu()
    assert torch.equal(back, x) and back.data_ptr() != npu.data_ptr() != x.data_ptr()


@pytest.mark.parametrize(
    "make",
    [
        lambda d: torch.empty(4, device=d).fill_(2),
        lambda d: torch.zeros(2, 3, device=d),
        lambda d: torch.ones(3, device=d),
        lambda d: torch.full((2,), 7, device=d),
        lambda d: torch.arange(5, device=d),
        lambda d: torch.eye(3, device=d),
        lambda d: torch.linspace(0, 1, 5, device=d),
        lambda d: torch.tensor([1.5, 2.5], device=d),
        lambda d: torch.zeros_like(torch.ones(3, device=d)),
        lambda d: torch.full_like(torch.ones(3, device=d), 4),
        lambda d: torch.ones(2, device=d).new_zeros(3),
    ],
)
def test_factories(make):
    assert make("npu:0").device == torch.device("npu", 0)
    assert_close(make("npu:0").cpu(), make("cpu"))


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: a + b,
        lambda a, b: a - 2 * b,
        lambda a, b: a * b,
        lambda a, b: a / b,
        lambda a, b: a @ b.t(),
        lambda a, b: torch.maximum(a, b),
        lambda a, b: torch.where(a > 0, a, b),
        lambda a, b: torch.cat([a, b], 1),
        lambda a, b: (a == b).sum(),
        lambda a, b: torch.atan2(a, b),
        lambda a, b: a.softmax(-1),
        lambda a, b: a.exp().log1p(),
        lambda a, b: a.sum(0),
        lambda a, b: a.max(1).values,
        lambda a, b: a.argsort(-1),
        lambda a, b: a.half().float(),
        lambda a, b: a.bfloat16() * b.bfloat16(),
        lambda a, b: a.to(torch.int32),
        lambda a, b: torch.stft(a.flatten(), 16, return_complex=True),
        lambda a, b: torch.fft.rfft(a),
        lambda a, b: torch.linalg.svdvals(a),
        lambda a, b: torch.addmm(a[:, :8], a, b.t()),
    ],
)
def test_operators(function):
    same(function, x, y)


@pytest.mark.parametrize(
    "function",
    [
        lambda a: a[2],
        lambda a: a[:, ::2],
        lambda a: a.t()[1:, 3:5].contiguous(),
        lambda a: a[a > 0],
        lambda a: a[[0, 3]],
        lambda a: a.unsqueeze(0).expand(2, 8, 12).permute(2, 0, 1).reshape(-1, 4),
        lambda a: a.as_strided((2, 2), (1, 2), 3),
        lambda a: a.view(-1)[5:9],
        lambda a: a.unfold(1, 4, 2),
        lambda a: a.gather(1, torch.zeros(8, 1, dtype=torch.long, device=a.device)),
        lambda a: a[torch.tensor([1, 2])],
    ],
)
def test_views_and_indexing(function):
    same(function, x)


def test_view_shares_memory():
    a = torch.arange(12.0, device="npu").reshape(3, 4)
    a.t()[1:, :].mul_(2)
    a[0] = 7
    a[a > 9] = 0
    expected = torch.arange(12.0).reshape(3, 4)
    expected.t()[1:, :].mul_(2)
    expected[0] = 7
    expected[expected > 9] = 0
    assert_close(a.cpu(), expected)


def test_out_resizes_and_keeps():
    out = torch.empty(0, device="npu")
    assert torch.add(x.npu(), y.npu(), out=out) is out
    assert (
        out.shape == x.shape and out.untyped_storage().nbytes() == 4 * 96 and out.untyped_storage().device.type == "npu"
    )
    assert_close(out.cpu(), x + y)
    address = out.data_ptr()
    torch.mul(x.npu(), y.npu(), out=out)
    assert out.data_ptr() == address
    assert_close(out.cpu(), x * y)


def test_resize_and_set():
    a = torch.ones(2, device="npu")
    a.resize_(100).fill_(1)
    assert a.sum().item() == 100
    b = torch.zeros(3, device="npu")
    a.set_(b)
    b.add_(2)
    assert a.data_ptr() == b.data_ptr() and a.tolist() == [2, 2, 2]


@pytest.mark.parametrize("source", [x.t(), x[:, ::3], x.double(), x[0].expand(4, 12), x.conj()])
def test_copies_of_any_stride_and_type(source):
    assert_close(source.npu().cpu(), source)
    target = torch.empty(source.shape, device="npu", dtype=torch.float32)
    target.copy_(source)
    assert_close(target.cpu(), source.float())
    back = torch.empty(source.shape, dtype=torch.float64)
    back.copy_(source.npu())
    assert_close(back, source.double())


def test_complex_and_lazy_conjugate():
    z = torch.complex(x, y).npu().conj()
    assert z.is_conj()
    assert_close((z * z).cpu(), torch.complex(x, y).conj().square())


def test_foreach_in_place():
    tensors = [torch.ones(2, device="npu"), torch.ones(3, device="npu")]
    torch._foreach_add_(tensors, 1.0)
    assert [t.tolist() for t in torch._foreach_mul(tensors, 2.0)] == [[4, 4], [4, 4, 4]]


def test_result_leaves_the_npu_where_asked():
    assert torch.ones_like(x.npu(), device="cpu").device.type == "cpu"


def test_results_are_npu_memory():
    """What an operator allocates counts as device memory and is given back."""
    a = torch.ones(1 << 20, device="npu")
    before = torch.npu.memory_allocated()
    b = a + 1
    assert torch.npu.memory_allocated() - before >= 4 << 20
    b.record_stream(torch.npu.current_stream())
    del b
    assert torch.npu.memory_allocated() == before


def test_slice_keeps_its_offset():
    """facts E01."""
    base = torch.arange(32768, dtype=torch.int32, device="npu")
    assert torch.equal((base[16384:] + 0).cpu(), torch.arange(16384, 32768, dtype=torch.int32))


def test_save_and_load(tmp_path):
    torch.save(x.npu(), tmp_path / "x.pt")
    assert torch.load(tmp_path / "x.pt").device.type == "npu"
    assert torch.equal(torch.load(tmp_path / "x.pt", map_location="cpu"), x)


def test_pinned_source_may_go_at_once():
    """Staging buffers dropped right after a non-blocking copy (facts D04)."""
    results = [torch.arange(i, i + 512).pin_memory().to("npu", non_blocking=True) for i in range(50)]
    torch.npu.synchronize()
    for i, result in enumerate(results):
        assert torch.equal(result.cpu(), torch.arange(i, i + 512))


def test_rtol_equal_takes_npu_output():
    from torch_npu.testing.testcase import TestCase

    class Case(TestCase):
        def runTest(self):
            torch.npu.config.allow_internal_format = False
            a, b = torch.rand(8, 2048, dtype=torch.float16), torch.rand(8, 2048, dtype=torch.float16)
            self.assertRtolEqual(a.npu() + b.npu(), a + b)
            with self.assertRaises(AssertionError):
                self.assertRtolEqual(a.npu() + b.npu() + 1, a + b)

    outcome = unittest.TestResult()
    Case().run(outcome)
    assert outcome.testsRun == 1
    assert not outcome.failures and not outcome.errors, outcome.failures + outcome.errors
