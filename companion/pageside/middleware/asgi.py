"""Pageside for ASGI apps: FastAPI, Starlette, Django, Quart, Litestar.

app.add_middleware(PagesideMiddleware, enabled=app.debug)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Unpack

from pageside.middleware.exchange import Answer, Asked, Socket, below
from pageside.middleware.options import PagesideOptions, read_options
from pageside.middleware.pages import Insertion, Page, Pages
from pageside.middleware.stopping import before_stop
from pageside.middleware.templates import TEMPLATES

if TYPE_CHECKING:
    from pageside.middleware.door import Door

__all__ = ["PagesideMiddleware"]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_SEEN = "pageside"
_FILE_EXTENSIONS = ("http.response.pathsend", "http.response.zerocopysend")


class PagesideMiddleware:
    """Wraps an ASGI app, with the options of docs/python-pages.md; off unless one says that it is on."""

    def __init__(self, app: App, **options: Unpack[PagesideOptions]) -> None:
        self._app = app
        self._options = read_options(options)
        self._door: Door | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._has_lifespan = False
        self._closing: asyncio.Task[None] | None = None
        if self._options.enabled:
            self._pages = Pages(self._options)
            TEMPLATES.turn_on(self._options.project)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._options.enabled or scope.get(_SEEN):
            await self._app(scope, receive, send)
        elif scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
        elif scope["type"] == "http":
            await self._http({**scope, _SEEN: True}, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._open_door().link.start()
        self._has_lifespan = True

        async def send_closed(message: Message) -> None:
            # What comes after this message, a server may cancel.
            if message["type"].startswith("lifespan.shutdown."):
                await self._close_door()
            await send(message)

        try:
            await self._app({**scope, _SEEN: True}, receive, send_closed)
        finally:
            self._has_lifespan = False
            await self._close_door()

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        base = str(scope.get("root_path", "")).rstrip("/")
        path = below(scope["path"], base)
        if path is not None:
            await _answer(self._open_door(), _asked(scope, path, receive), receive, send)
            return
        page = self._pages.page(_asked(scope, scope["path"], receive), base)
        if page is None:
            await self._app(scope, receive, send)
            return
        link = self._open_door().link
        link.serves(page.url)
        link.start()
        inserting = _Inserting(page, send)
        await self._app(_as_asked(page, scope), receive, inserting.send)

    def _open_door(self) -> Door:
        """The one of this event loop."""
        loop = asyncio.get_running_loop()
        if self._door is None or self._loop is not loop:
            # With aiohttp in it: an app in production shall not wait for that.
            from pageside.middleware.door import Door  # noqa: PLC0415

            self._door, self._loop = Door(self._options), loop
            before_stop(loop, self._server_stops)
        return self._door

    def _server_stops(self) -> None:
        if self._door is not None:
            self._door.end_streams()
            if not self._has_lifespan and (self._closing is None or self._closing.done()):
                # Nobody says later that it is over.
                self._closing = asyncio.create_task(self._close_door())

    async def _close_door(self) -> None:
        door, self._door = self._door, None
        if door is not None:
            await door.close()


def _asked(scope: Scope, path: str, receive: Receive) -> Asked:
    headers = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
    client, server = scope.get("client"), scope.get("server")
    return Asked(
        scope["method"],
        path,
        scope["query_string"].decode("latin-1"),
        headers,
        scope.get("scheme") == "https",
        client[0] if client else None,
        _body(receive),
        Socket(*client[:2], *server[:2]) if client and server and server[1] is not None else None,
    )


async def _body(receive: Receive) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise ConnectionResetError("the client left before its body was whole")
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


async def _answer(door: Door, asked: Asked, receive: Receive, send: Send) -> None:
    try:
        answer = await door.answer(asked)
    except ConnectionResetError:
        return
    headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in answer.headers]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if answer.stream is None:
        await send({"type": "http.response.body", "body": answer.body})
        return
    sending = asyncio.create_task(_send_stream(answer, send))
    leaving = asyncio.create_task(_left(receive))
    try:
        await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (sending, leaving):
            task.cancel()
        results = await asyncio.gather(sending, leaving, return_exceptions=True)
    if isinstance(results[0], Exception) and not isinstance(results[0], OSError):
        raise results[0]


async def _send_stream(answer: Answer, send: Send) -> None:
    assert answer.stream is not None
    async with aclosing(answer.stream) as stream:
        async for chunk in stream:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def _left(receive: Receive) -> None:
    """Returns when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        """The body was read; servers send an empty one more."""


def _as_asked(page: Page, scope: Scope) -> Scope:
    """The request as the app gets to see it."""
    headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
    kept = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in page.ask(headers)]
    # A file that the server sends by itself cannot be changed on its way.
    extensions = {
        name: each for name, each in (scope.get("extensions") or {}).items() if name not in _FILE_EXTENSIONS
    }
    return {**scope, "headers": kept, "extensions": extensions}


class _Inserting:
    """Passes an answer on, with the client in it if it is a document."""

    def __init__(self, page: Page, send: Send) -> None:
        self._page, self._send = page, send
        self._start: Message | None = None
        self._insertion: Insertion | None = None

    async def send(self, message: Message) -> None:
        """Take one of the app's messages."""
        if message["type"] == "http.response.start":
            await self._begin(message)
        elif message["type"] == "http.response.body" and self._insertion is not None:
            await self._go_on(self._insertion, message)
        else:
            await self._send(message)

    async def _begin(self, message: Message) -> None:
        headers = [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in message.get("headers", ())
        ]
        self._insertion = self._page.begin(message["status"], headers)
        self._start = message
        if self._insertion is None:
            await self._send(message)

    async def _go_on(self, insertion: Insertion, message: Message) -> None:
        more = message.get("more_body", False)
        text = insertion.feed(message.get("body", b""))
        if not more:
            text += insertion.finish()
        if not insertion.is_ready:
            return
        if self._start is not None:
            headers = [
                (name.encode("latin-1"), value.encode("latin-1")) for name, value in insertion.headers()
            ]
            start, self._start = {**self._start, "headers": headers}, None
            await self._send(start)
        await self._send({**message, "body": text, "more_body": more})
