"""Operators for the tests of both targets: their IDL, inputs, and what PyTorch says they compute."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import torch

Tensors = list[torch.Tensor]


@dataclass(frozen=True)
class Case:
    """One operator. `inputs` makes tensors from sizes, `expected` the outputs from the inputs and attributes."""

    text: str
    inputs: Callable[..., Tensors]
    expected: Callable[..., Tensors]
    sizes: tuple[tuple[int, ...], ...]
    attrs: dict[str, float] = field(default_factory=dict)
    rtol: float = 2e-6
    atol: float = 1e-6

    @property
    def name(self) -> str:
        """The operator's name."""
        return self.text.split("operator", 1)[1].split("{", 1)[0].strip()


def rand(*shape: int, dtype: torch.dtype = torch.float32, low: float = -2.0, high: float = 2.0) -> torch.Tensor:
    """Numbers from `low` to `high`, the same for the same shape."""
    generator = torch.Generator().manual_seed(sum(n * 31**k for k, n in enumerate(shape)) + 7)
    if dtype.is_floating_point:
        return (torch.rand(shape, generator=generator, dtype=torch.float64) * (high - low) + low).to(dtype)
    return torch.randint(int(low), int(high) + 1, shape, generator=generator).to(dtype)


#: Rows that fit a tile, that do not divide one, that are longer than every buffer; one row, one element, no row.
MATRICES = ((3, 5), (1, 1), (7, 1000), (2, 20001), (130, 64), (0, 8))

HALF, BF16, F32 = torch.float16, torch.bfloat16, torch.float32

