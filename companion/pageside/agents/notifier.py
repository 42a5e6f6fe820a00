"""Tells agents what changed, on both protocol eras: who subscribed, and who listens for lists."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ResourcesListChanged, ResourceUpdated
from mcp.shared.exceptions import MCPError

from pageside.agents.coalesced import Coalesced
from pageside.agents.resources import INSPECTIONS, PAGES
from pageside.core.inspections import Item
from pageside.core.timeline import Entry
from pageside.hubs.timeline import Timeline
from pageside.operations.pictures import SCREENSHOTS

log = logging.getLogger(__name__)

TELL_SECONDS = 2.0
"""A client that stopped reading holds nobody up for longer."""
MAX_SUBSCRIPTIONS = 200


class Notifier:
    """Handshake sessions are told one by one, listeners of 2026-07-28 through `bus`."""

    def __init__(self, timeline: Timeline) -> None:
        self.bus = InMemorySubscriptionBus()
        self._timeline = timeline
        self._lines = Coalesced(self._line_grew)
        self._sessions: dict[str, ServerSession] = {}
        self._subscribed: dict[str, set[str]] = {}
        self._running: set[asyncio.Task[None]] = set()

    def add(self, session_id: str, session: ServerSession) -> None:
        self._sessions[session_id] = session

    def remove(self, session_id: str) -> None:
        self._sessions.pop(session_id, None)
        self._subscribed.pop(session_id, None)

    def subscribe(self, session_id: str, uri: str) -> bool:
        """False when the session has 200 subscriptions already."""
        uris = self._subscribed.setdefault(session_id, set())
        if len(uris) >= MAX_SUBSCRIPTIONS:
            return False
        uris.add(uri)
        return True

    def unsubscribe(self, session_id: str, uri: str) -> None:
        self._subscribed.get(session_id, set()).discard(uri)

    # What happens

    def inspections_changed(self, items: Sequence[Item]) -> None:
        """The queue was written."""
        self._start(self._updated([INSPECTIONS, *(f"{INSPECTIONS}/{item['id']}" for item in items)]))

    def picture_taken(self, inspection: str) -> None:
        """An inspection got its picture, and tells so from now on."""
        self._start(self._updated([f"{SCREENSHOTS}{inspection}", f"{INSPECTIONS}/{inspection}"]))

    def happened(self, entry: Entry) -> None:
        """The timeline of a page grew; what happens to the project stands in that of every page."""
        for line in [entry.page] if entry.page is not None else self._timeline.lines():
            self._lines.mark(line)

    def _line_grew(self, line: str) -> None:
        documents = self._timeline.documents(line) or [line]
        self._start(self._updated([f"{PAGES}/{page}/timeline" for page in documents]))

    def pages_changed(self) -> None:
        """A page came or left. That the user turned to another is not worth a message at every click."""
        self._start(self._pages_changed())

    async def _pages_changed(self) -> None:
        await self.bus.publish(ResourcesListChanged())
        await self._tell(self._sessions, ServerSession.send_resource_list_changed)
        await self._updated([PAGES])

    async def _updated(self, uris: Sequence[str]) -> None:
        for uri in uris:
            await self.bus.publish(ResourceUpdated(uri=uri))
            watching = [key for key, known in self._subscribed.items() if uri in known]
            sessions = {key: self._sessions[key] for key in watching if key in self._sessions}
            await self._tell(sessions, ServerSession.send_resource_updated, uri)

    async def _tell(
        self, sessions: dict[str, ServerSession], send: Callable[..., Awaitable[None]], *args: str
    ) -> None:
        async def one(session: ServerSession) -> None:
            with suppress(TimeoutError, MCPError):
                async with asyncio.timeout(TELL_SECONDS):
                    await send(session, *args)

        await asyncio.gather(*map(one, sessions.values()))

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
