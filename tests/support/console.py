"""A web console as the wire sees it: a code, a token, the events; no browser."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from pageside.contract import CHANNEL
from pageside.web.app import Companion

PATHS: dict[str, str] = {name: CHANNEL["prefix"] + path for name, path in CHANNEL["console"].items()}
Overview = dict[str, Any]


def code_of(link: str) -> str:
    return link.partition("#")[2]


def token_of(companion: Companion) -> str:
    """A console's token, without the wire."""
    keys = companion.secrets.console
    token = keys.enter(keys.new_code())
    assert token is not None
    return token


class WireConsole:
    """Reads the events as they come."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self._response = response

    async def next(self) -> Overview:
        """What the next event says; pings are passed over."""
        async with asyncio.timeout(5):
            while (line := await self._response.content.readline()) != b"event: overview\n":
                assert line, "the stream ended"
            data = await self._response.content.readline()
            assert await self._response.content.readline() == b"\n"
        told: Overview = json.loads(data.removeprefix(b"data: "))
        return told

    async def until(self, shows: Callable[[Overview], bool]) -> Overview:
        """The first event, from the next one on, that shows it."""
        while not shows(told := await self.next()):
            pass
        return told

    async def lines(self, count: int) -> list[bytes]:
        async with asyncio.timeout(5):
            return [await self._response.content.readline() for _ in range(count)]

    async def ended(self) -> bool:
        """Whether the stream ends in order, whatever else it says before."""
        async with asyncio.timeout(5):
            await self._response.read()
        return self._response.content.at_eof()


@asynccontextmanager
async def wire_console(companion: Companion) -> AsyncIterator[WireConsole]:
    """A console that is open, as a browser opens it."""
    headers = {"Authorization": f"Bearer {token_of(companion)}", "Sec-Fetch-Site": "same-origin"}
    timeout = aiohttp.ClientTimeout(total=None)
    async with (
        aiohttp.ClientSession(companion.url, headers=headers, timeout=timeout, read_bufsize=1 << 22) as http,
        http.get(PATHS["events"]) as response,
    ):
        assert response.status == 200, await response.text()
        yield WireConsole(response)