#: What both targets can express.
COMMON = [
    Case(
        """operator Axpb { input { Tensor x, FLOAT32 [N]; Tensor<z, FLOAT32> [N]; } output { Tensor y: FLOAT32 [N]; }
           attr { FLOAT32 a = 2.0; FLOAT32 b; } computation { y = a * x - (z + b) / 4; } }""",
        lambda n: [rand(n), rand(n) + 1],
        lambda x, z, a=2.0, b=0.0: [a * x - (z + b) / 4],
        ((1,), (7,), (5000,), (100000,), (0,)),
        {"b": 0.5},
    ),
    Case(
        """operator Functions { input { Tensor x, FLOAT32 [M, N]; } output { Tensor y, FLOAT32 [M, N]; }
           computation {
             p = abs(x) + 0.25;
             q = log(p) + sqrt(p) * rsqrt(p) - reciprocal(p);
             y = max(exp(-x), neg(q)) + min(sigmoid(x), tanh(x)) * relu(x);
           } }""",
        lambda m, n: [rand(m, n)],
        lambda x: [
            torch.maximum(
                torch.exp(-x),
                -(
                    torch.log(x.abs() + 0.25)
                    + torch.sqrt(x.abs() + 0.25) * torch.rsqrt(x.abs() + 0.25)
                    - 1 / (x.abs() + 0.25)
                ),
            )
            + torch.minimum(torch.sigmoid(x), torch.tanh(x)) * torch.relu(x)
        ],
        MATRICES,
        rtol=2e-5,
    ),
    Case(
        """operator Tanh16 { input { Tensor x, FLOAT16 [N]; } output { Tensor y, FLOAT16 [N]; Tensor z, FLOAT16 [N]; }
           computation { y = tanh(x); z = sigmoid(x); } }""",
        lambda n: [
            torch.cat([rand(n - 8, dtype=HALF), torch.tensor([0, -0.0, 1e-4, -1e-4, 20, -20, 0.3, -0.3]).half()])
        ],
        lambda x: [torch.tanh(x.double()).half(), torch.sigmoid(x.double()).half()],
        ((64,), (999,)),
        rtol=1e-3,
        atol=6e-8,
    ),
    Case(
        """operator Bias { input { Tensor x, FLOAT32 [M, N]; Tensor b, FLOAT32 [N]; Tensor s, FLOAT32 [M, 1]; }
           output { Tensor y, FLOAT32 [M, N]; } computation { y = relu(x + b) * s; } }""",
        lambda m, n: [rand(m, n), rand(n), rand(m, 1)],
        lambda x, b, s: [torch.relu(x + b) * s],
        MATRICES,
    ),
    Case(
        """operator Outer { input { Tensor u, FLOAT32 [M, 1]; Tensor v, FLOAT32 [1, N]; }
           output { Tensor y, FLOAT32 [M, N]; } computation { y = u / v - u; } }""",
        lambda m, n: [rand(m, 1), rand(1, n, low=1.0)],
        lambda u, v: [u / v - u],
        MATRICES,
    ),
    Case(
        """operator Softmax { input { Tensor x, FLOAT32 [M, N]; } output { Tensor y, FLOAT32 [M, N]; }
           attr { FLOAT32 scale = 1.0; }
           computation {
             z = x * scale;
             e = exp(z - max(z, N));
             y = e / sum(e, N);
           } }""",
        lambda m, n: [rand(m, n, low=-20, high=20)],
        lambda x, scale=1.0: [torch.softmax((x * scale).double(), 1).float()],
        MATRICES,
        {"scale": 0.5},
        rtol=1e-5,
    ),
    Case(
        """operator LayerNorm {
           input { Tensor x, FLOAT32 [B, M, N]; Tensor gamma, FLOAT32 [N]; Tensor beta, FLOAT32 [N]; }
           output { Tensor y, FLOAT32 [B, M, N]; Tensor rstd, FLOAT32 [B, M]; }
           attr { FLOAT32 eps = 1e-5; }
           computation {
             d = x - mean(x, N);
             r = rsqrt(mean(d * d, N) + eps);
             y = d * r * gamma + beta;
             rstd = r;
           } }""",
        lambda b, m, n: [rand(b, m, n), rand(n), rand(n)],
        lambda x, g, b: [
            torch.layer_norm(x.double(), (x.shape[-1],), g.double(), b.double(), 1e-5).float(),
            torch.rsqrt(x.double().var(-1, correction=0) + 1e-5).float(),
        ],
        ((2, 3, 40), (1, 2, 20000), (4, 1, 7)),
        rtol=2e-5,
        atol=2e-5,
    ),
    Case(
        """operator RmsNorm16 {
           input { Tensor x, FLOAT16 [M, N]; Tensor g, FLOAT16 [N]; } output { Tensor y, FLOAT16 [M, N]; }
           computation {
             w = cast(x, FLOAT32);
             y = cast(w * rsqrt(mean(w * w, N) + 1e-6), FLOAT16) * g;
           } }""",
        lambda m, n: [rand(m, n, dtype=HALF), rand(n, dtype=HALF)],
        lambda x, g: [(x.float() * torch.rsqrt((x.double() ** 2).mean(1, keepdim=True) + 1e-6).float()).half() * g],
        ((3, 5), (7, 1000), (2, 20001)),
        rtol=2e-3,
    ),
    Case(
        """operator Choose { input { Tensor x, FLOAT32 [M, N]; Tensor keep, BOOL [N]; }
           output { Tensor y, FLOAT32 [M, N]; Tensor big, BOOL [M, N]; Tensor other, BOOL [M, N]; }
           computation {
             c = x * x > 1;
             y = where(keep, where(c, x, -0.5), where(x <= 0, 2.0, x));
             big = c;
             other = x != 0.5;
           } }""",
        lambda m, n: [torch.where(rand(m, n) > 1.5, torch.tensor(0.5), rand(m, n)), rand(n) > 0],
        lambda x, k: [
            torch.where(k, torch.where(x * x > 1, x, -0.5), torch.where(x <= 0, 2.0, x)),
            x * x > 1,
            x != 0.5,
        ],
        MATRICES,
    ),
    Case(
        """operator NotANumber { input { Tensor x, FLOAT32 [N]; Tensor w, FLOAT32 [N]; }
           output { Tensor ne, BOOL [N]; Tensor eq, BOOL [N]; Tensor lt, BOOL [N]; Tensor m, FLOAT32 [N]; }
           computation { ne = x != w; eq = x == w; lt = 0 < x; m = max(x, w); } }""",
        lambda: [torch.tensor([float("nan"), 1, 2, float("inf"), -0.0]), torch.tensor([1, float("nan"), 2, 3, 0.0])],
        lambda x, w: [(x != w) & ~x.isnan() & ~w.isnan(), x == w, x > 0, torch.maximum(x, w)],
        ((),),
    ),
    Case(
        """operator Half { input { Tensor a, FLOAT16 [M, N]; Tensor b, FLOAT16 [N]; } output { Tensor y, FLOAT16 [M, N]; }
           attr { FLOAT32 k = 0.1; } computation { y = max(a * b + k, a - b) / (abs(b) + 1); } }""",
        lambda m, n: [rand(m, n, dtype=HALF), rand(n, dtype=HALF)],
        lambda a, b: [torch.maximum(a * b + torch.tensor(0.1).half(), a - b) / (b.abs() + 1)],
        MATRICES,
        rtol=0,
        atol=0,
    ),
    Case(
        """operator Brain { input { Tensor a, BFLOAT16 [M, N]; Tensor b, BFLOAT16 [N]; }
           output { Tensor y, BFLOAT16 [M, N]; Tensor top, BFLOAT16 [M]; }
           computation { t = a * b; y = where(a < b, t + 1, t - a); top = max(t, N); } }""",
        lambda m, n: [rand(m, n, dtype=BF16), rand(n, dtype=BF16)],
        lambda a, b: [torch.where(a < b, a * b + 1, a * b - a), (a * b).amax(1)],
        ((3, 5), (7, 1000), (2, 20001)),
        rtol=0,
        atol=0,
    ),
    Case(
        """operator Integers { input { Tensor a, INT32 [M, N]; Tensor b, INT32 [N]; Tensor s, INT16 [M, N]; }
           output { Tensor y, INT32 [M, N]; Tensor z, INT16 [M, N]; Tensor same, BOOL [M, N]; }
           attr { INT32 low = -1000; INT64 high; }
           computation {
             y = min(max(a * b - 7, low), high) + relu(a);
             z = abs(s - 3) * 5 + max(s, -2);
             same = a == b;
           } }""",
        lambda m, n: [
            rand(m, n, dtype=torch.int32, low=-60000, high=60000),
            rand(n, dtype=torch.int32, low=-60000, high=60000),
            rand(m, n, dtype=torch.int16, low=-32768, high=32767),
        ],
        lambda a, b, s, high=0: [
            torch.clamp(a * b - 7, -1000, int(high)) + torch.relu(a),
            (s - 3).abs() * 5 + torch.clamp(s, min=-2),
            a == b,
        ],
        ((3, 5), (7, 1000), (2, 20001)),
        {"high": 2000},
        rtol=0,
        atol=0,
    ),
    Case(
        """operator Casts { input { Tensor x, FLOAT32 [N]; Tensor k, INT8 [N]; }
           output { Tensor f, INT32 [N]; Tensor c, INT32 [N]; Tensor r, INT32 [N]; Tensor t, INT32 [N]; Tensor e, INT32 [N];
                    Tensor h, FLOAT16 [N]; Tensor w, FLOAT32 [N]; Tensor i, INT16 [N]; Tensor b, BOOL [N];
                    Tensor n, FLOAT32 [N]; }
           computation {
             f = cast(x, INT32, floor); c = cast(x, INT32, ceil); r = cast(x, INT32, round); t = cast(x, INT32, trunc);
             e = cast(x, INT32); h = cast(x, FLOAT16); w = cast(k, FLOAT32); i = cast(x * 20000, INT16);
             b = cast(x, BOOL); n = cast(x > 0, FLOAT32);
           } }""",
        lambda n: [
            torch.cat([torch.arange(n - 1) / 2 - n / 4, torch.tensor([math.nan])]),
            (torch.arange(n) % 256 - 128).to(torch.int8),
        ],
        lambda x, k: [
            x.floor().nan_to_num(0).int(),
            x.ceil().nan_to_num(0).int(),
            (x.abs() + 0.5).floor().copysign(x).nan_to_num(0).int(),
            x.trunc().nan_to_num(0).int(),
            x.round().nan_to_num(0).int(),
            x.half(),
            k.float(),
            (x * 20000).round().clamp(-32768, 32767).nan_to_num(0).to(torch.int16),
            x != 0,
            (x > 0).float(),
        ],
        ((21,), (5001,)),
        rtol=0,
        atol=0,
    ),
    Case(
        """operator Totals { input { Tensor x, FLOAT32 [B, M, N]; }
           output { Tensor s, FLOAT32 [B]; Tensor lo, FLOAT32 [B, 1, 1]; }
           computation { s = sum(x, M, N); lo = min(x, axis=1, axis=2) * 2; } }""",
        lambda b, m, n: [rand(b, m, n)],
        lambda x: [x.double().sum((1, 2)).float(), x.amin((1, 2), keepdim=True) * 2],
        ((3, 5, 7), (1, 1, 1), (2, 3, 20000), (2, 700, 3)),
        rtol=1e-5,
        atol=2e-4,
    ),
    Case(
        """operator Pairs { input { Tensor x, FLOAT32 [M, 2*N + 1]; Tensor g, FLOAT32 [4, M - 1]; }
           output { Tensor y, FLOAT32 [M, 2*N + 1]; Tensor z, FLOAT32 [4, M - 1]; Tensor flat, FLOAT32 [M*(2*N + 1)]; }
           attr { INT64 k = 3; }
           computation { y = x * (N + k) / max(M, 2); z = g * 1.5e0; flat = reshape(x, [M*(2*N + 1)]); } }""",
        lambda m, n: [rand(m, 2 * n + 1), rand(4, m - 1)],
        lambda x, g: [x * ((x.shape[1] - 1) // 2 + 3) / max(x.shape[0], 2), g * 1.5, x.reshape(-1)],
        ((3, 4), (2, 1000)),
    ),
]

#: What target ascendc refuses.
WHOLE = [
    Case(
        """operator MatMul { input { Tensor a, FLOAT32 [M, K]; Tensor b, FLOAT32 [K, N]; } output { Tensor c, FLOAT32 [M, N]; }
           computation { c = a @ b; // matrix product
           } }""",
        lambda m, k, n: [rand(m, k), rand(k, n)],
        lambda a, b: [(a.double() @ b.double()).float()],
        ((3, 2, 3), (1, 1, 1), (65, 130, 33), (0, 4, 4)),
        rtol=1e-5,
        atol=1e-4,
    ),
    Case(
        """operator Linear { input { Tensor x, FLOAT16 [B, M, K]; Tensor w, FLOAT16 [N, K]; Tensor bias, FLOAT16 [N]; }
           output { Tensor y, FLOAT16 [B, M, N]; } computation { y = relu(x @ transpose(w) + bias); } }""",
        lambda b, m, k, n: [rand(b, m, k, dtype=HALF), rand(n, k, dtype=HALF), rand(n, dtype=HALF)],
        lambda x, w, b: [torch.relu((x.double() @ w.double().T).half() + b)],
        ((2, 3, 40, 5), (1, 17, 64, 31)),
        rtol=2e-3,
        atol=2e-3,
    ),
    Case(
        """operator Batched { input { Tensor a, FLOAT32 [B, M, K]; Tensor b, FLOAT32 [B, K, N]; }
           output { Tensor c, FLOAT32 [B, N, M]; } computation { c = transpose(a @ b, axis=0, N, M) * 2; } }""",
        lambda b, m, k, n: [rand(b, m, k), rand(b, k, n)],
        lambda a, b: [(a.double() @ b.double()).float().transpose(1, 2) * 2],
        ((2, 3, 4, 5), (3, 16, 33, 8)),
        rtol=1e-5,
        atol=1e-4,
    ),
    Case(
        """operator Columns { input { Tensor x, FLOAT32 [M, N]; }
           output { Tensor y, FLOAT32 [M, N]; Tensor total, FLOAT32 []; Tensor lows, FLOAT32 [N]; }
           computation {
             e = exp(x - max(x, M));
             y = e / sum(e, M);
             total = sum(x * x);
             lows = min(x, M);
           } }""",
        lambda m, n: [rand(m, n)],
        lambda x: [torch.softmax(x.double(), 0).float(), (x.double() ** 2).sum().float(), x.amin(0)],
        ((3, 5), (1, 1), (50, 300), (2, 20001)),
        rtol=1e-5,
    ),
    Case(
        """operator Nested { input { Tensor x, FLOAT32 [B, M, N]; }
           output { Tensor s, FLOAT32 [B]; Tensor d, FLOAT32 [B, M, N]; Tensor avg, FLOAT32 [B, M]; }
           computation { s = sum(x, M, N) + 1; d = x * sum(x, M, N); avg = sum(x, axis=-1) / N; } }""",
        lambda b, m, n: [rand(b, m, n)],
        lambda x: [
            x.double().sum((1, 2)).float() + 1,
            x * x.double().sum((1, 2), keepdim=True).float(),
            x.double().mean(2).float(),
        ],
        ((3, 5, 7), (1, 1, 1), (2, 3, 20000), (2, 700, 3)),
        rtol=1e-5,
        atol=5e-4,
    ),
    Case(
        """operator Middle { input { Tensor x, INT32 [A, M, N]; } output { Tensor s, INT32 [A, N]; Tensor m, INT32 [A, M, N]; }
           computation { s = sum(x, M); m = x - max(x, A, N); } }""",
        lambda a, m, n: [rand(a, m, n, dtype=torch.int32, low=-1000, high=1000)],
        lambda x: [x.sum(1, dtype=torch.int32), x - x.amax((0, 2), keepdim=True)],
        ((2, 3, 4), (3, 40, 50), (1, 1, 1)),
        rtol=0,
        atol=0,
    ),
    Case(
        """operator Epilogue { input { Tensor a, FLOAT32 [M, K]; Tensor b, FLOAT32 [K, N]; Tensor c, FLOAT32 [N]; }
           output { Tensor y, FLOAT32 [M, N]; Tensor z, FLOAT32 [M, N]; }
           computation { p = a @ b; y = p + c; z = p * y; } }""",
        lambda m, k, n: [rand(m, k), rand(k, n), rand(n)],
        lambda a, b, c: [
            (a.double() @ b.double() + c).float(),
            ((a.double() @ b.double()) * (a.double() @ b.double() + c)).float(),
        ],
        ((3, 4, 5), (20, 7, 5000)),
        rtol=1e-5,
        atol=1e-4,
    ),
    Case(
        """operator Attention { input { Tensor q, FLOAT32 [S, D]; Tensor k, FLOAT32 [T, D]; Tensor v, FLOAT32 [T, D];
           Tensor mask, BOOL [S, T]; } output { Tensor o, FLOAT32 [S, D]; }
           computation {
             s = where(mask, q @ transpose(k) * rsqrt(D), -inf);
             p = exp(s - max(s, T));
             o = (p / sum(p, T)) @ v;
           } }""",
        lambda s, t, d: [rand(s, d), rand(t, d), rand(t, d), torch.ones(s, t, dtype=torch.bool).tril(t - s)],
        lambda q, k, v, m: [
            torch.nn.functional.scaled_dot_product_attention(q.double(), k.double(), v.double(), m).float()
        ],
        ((4, 6, 8), (33, 64, 16)),
        rtol=1e-5,
        atol=1e-5,
    ),
    Case(
        """operator Bytes { input { Tensor a, INT8 [M, N]; Tensor b, UINT8 [M, N]; Tensor c, INT64 [N]; }
           output { Tensor x, INT8 [M, N]; Tensor y, UINT8 [M, N]; Tensor z, INT64 [M, N]; Tensor t, INT8 [N, M]; }
           computation { x = a * a - 1; y = max(b, 200) + 100; z = cast(a, INT64) * c; t = transpose(a); } }""",
        lambda m, n: [
            rand(m, n, dtype=torch.int8, low=-128, high=127),
            rand(m, n, dtype=torch.uint8, low=0, high=255),
            rand(n, dtype=torch.int64, low=-(2**40), high=2**40),
        ],
        lambda a, b, c: [a * a - 1, torch.clamp(b, min=200) + 100, a.long() * c, a.T.contiguous()],
        ((3, 5), (7, 1000)),
        rtol=0,
        atol=0,
    ),
]


def check(case: Case, made: Tensors, inputs: Tensors) -> None:
    """Compares outputs with what PyTorch computes; NaN equals NaN."""
    for place, (actual, expected) in enumerate(zip(made, case.expected(*inputs, **case.attrs), strict=True)):
        assert actual.dtype == expected.dtype
        torch.testing.assert_close(
            actual,
            expected.reshape(actual.shape),
            rtol=case.rtol,
            atol=case.atol,
            equal_nan=True,
            msg=lambda text, at=place: f"{case.name}, output {at}, inputs {[tuple(x.shape) for x in inputs]}: {text}",
        )
