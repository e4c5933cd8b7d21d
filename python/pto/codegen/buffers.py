"""Which values of a pass share a tile buffer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pto.idl.program import Value


def allocate(
    order: Sequence[Value], has_buffer: Callable[[Value], bool], lives_on: Callable[[Value], bool]
) -> dict[int, int]:
    """A buffer for each value that has one, by number within its element type. `order` is the order of computation; the
    last user of a value may take its buffer, unless the value lives on to the end."""
    last = {id(a): n for n, v in enumerate(order) for a in v.tensors}
    free: dict[str, list[int]] = {}
    used: dict[str, int] = {}
    number: dict[int, int] = {}
    for n, value in enumerate(order):
        for operand in {id(a): a for a in value.tensors}.values():
            if id(operand) in number and last[id(operand)] == n and not lives_on(operand):
                free.setdefault(operand.dtype.name, []).append(number[id(operand)])
        if not has_buffer(value):
            continue
        type_ = value.dtype.name
        available = free.setdefault(type_, [])
        if available:
            available.sort()
            number[id(value)] = available.pop(0)
        else:
            number[id(value)] = used.get(type_, 0)
            used[type_] = number[id(value)] + 1
    return number
