"""Things that belong to a page, and go on with the documents that take its place."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Followed(Generic[T]):
    """By the id of the newest document of each line; the oldest lines make room when there are more than `most`."""

    def __init__(self, make: Callable[[], T], most: int, *, shares: bool = False) -> None:
        """`shares`: what is followed keeps it too, should it be there after all."""
        self._make, self._most, self._shares = make, most, shares
        self._of: OrderedDict[str, T] = OrderedDict()

    def get(self, page: str) -> T | None:
        return self._of.get(page)

    def of(self, page: str) -> T:
        """That of this page, made at the first time."""
        found = self._of.get(page)
        if found is None:
            found = self._of[page] = self._make()
            self._make_room()
        self._of.move_to_end(page)
        return found

    def follow(self, old: str | None, new: str) -> None:
        """The document `new` takes the place of `old`; a second time changes nothing."""
        if old is not None and old != new and old in self._of:
            self._of[new] = self._of[old] if self._shares else self._of.pop(old)
            self._make_room()

    def _make_room(self) -> None:
        while len(self._of) > self._most:
            self._of.popitem(last=False)

    def __iter__(self) -> Iterator[T]:
        return iter(list(self._of.values()))

    def items(self) -> list[tuple[str, T]]:
        return list(self._of.items())
