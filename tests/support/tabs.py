"""A tab of the tab socket as the wire sees it."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import aiohttp
import pytest
from aiohttp import WSMsgType

from pageside.hubs.tabs import Tabs, TabSocketState
from pageside.web import app, composition
from pageside.web.app import Companion
from pageside.web.tab_connection import Times
from pageside.web.tab_port import TabPort
from pageside.web.tab_socket import EXTENSION

SECONDS = 10.0
_numbers = itertools.count(1)


class WireTab:
    """Says what a test wants; `receive` skips what keeps the connection alive."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, tab_id: str) -> None:
        self.socket, self.id = socket, tab_id

    async def say(self, **message: Any) -> None:
        await self.socket.send_json(message)

    async def register(self, **more: Any) -> None:
        await self.say(type="register", tabId=self.id, **more)
        told = await self.receive()
        assert (told["type"], told["tabId"]) == ("registered", self.id), told

    async def receive(self, seconds: float | None = SECONDS) -> dict[str, Any]:
        """The next message that is no ping; fails when the connection ends, or `seconds` pass without any."""
        while True:
            message = await self.socket.receive(seconds)
            assert message.type is WSMsgType.TEXT, message
            told: dict[str, Any] = json.loads(message.data)
            if told["type"] != "ping":
                return told

    async def succeed(self, command: dict[str, Any], **result: Any) -> None:
        await self.say(type="response", id=command["id"], success=True, result=result, error=None)

    async def fail(self, command: dict[str, Any], code: str, message: str, **more: Any) -> None:
        error = {"code": code, "message": message, **more}
        await self.say(type="response", id=command["id"], success=False, result=None, error=error)

    async def closed(self) -> tuple[int | None, list[dict[str, Any]]]:
        """The code with which the companion ends it, and what it said before; pings aside."""
        said = []
        while (message := await self.socket.receive(SECONDS)).type is WSMsgType.TEXT:
            said.append(json.loads(message.data))
        code = message.data if message.type is WSMsgType.CLOSE else self.socket.close_code
        return code, [each for each in said if each["type"] != "ping"]

    async def serve(self, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        """Answer every command with what the function returns; until cancelled."""
        while True:
            command = await self.receive(None)
            if command["type"] == "command":
                await self.succeed(command, **answer(command))


@asynccontextmanager
async def wire_tab(
    port: int | None,
    tab_id: str | None = None,
    *,
    register: bool = True,
    origin: str | None = EXTENSION,
    headers: dict[str, str] | None = None,
    **more: Any,
) -> AsyncIterator[WireTab]:
    """A tab with a connection of its own, registered with `more` (url, title …) unless a test does that itself."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"http://127.0.0.1:{port}/", origin=origin, headers=headers) as socket,
    ):
        tab = WireTab(socket, tab_id or f"tab-{next(_numbers)}")
        if register:
            await tab.register(**more)
        yield tab


async def until(tabs: Tabs, happened: Callable[[], bool]) -> None:
    """Wait for a change of the tabs, or of the socket's state, after which that is true."""
    changed = asyncio.Event()
    changed.set()
    stop = tabs.listen(changed.set)
    try:
        async with asyncio.timeout(SECONDS):
            while not happened():
                changed.clear()
                await changed.wait()
    finally:
        stop()


async def settled(tabs: Tabs, kind: str) -> TabSocketState:
    """The state of the tab socket, once it is of that kind."""
    await until(tabs, lambda: tabs.state.kind == kind)
    return tabs.state


def tabs_of(companion: Companion) -> Tabs:
    return companion.world.extension_tabs


def asked(
    companion: Companion, tab: WireTab, seconds: float = 30, **params: Any
) -> asyncio.Task[dict[str, Any]]:
    call = tabs_of(companion).command(tab.id, "kapturemcp_fill", params, seconds=seconds)
    return asyncio.create_task(call)


async def works(companion: Companion, tab: WireTab) -> None:
    """A command reaches that tab, and its answer comes back."""
    call = asked(companion, tab, value="x")
    command = await tab.receive()
    assert (command["command"], command["params"]) == ("kapturemcp_fill", {"value": "x"})
    await tab.succeed(command, url="http://x/")
    assert await call == {"url": "http://x/"}


def set_times(monkeypatch: pytest.MonkeyPatch, **given: float) -> None:
    """Companions that start afterwards have these times of the tab socket, and no grace for commands."""
    monkeypatch.setattr(app, "TabPort", partial(TabPort, times=Times(**given)))
    monkeypatch.setattr(composition, "Tabs", partial(Tabs, grace=0))
