"""The pictures of a project's inspections: which there are from memory, what they show from disk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from functools import partial
from typing import Protocol, TypeVar

from pageside.core.pictures import Picture
from pageside.core.signals import Signal
from pageside.store.picture_rows import DROPPED, PictureRows

T = TypeVar("T")


class OnDisk(Protocol):
    """Runs `work` in the thread that owns the file."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]: ...


class Pictures:
    """One picture for an inspection, or why there is none. Everything that writes may raise `StoreFailed`."""

    def __init__(self, rows: PictureRows, on_disk: OnDisk, known: dict[str, str | None]) -> None:
        self._rows, self._on_disk, self._known = rows, on_disk, known
        self.kept: Signal[str] = Signal()
        """With the inspection that got its picture."""

    def ids(self) -> list[str]:
        """The inspections that have a picture."""
        return [inspection for inspection, failure in self._known.items() if failure is None]

    def has(self, inspection: str) -> bool:
        return self._known.get(inspection, "") is None

    def is_settled(self, inspection: str) -> bool:
        """There is a picture, or it is known why there is none."""
        return inspection in self._known

    def failure(self, inspection: str) -> str | None:
        """Why there is none, where that is known."""
        return self._known.get(inspection)

    async def get(self, inspection: str) -> Picture | None:
        return await self._on_disk(partial(self._rows.get, inspection)) if self.has(inspection) else None

    async def keep(self, inspection: str, picture: Picture) -> None:
        """Write the picture; the oldest may have to go for it."""
        dropped = await self._on_disk(partial(self._rows.put, inspection, picture))
        self._known[inspection] = None
        self._known.update(dict.fromkeys(dropped, DROPPED))
        self.kept.tell(inspection)

    async def fail(self, inspection: str, why: str, now_ms: int) -> None:
        """Write down why there is no picture."""
        await self._on_disk(partial(self._rows.put_failure, inspection, why, now_ms))
        self._known[inspection] = why

    async def forget(self, inspections: Collection[str]) -> None:
        """The inspections were deleted."""
        for inspection in inspections:
            self._known.pop(inspection, None)
        await self._on_disk(partial(self._rows.delete, inspections))
