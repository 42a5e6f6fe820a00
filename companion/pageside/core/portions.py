"""How much of a list one answer can carry."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate


def fitting(sizes: Iterable[int], room: int) -> int:
    """How many of the first ones fit into `room`; one does in any case."""
    sums = list(accumulate(sizes))
    return sum(1 for number, total in enumerate(sums) if total <= room or number == 0)


def portion(sizes: Sequence[int], room: int, *, newest: bool) -> slice:
    """The oldest that fit, or the newest, of a list that begins with the oldest."""
    if newest:
        return slice(len(sizes) - fitting(reversed(sizes), room), len(sizes))
    return slice(0, fitting(sizes, room))
