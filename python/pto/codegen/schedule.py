"""Which operations run together: an operator's values → stages, each of them one loop over tiles or one whole-tensor operation.

A loop computes every value of one domain (a shape) at one level. Levels rise where a value must be complete before it is
read: the result of a matrix product, a transposition, a reduction over an axis that is not the last, or a value of another
domain. A value that a later loop of its own domain needs is computed there again rather than kept in full size.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from pto.idl.dims import ONE, Shape
from pto.idl.program import Operator, Value

#: Operations on whole tensors in memory.
WHOLE = {"matmul", "transpose", "reshape"}


def is_reduction(value: Value) -> bool:
    """Whether a value is a sum, maximum or minimum over an axis."""
    return value.op.startswith("reduce_")


def reduces_last(value: Value, domain: Shape) -> bool:
    """Whether a value is a reduction over the last axis of the domain in which it is computed."""
    if not is_reduction(value):
        return False
    behind = len(value.shape) - 1 - value.axes[-1]
    return all(dim.is_one() for dim in domain[len(domain) - behind :])


def _strip(shape: Shape) -> Shape:
    """Without leading constant ones: they broadcast to anything."""
    at = 0
    while at < len(shape) and shape[at].is_one():
        at += 1
    return shape[at:]


@dataclass(eq=False)
class Stage:
    """Values computed together, in order. `whole` names the operation when it is one on whole tensors."""

    level: int
    domain: Shape
    values: list[Value] = field(default_factory=list)
    whole: str = ""


@dataclass
class Schedule:
    """The stages in order, and the values that lie in memory: inputs, outputs, and temporaries."""

    operator: Operator
    stages: list[Stage]
    stored: list[Value]

    def __post_init__(self) -> None:
        self._stored = {id(value) for value in self.stored}

    def is_stored(self, value: Value) -> bool:
        """Whether a value lies in memory."""
        return id(value) in self._stored

    @property
    def temporaries(self) -> list[Value]:
        """Stored values that are neither inputs nor outputs nor views of others."""
        return [
            v
            for v in self.stored
            if v.op not in ("input", "reshape") and not any(v is r for r in self.operator.results)
        ]


def stages_of(operator: Operator) -> Schedule:
    """The stages of an operator; plan.py makes sure that each of its loops can be written."""
    values = [v for v in operator.values if v.op != "input"]
    domains = _domains(values)
    levels = _levels(values, domains)
    stages = _stages(values, domains, levels)
    stored = _store(operator, stages, domains)
    return Schedule(operator, stages, [v for v in operator.values if id(v) in stored])


def _domains(values: list[Value]) -> dict[int, Shape]:
    """For each value the shape over which it is computed: its own, or that of the rows it belongs to."""
    domains: dict[int, Shape] = {}
    for value in values:
        own = _strip(value.shape)
        # The result of a reduction over the last axis is one element a row of its operand: it stays with the rows.
        of_rows = [
            a
            for a in value.tensors
            if id(a) in domains and _is_row(a, domains[id(a)]) and not is_complete_only(a, domains[id(a)])
        ]
        rows = {domains[id(a)] for a in of_rows}
        if is_reduction(value):
            (operand,) = value.tensors
            domain = domains.get(id(operand), _strip(operand.shape))
            domains[id(value)] = domain if _is_row(operand, domain) else _strip(operand.shape)
        elif value.op not in WHOLE and len(rows) == 1 and _fits_rows(own, next(iter(rows)), of_rows):
            domains[id(value)] = next(iter(rows))
        else:
            domains[id(value)] = own
    return domains


def _is_row(value: Value, domain: Shape) -> bool:
    """Whether a value has one element for each row of a domain."""
    last = value.shape[-1] if value.shape else ONE
    return bool(domain) and last.is_one() and not domain[-1].is_one() and value.op not in WHOLE


def _fits_rows(shape: Shape, domain: Shape, rows: list[Value]) -> bool:
    """Whether a shape is the domain, the domain with its last size 1, or that of another value of the rows."""
    return shape in (domain, _strip((*domain[:-1], ONE)), *(_strip(row.shape) for row in rows))


def is_complete_only(value: Value, domain: Shape) -> bool:
    """Whether a value exists only once its whole stage has run."""
    return value.op in WHOLE or (is_reduction(value) and not reduces_last(value, domain))


def _levels(values: list[Value], domains: dict[int, Shape]) -> dict[int, int]:
    def cut(producer: Value, consumer: Value) -> int:
        together = (
            not is_complete_only(producer, domains[id(producer)])
            and consumer.op not in WHOLE
            and domains[id(producer)] == domains[id(consumer)]
        )
        return 0 if together else 1

    levels: dict[int, int] = {}
    users: dict[int, list[Value]] = defaultdict(list)
    for value in values:
        operands = [a for a in value.tensors if a.op != "input"]
        for operand in operands:
            users[id(operand)].append(value)
        levels[id(value)] = max((levels[id(a)] + cut(a, value) for a in operands), default=0)
    # As late as their users allow: what only a later loop needs is computed in that loop.
    for value in reversed(values):
        if users[id(value)]:
            levels[id(value)] = min(levels[id(u)] - cut(value, u) for u in users[id(value)])
    return levels


def _stages(values: list[Value], domains: dict[int, Shape], levels: dict[int, int]) -> list[Stage]:
    stages: dict[tuple, Stage] = {}
    for value in values:
        key: tuple = (levels[id(value)], id(value)) if value.op in WHOLE else (levels[id(value)], domains[id(value)])
        if key not in stages:
            whole = value.op if value.op in WHOLE else ""
            stages[key] = Stage(levels[id(value)], domains[id(value)], whole=whole)
        stages[key].values.append(value)
    # Python's sort keeps the order of first appearance within a level.
    return sorted(stages.values(), key=lambda stage: stage.level)


def _store(operator: Operator, stages: list[Stage], domains: dict[int, Shape]) -> set[int]:
    """Marks what must lie in memory; values that a later loop computes again are added to it."""
    place = {id(v): v for v in operator.values}
    order = {id(v): n for n, v in enumerate(operator.values)}
    stored = {id(v) for v in operator.values if v.op == "input"} | {id(v) for v in operator.results}
    stored |= {id(v) for v in operator.values if v.op in WHOLE}
    for stage in stages:
        members = {id(v) for v in stage.values}
        pending = list(stage.values)
        while pending:
            value = pending.pop()
            for operand in value.tensors:
                known = id(operand) in members or id(operand) in stored
                if known:
                    continue
                if not stage.whole and domains[id(operand)] == stage.domain and _is_cheap(operand, stage.domain):
                    members.add(id(operand))
                    pending.append(operand)
                else:
                    stored.add(id(operand))
        stage.values = [place[i] for i in sorted(members, key=order.__getitem__)]
    return stored


def _is_cheap(value: Value, domain: Shape) -> bool:
    """Whether a value is computed again where it is needed: full size, and no reduction."""
    return value.op not in WHOLE and not is_reduction(value) and not _is_row(value, domain)
