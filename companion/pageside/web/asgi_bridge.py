"""Run one ASGI 3 HTTP application inside an aiohttp handler: the MCP SDK's transports are ASGI.

Only the `http` scope. `receive()` must block once the body is read: one that keeps answering makes the
SDK's disconnect watchers spin. A stream's head goes out at once, a small answer in one write.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import suppress
from typing import Any

from aiohttp import web

from pageside.web.bodies import read_body

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Message, Receive, Send], Awaitable[None]]

_WATCH_SECONDS = 0.25
"""How often a silent exchange looks whether its client is still there."""
_HOP_BY_HOP = frozenset({"connection", "transfer-encoding"})


async def serve_asgi(
    app: ASGIApp, request: web.Request, running: set[asyncio.Task[web.StreamResponse]]
) -> web.StreamResponse:
    """Answer `request` with `app`, whose task is in `running` until it ends.

    aiohttp cancels a handler whose client left. The application is not cancelled with it: `receive` tells it, and it
    decides. (The SDK would give up a session whose client closes the connection right after the answer.)
    """
    exchange = _Exchange(request, await read_body(request))
    task = asyncio.create_task(_run(app, exchange))
    running.add(task)
    task.add_done_callback(running.discard)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        exchange.client_left()
        raise


async def _run(app: ASGIApp, exchange: _Exchange) -> web.StreamResponse:
    await app(exchange.scope(), exchange.receive, exchange.send)
    if exchange.response is not None:
        return exchange.response
    if exchange.client_gone():
        return web.Response(status=499, reason="Client Closed Request")
    raise RuntimeError("the ASGI application ended without a response")


class _Exchange:
    """One request and its response, from the side of the ASGI application."""

    def __init__(self, request: web.Request, body: bytes) -> None:
        self._request = request
        self._body: bytes | None = body
        self._left = False
        self._head: Message | None = None
        self._done = asyncio.Event()
        self.response: web.StreamResponse | None = None

    def scope(self) -> Message:
        request = self._request
        transport = request.transport
        peer = transport.get_extra_info("peername") if transport is not None else None
        own = transport.get_extra_info("sockname") if transport is not None else None
        return {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": f"{request.version.major}.{request.version.minor}",
            "method": request.method,
            "scheme": request.scheme,
            "path": request.path,
            "raw_path": request.rel_url.raw_path.encode("ascii"),
            "query_string": request.rel_url.raw_query_string.encode("ascii"),
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in request.raw_headers],
            "client": peer and tuple(peer[:2]),
            "server": own and tuple(own[:2]),
            "state": {},
        }

    def client_left(self) -> None:
        """The connection was lost: wake `receive`."""
        self._left = True
        self._done.set()

    def client_gone(self) -> bool:
        transport = self._request.transport
        return self._left or transport is None or transport.is_closing()

    async def receive(self) -> Message:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        while not self.client_gone() and not self._done.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_WATCH_SECONDS):
                    await self._done.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._head = message
            if not any(name.lower() == b"content-length" for name, _ in message.get("headers", ())):
                await self._open()
        elif message["type"] == "http.response.body":
            await self._send_body(message.get("body", b""), message.get("more_body", False))
        else:
            raise RuntimeError(f"unexpected ASGI message {message['type']!r}")

    async def _send_body(self, body: bytes, more: bool) -> None:
        if self.response is None and not more:
            await self._answer_whole(body)
        else:
            stream = self.response or await self._open()
            await _to_client(stream.write(body) if body else None)
            await _to_client(None if more else stream.write_eof())
        if not more:
            self._done.set()

    async def _open(self) -> web.StreamResponse:
        stream = self.response = self._filled(web.StreamResponse(status=self._status()))
        await _to_client(stream.prepare(self._request))
        return stream

    async def _answer_whole(self, body: bytes) -> None:
        answer = self.response = self._filled(web.Response(status=self._status(), body=body))
        await _to_client(answer.prepare(self._request))
        await _to_client(answer.write_eof())

    def _status(self) -> int:
        if self._head is None:
            raise RuntimeError("an ASGI body came before its head")
        return int(self._head["status"])

    def _filled(self, response: web.StreamResponse) -> web.StreamResponse:
        assert self._head is not None
        for raw_name, raw_value in self._head.get("headers", ()):
            name = raw_name.decode("latin-1")
            if name.lower() not in _HOP_BY_HOP:
                response.headers[name] = raw_value.decode("latin-1")
        return response


async def _to_client(write: Awaitable[Any] | None) -> None:
    """A client that left is no error here: `receive` tells the application."""
    if write is not None:
        with suppress(ConnectionError):
            await write
