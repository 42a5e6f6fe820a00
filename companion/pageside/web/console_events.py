"""What consoles show, live: the whole overview at once, and again when something in it changed.

While no console is open nothing is read or polled: a change then costs one call that does nothing.
"""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress

from aiohttp import web

from pageside.contract import TIMING
from pageside.errors import Refused, ShuttingDown
from pageside.operations.overview import About, SeenChrome, look_at_chromes, overview
from pageside.operations.world import World
from pageside.web.event_stream import stream_events
from pageside.web.routes import Route, Scope, console_route

log = logging.getLogger(__name__)

EVENT = "overview"
MAX_OPEN = 32
NEWS_SECONDS = 0.25
"""Between two pictures, however much happens."""
CHROME_SECONDS = 2.0
"""Between two looks at Chrome's tabs: Chrome tells of new tabs, but of their titles only to who asks."""
PING_SECONDS = TIMING["pingMs"] / 1000
WRITE_SECONDS = 10.0
"""A browser that takes nothing for so long is not there any more, whatever its socket says."""
_PING = b": still here\n\n"


class ConsoleEvents:
    """Listens to the hubs from the start; `stop()` ends every stream."""

    def __init__(self, world: World, about: About) -> None:
        self._world, self._about = world, about
        self._chromes: tuple[SeenChrome, ...] = ()
        self._open = 0
        self._looking: asyncio.Task[None] | None = None
        self._news = asyncio.Event()
        self._picture: bytes | None = None
        """None as soon as something changed."""
        self._stopped = asyncio.Event()
        for hub in (world.pages, world.sessions, world.servers, world.leases, world.activity):
            hub.changes.listen(self.changed)
        world.brakes.listen(self.changed)
        world.extension_tabs.listen(self.changed)
        world.inspections.listen(lambda _items: self.changed())
        world.timeline.listen(lambda _entry: self.changed())

    def routes(self) -> list[Route]:
        return [
            console_route("events", "GET", self._stream, Scope.CONSOLE),
            console_route("overview", "GET", self._once, Scope.AGENT),
        ]

    def changed(self) -> None:
        """Something of the overview is not what it was."""
        if self._open and self._picture is not None:
            self._picture = None
            news, self._news = self._news, asyncio.Event()
            news.set()

    def stop(self) -> None:
        """End the streams; none is opened afterwards."""
        self._stopped.set()
        news, self._news = self._news, asyncio.Event()
        news.set()

    async def _once(self, _request: web.Request) -> web.Response:
        """The picture as it is now, without a look at Chrome: for programs of the user, such as `pageside doctor`."""
        return web.json_response(overview(self._world, self._about, ()))

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        """The events of one console, until it leaves or the companion stops."""
        if self._stopped.is_set():
            raise ShuttingDown("The companion is stopping.")
        if self._open >= MAX_OPEN:
            raise Refused(503, "TOO_MANY", f"{MAX_OPEN} consoles are open already.")
        self._opened()
        try:
            return await stream_events(request, self._pump)
        finally:
            self._closed()

    async def _pump(self, response: web.StreamResponse) -> None:
        sent = b""
        while not self._stopped.is_set():
            news, picture = self._news, self._current()
            await _write(response, picture if picture != sent else b"")
            sent = picture
            with suppress(TimeoutError):
                async with asyncio.timeout(NEWS_SECONDS):
                    await self._stopped.wait()
            while not await _within(PING_SECONDS, news):
                await _write(response, _PING)
        async with asyncio.timeout(WRITE_SECONDS):
            await response.write_eof()

    def _current(self) -> bytes:
        if self._picture is None:
            told = overview(self._world, self._about, self._chromes)
            data = json.dumps(told, separators=(",", ":"))
            self._picture = f"event: {EVENT}\ndata: {data}\n\n".encode("ascii")
        return self._picture

    # Chrome, while somebody looks

    def _opened(self) -> None:
        self._open += 1
        if self._looking is None:
            self._picture = None
            self._looking = asyncio.create_task(self._look(), name="console-chromes")

    def _closed(self) -> None:
        self._open -= 1
        if self._open == 0 and self._looking is not None:
            self._looking.cancel()
            self._looking, self._chromes = None, ()

    async def _look(self) -> None:
        while True:
            try:
                seen = await look_at_chromes(self._world)
            except Exception:
                log.exception("Chrome's tabs cannot be shown")
                return
            if seen != self._chromes:
                self._chromes = seen
                self.changed()
            await asyncio.sleep(CHROME_SECONDS)


async def _write(response: web.StreamResponse, block: bytes) -> None:
    if block:
        async with asyncio.timeout(WRITE_SECONDS):
            await response.write(block)


async def _within(seconds: float, event: asyncio.Event) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()
