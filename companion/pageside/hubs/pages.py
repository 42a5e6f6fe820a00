"""The connected pages: who they are, what is asked of them, and what becomes of it when they go.

A page is one document. It hangs on a channel (one stream per browser and origin); a stream that drops leaves its pages
`grace` seconds to come back. A document that takes another's place in its tab is its successor: calls that are
repeatable, or of which no document has heard, move to it (`docs/protocol.md`, Calls).
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pageside.contract import CHANNEL, LIMITS, PAGE_TOOLS, TIMING
from pageside.core.calls import PendingCall, PendingCalls, Verdict
from pageside.core.signals import Signal
from pageside.errors import (
    CommandTimeout,
    PageBusy,
    PageDisconnected,
    PageNotConnected,
    PagesideError,
    Refused,
    ShuttingDown,
    TooMany,
)
from pageside.hubs.channel import Channel
from pageside.hubs.page import Page, cleaned
from pageside.hubs.standstill import AWAKE_SECONDS, answered, stood_still

EVENTS: dict[str, str] = CHANNEL["events"]
MAX_LEFT = 256
"""Documents that are known to have left before they were connected."""
MAX_CALLS = 256
"""Open at a time on all pages together."""


@dataclass(slots=True)
class _Running:
    message: dict[str, Any]
    answer: asyncio.Future[Any]


class Pages:
    """One for a companion. Everything runs on the loop; nothing here waits but `call`."""

    def __init__(self, *, grace: float = TIMING["graceMs"] / 1000) -> None:
        self._grace = grace
        self._channels: dict[str, Channel] = {}
        self._pages: dict[str, Page] = {}
        self._pending = PendingCalls()
        self._running: dict[str, _Running] = {}
        self.connected: Signal[str, str | None] = Signal()
        """With the id of a page that is new, and of the one whose place it takes."""
        self.used: Signal[str] = Signal()
        """With the id of a page that the user touched."""
        self.gone: Signal[str] = Signal()
        """With the id of a page that left, and that no other followed."""
        self.changes: Signal[()] = Signal()
        """Of the pages there are, and of what they say of themselves."""
        self._left: OrderedDict[str, None] = OrderedDict()
        """Documents that left, though nobody knew them: what they sent to connect may still be on its way."""
        self._count = itertools.count(1)
        self._stopped = False

    # Channels

    def open_channel(self, channel_id: str, companion: str) -> Channel:
        """A stream was opened; one of the same id that is still open is closed."""
        if self._stopped:
            raise ShuttingDown("The companion is stopping.")
        earlier = self._channels.get(channel_id)
        if earlier is None and len(self._channels) >= LIMITS["pages"]:
            raise Refused(503, "TOO_MANY", f"{LIMITS['pages']} streams are open already.")
        if earlier is not None:
            earlier.close()
        channel = self._channels[channel_id] = Channel(channel_id)
        channel.send(EVENTS["hello"], {"companion": companion, "protocol": CHANNEL["protocol"]})
        return channel

    def channel_closed(self, channel: Channel) -> None:
        """The stream ended; its pages have the grace time to return on another."""
        channel.close()
        if self._channels.get(channel.id) is channel:
            del self._channels[channel.id]
        for page in self._pages.values():
            if page.channel is channel:
                self._leave_later(page)

    def broadcast(self, event: str, data: Any) -> None:
        """Send to every open channel."""
        for channel in self._channels.values():
            channel.send(event, data)

    def tell(self, page_id: str, event: str, data: dict[str, Any]) -> None:
        """Send to one page, if it is connected: its id is added."""
        page = self._pages.get(page_id)
        if page is not None:
            page.channel.send(event, {"page": page_id, **data})

    # Pages

    def connect(
        self,
        page_id: str,
        key: str,
        channel_id: str,
        replaces: Sequence[str],
        info: dict[str, Any],
        secret: str = "",
    ) -> Page:
        """A document says hello, for the first time or again after its stream was gone.

        `replaces`: what its tab showed before, the newest first, back to the last one that knew itself connected.
        """
        channel = self._channels.get(channel_id)
        if channel is None or channel.closed:
            raise Refused(409, "PAGE_DISCONNECTED", "That stream is not open.", "Open it first.")
        known = self._pages.get(page_id)
        if known is not None:
            return self._reconnect(known, key, channel, info)
        if page_id in self._left:
            raise Refused(410, "PAGE_DISCONNECTED", "This page has left.", "Connect as a new page.")
        predecessor = self._predecessor(replaces)
        if predecessor is None and len(self._pages) >= LIMITS["pages"]:
            raise Refused(503, "TOO_MANY", f"{LIMITS['pages']} pages are connected already.")
        used = self._first_used(predecessor, info)
        page = Page(page_id, key, channel, cleaned(info), used, secret)
        page.used_at = self._pages[predecessor].used_at if predecessor is not None else None
        self._pages[page_id] = page
        for document in replaces:
            self._remember_left(document)
        self.connected.tell(page_id, predecessor)
        self.changes.tell()
        if predecessor is not None:
            self._succeed(predecessor, page)
        return page

    def _predecessor(self, replaces: Sequence[str]) -> str | None:
        return next((document for document in replaces if document in self._pages), None)

    def _remember_left(self, document: str) -> None:
        if document in self._pages:
            return
        self._left[document] = None
        while len(self._left) > MAX_LEFT:
            self._left.popitem(last=False)

    def _first_used(self, predecessor: str | None, info: dict[str, Any]) -> int:
        """A successor is as recent as what it replaces; a new page counts as used if the user can see it."""
        if predecessor is not None:
            return self._pages[predecessor].last_used
        return next(self._count) if info.get("visible") is True else 0

    def _reconnect(self, page: Page, key: str, channel: Channel, info: dict[str, Any]) -> Page:
        if not page.is_key(key):
            fix = "Every document has an id and a key of its own: connect with those."
            raise Refused(409, "FORBIDDEN", "A page of that id is connected already.", fix)
        page.channel, page.info = channel, cleaned(info)
        self.changes.tell()
        self._stay(page)
        for call in self._pending.tell(page.id):
            self._send(call)
        return page

    def _succeed(self, old: str, page: Page) -> None:
        moved, lost = self._pending.move(old, page.id)
        for call in lost:
            self._fail(call.id, _lost(call, "the page was reloaded or left"))
        for call in moved:
            self._send(call)
        self._remove(self._pages[old])

    def authorised(self, page_id: object, key: object) -> Page:
        """The page, if `key` is the one it was given; raises `Refused` 410."""
        page = self._pages.get(page_id) if isinstance(page_id, str) else None
        if page is None or not page.is_key(key):
            raise Refused(410, "PAGE_DISCONNECTED", "This page is not connected.", "Connect again.")
        return page

    def update(self, page: Page, info: dict[str, Any] | None, used: bool) -> None:
        """Title, URL or visibility changed, or the user touched the page."""
        if info is not None:
            page.info = cleaned(info)
        if used:
            page.last_used, page.used_at = next(self._count), time.time() * 1000
            self.used.tell(page.id)
        self.changes.tell()

    def close(self, page_id: str, key: object) -> None:
        """The document is going away; a successor may still take its repeatable calls.

        One that is not connected does not become so any more. Raises `Refused` 410 for a wrong key.
        """
        if page_id not in self._pages:
            self._remember_left(page_id)
            return
        page = self.authorised(page_id, key)
        for call in self._pending.drop(page.id, only_fixed=True):
            self._fail(call.id, _lost(call, "the page was reloaded or closed"))
        page.left = True
        self._leave_later(page)

    def get(self, page_id: str) -> Page | None:
        return self._pages.get(page_id)

    def all(self) -> list[Page]:
        """Connected pages: visible ones before hidden ones, the one last used first."""
        return sorted(self._pages.values(), key=lambda page: (not page.visible, -page.last_used))

    # Calls

    async def call(
        self, page_id: str, tool: str, args: dict[str, Any], *, seconds: float | None = None
    ) -> Any:
        """Run a page tool and return its result; within `seconds`, the contract's time limit by default.

        Raises what the page reports, `CommandTimeout`, `PageDisconnected`, `PageBusy`, `PageNotConnected`, `TooMany`.
        Cancelling the awaiting task takes the call back from the page.
        """
        call = self._admit(page_id, tool)
        limit = PAGE_TOOLS[tool]["timeoutMs"] / 1000 if seconds is None else seconds
        message = {"id": call.id, "tool": tool, "args": args, "timeoutMs": round(limit * 1000)}
        running = _Running(message, asyncio.get_running_loop().create_future())
        self._running[call.id] = running
        self._pending.open(call)
        if call.told:
            self._send(call)
        try:
            return await answered(running.answer, limit)
        except TimeoutError:
            self._withdraw(call.id, "time limit")
            raise CommandTimeout(f"The page did not answer {tool} within {limit:g} s.") from None
        except asyncio.CancelledError:
            self._withdraw(call.id, "cancelled")
            raise
        finally:
            del self._running[call.id]

    def _admit(self, page_id: str, tool: str) -> PendingCall:
        if self._stopped:
            raise ShuttingDown("The companion is stopping.")
        if page_id not in self._pages:
            raise PageNotConnected(f"The page {page_id} is not connected.")
        if len(self._pending) >= MAX_CALLS:
            raise TooMany(f"{MAX_CALLS} calls to pages are open already.")
        if sum(1 for _ in self._pending.of_page(page_id)) >= LIMITS["callsPerPage"]:
            raise PageBusy(f"{LIMITS['callsPerPage']} calls are open on this page.")
        call_id = secrets.token_urlsafe(12)
        told = not self._pages[page_id].left
        return PendingCall(call_id, page_id, tool, PAGE_TOOLS[tool]["repeatable"], told)

    def answer(self, page: Page, call_id: object, result: Any, error: PagesideError | None) -> Verdict:
        """A page's answer to one of its calls; anything else is left alone."""
        if not isinstance(call_id, str):
            return Verdict.UNKNOWN
        verdict = self._pending.answer(page.id, call_id)
        if verdict is Verdict.ACCEPTED:
            future = self._running[call_id].answer
            if error is not None:
                _reject(future, error)
            elif not future.done():
                future.set_result(result)
        return verdict

    def _send(self, call: PendingCall) -> None:
        page = self._pages[call.page]
        page.channel.send(EVENTS["call"], {"page": page.id, **self._running[call.id].message})

    def _withdraw(self, call_id: str, reason: str) -> None:
        call = self._pending.withdraw(call_id)
        page = self._pages.get(call.page) if call is not None else None
        if page is not None:
            cancelled = {"page": page.id, "id": call_id, "reason": reason}
            page.channel.send(EVENTS["cancel"], cancelled)

    def _fail(self, call_id: str, error: PagesideError) -> None:
        _reject(self._running[call_id].answer, error)

    # Leaving

    def _leave_later(self, page: Page) -> None:
        if page.leaving is None and not self._stopped:
            loop = asyncio.get_running_loop()
            page.leaving = loop.call_later(self._grace, self._late, page, loop.time() + self._grace)

    def _stay(self, page: Page) -> None:
        page.left = False
        if page.leaving is not None:
            page.leaving.cancel()
            page.leaving = None

    def _late(self, page: Page, due: float) -> None:
        """Its grace time is over, unless nobody could have heard it coming back."""
        if stood_still(due):
            page.leaving = asyncio.get_running_loop().call_later(AWAKE_SECONDS, self._gone, page)
        else:
            self._gone(page)

    def _gone(self, page: Page) -> None:
        self._remove(page)
        for call in self._pending.drop(page.id):
            self._fail(call.id, _lost(call, "the page was closed"))
        self.gone.tell(page.id)
        self.changes.tell()

    def _remove(self, page: Page) -> None:
        self._stay(page)
        self._pages.pop(page.id, None)

    def stop(self) -> None:
        """End every call and stream; nothing is accepted afterwards."""
        self._stopped = True
        for page in list(self._pages.values()):
            self._stay(page)
            for call in self._pending.drop(page.id):
                self._fail(call.id, ShuttingDown(f"The companion stopped during {call.tool}."))
        for channel in list(self._channels.values()):
            channel.close()


def _reject(future: asyncio.Future[Any], error: PagesideError) -> None:
    if not future.done():
        future.set_exception(error)


def _lost(call: PendingCall, why: str) -> PageDisconnected:
    effect = "" if call.may_move else "; whether it took effect is unknown, it was not run again"
    return PageDisconnected(f"{call.tool} ended because {why}{effect}.", data={"call": call.tool})
