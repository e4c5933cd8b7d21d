"""torch_npu's own path over the operator library (TOPROPE_ATEN=aclnn), and what the library says of operators that it has
not."""

import ctypes

import pytest
import torch_npu
from toprope.env import prefix
from torch.testing import assert_close

import torch


def test_every_row_of_the_tables_fits_its_operator():
    library = ctypes.CDLL(str(prefix() / "lib64" / "libopapi.so"))
    text = ctypes.create_string_buffer(1 << 16)
    assert library.toprope_check_operator_tables(text, len(text)) == 0, text.value.decode()


def test_operators_through_aclnn(fresh):
    done = fresh(
        """
import torch, torch_npu, torch.nn.functional as F
from torch.testing import assert_close
torch.manual_seed(0)
x, y, w = torch.randn(8, 16), torch.rand(8, 16) + 0.5, torch.randn(16, 4)
checks = {
    'add': lambda x, y, w: x + y, 'alpha': lambda x, y, w: torch.add(x, y, alpha=3), 'scalar': lambda x, y, w: x * 2.5 - 1,
    'div': lambda x, y, w: torch.div(x, y, rounding_mode='floor'), 'mm': lambda x, y, w: x @ w, 'compare': lambda x, y, w: (x > y) & (y >= 1),
    'unary': lambda x, y, w: x.abs().sqrt().exp().log1p().tanh().neg(), 'sum': lambda x, y, w: x.sum(1), 'mean': lambda x, y, w: x.mean(),
    'max': lambda x, y, w: x.max(1).values, 'softmax': lambda x, y, w: x.softmax(-1), 'cat': lambda x, y, w: torch.cat([x, y], 1),
    'where': lambda x, y, w: torch.where(x > 0, x, y), 'index': lambda x, y, w: x[torch.tensor([1, 5], device=x.device)],
    'mask': lambda x, y, w: x[x > 0], 'nonzero': lambda x, y, w: (x > 1).nonzero(), 'sort': lambda x, y, w: x.sort(-1).values,
    'cast': lambda x, y, w: x.half().float(), 'clamp': lambda x, y, w: x.clamp(-1, 1), 'pow': lambda x, y, w: y ** 2,
    'layer_norm': lambda x, y, w: F.layer_norm(x, (16,)), 'gelu': lambda x, y, w: F.gelu(x), 'inplace': lambda x, y, w: x.clone().add_(y).mul_(2),
    'transpose': lambda x, y, w: x.t().contiguous(), 'arange': lambda x, y, w: torch.arange(5, device=x.device) * 2, 'linear': lambda x, y, w: F.linear(x, w.t()),
    'addcmul': lambda x, y, w: torch.addcmul(x, y, y, value=2), 'cumsum': lambda x, y, w: x.cumsum(0), 'topk': lambda x, y, w: x.topk(3).values,
}
for name, f in checks.items():
    try:
        assert_close(f(x.npu(), y.npu(), w.npu()).cpu(), f(x, y, w))
    except Exception as e:
        print(name, type(e).__name__, str(e)[:300])
a = x.npu().requires_grad_(); b = w.npu().requires_grad_()
(a @ b).relu().sum().backward()
c, d = x.clone().requires_grad_(), w.clone().requires_grad_()
(c @ d).relu().sum().backward()
assert_close(a.grad.cpu(), c.grad); assert_close(b.grad.cpu(), d.grad)
torch.npu.manual_seed(1); p = torch.rand(100, device='npu').cpu(); torch.npu.manual_seed(1)
assert torch.equal(torch.rand(100, device='npu').cpu(), p)
""",
        TOPROPE_ATEN="aclnn",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""


def test_rms_norm_as_documented():
    x, gamma = torch.randn(4, 16), torch.randn(16)
    y, rstd = torch_npu.npu_rms_norm(x.npu(), gamma.npu(), 1e-6)
    expected = 1 / (x.double().pow(2).mean(-1, keepdim=True) + 1e-6).sqrt()
    assert_close(rstd.cpu().double(), expected, rtol=1e-5, atol=1e-6)
    assert_close(y.cpu().double(), x.double() * expected * gamma.double(), rtol=1e-5, atol=1e-5)


def test_swiglu_as_documented():
    x = torch.randn(4, 16)
    a, b = x.double().chunk(2, -1)
    assert_close(torch_npu.npu_swiglu(x.npu()).cpu().double(), a * torch.sigmoid(a) * b, rtol=1e-5, atol=1e-6)


def test_unserved_operator_says_its_name_and_how_to_add_it():
    with pytest.raises(
        RuntimeError, match=r"aclnnAddLayerNorm.*(?s:.)*operands are: x1 x2 gamma(?s:.)*src/opapi/operators"
    ):
        x = torch.randn(4, 16, device="npu")
        torch_npu.npu_add_layer_norm(x, x, torch.ones(16, device="npu"), torch.ones(16, device="npu"))


def test_library_survives_a_refused_call():
    x = torch.randn(4, 16, device="npu")
    with pytest.raises(RuntimeError):
        torch_npu.npu_swiglu(torch.randn(4, 15, device="npu"))
    assert_close((x + 1).cpu(), x.cpu() + 1)
