"""A bare CDP connection: the floor that servers are compared with, and the witness of what they did."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

Params = dict[str, Any]
SECONDS = 30.0


class CdpError(Exception):
    """Chrome refused a command, or threw in an evaluation."""


class Wire:
    """One WebSocket to a browser, with flattened sessions."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._calls: dict[int, asyncio.Future[Params]] = {}
        self._listeners: list[Callable[[str, str, Params], None]] = []

    async def send(self, method: str, session: str = "", **params: Any) -> Params:
        """The result of a command; raises `CdpError`."""
        number = next(self._numbers)
        message: Params = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        future = self._calls[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_str(json.dumps(message))
        async with asyncio.timeout(SECONDS):
            answer = await future
        if "error" in answer:
            raise CdpError(f"{method}: {answer['error']}")
        result: Params = answer["result"]
        return result

    def listen(self, listener: Callable[[str, str, Params], None]) -> Callable[[], None]:
        """`listener(session, event, params)` for every event; calling what is returned ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    async def read(self) -> None:
        """Deliver messages until the connection ends."""
        async for raw in self._socket:
            message = json.loads(raw.data)
            future = self._calls.pop(message.get("id"), None)
            if future is not None and not future.done():
                future.set_result(message)
            elif "method" in message:
                for listener in tuple(self._listeners):
                    listener(message.get("sessionId", ""), message["method"], message["params"])


@asynccontextmanager
async def wire(port: int) -> AsyncIterator[Wire]:
    """Connected with the browser that debugs on that port."""
    async with aiohttp.ClientSession() as http:
        async with http.get(f"http://127.0.0.1:{port}/json/version") as response:
            url = (await response.json())["webSocketDebuggerUrl"]
        async with http.ws_connect(url, max_msg_size=0, compress=0) as socket:
            connected = Wire(socket)
            reading = asyncio.create_task(connected.read())
            try:
                yield connected
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)


class Page:
    """A session with one tab."""

    def __init__(self, connection: Wire, target: str, session: str) -> None:
        self.wire, self.target, self.session = connection, target, session

    async def __call__(self, method: str, **params: Any) -> Params:
        return await self.wire.send(method, self.session, **params)

    async def value(self, expression: str) -> Any:
        """Of an expression in the page, awaited, as JSON; raises `CdpError` if it throws."""
        answer = await self(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True
        )
        if "exceptionDetails" in answer:
            raise CdpError(str(answer["exceptionDetails"])[:500])
        return answer["result"].get("value")

    @asynccontextmanager
    async def expecting(
        self, name: str, fits: Callable[[Params], bool] = lambda _params: True
    ) -> AsyncIterator[asyncio.Future[Params]]:
        """A future of the next such event; it is awaited at the end of the block."""
        future: asyncio.Future[Params] = asyncio.get_running_loop().create_future()

        def take(session: str, event: str, params: Params) -> None:
            if (session, event) == (self.session, name) and not future.done() and fits(params):
                future.set_result(params)

        stop = self.wire.listen(take)
        try:
            yield future
            async with asyncio.timeout(SECONDS):
                await future
        finally:
            stop()


async def targets(connection: Wire) -> list[Params]:
    """The tabs."""
    listed = (await connection.send("Target.getTargets"))["targetInfos"]
    return [each for each in listed if each["type"] == "page"]


async def attach(connection: Wire, url_part: str = "") -> Page:
    """To the tab whose URL holds that, or to the first."""
    found = [each for each in await targets(connection) if url_part in each["url"]]
    if not found:
        raise CdpError(f"no tab shows {url_part!r}")
    target = found[0]["targetId"]
    answer = await connection.send("Target.attachToTarget", targetId=target, flatten=True)
    return Page(connection, target, answer["sessionId"])
