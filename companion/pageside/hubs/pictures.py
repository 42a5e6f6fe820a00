"""Pictures of what was picked lately, ready or on their way: in memory, a few, for ten minutes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pageside.core.pictures import Picture
from pageside.errors import PagesideError

T = TypeVar("T")

log = logging.getLogger(__name__)

KEEP_SECONDS = 600.0
MAX_PICTURES = 24

Key = tuple[str, str]
"""Page id, element id."""


@dataclass(slots=True)
class _Shot:
    task: asyncio.Task[Picture]
    timer: asyncio.TimerHandle = field(repr=False)


class RecentPictures:
    """By page and element. A document that takes another's place in its tab takes over its pictures."""

    def __init__(self, seconds: float = KEEP_SECONDS) -> None:
        self._seconds = seconds
        self._shots: dict[Key, _Shot] = {}
        self._running: set[asyncio.Task[Any]] = set()

    def find(self, page: str, element: str) -> asyncio.Task[Picture] | None:
        """The picture, or what is taking it."""
        shot = self._shots.get((page, element))
        return None if shot is None else shot.task

    def named(self, element: str) -> asyncio.Task[Picture] | None:
        """As `find`, on whichever page; the newest. Documents do not share ids of elements."""
        found = [shot.task for (_, name), shot in self._shots.items() if name == element]
        return found[-1] if found else None

    def take(self, page: str, element: str, work: Coroutine[Any, Any, Picture]) -> asyncio.Task[Picture]:
        """Run `work` and remember what comes of it, in place of an earlier picture of that element."""
        key = (page, element)
        self._forget(key)
        while len(self._shots) >= MAX_PICTURES:
            self._forget(next(iter(self._shots)))
        task = self._start(work)
        timer = asyncio.get_running_loop().call_later(self._seconds, self._expire, task)
        self._shots[key] = _Shot(task, timer)
        return task

    def run(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` until it or the companion ends."""
        _ = self._start(work)

    def _start(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        # Ours is told to whoever wants the picture, and need not be wanted by anybody.
        if error is not None and not isinstance(error, PagesideError):
            log.error("a picture failed inside Pageside", exc_info=error)

    def _expire(self, task: asyncio.Task[Picture]) -> None:
        for key in [key for key, shot in self._shots.items() if shot.task is task]:
            self._forget(key)

    def _forget(self, key: Key) -> None:
        shot = self._shots.pop(key, None)
        if shot is not None:
            shot.timer.cancel()

    def stop(self) -> None:
        """Nothing more is taken."""
        for key in list(self._shots):
            self._forget(key)
        for task in self._running:
            task.cancel()

    def page_connected(self, page: str, predecessor: str | None) -> None:
        """The successor of a document sends the notes that it could not."""
        for key in [key for key in self._shots if key[0] == predecessor]:
            self._shots[(page, key[1])] = self._shots.pop(key)
