"""Random operators that follow the grammar and the rules of types and shapes."""

from __future__ import annotations

import random

SHAPES = (
    ("A", "B", "C"),
    ("B", "C"),
    ("C",),
    ("B", "1"),
    ("A", "1", "C"),
    ("A", "B", "1"),
    ("1", "C"),
    ("A", "1", "1"),
    ("1",),
    (),
)
#: Element type → operations whose results do not depend on the order of rounding, and others.
PAIRS = ("{} + {}", "{} - {}", "{} * {}", "max({}, {})", "min({}, {})")
SINGLES = {
    "FLOAT32": ("abs({})", "-{}", "relu({})", "tanh({})", "sigmoid({})", "exp(min({}, 1))", "sqrt(abs({}))"),
    "FLOAT16": ("abs({})", "neg({})", "relu({})", "sqrt(abs({}))"),
    "BFLOAT16": ("abs({})", "neg({})", "relu({})"),
    "INT32": ("abs({})", "neg({})", "relu({})"),
}
INEXACT = ("tanh", "sigmoid", "exp", "sqrt", "sum", "mean")
NUMBERS = {
    "FLOAT32": ("0.5", "2", "k", "-1.25", "(C + 1)"),
    "FLOAT16": ("0.5", "2"),
    "BFLOAT16": ("0.5", "2"),
    "INT32": ("3", "-7"),
}


class Known:
    """A value that later statements may read."""

    def __init__(self, text: str, dtype: str, shape: tuple[str, ...], exact: bool):
        self.text, self.dtype, self.shape, self.exact = text, dtype, shape, exact


def broadcast(a: tuple[str, ...], b: tuple[str, ...]) -> tuple[str, ...] | None:
    """The common shape, or None."""
    rank = max(len(a), len(b))
    result = []
    for x, y in zip(("1",) * (rank - len(a)) + a, ("1",) * (rank - len(b)) + b):
        if x != y and "1" not in (x, y):
            return None
        result.append(y if x == "1" else x)
    return tuple(result)


def operator_text(seed: int, whole: bool = True) -> str:
    """One operator; with `whole` also transpositions and reductions that target ascendc refuses."""
    rng = random.Random(seed)
    inputs = [Known("x", "FLOAT32", ("A", "B", "C"), True)]
    for n in range(rng.randint(1, 3)):
        dtype = rng.choice(("FLOAT32", "FLOAT32", "FLOAT16", "BFLOAT16", "INT32"))
        inputs.append(Known(f"in{n}", dtype, rng.choice(SHAPES), True))
    known, lines = list(inputs), []
    for n in range(rng.randint(2, 9)):
        made = _statement(rng, known, whole)
        known.append(Known(f"t{n}", made.dtype, made.shape, made.exact))
        lines.append(f"t{n} = {made.text};")
    made = known[len(inputs) :]
    results = rng.sample(made, min(len(made), rng.randint(1, 3)))
    if known[-1] not in results:
        results.append(known[-1])
    lines += [f"y{n} = {value.text};" for n, value in enumerate(results)]

    def block(name: str, values: list[tuple[str, Known]]) -> str:
        tensors = " ".join(f"Tensor {t}, {v.dtype} [{', '.join(v.shape)}];" for t, v in values)
        return f"{name} {{ {tensors} }}"

    return (
        f"operator Random{seed} {{ {block('input', [(v.text, v) for v in inputs])} "
        f"{block('output', [(f'y{n}', v) for n, v in enumerate(results)])} attr {{ FLOAT32 k = 0.75; }} "
        f"computation {{ {' '.join(lines)} }} }}\n"
    )


def _statement(rng: random.Random, known: list[Known], whole: bool) -> Known:
    a = rng.choice(known[-6:])
    kind = rng.random()
    if kind < 0.25 and a.shape:
        axes = [axis for axis in range(len(a.shape)) if a.shape[axis] != "1"]
        if axes:
            count = rng.randint(1, len(axes))
            chosen = sorted(rng.sample(axes, count) if whole else axes[-count:])
            if not whole and len(a.shape) - 1 not in chosen:
                return Known(f"abs({a.text})", a.dtype, a.shape, a.exact)
            names = ("max", "min") if a.dtype == "INT32" else ("max", "min", "mean", "sum")
            name = rng.choice(names)
            if not whole and a.dtype == "INT32":
                return Known(f"abs({a.text})", a.dtype, a.shape, a.exact)
            shape = tuple("1" if axis in chosen else size for axis, size in enumerate(a.shape))
            scale = " * 0.01" if name == "sum" else ""
            text = f"{name}({a.text}, {', '.join(f'axis={axis}' for axis in chosen)}){scale}"
            return Known(text, a.dtype, shape, a.exact and name not in INEXACT)
    if kind < 0.35:
        text = rng.choice(SINGLES[a.dtype])
        return Known(text.format(a.text), a.dtype, a.shape, a.exact and not text.startswith(INEXACT))
    if kind < 0.42 and whole and len(a.shape) > 1:
        return Known(f"transpose({a.text})", a.dtype, (*a.shape[:-2], a.shape[-1], a.shape[-2]), a.exact)
    if kind < 0.5 and a.dtype != "FLOAT32" and a.exact:
        return Known(f"cast({a.text}, FLOAT32)", "FLOAT32", a.shape, True)
    partners = [v for v in known if v.dtype == a.dtype and broadcast(a.shape, v.shape) is not None]
    b = rng.choice(partners)
    shape = broadcast(a.shape, b.shape) or ()
    if kind < 0.65 and a.exact and b.exact and (whole or (shape and shape[-1] != "1" and a.dtype != "INT32")):
        mark = rng.choice(("<", "<=", ">", ">=", "==", "!="))
        other = rng.choice([v for v in partners if (broadcast(shape, v.shape) or ()) == shape])
        return Known(f"where({a.text} {mark} {b.text}, {other.text}, {a.text})", a.dtype, shape, other.exact)
    text = rng.choice(PAIRS)
    if rng.random() < 0.3:
        pair = [a.text, rng.choice(NUMBERS[a.dtype])]
        rng.shuffle(pair)
        return Known(text.format(*pair), a.dtype, a.shape, a.exact)
    return Known(text.format(a.text, b.text), a.dtype, shape, a.exact and b.exact)
