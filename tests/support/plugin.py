"""A dev server's plugin as the wire sees it: a lease, and what it tells under it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from pageside.contract import CHANNEL
from pageside.web.app import Companion

PREFIX: str = CHANNEL["prefix"]
ROUTES: dict[str, str] = CHANNEL["routes"]


class WirePlugin:
    """Holds a lease; `tell` posts events under it."""

    def __init__(self, session: aiohttp.ClientSession) -> None:
        self.session = session
        self.lease = ""
        self._streams: list[aiohttp.ClientResponse] = []

    async def take(self, **more: Any) -> aiohttp.ClientResponse:
        """Take a lease and return its stream, which ends with the plugin or by `close()`."""
        body = {"root": "/shop", "urls": ["http://localhost:5173/"], "pid": 1, "vite": "8.3.8", **more}
        response = await self.session.post(PREFIX + ROUTES["lease"], json=body)
        assert response.status == 200, await response.text()
        self.lease = json.loads(await response.content.readline())["lease"]
        self._streams.append(response)
        return response

    async def tell(self, *events: dict[str, Any], **more: Any) -> tuple[int, Any]:
        body = {
            "lease": self.lease,
            "events": [{"ago": 0, **event} for event in events],
            "dropped": 0,
            **more,
        }
        return await self.post(body)

    async def post(self, body: dict[str, Any]) -> tuple[int, Any]:
        async with self.session.post(PREFIX + ROUTES["tell"], json=body) as response:
            text = await response.text()
            return response.status, json.loads(text) if text else None

    def leave(self) -> None:
        for stream in self._streams:
            stream.close()


@asynccontextmanager
async def wire_plugin(companion: Companion, token: str | None = None) -> AsyncIterator[WirePlugin]:
    """A plugin with a lease, which ends with the block; with another token, without one."""
    headers = {CHANNEL["headers"]["pluginToken"]: token or companion.secrets.plugin}
    async with aiohttp.ClientSession(companion.url, headers=headers) as session:
        plugin = WirePlugin(session)
        if token is None:
            await plugin.take()
        yield plugin
        plugin.leave()
