"""The life of calls to pages as a state machine without I/O.

A call is open from `open()` until exactly one of: an answer of its own page, a time limit, a cancellation, a
disconnect. `PendingCalls` decides who may end what; the hub owns futures and clocks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum


class Verdict(Enum):
    """What an incoming answer is."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class PendingCall:
    """One call on its way: `id`, the `page` it belongs to, the page tool, and if it may be repeated.

    `told`: a document has heard of it. One that began when its document had left waits for the next one.
    """

    id: str
    page: str
    tool: str
    repeatable: bool
    told: bool = True

    @property
    def may_move(self) -> bool:
        """Another document may run it: that is no repetition, or a harmless one."""
        return self.repeatable or not self.told


class PendingCalls:
    """The open calls of all pages, and the last `remember` ended ones to tell late from foreign."""

    def __init__(self, remember: int = 256) -> None:
        self._open: dict[str, PendingCall] = {}
        self._answered: deque[tuple[str, str]] = deque(maxlen=remember)

    def __len__(self) -> int:
        return len(self._open)

    def open(self, call: PendingCall) -> None:
        """Register a call; its id must be new."""
        if call.id in self._open:
            raise ValueError(f"call id {call.id} is open already")
        self._open[call.id] = call

    def of_page(self, page: str) -> Iterator[PendingCall]:
        """The open calls of `page`, oldest first."""
        return iter([call for call in self._open.values() if call.page == page])

    def answer(self, page: str, call_id: str) -> Verdict:
        """End the call if it is open and belongs to `page`."""
        call = self._open.get(call_id)
        if call is not None and call.page == page:
            del self._open[call_id]
            self._answered.append((page, call_id))
            return Verdict.ACCEPTED
        return Verdict.DUPLICATE if (page, call_id) in self._answered else Verdict.UNKNOWN

    def withdraw(self, call_id: str) -> PendingCall | None:
        """Time limit or cancellation: the call, if it was still open."""
        return self._open.pop(call_id, None)

    def move(self, old: str, new: str) -> tuple[list[PendingCall], list[PendingCall]]:
        """`new` took the place of `old`: (calls to send to it, calls that end here)."""
        moved, lost = [], []
        for call in self.of_page(old):
            if call.may_move:
                self._open[call.id] = replace(call, page=new, told=True)
                moved.append(self._open[call.id])
            else:
                lost.append(self._open.pop(call.id))
        return moved, lost

    def tell(self, page: str) -> list[PendingCall]:
        """The document is there (again) and hears of its open calls: these, oldest first."""
        for call in self.of_page(page):
            self._open[call.id] = replace(call, told=True)
        return list(self.of_page(page))

    def drop(self, page: str, *, only_fixed: bool = False) -> list[PendingCall]:
        """The page is gone: the calls that end with it; `only_fixed`: but for those that may move."""
        calls = [c for c in self.of_page(page) if not (only_fixed and c.may_move)]
        for call in calls:
            del self._open[call.id]
        return calls
