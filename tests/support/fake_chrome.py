"""A Chrome that lies, stalls, floods or drops, on a real socket: CDP from a script that the test writes."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import WSMsgType, web

Message = dict[str, Any]
Handler = Callable[[Message], Awaitable[None]]
HttpHandler = Callable[[web.Request], Awaitable[web.StreamResponse]]

PATH = "/devtools/browser/fake"


class FakeChrome:
    """Answers what is scripted (`answers`, `handlers`), and says nothing to the rest."""

    def __init__(self) -> None:
        self.port = 0
        self.answers: dict[str, Message] = {"Browser.getVersion": {"product": "Fake/1"}}
        """Results by method."""
        self.handlers: dict[str, Handler] = {}
        """What is done with a call instead."""
        self.version: HttpHandler = self._version
        """Answers `/json/version`."""
        self.upgrade: HttpHandler = self._upgrade
        """Answers the WebSocket's request."""
        self.received: list[Message] = []
        self.connections = 0
        self._socket: web.WebSocketResponse | None = None
        self._transport: asyncio.Transport | None = None
        self._news: defaultdict[str, asyncio.Queue[Message]] = defaultdict(asyncio.Queue)

    @property
    def url(self) -> str:
        """Its browser's WebSocket."""
        return f"ws://127.0.0.1:{self.port}{PATH}"

    @property
    def is_connected(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    async def call(self, method: str) -> Message:
        """The next call of that method that nobody waited for yet."""
        return await asyncio.wait_for(self._news[method].get(), 5)

    # What it says

    async def answer(self, call: Message, **result: Any) -> None:
        await self.say({"id": call["id"], "result": result})

    async def refuse(self, call: Message, error: Any) -> None:
        await self.say({"id": call["id"], "error": error})

    async def event(self, method: str, session: str | None = None, **params: Any) -> None:
        await self.say({"method": method, "params": params, **({"sessionId": session} if session else {})})

    async def say(self, message: object) -> None:
        """Any JSON, or a str as it is."""
        assert self._socket is not None
        text = message if isinstance(message, str) else json.dumps(message)
        await self._socket.send_str(text)

    def write(self, data: bytes) -> None:
        """Bytes where frames should be."""
        assert self._transport is not None
        self._transport.write(data)

    async def hang_up(self) -> None:
        """With a close frame."""
        assert self._socket is not None
        await self._socket.close()

    def drop(self) -> None:
        """Without a word."""
        assert self._transport is not None
        self._transport.abort()

    def pause(self) -> None:
        """Reads nothing any more."""
        assert self._transport is not None
        self._transport.pause_reading()

    # The server

    async def _version(self, _request: web.Request) -> web.StreamResponse:
        return web.json_response({"Browser": "Fake/1", "webSocketDebuggerUrl": self.url})

    async def _upgrade(self, request: web.Request) -> web.StreamResponse:
        socket = web.WebSocketResponse(max_msg_size=0, compress=False)
        await socket.prepare(request)
        self._socket = socket
        assert isinstance(request.transport, asyncio.Transport)
        self._transport = request.transport
        self.connections += 1
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await self._called(json.loads(message.data))
        return socket

    async def _called(self, call: Message) -> None:
        self.received.append(call)
        method = call["method"]
        self._news[method].put_nowait(call)
        if method in self.handlers:
            await self.handlers[method](call)
        elif method in self.answers:
            await self.answer(call, **self.answers[method])

    async def serve(self, request: web.Request) -> web.StreamResponse:
        if request.path == "/json/version":
            return await self.version(request)
        return await self.upgrade(request)


@asynccontextmanager
async def fake_chrome() -> AsyncIterator[FakeChrome]:
    """On a free port."""
    fake = FakeChrome()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", fake.serve)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    fake.port = runner.addresses[0][1]
    try:
        yield fake
    finally:
        # One that was paused would never notice that the other side is gone.
        if fake.is_connected:
            fake.drop()
        await runner.cleanup()
