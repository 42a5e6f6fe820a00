"""The newest of what came in: bounded by how many, and by how many bytes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Ring(Generic[T]):
    """Keeps the newest items, in order. An item that is larger than all the room is kept alone."""

    def __init__(self, max_items: int, max_bytes: int) -> None:
        self._max_items, self._max_bytes = max(1, max_items), max_bytes
        self._items: deque[tuple[T, int]] = deque()
        self._bytes = 0
        self.seen = 0
        """How many were ever added."""

    def add(self, item: T, size: int) -> None:
        """`size` in bytes, as the caller reckons it."""
        self.seen += 1
        self._items.append((item, size))
        self._bytes += size
        while len(self._items) > self._max_items or (self._bytes > self._max_bytes and len(self._items) > 1):
            self._bytes -= self._items.popleft()[1]

    def clear(self) -> None:
        """Forget the items; `seen` goes on counting."""
        self._items.clear()
        self._bytes = 0

    @property
    def first(self) -> int:
        """The number of the oldest kept item, counted from 0 over all that were ever added."""
        return self.seen - len(self._items)

    def since(self, number: int) -> tuple[list[T], int]:
        """The kept items from that number on, and how many of those that were asked for are gone."""
        gone = max(0, self.first - number)
        skipped = max(0, number - self.first)
        return [item for item, _ in list(self._items)[skipped:]], gone

    def __iter__(self) -> Iterator[T]:
        return iter([item for item, _ in self._items])

    def __len__(self) -> int:
        return len(self._items)
