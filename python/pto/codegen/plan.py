"""The schedule of an operator in which every loop can be written: each reduction goes over one axis of its loop."""

from __future__ import annotations

from dataclasses import replace

from pto.codegen.loops import Loop
from pto.codegen.schedule import Schedule, is_reduction, stages_of
from pto.idl.dims import ONE
from pto.idl.program import Operator, Value


def schedule(operator: Operator) -> Schedule:
    """The stages of a copy of the operator, in which reductions over several axes are split where they must be."""
    operator = _copy(operator)
    while True:
        plan = stages_of(operator)
        wide = [
            value
            for stage in plan.stages
            if not stage.whole
            for loop in [Loop(stage, plan)]
            for value in stage.values
            if is_reduction(value) and len(loop.reduced(value)) > 1
        ]
        if not wide:
            return plan
        for value in {id(v): v for v in wide}.values():
            _split(operator, value)


def _copy(operator: Operator) -> Operator:
    """A copy with values of its own; arguments come before their users, so no recursion is needed."""
    made: dict[int, Value] = {}
    for value in operator.values:
        args = tuple(made[id(a)] if isinstance(a, Value) else a for a in value.args)
        made[id(value)] = replace(value, args=args)
    return replace(operator, values=list(made.values()), results=[made[id(v)] for v in operator.results])


def _split(operator: Operator, value: Value) -> None:
    """Makes a reduction one over its last axis, and then one over the others."""
    (operand,) = value.tensors
    last = value.axes[-1]
    shape = tuple(ONE if axis == last else dim for axis, dim in enumerate(operand.shape))
    inner = replace(value, shape=shape, axes=(last,), name="")
    value.args, value.axes = (inner,), value.axes[:-1]
    operator.values.insert(next(n for n, v in enumerate(operator.values) if v is value), inner)
