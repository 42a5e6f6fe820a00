"""The connected pages: who they are, and when they are gone.

A page is one document. It hangs on a channel (one stream per browser and origin); a stream that drops leaves its pages
`grace` seconds to come back. A document that takes another's place in its tab is its successor: calls that are
repeatable, or of which no document has heard, move to it (`docs/protocol.md`, Calls).
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from pageside.contract import CHANNEL, LIMITS, TIMING
from pageside.core.signals import Signal
from pageside.errors import Refused, ShuttingDown
from pageside.hubs.channel import EVENTS, Channel
from pageside.hubs.page import Page, cleaned
from pageside.hubs.page_calls import PageCalls
from pageside.hubs.standstill import AWAKE_SECONDS, stood_still

MAX_LEFT = 256
"""Documents that are remembered to have left."""


class Pages:
    """One for a companion. Everything runs on the loop; nothing here waits."""

    def __init__(self, *, grace: float = TIMING["graceMs"] / 1000) -> None:
        self._grace = grace
        self._channels: dict[str, Channel] = {}
        self._pages: dict[str, Page] = {}
        self.calls = PageCalls(self._pages)
        self.connected: Signal[str, str | None] = Signal()
        """With the id of a page that is new, and of the one whose place it takes."""
        self.used: Signal[str] = Signal()
        """With the id of a page that the user touched."""
        self.gone: Signal[str] = Signal()
        """With the id of a page that left, and that no other followed."""
        self.changes: Signal[()] = Signal()
        """Of the pages there are, and of what they say of themselves."""
        self._left: OrderedDict[str, None] = OrderedDict()
        """Documents that left, whether or not they were connected: what they sent may still be on its way."""
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
        if page_id in self._left or (known is not None and known.left):
            raise Refused(410, "PAGE_DISCONNECTED", "This document has left.", "Reload the page.")
        if known is not None:
            return self._reconnect(known, key, channel, info)
        predecessor = self.replaced(replaces)
        if predecessor is None and len(self._pages) >= LIMITS["pages"]:
            raise Refused(503, "TOO_MANY", f"{LIMITS['pages']} pages are connected already.")
        used = self._first_used(predecessor, info)
        page = Page(page_id, key, channel, cleaned(info), used, secret)
        page.used_at = self._pages[predecessor].used_at if predecessor is not None else None
        self._pages[page_id] = page
        self.connected.tell(page_id, predecessor)
        self.changes.tell()
        if predecessor is not None:
            self._succeed(predecessor, page)
        for document in replaces:
            if document not in self._pages:
                self._remember_left(document)
        return page

    def replaced(self, replaces: Sequence[str]) -> str | None:
        """The newest of these documents that is connected."""
        return next((document for document in replaces if document in self._pages), None)

    def _remember_left(self, document: str) -> None:
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
        self.calls.send_again(page)
        return page

    def _succeed(self, old: str, page: Page) -> None:
        self.calls.move(old, page)
        self._remove(self._pages[old])

    def authorised(self, page_id: object, key: object) -> Page:
        """The page, if `key` is its own; raises `Refused` 410."""
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
        self.calls.end(page.id, "the page was reloaded or closed", only_fixed=True)
        page.left = True
        self._leave_later(page)

    def get(self, page_id: str) -> Page | None:
        return self._pages.get(page_id)

    def all(self) -> list[Page]:
        """Connected pages: visible ones before hidden ones, the one last used first."""
        return sorted(self._pages.values(), key=lambda page: (not page.visible, -page.last_used))

    # Leaving

    def _leave_later(self, page: Page) -> None:
        if page.leaving is None and not self._stopped:
            loop = asyncio.get_running_loop()
            page.leaving = loop.call_later(self._grace, self._late, page, loop.time() + self._grace)

    def _stay(self, page: Page) -> None:
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
        if page.left:
            self._remember_left(page.id)
        self._remove(page)
        self.calls.end(page.id, "the page was closed")
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
        self.calls.stop()
        for channel in list(self._channels.values()):
            channel.close()
