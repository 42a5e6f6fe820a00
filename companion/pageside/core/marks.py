"""How far each watcher has read in what a tab logs and fetches, so that none takes another's news away."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

MAX_MARKS = 512
"""Past that the one unused longest is forgotten: its watcher is told some things again."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Read up to the item of that number, when it had come `times` times in a row.

    `unfinished`: items before it that are told again when they are finished. `passed`: items before it that were not
    told, as they were not asked for.
    """

    number: int = 0
    times: int = 0
    unfinished: frozenset[int] = frozenset()
    passed: frozenset[int] = frozenset()


START = Mark()


class Marks:
    """Those of one tab, each known by its watcher and by what it is for."""

    def __init__(self) -> None:
        self._marks: OrderedDict[tuple[str, str], Mark] = OrderedDict()

    def get(self, watcher: str, what: str) -> Mark:
        """The beginning, for whoever has read nothing yet."""
        mark = self._marks.get((watcher, what), START)
        if mark is not START:
            self._marks.move_to_end((watcher, what))
        return mark

    def set(self, watcher: str, what: str, mark: Mark) -> None:
        self._marks[watcher, what] = mark
        self._marks.move_to_end((watcher, what))
        while len(self._marks) > MAX_MARKS:
            self._marks.popitem(last=False)

    def forget(self, watcher: str) -> None:
        """The watcher is gone."""
        for key in [key for key in self._marks if key[0] == watcher]:
            del self._marks[key]

    def __len__(self) -> int:
        return len(self._marks)
