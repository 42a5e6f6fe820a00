"""Leases of dev servers: a stream that is held as long as the dev server lives."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

from aiohttp import web

from pageside.core.fields import Fields
from pageside.core.ids import is_channel_id
from pageside.core.redaction import redact_text, redact_url
from pageside.errors import Refused
from pageside.hubs.leases import Lease, Leases
from pageside.operations.plugin_reports import connected, gone
from pageside.operations.world import World
from pageside.processes.server import Attached
from pageside.web.bodies import read_object
from pageside.web.keys import WORLD
from pageside.web.routes import Route, Scope, channel_route

_PING_SECONDS = 5.0


class PluginLeases:
    """Holds the streams open until their sockets or the companion end, and a place among the servers for each."""

    def __init__(self) -> None:
        self._stop = asyncio.Event()
        self._servers: dict[str, Attached] = {}

    def routes(self) -> list[Route]:
        return [channel_route("lease", "POST", self._lease, Scope.PLUGIN)]

    def stop(self) -> None:
        self._stop.set()

    def write(self, lease: str, level: str, text: str) -> None:
        """Append to that dev server's log."""
        attached = self._servers.get(lease)
        if attached is not None:
            attached.write("stdout" if level == "info" else "stderr", redact_text(text) + "\n")

    async def _lease(self, request: web.Request) -> web.StreamResponse:
        world = request.app[WORLD]
        lease, before = _taken(world.leases, await read_object(request))
        self._connected(world, lease, before)
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        try:
            await response.prepare(request)
            await response.write(json.dumps({"lease": lease.id}).encode() + b"\n")
            await self._hold(response)
        except ConnectionError:
            return response
        finally:
            if world.leases.release(lease):
                self._gone(world, lease)
        return response

    def _connected(self, world: World, lease: Lease, before: Lease | None) -> None:
        connected(world, lease, before)
        attached = self._servers.get(lease.id)
        if attached is not None:
            attached.urls = lease.urls
            return
        self._servers[lease.id] = world.servers.attach(
            lease.server,
            pid=lease.pid,
            cwd=lease.root,
            command=lease.command,
            urls=lease.urls,
            by="middleware" if lease.server == "python" else "vite plugin",
        )

    def _gone(self, world: World, lease: Lease) -> None:
        gone(world, lease)
        self._servers.pop(lease.id).detach("Its connection ended.")

    async def _hold(self, response: web.StreamResponse) -> None:
        while not self._stop.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_PING_SECONDS):
                    await self._stop.wait()
            await response.write(b"\n")


def _taken(leases: Leases, body: dict[str, Any]) -> tuple[Lease, Lease | None]:
    """The lease, and the one that it goes on with."""
    urls = body.get("urls", [])
    if not isinstance(urls, list) or not all(isinstance(url, str) for url in urls):
        raise Refused(400, "BAD_REQUEST", "'urls' must be a list of texts.")
    clean = tuple(redact_url(url)[:300] for url in urls[:10])
    renews = _renewed(body)
    before = leases.get(renews) if renews is not None else None
    lease = leases.take(
        str(body.get("root", ""))[:1000],
        clean,
        _command(body),
        server="python" if body.get("server") == "python" else "vite",
        pid=Fields(body).optional_whole("pid"),
        renews=renews,
    )
    if lease is None:
        raise Refused(503, "TOO_MANY", "Too many dev servers hold this companion.")
    return lease, before


def _command(body: dict[str, Any]) -> str:
    """By which people know the dev server."""
    named = body.get("command")
    if isinstance(named, str):
        return redact_text(named[:200])
    return f"vite {str(body.get('vite', ''))[:50]}".strip()


def _renewed(body: dict[str, Any]) -> str | None:
    renews = body.get("renews")
    if renews is not None and not is_channel_id(renews):
        raise Refused(400, "BAD_REQUEST", "'renews' must be the id of a lease.")
    return renews
