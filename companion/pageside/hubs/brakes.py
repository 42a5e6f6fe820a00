"""What the user holds back: pages that are paused, the project as a whole, and what tools may do."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pageside.core.followed import Followed
from pageside.core.permissions import Decision
from pageside.core.signals import Signal

MAX_PAUSED = 256


@dataclass(slots=True, eq=False)
class _Held:
    paused: bool = False
    asking: int = 0
    """Questions about other calls that the user has before him there."""
    answered: asyncio.Event = field(default_factory=asyncio.Event)


class Brakes:
    """A pause goes on with the document that takes a page's place."""

    def __init__(self) -> None:
        # Who only says that it replaces a paused page must not release that.
        self._held = Followed(_Held, MAX_PAUSED, shares=True)
        self.everywhere = False
        self.policy: dict[str, Decision] = {}
        self._changes: Signal[()] = Signal()

    def listen(self, listener: Callable[[], None]) -> None:
        """Call it whenever something changes."""
        self._changes.listen(listener)

    def is_paused(self, page: str) -> bool:
        """Whether nothing may read or act in that page."""
        held = self._held.get(page)
        return self.everywhere or (held is not None and held.paused)

    def pause(self, page: str, paused: bool) -> None:
        """Of this page alone."""
        self._held.of(page).paused = paused

    @contextmanager
    def asking(self, page: str) -> Iterator[None]:
        """In this block a question lies on that page, or on the document that takes its place."""
        held = self._held.of(page)
        held.asking += 1
        held.answered.clear()
        try:
            yield
        finally:
            held.asking -= 1
            if held.asking == 0:
                held.answered.set()

    def answered(self, page: str) -> asyncio.Event | None:
        """Set when no question lies on that page any more; None if none does now."""
        held = self._held.get(page)
        return held.answered if held is not None and held.asking else None

    def changed(self) -> None:
        """Tell those who listen."""
        self._changes.tell()

    def state(self, page: str) -> dict[str, Any]:
        """As that page sees it: `{"paused", "everywhere", "policy"}`; `paused` is its own."""
        held = self._held.get(page)
        paused = held is not None and held.paused
        return {"paused": paused, "everywhere": self.everywhere, "policy": dict(self.policy)}

    def follow(self, old: str | None, page: str) -> None:
        """`page` came in the place of `old`, which may have been gone for a while."""
        self._held.follow(old, page)
