"""The frames of Streamable HTTP: an answer is one JSON body where that may be needed, and no event is too large.

The SDK opens a stream of events for each request of a session. Its head waits here: a client's JSON bodies have no
limit, its events have one. It is let go as it is for a tool whose answers fit into an event, by what the stream says
before the answer, and after a second.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re

from pageside.agents.room import FRAMES, MAX_EVENT_BYTES
from pageside.core.lines import EventDecoder
from pageside.web.asgi_bridge import ASGIApp, Message, Receive, Send

log = logging.getLogger(__name__)

HOLD_SECONDS = 1.0
_EVENTS = b"text/event-stream"
_ANSWER = re.compile(rb'\{"jsonrpc":"2\.0","id":(-?\d+|"(?:[^"\\]|\\.){0,300}"),"(?:result|error)":')
_DATA = b"data: "
_HEAD_BYTES = 400
"""Of an event: in so many its id and the beginning of its data are."""


def framed(app: ASGIApp) -> ASGIApp:
    """`app` with these frames."""

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        frames = _Frames(send, holds=scope["method"] == "POST")
        scope["state"][FRAMES] = frames
        try:
            await app(scope, receive, frames.send)
        finally:
            frames.stop()

    return application


def fitting(event: bytes) -> bytes:
    """The event; an error in place of an answer that is larger than clients take."""
    found = _ANSWER.search(event, 0, _HEAD_BYTES) if len(event) > MAX_EVENT_BYTES else None
    if found is None:
        return event
    log.warning("an answer of %d bytes is larger than clients take as an event", len(event))
    message = (
        f"RESULT_TOO_LARGE: The answer has {len(event)} bytes; {MAX_EVENT_BYTES} is the limit of an event. Ask for "
        "less, or connect by Streamable HTTP or stdio, where quick answers have no such limit."
    )
    error = {"jsonrpc": "2.0", "id": json.loads(found[1]), "error": {"code": -32603, "message": message}}
    return event[: found.start()] + json.dumps(error).encode() + b"\r\n\r\n"


class _Frames:
    """What one request is answered with."""

    def __init__(self, send: Send, *, holds: bool) -> None:
        self._send = send
        self._head: Message | None = None
        """Held back."""
        self._chunks: list[bytes] = []
        self._answer: bytes | None = None
        self._may_hold, self._keeps = holds, False
        self._timer: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()

    def keep_whole(self) -> bool:
        self._keeps = self._may_hold
        return self._keeps

    async def let_go(self) -> None:
        async with self._lock:
            self._may_hold = False
            if self._head is not None:
                await self._stream(more=True)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    async def send(self, message: Message) -> None:
        async with self._lock:
            if message["type"] == "http.response.start":
                await self._begin(message)
            elif self._head is None:
                await self._send({**message, "body": fitting(message.get("body", b""))})
            else:
                await self._hold(message.get("body", b""), message.get("more_body", False))

    async def _begin(self, head: Message) -> None:
        kinds = [value for name, value in head["headers"] if name.lower() == b"content-type"]
        if not (self._may_hold and kinds and kinds[0].startswith(_EVENTS)):
            self._may_hold = False
            await self._send(head)
            return
        self._head = head
        self._timer = asyncio.create_task(self._let_go_in_time())

    async def _hold(self, chunk: bytes, more: bool) -> None:
        kind = _kind(chunk)
        if kind == "answer":
            self._answer = chunk
        self._chunks.append(chunk)
        if not more and self._answer is not None:
            await self._send_whole(self._answer)
        elif not more or (kind == "message" and not self._keeps):
            await self._stream(more=more)

    async def _let_go_in_time(self) -> None:
        await asyncio.sleep(HOLD_SECONDS)
        async with self._lock:
            if self._head is not None and not self._keeps and self._answer is None:
                await self._stream(more=True)

    async def _stream(self, *, more: bool) -> None:
        """It is a stream of events after all."""
        head, self._head, self._may_hold = self._head, None, False
        assert head is not None
        await self._send(head)
        body = b"".join(map(fitting, self._chunks))
        if body or not more:
            await self._send({"type": "http.response.body", "body": body, "more_body": more})

    async def _send_whole(self, event: bytes) -> None:
        head, self._head = self._head, None
        assert head is not None
        (answer,) = EventDecoder().feed(event)
        kept = [(name, value) for name, value in head["headers"] if name.lower() != b"content-type"]
        length = (b"content-length", str(len(answer.data)).encode())
        await self._send({**head, "headers": [*kept, (b"content-type", b"application/json"), length]})
        await self._send({"type": "http.response.body", "body": answer.data, "more_body": False})


def _kind(chunk: bytes) -> str:
    """`answer`, `message` of another kind, or `nothing`: comments, and ids to resume from."""
    if _ANSWER.search(chunk, 0, _HEAD_BYTES) is not None:
        return "answer"
    at = chunk.find(_DATA, 0, _HEAD_BYTES)
    return (
        "nothing" if at < 0 or chunk[at + len(_DATA) : at + len(_DATA) + 1] in (b"\r", b"\n") else "message"
    )
