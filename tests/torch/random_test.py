"""Random numbers from npu generators."""

import pytest
import torch_npu  # noqa: F401

import torch

DRAWS = {
    "rand": lambda g: torch.rand(1000, device="npu", generator=g),
    "randn": lambda g: torch.randn(1000, device="npu", generator=g),
    "randint": lambda g: torch.randint(0, 100, (1000,), device="npu", generator=g),
    "randperm": lambda g: torch.randperm(1000, device="npu", generator=g),
    "bernoulli": lambda g: torch.full((1000,), 0.5, device="npu").bernoulli_(generator=g),
    "multinomial": lambda g: torch.multinomial(torch.ones(1000, device="npu"), 100, generator=g),
}


@pytest.mark.parametrize("name", DRAWS)
def test_generator_repeats_and_advances(name):
    g = torch.Generator(device="npu")
    g.manual_seed(5)
    first, second = DRAWS[name](g).cpu(), DRAWS[name](g).cpu()
    g.manual_seed(5)
    assert torch.equal(DRAWS[name](g).cpu(), first)
    assert not torch.equal(first, second)


@pytest.mark.parametrize(
    "draw",
    [
        lambda: torch.rand(1000, device="npu"),
        lambda: torch.rand_like(torch.ones(1000, device="npu")),
        lambda: torch.nn.functional.dropout(torch.ones(1000, device="npu"), 0.5),
    ],
)
def test_default_generator_follows_the_seed_and_leaves_the_cpu_alone(draw):
    torch.manual_seed(3)
    cpu = torch.rand(4)
    torch.manual_seed(3)
    first = draw().cpu()
    assert torch.equal(torch.rand(4), cpu)
    torch.npu.manual_seed(3)
    assert torch.equal(draw().cpu(), first)
    assert not torch.equal(draw().cpu(), first)


def test_distribution():
    torch.npu.manual_seed(0)
    uniform = torch.rand(100_000, device="npu").cpu().double()
    # Mean and variance of U(0,1); ten standard errors of 100000 draws.
    assert abs(uniform.mean() - 0.5) < 10 * (1 / 12) ** 0.5 / 100_000**0.5
    assert abs(uniform.var() - 1 / 12) < 0.003
    assert uniform.min() >= 0 and uniform.max() < 1


def test_seeds_of_neighbours_differ():
    draws = []
    for seed in range(20):
        torch.npu.manual_seed(seed)
        draws.append(tuple(torch.rand(4, device="npu").tolist()))
    assert len(set(draws)) == 20
