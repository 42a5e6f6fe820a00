"""One open WebSocket of the tab socket: what goes out waits in a bounded queue, what says nothing is ended."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from aiohttp import WSMsgType, web

from pageside.contract import TABS
from pageside.core.rate import Share
from pageside.errors import PagesideError, Refused

CLOSE: dict[str, int] = TABS["closeCodes"]
MAX_WAITING = 128
"""Messages on their way to one tab: its commands, and as many again of the socket's own."""
SHARE, BURST_SECONDS = 0.2, 0.02
"""Of the companion's time that one tab may take with what it says."""
GOING = 1001
"""WebSocket's own code for an end that nobody has to be told the reason of."""


@dataclass(frozen=True, slots=True)
class Times:
    """In seconds: until a connection must have registered, between signs of life, until it counts as gone."""

    register: float = 5.0
    heartbeat: float = TABS["heartbeatMs"] / 1000
    silent: float = TABS["silentMs"] / 1000
    write: float = 10.0
    """So long may a tab take nothing."""
    close: float = 1.0
    """So long it has to say goodbye."""


class Ended(Exception):
    """The connection is to be closed, with a code of the contract; the error goes out before."""

    def __init__(self, code: int, error: PagesideError | None = None) -> None:
        super().__init__(code)
        self.code, self.error = code, error


class TabConnection:
    """`await talk(hear)` until it ends, then `await goodbye()`. The rest is called from anywhere and never waits."""

    def __init__(
        self, socket: web.WebSocketResponse, transport: asyncio.Transport | None, times: Times
    ) -> None:
        self._socket, self._transport, self._times = socket, transport, times
        self._waiting: asyncio.Queue[Callable[[], Coroutine[Any, Any, None]] | None] = asyncio.Queue()
        self._ended: asyncio.Future[Ended] = asyncio.get_running_loop().create_future()
        self._heard_at = _now()
        self._beating: asyncio.Task[None] | None = None
        self._writing = asyncio.create_task(self._write(), name="tab-write")

    def send(self, message: dict[str, Any]) -> None:
        """Put it on its way; a tab that lets too much of it wait is ended."""
        text = json.dumps(message, separators=(",", ":"))
        self._put(lambda: self._socket.send_str(text))

    def refuse(self, error: PagesideError) -> None:
        """Tell the tab what was wrong with its last message."""
        self.send({"type": "error", "error": error.to_json()})

    def end(self, ended: Ended) -> None:
        """Close it after what is on its way; the first reason counts."""
        if not self._ended.done():
            self._ended.set_result(ended)

    def beat(self) -> None:
        """From now on the tab has to show that it lives."""
        self._beating = asyncio.create_task(self._beat(), name="tab-beat")

    async def talk(self, hear: Callable[[str], None]) -> None:
        """Pass on what the tab says until either side ends it; `goodbye` has to follow."""
        reading = asyncio.create_task(self._read(hear), name="tab-read")
        try:
            await asyncio.wait((reading, self._ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            await _cancelled(reading, self._beating)
        if not reading.cancelled():
            reading.result()

    async def goodbye(self) -> None:
        """Send what is on its way, and why it ends; then close."""
        ended = self._ended.result() if self._ended.done() else Ended(GOING)
        if ended.error is not None:
            self.refuse(ended.error)
        self._waiting.put_nowait(None)
        try:
            async with asyncio.timeout(self._times.close):
                await self._writing
                await self._socket.close(code=ended.code)
        except (TimeoutError, ConnectionError):
            self._abort()
        finally:
            await _cancelled(self._writing)

    def _abort(self) -> None:
        """It takes nothing, not even the end."""
        if self._transport is not None:
            self._transport.abort()

    def _put(self, write: Callable[[], Coroutine[Any, Any, None]]) -> None:
        if self._waiting.qsize() >= MAX_WAITING:
            self.end(Ended(CLOSE["silent"]))
        else:
            self._waiting.put_nowait(write)

    async def _write(self) -> None:
        """One message after the other; who takes none for too long is gone."""
        with suppress(ConnectionError):
            while (write := await self._waiting.get()) is not None:
                try:
                    async with asyncio.timeout(self._times.write):
                        await write()
                except TimeoutError:
                    self.end(Ended(CLOSE["silent"]))
                    self._abort()
                    return

    async def _read(self, hear: Callable[[str], None]) -> None:
        share = Share(SHARE, BURST_SECONDS)
        try:
            while not self._ended.done():
                message = await self._socket.receive()
                self._heard_at = began = _now()
                self._take(message.type, message.data, hear)
                # What has arrived already is read without a pause, and others want their turn.
                await asyncio.sleep(share.rest(began, _now()))
        except Ended as ended:
            self.end(ended)

    def _take(self, kind: WSMsgType, data: Any, hear: Callable[[str], None]) -> None:
        if kind is WSMsgType.TEXT:
            hear(data)
        elif kind is WSMsgType.PING:
            self._put(lambda: self._socket.pong(data))
        elif kind is WSMsgType.BINARY:
            raise Ended(
                CLOSE["badMessage"],
                Refused(400, "BAD_REQUEST", "The frame is binary.", "Send JSON in text frames."),
            )
        elif kind is not WSMsgType.PONG:
            raise Ended(GOING)

    async def _beat(self) -> None:
        next_ping = _now() + self._times.heartbeat
        while (left := self._heard_at + self._times.silent - _now()) > 0:
            await asyncio.sleep(max(0.0, min(left, next_ping - _now())))
            if _now() >= next_ping:
                next_ping += self._times.heartbeat
                # Data keeps an extension's worker awake; a foreign client may answer only WebSocket's own pings.
                self.send({"type": "ping", "at": round(time.time() * 1000)})
                self._put(lambda: self._socket.ping())
        self.end(Ended(CLOSE["silent"]))


async def _cancelled(*tasks: asyncio.Task[None] | None) -> None:
    """Those that run are ended; what went wrong in them is theirs."""
    running = [task for task in tasks if task is not None]
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


def _now() -> float:
    return asyncio.get_running_loop().time()
