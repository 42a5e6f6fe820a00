"""A companion that tells which of its handlers ran."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace

from aiohttp import web

from pageside.web.routes import Route


@dataclass
class Door:
    """The companion's own route table, and the paths whose handlers ran."""

    routes: list[Route] = field(default_factory=list)
    handled: list[str] = field(default_factory=list)
    left: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    """The paths whose handlers ended, as they end."""

    def watched(self, route: Route) -> Route:
        """The route with a handler that leaves a note before it runs."""

        async def handler(request: web.Request) -> web.StreamResponse:
            self.handled.append(route.path)
            try:
                return await route.handler(request)
            finally:
                self.left.put_nowait(route.path)

        return replace(route, handler=handler)
