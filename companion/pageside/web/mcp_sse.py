"""The deprecated HTTP+SSE transport: GET /__mcp__/sse and POST /__mcp__/messages.

The SDK neither counts nor expires its sessions; this does, with the same limits as Streamable HTTP.
"""

from __future__ import annotations

import asyncio
import logging
import re

from aiohttp import web
from mcp.server.sse import SseServerTransport

from pageside.agents.server import AgentServer
from pageside.contract import LIMITS
from pageside.errors import Refused, ShuttingDown
from pageside.web.asgi_bridge import ASGIApp, Message, Receive, Send
from pageside.web.mcp_frames import fitting
from pageside.web.mcp_http import IDLE_SECONDS, security
from pageside.web.mcp_requests import McpRequests
from pageside.web.routes import MCP, Route, Scope

log = logging.getLogger(__name__)

MAX_SESSIONS = 64
MESSAGES = f"{MCP}/messages"
_SESSION_ID = re.compile(r"[0-9a-f]{32}")
_SESSION = re.compile(rb"session_id=([0-9a-f]{32})")


class McpSse:
    """`start()` when the port is known, `stop()` on shutdown; `routes()` in between."""

    def __init__(
        self, server: AgentServer, requests: McpRequests, *, idle_seconds: float = IDLE_SECONDS
    ) -> None:
        self._server, self._requests, self._idle_seconds = server, requests, idle_seconds
        self._transport: SseServerTransport | None = None
        self._sessions: dict[str, asyncio.Timeout] = {}
        self._streams: set[asyncio.Task[object]] = set()

    def routes(self) -> list[Route]:
        return [
            Route(f"{MCP}/sse", ("GET",), self._stream, Scope.AGENT),
            Route(MESSAGES, ("POST",), self._message, Scope.AGENT),
        ]

    async def start(self, port: int) -> None:
        self._transport = SseServerTransport(MESSAGES, security(port), LIMITS["bodyBytes"])

    async def stop(self) -> None:
        for task in list(self._streams):
            task.cancel()

    def close_session(self, session_id: str) -> None:
        """End a session's stream; unknown ones are none."""
        running = self._sessions.get(session_id)
        if running is not None:
            running.reschedule(asyncio.get_running_loop().time())

    def _ready(self) -> SseServerTransport:
        if self._transport is None:
            raise ShuttingDown("The companion is not ready.")
        return self._transport

    async def _message(self, request: web.Request) -> web.StreamResponse:
        session_id = request.query.get("session_id", "")
        if not _SESSION_ID.fullmatch(session_id):
            raise Refused(400, "BAD_REQUEST", "'session_id' must be the one that the stream gave.")
        running = self._sessions.get(session_id)
        if running is not None:
            running.reschedule(asyncio.get_running_loop().time() + self._idle_seconds)
        return await self._requests.serve(self._ready().handle_post_message, request)

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        if len(self._streams) >= MAX_SESSIONS:
            raise Refused(503, "TOO_MANY", f"{MAX_SESSIONS} sessions are open already.")
        return await self._requests.serve(self._application(request), request)

    def _application(self, request: web.Request) -> ASGIApp:
        transport, query = self._ready(), self._server.parse_query(request.query)

        async def application(scope: Message, receive: Receive, send: Send) -> None:
            idle = asyncio.timeout(self._idle_seconds)
            session_id = ""

            async def noting(message: Message) -> None:
                nonlocal session_id
                found = None if session_id else _SESSION.search(message.get("body", b""))
                if found is not None:
                    # Its messages come without the query of the stream.
                    session_id = found.group(1).decode()
                    self._sessions[session_id] = idle
                    self._server.remember(session_id, query)
                await send({**message, "body": fitting(message["body"])} if "body" in message else message)

            task = asyncio.current_task()
            assert task is not None
            self._streams.add(task)
            try:
                async with idle, transport.connect_sse(scope, receive, noting) as (read, write):
                    await self._server.run(read, write, self._server.create_initialization_options())
            except TimeoutError:
                log.info("an SSE session ended: %s", self._server.why_closed(session_id) or "it was idle")
            finally:
                self._streams.discard(task)
                self._sessions.pop(session_id, None)
                self._server.forget(session_id)

        return application
