"""One loop: its axes, and in which pass over a row each of its values is computed.

The last axis is walked tile by tile. What depends on a reduction over that axis needs another pass over the row; values
needed in several passes are kept where the row fits the buffers, and computed again where it does not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from pto.codegen.schedule import Schedule, Stage, is_reduction
from pto.idl.dims import ONE, Dim, Shape
from pto.idl.program import Value

#: A product of sizes; empty is 1.
Extent = tuple[Dim, ...]


class Loop:
    """The plan of one stage that is a loop."""

    def __init__(self, stage: Stage, plan: Schedule):
        self.stage = stage
        self.plan = plan
        self.values = stage.values
        self._members = {id(v) for v in stage.values}
        #: Tensors in memory that the loop reads.
        self.loads: list[Value] = []
        self._users: dict[int, list[Value]] = defaultdict(list)
        seen = set(self._members)
        for value in stage.values:
            for operand in {id(a): a for a in value.tensors}.values():
                self._users[id(operand)].append(value)
                if id(operand) not in seen:
                    seen.add(id(operand))
                    self.loads.append(operand)
        self._rank = max(len(stage.domain), 1)
        self._domain: Shape = (ONE,) * (self._rank - len(stage.domain)) + tuple(stage.domain)
        self._groups = self._merge()
        self._row: dict[int, bool] = {}
        #: Sizes of the loop's axes; the last is walked by tiles, the others element by element.
        self.axes: list[Extent] = [tuple(self._domain[a] for a in group) for group in self._groups] or [()]
        self.slot = self._slots()
        self.passes = 1 + max((self.slot[id(v)] for v in self.values if not self.is_row(v)), default=0)

    # --- axes ---

    def _padded(self, shape: Shape) -> Shape:
        shape = tuple(shape)
        if len(shape) > self._rank:
            return shape[len(shape) - self._rank :]
        return (ONE,) * (self._rank - len(shape)) + shape

    def _merge(self) -> list[list[int]]:
        """Groups of neighbouring axes that every tensor has whole or not at all; axes of constant size 1 are left out."""
        shapes = [self._padded(v.shape) for v in (*self.values, *self.loads)]
        groups: list[list[int]] = []
        for axis in range(self._rank):
            if self._domain[axis].is_one():
                continue
            pattern = [shape[axis].is_one() for shape in shapes]
            if groups and pattern == [shape[groups[-1][-1]].is_one() for shape in shapes]:
                groups[-1].append(axis)
            else:
                groups.append([axis])
        return groups

    def has(self, value: Value, axis: int) -> bool:
        """Whether a value differs along a loop's axis; otherwise it is the same there."""
        return bool(self._groups) and not self._padded(value.shape)[self._groups[axis][-1]].is_one()

    def is_row(self, value: Value) -> bool:
        """Whether a value is one element for all of the last axis."""
        if id(value) not in self._row:
            self._row[id(value)] = not self.has(value, -1)
        return self._row[id(value)]

    def strides(self, value: Value) -> list[Extent | None]:
        """For each axis but the last the distance in memory, in elements; None where the value is the same."""
        shape = self._padded(value.shape)
        result: list[Extent | None] = []
        for axis, group in enumerate(self._groups[:-1]):
            behind = tuple(d for d in shape[group[-1] + 1 :] if not d.is_one())
            result.append(behind if self.has(value, axis) else None)
        return result

    # --- kinds of values ---

    def is_member(self, value: Value) -> bool:
        """Whether the loop computes a value (otherwise it reads it from memory)."""
        return id(value) in self._members

    def reduced(self, value: Value) -> list[int]:
        """The loop's axes over which a reduction goes."""
        (operand,) = value.tensors
        return [axis for axis in range(len(self._groups)) if self.has(operand, axis) and not self.has(value, axis)]

    def reduces_row(self, value: Value) -> bool:
        """Whether a value is a reduction along the last axis of the loop."""
        return is_reduction(value) and self.has(value.tensors[0], -1) and self.is_row(value)

    def accumulates(self, value: Value) -> bool:
        """Whether a value is a reduction along another axis: memory that every row adds to."""
        return is_reduction(value) and not self.reduces_row(value)

    def users(self, value: Value) -> list[Value]:
        """The values of the loop that read a value."""
        return self._users[id(value)]

    def stores(self, value: Value) -> bool:
        """Whether a value of the loop goes to memory."""
        return self.is_member(value) and self.plan.is_stored(value)

    # --- passes ---

    def _slots(self) -> dict[int, int]:
        slot: dict[int, int] = {}
        for value in self.values:
            at = max((slot[id(a)] for a in value.tensors if id(a) in slot), default=0)
            slot[id(value)] = at + 1 if self.reduces_row(value) else at
        for value in reversed(self.values):
            if is_reduction(value) or self.is_row(value) or self.plan.is_stored(value):
                continue
            if users := self._users[id(value)]:
                # A reduction of pass p has slot p + 1.
                slot[id(value)] = min(slot[id(u)] - (1 if self.reduces_row(u) else 0) for u in users)
        return slot

    def row_values(self, slot: int) -> list[Value]:
        """Values of one element a row that are known before pass `slot` begins, without reductions of the row."""
        return [v for v in self.values if self.is_row(v) and self.slot[id(v)] == slot and not self.reduces_row(v)]

    def row_reductions(self, slot: int) -> list[Value]:
        """Reductions along the row that pass `slot` completes."""
        return [v for v in self.values if self.reduces_row(v) and self.slot[id(v)] == slot + 1]

    def pass_values(self, slot: int) -> list[Value]:
        """Values along the row that pass `slot` is the first to compute."""
        return [v for v in self.values if not self.is_row(v) and self.slot[id(v)] == slot]

    def again(self, slot: int) -> list[Value]:
        """Values of earlier passes that pass `slot` reads: computed again when the row did not fit the buffers."""
        needed: set[int] = set()
        pending: list[Value] = [*self.pass_values(slot), *self.row_reductions(slot)]
        while pending:
            for operand in pending.pop().tensors:
                if id(operand) not in needed and self._of_earlier_pass(operand, slot):
                    needed.add(id(operand))
                    pending.append(operand)
        return [v for v in self.values if id(v) in needed]

    def _of_earlier_pass(self, value: Value, slot: int) -> bool:
        return (
            self.is_member(value)
            and not self.is_row(value)
            and self.slot[id(value)] < slot
            and not self.plan.is_stored(value)
        )

    def kept(self) -> list[Value]:
        """Values along the row that later passes read."""
        read = {
            id(operand)
            for slot in range(1, self.passes)
            for user in (*self.pass_values(slot), *self.row_reductions(slot))
            for operand in user.tensors
            if self._of_earlier_pass(operand, slot)
        }
        return [v for v in self.values if id(v) in read]


def is_one_of(value: Value, values: Iterable[Value]) -> bool:
    """Identity, not equality."""
    return any(value is v for v in values)


def ids(values: Iterable[Value]) -> set[int]:
    """For asking often whether a value is among others."""
    return {id(v) for v in values}
