"""The way down to one browser: a bounded outbox that the SSE handler empties."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from pageside.contract import CHANNEL

EVENTS: dict[str, str] = CHANNEL["events"]
MAX_EVENTS = 256
MAX_BYTES = 4 * 1024 * 1024


class Channel:
    """One open stream. `send` never waits; a reader that falls too far behind is cut off."""

    def __init__(self, channel_id: str) -> None:
        self.id = channel_id
        self._outbox: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._bytes = 0
        self.closed = False

    def send(self, event: str, data: Any) -> None:
        """Queue one event; one line of ASCII JSON, so that no text can break the framing."""
        if self.closed:
            return
        block = f"event: {event}\ndata: {json.dumps(data, separators=(',', ':'))}\n\n".encode("ascii")
        self._bytes += len(block)
        if self._outbox.qsize() >= MAX_EVENTS or self._bytes > MAX_BYTES:
            self.close()
            return
        self._outbox.put_nowait(block)

    async def next(self) -> bytes | None:
        """The next block of the stream, or None when it ended."""
        block = await self._outbox.get()
        if block is not None:
            self._bytes -= len(block)
        return block

    def close(self) -> None:
        """End the stream; what was not sent yet is dropped, pages ask for it when they reconnect."""
        if not self.closed:
            self.closed = True
            while not self._outbox.empty():
                self._outbox.get_nowait()
            self._outbox.put_nowait(None)
