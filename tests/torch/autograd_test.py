"""Gradients on npu tensors equal those of the same program on the CPU."""

import copy

import pytest
import torch.nn.functional as F
import torch_npu  # noqa: F401
from torch.testing import assert_close

import torch
from torch import nn

FUNCTIONS = {
    "matmul": lambda a, b: (a @ b.t()).sum(),
    "softmax": lambda a, b: (a.softmax(-1) * b).sum(),
    "where": lambda a, b: torch.where(a > 0, a * b, b).sum(),
    "gather": lambda a, b: a.gather(1, torch.zeros(6, 2, dtype=torch.long, device=a.device)).mul(b[:, :2]).sum(),
    "views": lambda a, b: (a[1:3].t() @ a[1:3]).pow(2).sum() + b[:, ::2].sum(),
    "norms": lambda a, b: (
        F.layer_norm(a, (8,)).mul(b).sum() + F.l1_loss(a, b) + F.kl_div(a.log_softmax(-1), b.softmax(-1))
    ),
    "attention": lambda a, b: F.scaled_dot_product_attention(a[None, None], b[None, None], b[None, None]).pow(2).sum(),
    "repeat": lambda a, b: a.repeat_interleave(2, 0).mul(b.repeat_interleave(2, 0)).sum(),
    "fft": lambda a, b: (torch.fft.rfft(a).abs() + torch.fft.rfft(b).abs()).sum(),
    "bce": lambda a, b: F.binary_cross_entropy_with_logits(a, b.sigmoid()),
    "cdist": lambda a, b: torch.cdist(a, b).sum(),
    "cholesky": lambda a, b: torch.linalg.cholesky(a @ a.t() + 8 * torch.eye(6, device=a.device)).sum() + b.sum(),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients(name):
    torch.manual_seed(0)
    values = torch.randn(6, 8), torch.randn(6, 8)
    gradients = []
    for device in ("cpu", "npu"):
        leaves = [v.to(device).clone().requires_grad_() for v in values]
        FUNCTIONS[name](*leaves).backward()
        assert all(leaf.grad.device.type == device for leaf in leaves)
        gradients.append([leaf.grad.cpu() for leaf in leaves])
    for expected, found in zip(*gradients):
        assert_close(found, expected)


def train(module, inputs, targets, steps=4):
    optimizer = torch.optim.AdamW(module.parameters(), lr=1e-2)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(module(inputs), targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize(
    "make, shape",
    [
        (lambda: nn.Sequential(nn.Linear(16, 32), nn.GELU(), nn.LayerNorm(32), nn.Linear(32, 4)), (8, 16)),
        (
            lambda: nn.Sequential(
                nn.Conv2d(3, 8, 3),
                nn.BatchNorm2d(8),
                nn.ReLU(),
                nn.MaxPool2d(2),
                nn.AdaptiveAvgPool2d(1),
                nn.Flatten(),
                nn.Linear(8, 4),
            ),
            (8, 3, 12, 12),
        ),
    ],
)
def test_training(make, shape):
    torch.manual_seed(1)
    module = make()
    inputs, targets = torch.randn(shape), torch.arange(8) % 4
    on_npu = copy.deepcopy(module).npu()
    assert_close(torch.tensor(train(on_npu, inputs.npu(), targets.npu())), torch.tensor(train(module, inputs, targets)))
    for found, expected in zip(on_npu.parameters(), module.parameters()):
        assert_close(found.detach().cpu(), expected.detach(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("make", [lambda: nn.LSTM(4, 6), lambda: nn.GRU(4, 6)])
def test_recurrent(make):
    torch.manual_seed(0)
    module, inputs = make(), torch.randn(5, 2, 4)
    on_npu = copy.deepcopy(module).npu()
    expected, found = module(inputs)[0], on_npu(inputs.npu())[0]
    assert_close(found.detach().cpu(), expected.detach())
    expected.sum().backward()
    found.sum().backward()
    for p, q in zip(on_npu.parameters(), module.parameters()):
        assert_close(p.grad.cpu(), q.grad)


def test_backward_is_the_first_thing_a_process_does(fresh):
    """facts E07."""
    done = fresh("""
import torch
a = torch.ones(3, device='npu', requires_grad=True)
b = torch.ones(3, device='npu', requires_grad=True)
(a + 2 * b).sum().backward()
print(a.grad.tolist(), b.grad.tolist())
""")
    assert done.stdout.strip() == "[1.0, 1.0, 1.0] [2.0, 2.0, 2.0]", done.stderr


def test_autocast():
    with torch.autocast("npu", dtype=torch.bfloat16):
        assert (torch.ones(4, 4, device="npu") @ torch.ones(4, 4, device="npu")).dtype == torch.bfloat16


def test_vmap_of_grad():
    x = torch.randn(3, 4)
    f = torch.func.vmap(torch.func.grad(lambda v: (v.sin() ** 2).sum()))
    assert_close(f(x.npu()).cpu(), f(x))


def test_compile_eager_backends():
    x = torch.randn(4)
    for backend in ("eager", "aot_eager"):
        torch._dynamo.reset()
        assert_close(
            torch.compile(lambda a: (a.sin() + 1).relu(), backend=backend)(x.npu()).cpu(), (x.sin() + 1).relu()
        )
