"""Streamable HTTP at /__mcp__: the SDK's session manager behind the guard.

The manager lives in a task of its own, as anyio scopes must be left by the task that entered them; it is stopped in
`on_shutdown`, before aiohttp starts to wait for open handlers, because a GET stream is an open handler.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from aiohttp import web
from mcp.server import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from pageside.contract import LIMITS
from pageside.core.origins import own_hosts, own_origins
from pageside.errors import ShuttingDown
from pageside.web.asgi_bridge import serve_asgi
from pageside.web.routes import MCP, Route, Scope

MAX_SESSIONS = 256
IDLE_SECONDS = 1800.0
GRACE_SECONDS = 1.0
"""How long requests that still wait for a body may take at shutdown."""


class McpHttp:
    """`start()` when the port is known, `stop()` on shutdown; `route()` in between."""

    def __init__(self, server: Server[None]) -> None:
        self._server = server
        self._stop = asyncio.Event()
        self._requests: set[asyncio.Task[web.StreamResponse]] = set()
        self._manager: StreamableHTTPSessionManager | None = None
        self._task: asyncio.Task[None] | None = None
        self.last_request = asyncio.get_running_loop().time()
        """When a request last ended, on the loop's clock."""

    def route(self) -> Route:
        return Route(MCP, ("GET", "POST", "DELETE"), self._handle, Scope.AGENT)

    async def start(self, port: int) -> None:
        # The guard has checked Host and Origin; the SDK's own check, off by default, is a second lock.
        security = TransportSecuritySettings(
            allowed_hosts=sorted(own_hosts(port)), allowed_origins=sorted(own_origins(port))
        )
        self._manager = StreamableHTTPSessionManager(
            self._server,
            security_settings=security,
            max_request_body_size=LIMITS["bodyBytes"],
            max_sessions=MAX_SESSIONS,
            session_idle_timeout=IDLE_SECONDS,
        )
        ready = asyncio.Event()
        self._task = asyncio.create_task(self._run(self._manager, ready), name="mcp-sessions")
        await ready.wait()

    async def _run(self, manager: StreamableHTTPSessionManager, ready: asyncio.Event) -> None:
        try:
            async with manager.run():
                ready.set()
                await self._stop.wait()
        finally:
            ready.set()

    async def stop(self) -> None:
        self._stop.set()
        if self._task is not None:
            with suppress(asyncio.CancelledError):
                await self._task
        if self._requests:
            _, late = await asyncio.wait(self._requests, timeout=GRACE_SECONDS)
            for task in late:
                task.cancel()

    @property
    def busy(self) -> bool:
        """A request is open: a call, or a stream that listens."""
        return bool(self._requests)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if self._manager is None or self._stop.is_set():
            raise ShuttingDown("The companion is stopping.")
        try:
            return await serve_asgi(self._manager.asgi_app, request, self._requests)
        finally:
            self.last_request = asyncio.get_running_loop().time()
