"""Streamable HTTP at /__mcp__ and /mcp: the SDK's session manager behind the guard.

The manager lives in a task of its own, as anyio scopes must be left by the task that entered them; it is stopped in
`on_shutdown`, before aiohttp starts to wait for open handlers, because a GET stream is an open handler.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from aiohttp import web
from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings

from pageside.contract import LIMITS
from pageside.core.origins import own_hosts, own_origins
from pageside.errors import ShuttingDown
from pageside.web.asgi_bridge import Message
from pageside.web.event_store import SessionManager
from pageside.web.mcp_frames import framed
from pageside.web.mcp_requests import McpRequests
from pageside.web.routes import MCP, Route, Scope

MAX_SESSIONS = 256
IDLE_SECONDS = 1800.0
RETRY_MILLISECONDS = 1000
"""When a client whose stream broke may come back for the rest."""
ALIAS = "/mcp"
"""Some clients insist on a path with this end."""


def security(port: int) -> TransportSecuritySettings:
    """The SDK's own check of Host and Origin, off by default: a second lock behind the guard."""
    return TransportSecuritySettings(
        allowed_hosts=sorted(own_hosts(port)), allowed_origins=sorted(own_origins(port))
    )


class McpHttp:
    """`start()` when the port is known, `stop()` on shutdown; `routes()` in between."""

    def __init__(self, server: Server[Any], requests: McpRequests) -> None:
        self._server, self._requests = server, requests
        self._stop = asyncio.Event()
        self._manager: SessionManager | None = None
        self._task: asyncio.Task[None] | None = None

    def routes(self) -> list[Route]:
        methods = ("GET", "POST", "DELETE")
        return [Route(path, methods, self._handle, Scope.AGENT) for path in (MCP, ALIAS)]

    async def start(self, port: int) -> None:
        self._manager = SessionManager(
            self._server,
            security_settings=security(port),
            retry_interval=RETRY_MILLISECONDS,
            max_request_body_size=LIMITS["bodyBytes"],
            max_sessions=MAX_SESSIONS,
            session_idle_timeout=IDLE_SECONDS,
        )
        ready = asyncio.Event()
        self._task = asyncio.create_task(self._run(self._manager, ready), name="mcp-sessions")
        await ready.wait()

    async def _run(self, manager: SessionManager, ready: asyncio.Event) -> None:
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

    async def close_session(self, session_id: str, host: str) -> None:
        """End a session as its client would, with DELETE; unknown ones are none."""
        if self._manager is None:
            return
        headers = [(b"mcp-session-id", session_id.encode()), (b"host", host.encode())]
        scope: Message = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "DELETE",
            "scheme": "http",
            "path": MCP,
            "raw_path": MCP.encode(),
            "query_string": b"",
            "root_path": "",
            "headers": headers,
            "client": None,
            "server": None,
            "state": {},
        }

        async def receive() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(_message: Message) -> None:
            """Nobody waits for this answer."""

        await self._manager.asgi_app(scope, receive, send)

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if self._manager is None:
            raise ShuttingDown("The companion is not ready.")
        return await self._requests.serve(framed(self._manager.asgi_app), request)
