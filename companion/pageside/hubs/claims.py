"""The claims of agents on inspections, with a clock: when a lease ends, somebody is told."""

from __future__ import annotations

import asyncio

from pageside.core.claims import Claim
from pageside.core.claims import Claims as Table
from pageside.core.signals import Signal


class LiveClaims:
    """The table of claims and the timer of the next one that ends."""

    def __init__(self) -> None:
        self._table = Table()
        self.abandoned: Signal[str, Claim] = Signal()
        """With an inspection, and the claim on it whose lease has run out."""
        self._timer: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    def is_free(self, inspection: str, owner: str) -> bool:
        return self._table.is_free(inspection, owner, self._loop.time())

    def working(self, owner: str) -> list[str]:
        """The inspections that `owner` works on."""
        return self._table.working(owner)

    def check(self, inspection: str, owner: str, *, claiming: bool) -> None:
        """Raise `Claimed` unless `owner` may write."""
        self._table.check(inspection, owner, self._loop.time(), claiming=claiming)

    def reserve(self, inspection: str, owner: str, name: str) -> None:
        self._table.reserve(inspection, owner, name, self._loop.time())
        self._watch()

    def take(self, inspection: str, owner: str, name: str) -> None:
        self._table.take(inspection, owner, name, self._loop.time())
        self._watch()

    def adopt(self, inspection: str, name: str) -> None:
        self._table.adopt(inspection, name, self._loop.time())
        self._watch()

    def settle(self, inspection: str, status: str) -> None:
        """The item is not in progress: leases end, and a reservation too unless it is still pending."""
        self._table.settle(inspection, status)
        self._watch()

    def end(self, inspection: str) -> None:
        self._table.end(inspection)
        self._watch()

    def orphan(self, owner: str) -> None:
        self._table.orphan(owner, self._loop.time())
        self._watch()

    def stop(self) -> None:
        """No more timers."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _watch(self) -> None:
        self.stop()
        when = self._table.next_expiry()
        if when is not None:
            self._timer = self._loop.call_at(when, self._expire)

    def _expire(self) -> None:
        for inspection, claim in self._table.expire(self._loop.time()).items():
            self.abandoned.tell(inspection, claim)
        self._watch()
