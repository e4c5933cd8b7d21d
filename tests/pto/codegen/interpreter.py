"""An interpreter of checked operators in PyTorch, to compare generated code with."""

from __future__ import annotations

import math

from operators import rand
from pto.idl.program import Operator, Scalar, Value

import torch

UNARY = {
    "abs": torch.abs,
    "neg": torch.neg,
    "relu": torch.relu,
    "exp": torch.exp,
    "log": torch.log,
    "sqrt": torch.sqrt,
    "rsqrt": torch.rsqrt,
    "reciprocal": torch.reciprocal,
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "copy": torch.clone,
}
BINARY = {
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "max": torch.maximum,
    "min": torch.minimum,
    "eq": torch.eq,
    "ne": lambda a, b: (a < b) | (a > b),  # false with NaN
    "lt": torch.lt,
    "le": torch.le,
    "gt": torch.gt,
    "ge": torch.ge,
}


def interpret(operator: Operator, inputs: list[torch.Tensor], sizes: dict[str, int]) -> list[torch.Tensor]:
    """The outputs, value by value, each operation as PyTorch does it in the value's element type."""
    known = {p.name: tensor for p, tensor in zip(operator.inputs, inputs)}
    made: dict[int, torch.Tensor] = {}

    def number(scalar: Scalar) -> float:
        match scalar.op:
            case "constant":
                return scalar.value
            case "attr":
                return next(a.default for a in operator.attrs if a.name == scalar.name)
            case "size":
                return int(scalar.size.evaluate(sizes))
        args = [number(a) for a in scalar.args]
        return {"add": math.fsum, "neg": lambda x: -x[0], "mul": math.prod}[scalar.op](args)

    def operand(arg: Value | Scalar, dtype: torch.dtype) -> torch.Tensor:
        return made[id(arg)] if isinstance(arg, Value) else torch.tensor(number(arg), dtype=torch.float64).to(dtype)

    for value in operator.values:
        dtype = made[id(value.tensors[-1])].dtype if value.tensors else None
        args = [operand(a, dtype) for a in value.args]
        if value.op == "input":
            result = known[value.name]
        elif value.op == "where":
            result = torch.where(*args)
        elif value.op == "cast":
            result = args[0]
            if result.is_floating_point() and value.dtype.range:
                # To nearest even, clamped, NaN to 0.
                assert value.round == "rint"
                result = result.double().round().nan_to_num(0).clamp(*value.dtype.range)
            result = result.to(getattr(torch, value.dtype.name.lower()))
        elif value.op == "transpose":
            result = args[0].permute(value.perm).contiguous()
        elif value.op == "reshape":
            result = args[0].reshape([int(dim.evaluate(sizes)) for dim in value.shape])
        elif value.op == "matmul":
            result = (args[0].double() @ args[1].double()).to(dtype)
        elif value.op == "reduce_sum":
            result = args[0].double().sum(value.axes, keepdim=True).to(dtype)
        elif value.op.startswith("reduce_"):
            result = (torch.amax if value.op == "reduce_max" else torch.amin)(args[0], value.axes, keepdim=True)
        else:
            result = (UNARY.get(value.op) or BINARY[value.op])(*args)
        made[id(value)] = result
    return [made[id(v)] for v in operator.results]


#: Sizes of A, B and C for random operators: small, a row longer than every buffer, ones.
SIZES = ({"A": 2, "B": 3, "C": 5}, {"A": 1, "B": 2, "C": 17000}, {"A": 3, "B": 1, "C": 1})


def inputs_of(operator: Operator, sizes: dict[str, int]) -> list[torch.Tensor]:
    """Random inputs of the operator's shapes and types."""
    return [
        rand(*(int(d.evaluate(sizes)) for d in p.shape), dtype=getattr(torch, p.dtype.name.lower()))
        for p in operator.inputs
    ]


def assert_agrees(made, operator: Operator, inputs: list[torch.Tensor], sizes: dict[str, int], text: str) -> None:
    """That the outputs `made` from the inputs are the interpreter's, as far as their type can hold them."""
    for actual, expected in zip(made, interpret(operator, inputs, sizes)):
        tolerance = {torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 6e-2}.get(actual.dtype, 0)
        torch.testing.assert_close(
            actual,
            expected.reshape(actual.shape),
            rtol=tolerance,
            atol=tolerance,
            msg=lambda m: f"{text}{sizes}: {m}",
        )
