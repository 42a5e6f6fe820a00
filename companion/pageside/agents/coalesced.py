"""Tells at once, and then at most twice a second, however often it happens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

SECONDS = 0.5

K = TypeVar("K", bound=Hashable)


class Coalesced(Generic[K]):
    """Calls `tell(key)` for every `mark(key)`, those within `seconds` of the last call together when they are over."""

    def __init__(self, tell: Callable[[K], None], seconds: float = SECONDS) -> None:
        self._tell, self._seconds = tell, seconds
        self._again: dict[K, bool] = {}

    def mark(self, key: K) -> None:
        """It happened."""
        if key in self._again:
            self._again[key] = True
        else:
            self._now(key)

    def _now(self, key: K) -> None:
        self._again[key] = False
        self._tell(key)
        asyncio.get_running_loop().call_later(self._seconds, self._over, key)

    def _over(self, key: K) -> None:
        if self._again.pop(key):
            self._now(key)
